//! Tables in the form in which they are passed to another process.

use pyo3::prelude::*;
use serde::{Deserialize, Serialize};
use setpoint_record::table::{Column, Table as Content, Values};
use setpoint_units::quantity::Unit;

use super::Table;
use crate::pickle::Pickled;

/// A table in a form that can be serialised.
#[derive(Serialize, Deserialize)]
pub(crate) struct Written {
    name: String,
    origin: Vec<(String, String)>,
    columns: Vec<WrittenColumn>,
}

#[derive(Serialize, Deserialize)]
struct WrittenColumn {
    name: String,
    unit: Option<String>,
    meaning: String,
    values: WrittenValues,
}

#[derive(Serialize, Deserialize)]
enum WrittenValues {
    Numbers(Vec<Option<f64>>),
    Counts(Vec<Option<u64>>),
    Flags(Vec<Option<bool>>),
    Texts(Vec<Option<String>>),
    Names { names: Vec<String>, rows: Vec<u32> },
}

/// All units, by the names of their variants.
const UNITS: [Unit; 10] = [
    Unit::Seconds,
    Unit::BitsPerSecond,
    Unit::Bytes,
    Unit::Share,
    Unit::Count,
    Unit::PerSecond,
    Unit::Ratio,
    Unit::RadiansPerSecond,
    Unit::Decibels,
    Unit::Degrees,
];

impl Pickled for Table {
    type Content<'a> = Written;
    type Restored = Written;

    fn content(&self) -> Written {
        let content = self.content();
        let columns = content.columns.iter().map(written).collect();
        Written { name: content.name.clone(), origin: content.origin.clone(), columns }
    }

    fn restore(content: Written) -> PyResult<Self> {
        let columns = content.columns.into_iter().map(read).collect();
        Ok(Self::new(Content { name: content.name, columns, origin: content.origin }))
    }
}

fn written(column: &Column) -> WrittenColumn {
    let values = match column.values.clone() {
        Values::Numbers(values) => WrittenValues::Numbers(values),
        Values::Counts(values) => WrittenValues::Counts(values),
        Values::Flags(values) => WrittenValues::Flags(values),
        Values::Texts(values) => WrittenValues::Texts(values),
        Values::Names { names, rows } => WrittenValues::Names { names, rows },
    };
    let unit = column.unit.map(|unit| format!("{unit:?}"));
    WrittenColumn { name: column.name.clone(), unit, meaning: column.meaning.clone(), values }
}

fn read(column: WrittenColumn) -> Column {
    let values = match column.values {
        WrittenValues::Numbers(values) => Values::Numbers(values),
        WrittenValues::Counts(values) => Values::Counts(values),
        WrittenValues::Flags(values) => Values::Flags(values),
        WrittenValues::Texts(values) => Values::Texts(values),
        WrittenValues::Names { names, rows } => Values::Names { names, rows },
    };
    let is_it = |unit: &Unit| column.unit.as_ref().is_some_and(|name| *name == format!("{unit:?}"));
    Column { name: column.name, unit: UNITS.into_iter().find(is_it), meaning: column.meaning, values }
}
