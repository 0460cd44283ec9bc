//! Problems reported for values that a key cannot have.

use std::fmt::Display;

use super::{Field, Shape};
use crate::diagnostics::{Place, Problem};
use crate::tree::{Item, Value};

pub(super) fn unexpected(field: &Field, shape: &Shape, item: &Item) -> Problem {
    wrong_kind(field.name, &item.place, &item.value, &shape.expected())
}

/// The problem reported for a value of the wrong kind.
pub(super) fn wrong_kind(name: &str, place: &Place, given: &Value, expected: &str) -> Problem {
    let message = format!("`{name}` is {}, but must be {expected}", given.kind());
    let problem = Problem::at(place, message, format!("expected {expected}"));
    match (given, expected) {
        (Value::Integer(number), "a string") => problem.help(format!("write `\"{number}\"`")),
        _ => problem,
    }
}

pub(super) fn out_of_range(field: &Field, item: &Item, given: &dyn Display, expected: &str) -> Problem {
    let message = format!("`{}` is {given}, but must be {expected}", field.name);
    Problem::at(&item.place, message, "out of range")
}

/// The problem reported for a bare number where a quantity with a unit is expected.
pub(super) fn without_unit(name: &str, item: &Item, unit: &str) -> Problem {
    let number = item.value.to_string();
    // A number in the thousands is hardly ever meant in kilobytes: other tools write bytes without a unit.
    let bytes = unit == "kB" && matches!(item.value, Value::Integer(1_000..));
    let unit = if bytes { "B" } else { unit };
    // A number below one in place of a percentage is probably a share of the whole, so the suggestion is
    // 100 times as large.
    let number = match item.value {
        Value::Float(share) if unit == "%" && share > 0.0 && share < 1.0 => {
            format!("{}", (share * 1e8).round() / 1e6)
        }
        _ => number,
    };
    let given = &item.value;
    Problem::at(&item.place, format!("`{name}` is {given} without a unit"), "a unit is missing")
        .help(format!("write the number and its unit as a string, such as `{name} = \"{number} {unit}\"`"))
}

/// The problem reported for a string that is not a quantity. The part of the error text after the semicolon is the
/// remedy.
pub(super) fn unreadable(name: &str, place: &Place, error: &impl ToString, words: &[&str]) -> Problem {
    let text = error.to_string();
    let (message, remedy) = text.rsplit_once("; write ").unwrap_or((&text, ""));
    Problem::at(place, format!("`{name}`: {message}"), "")
        .help_if((!remedy.is_empty()).then(|| format!("write {remedy}")))
        .help_if(hint(message))
        .help_if((!words.is_empty()).then(|| format!("or {}", quoted(words))))
}

/// The likely reason why a unit is unknown.
fn hint(message: &str) -> Option<&'static str> {
    let unit = message.split('"').nth(1)?;
    let exponent = unit
        .strip_prefix(['e', 'E'])
        .is_some_and(|rest| rest.starts_with(|c: char| "+-0123456789".contains(c)));
    if exponent {
        return Some("exponents are not supported; use a larger or smaller unit");
    }
    if unit.strip_prefix(',').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        return Some("use a decimal point, not a comma");
    }
    unit.ends_with("B/s").then_some("rates are in bits, not bytes: 1 GB/s is 8 Gb/s")
}

pub(super) fn length(
    name: &str,
    place: &Place,
    given: usize,
    least: usize,
    most: usize,
) -> Result<(), Problem> {
    if (least..=most).contains(&given) {
        return Ok(());
    }
    let bound = match (least, most) {
        (least, most) if least == most => format!("needs {least}"),
        _ if given < least => format!("needs at least {least}"),
        _ => format!("may have at most {most}"),
    };
    let entries = if given == 1 { "entry" } else { "entries" };
    Err(Problem::at(place, format!("`{name}` has {given} {entries}, but {bound}"), ""))
}

pub(super) fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ")
}
