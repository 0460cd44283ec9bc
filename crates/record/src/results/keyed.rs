//! Descriptions of the keys of result files, declared with the structs that are stored.
//!
//! `keyed!` declares a struct whose doc comments are the meanings of its keys and whose fields name their units
//! (`pub rate_bps: f64 = BitsPerSecond`). [`key_table`] generates the tables in `docs/results.md` from these
//! declarations.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use setpoint_units::quantity::Unit;

/// A key of a result file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its path, such as `flows[].rate_bps`.
    pub path: String,
    /// Its unit; none for counts, names and tables.
    pub unit: Option<Unit>,
    /// The kind of value it holds.
    pub form: Form,
    /// A description of the value.
    pub meaning: String,
}

/// A kind of value. A value of any kind may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A floating-point number.
    Number,
    /// A number that is never negative and has no fraction.
    Count,
    /// True or false.
    Flag,
    /// A name or other text.
    Text,
    /// Pairs of a probability and a value.
    Quantiles,
    /// An object or a list.
    Nested,
}

/// A type that is stored as JSON.
pub trait Keyed {
    /// Whether it is stored as an object with its own keys.
    const IS_OBJECT: bool = false;
    /// The kind of value.
    const FORM: Form = Form::Text;
    /// The kind of a list of values of the given kind.
    const LIST: Form = Form::Nested;

    /// Adds the key under which a value is stored, then the keys inside the value.
    fn describe(key: Key, keys: &mut Vec<Key>) {
        keys.push(Key { form: Self::FORM, ..key });
    }
}

/// All keys of a file.
pub fn keys_of<T: Keyed>() -> Vec<Key> {
    let mut keys = Vec::new();
    T::describe(
        Key { path: String::new(), unit: None, form: Form::Nested, meaning: String::new() },
        &mut keys,
    );
    // The key without a meaning represents the file itself.
    keys.retain(|key| !key.meaning.is_empty());
    keys
}

/// The keys of a file as a Markdown table.
pub fn key_table<T: Keyed>() -> String {
    let mut table = String::from("| key | unit | meaning |\n|---|---|---|\n");
    for Key { path, unit, meaning, .. } in keys_of::<T>() {
        let _ = writeln!(table, "| `{path}` | {} | {meaning} |", unit.map_or("", unit_text));
    }
    table
}

/// A unit as written in the documentation; empty for counts and ratios.
pub const fn unit_text(unit: Unit) -> &'static str {
    match unit {
        Unit::Seconds => "s",
        Unit::BitsPerSecond => "bit/s",
        Unit::Bytes => "bytes",
        Unit::Share => "share",
        Unit::PerSecond => "per s",
        Unit::RadiansPerSecond => "rad/s",
        Unit::Decibels => "dB",
        Unit::Degrees => "degrees",
        Unit::Count | Unit::Ratio => "",
    }
}

impl Key {
    /// A key inside the object stored under this one.
    #[must_use]
    pub fn inside(&self, name: &str, unit: Option<Unit>, meaning: &str) -> Self {
        let separator = if self.path.is_empty() { "" } else { "." };
        let path = format!("{}{separator}{name}", self.path);
        Self { path, unit, form: Form::Nested, meaning: meaning.trim().to_owned() }
    }

    /// The same key with another kind of value.
    pub(crate) fn holding(self, form: Form) -> Self {
        Self { form, ..self }
    }
}

macro_rules! plain {
    ($form:ident: $($type:ty),+) => { $(impl Keyed for $type { const FORM: Form = Form::$form; })+ };
}
plain!(Number: f64);
plain!(Count: u8, u16, u32, u64, usize);
plain!(Flag: bool);
plain!(Text: String, std::borrow::Cow<'static, str>);
plain!(Nested: (String, String));

impl Keyed for (f64, f64) {
    const FORM: Form = Form::Nested;
    const LIST: Form = Form::Quantiles;
}

impl<T: Keyed> Keyed for Option<T> {
    const IS_OBJECT: bool = T::IS_OBJECT;

    fn describe(key: Key, keys: &mut Vec<Key>) {
        T::describe(key, keys);
    }
}

impl<T: Keyed> Keyed for Vec<T> {
    fn describe(mut key: Key, keys: &mut Vec<Key>) {
        if T::IS_OBJECT {
            key.path += "[]";
            T::describe(key, keys);
        } else {
            keys.push(key.holding(T::LIST));
        }
    }
}

impl<T: Keyed> Keyed for BTreeMap<String, T> {
    fn describe(mut key: Key, keys: &mut Vec<Key>) {
        key.path += ".*";
        T::describe(key, keys);
    }
}

impl<T> Keyed for BTreeSet<T> {
    const FORM: Form = Form::Nested;
}

/// Declares a struct with the units of its fields, and describes its keys.
#[macro_export]
macro_rules! keyed {
    (
        $(#[$attribute:meta])*
        pub struct $name:ident {
            $(
                $(#[doc = $meaning:literal])+
                $(#[serde($($serde:tt)+)])?
                pub $key:ident: $type:ty $(= $unit:ident)?,
            )+
        }
    ) => {
        $(#[$attribute])*
        #[derive(serde::Serialize, serde::Deserialize)]
        pub struct $name {
            $(
                $(#[doc = $meaning])+
                $(#[serde($($serde)+)])?
                pub $key: $type,
            )+
        }

        impl $crate::results::Keyed for $name {
            const IS_OBJECT: bool = true;

            fn describe(key: $crate::results::Key, keys: &mut Vec<$crate::results::Key>) {
                keys.push(key.clone());
                $({
                    let unit = [$(Some(setpoint_units::quantity::Unit::$unit),)? None][0];
                    let inside = key.inside(stringify!($key), unit, concat!($($meaning),+));
                    <$type as $crate::results::Keyed>::describe(inside, keys);
                })+
            }
        }
    };
}
pub(crate) use keyed;
