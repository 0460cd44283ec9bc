//! JSON objects with known keys and numbers within ranges.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use super::problem::Problem;
use setpoint_suggest::nearest;

/// The object of an input.
pub(super) struct Object<'a> {
    name: &'static str,
    map: &'a Map<String, Value>,
}

impl<'a> Object<'a> {
    /// The value of an input as an object; keys not in `known` are refused.
    pub(super) fn new(
        name: &'static str,
        value: &'a Value,
        known: &'static [&'static str],
    ) -> Result<Self, Problem> {
        let map = map(value, &format!("{name:?}"))?;
        match map.keys().find(|key| !known.contains(&key.as_str())) {
            Some(key) => Err(unknown(key, &format!("{name:?}"), known)),
            None => Ok(Self { name, map }),
        }
    }

    /// A whole number, within a range if one is given.
    pub(super) fn number<T: TryFrom<i128>>(
        &self,
        key: &'static str,
        range: RangeInclusive<i128>,
    ) -> Result<Option<T>, Problem> {
        self.value(key).map(|value| number(key, value, range)).transpose()
    }

    /// A required whole number within a range.
    pub(super) fn required<T: TryFrom<i128>>(
        &self,
        key: &'static str,
        range: RangeInclusive<i128>,
    ) -> Result<T, Problem> {
        self.number(key, range)?.ok_or(Problem::Missing { input: self.name, key })
    }

    /// A string, if given.
    pub(super) fn text(&self, key: &'static str) -> Result<Option<&'a str>, Problem> {
        let read =
            |value: &'a Value| value.as_str().ok_or_else(|| wrong_kind(&format!("{key:?}"), value, "text"));
        self.value(key).map(read).transpose()
    }

    /// A yes or no; no by default.
    pub(super) fn flag(&self, key: &'static str) -> Result<bool, Problem> {
        let read = |value: &Value| {
            value.as_bool().ok_or_else(|| wrong_kind(&format!("{key:?}"), value, "true or false"))
        };
        self.value(key).map_or(Ok(false), read)
    }

    /// A list; empty by default.
    pub(super) fn list(&self, key: &'static str) -> Result<&'a [Value], Problem> {
        let read = |value: &'a Value| {
            let list = value.as_array().map(Vec::as_slice);
            list.ok_or_else(|| wrong_kind(&format!("{key:?}"), value, "a list"))
        };
        self.value(key).map_or(Ok(&[]), read)
    }

    /// A value that is neither missing nor null.
    pub(super) fn value(&self, key: &str) -> Option<&'a Value> {
        self.map.get(key).filter(|value| !value.is_null())
    }
}

/// A whole number within a range.
pub(super) fn number<T: TryFrom<i128>>(
    key: &'static str,
    value: &Value,
    range: RangeInclusive<i128>,
) -> Result<T, Problem> {
    let whole = value.as_u64().map(i128::from).or_else(|| value.as_i64().map(i128::from));
    let out_of_range =
        || Problem::Range { key, given: value.to_string(), lowest: *range.start(), highest: *range.end() };
    match whole {
        Some(whole) if range.contains(&whole) => T::try_from(whole).map_err(|_| out_of_range()),
        Some(_) => Err(out_of_range()),
        // serde_json parses whole numbers beyond 64 bits as floats.
        None if value.as_f64().is_some_and(|float| float.abs() >= 1e18) => Err(out_of_range()),
        None => Err(wrong_kind(&format!("{key:?}"), value, "a whole number")),
    }
}

/// The keys and values of an object.
pub(super) fn map<'a>(value: &'a Value, what: &str) -> Result<&'a Map<String, Value>, Problem> {
    value.as_object().ok_or_else(|| wrong_kind(what, value, "an object"))
}

/// The problem reported for a value of the wrong kind.
pub(super) fn wrong_kind(what: &str, value: &Value, expected: &'static str) -> Problem {
    let mut given = value.to_string();
    if given.chars().count() > 40 {
        given = given.chars().take(40).chain(['…']).collect();
    }
    Problem::Kind { what: what.to_owned(), given, expected }
}

/// The problem reported for an unknown key.
pub(super) fn unknown(given: &str, place: &str, known: &[&str]) -> Problem {
    let remedy = match nearest(given, known.iter().copied()) {
        Some(close) => format!("did you mean {close:?}?"),
        None => format!("known keys: {}", known.join(", ")),
    };
    Problem::UnknownKey { given: given.to_owned(), place: place.to_owned(), remedy }
}
