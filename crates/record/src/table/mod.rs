//! Results as tables with named columns and units, for programs that analyse them.
//!
//! [`of_run`] gives the tables of a run. Parquet files and the Python package take their columns from here.
//! `docs/tables.md` lists the tables.

mod entries;
mod files;
mod messages;
mod nested;
mod run;

use setpoint_units::quantity::Unit;

use crate::results::unit_text;
use entries::Names;

pub use messages::{MESSAGES, Messages};
pub use run::of_run;

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its name, such as `flow_series`; valid as a file name.
    pub name: String,
    /// Its columns, all of the same length.
    pub columns: Vec<Column>,
    /// Its origin, as pairs of key and value: scenario, overrides, seed, version, digest.
    pub origin: Vec<(String, String)>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name. The name of a column that holds a quantity ends in its unit, as in `rate_bps`.
    pub name: String,
    /// Its unit; none for names, counts and flags.
    pub unit: Option<Unit>,
    /// The meaning of its values, in a sentence or two; may be empty.
    pub meaning: String,
    /// Its values.
    pub values: Values,
}

/// The values of a column. Any of them may be missing.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Floating-point numbers.
    Numbers(Vec<Option<f64>>),
    /// Numbers that are never negative and have no fraction.
    Counts(Vec<Option<u64>>),
    /// True or false.
    Flags(Vec<Option<bool>>),
    /// Strings.
    Texts(Vec<Option<String>>),
    /// A few names, repeated many times.
    Names {
        /// The names.
        names: Vec<String>,
        /// The position of each row's name in `names`.
        rows: Vec<u32>,
    },
}

impl Table {
    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// A column by its name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}

impl Column {
    /// A column.
    pub fn new(name: impl Into<String>, unit: Option<Unit>, meaning: &str, values: Values) -> Self {
        Self { name: name.into(), unit, meaning: meaning.to_owned(), values }
    }

    /// The symbol of its unit: `s`, `bit/s`, `bytes`, `share` (from 0 to 1) or `per s`; none for names, counts and ratios.
    pub fn unit_symbol(&self) -> Option<&'static str> {
        self.unit.map(unit_text).filter(|symbol| !symbol.is_empty())
    }
}

impl Values {
    /// Strings that are repeated many times.
    pub fn repeated<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut names = Names::default();
        texts.for_each(|text| names.push(text));
        names.values()
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(values) => values.len(),
            Self::Counts(values) => values.len(),
            Self::Flags(values) => values.len(),
            Self::Texts(values) => values.len(),
            Self::Names { rows, .. } => rows.len(),
        }
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The suffix of column names for a unit; none for counts and ratios.
pub fn ending(unit: Unit) -> Option<&'static str> {
    match unit {
        Unit::Seconds => Some("s"),
        Unit::BitsPerSecond => Some("bps"),
        Unit::Bytes => Some("bytes"),
        Unit::Share => Some("share"),
        _ => None,
    }
}
