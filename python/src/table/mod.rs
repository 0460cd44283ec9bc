//! Tables of results, as Python sees them.

mod papers;
mod run;
mod sweep;
mod theory;

use std::collections::HashMap;
use std::sync::OnceLock;

use arrow_array::RecordBatch;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::arrow::{self, Column, Values};

pub(crate) use papers::verdicts;
pub(crate) use run::{flows, messages, ports, queues};
pub(crate) use sweep::{runs, variants};
pub(crate) use theory::{fluid, map, response};

/// A table with named columns, for any library that takes Arrow tables.
///
/// `pandas.DataFrame.from_arrow(table)`, `polars.DataFrame(table)`, `pyarrow.table(table)` and DuckDB read it without
/// going through text. The metadata of a field gives its unit, that of the schema the origin of the table.
#[pyclass(frozen, module = "setpoint")]
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<Column>,
    origin: HashMap<String, String>,
    batch: OnceLock<RecordBatch>,
}

impl Table {
    fn new(columns: Vec<Column>, origin: HashMap<String, String>) -> Self {
        Self { columns, origin, batch: OnceLock::new() }
    }

    fn batch(&self) -> &RecordBatch {
        self.batch.get_or_init(|| arrow::batch(&self.columns, self.origin.clone()))
    }
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<&str> {
        self.columns.iter().map(|column| column.name.as_str()).collect()
    }

    /// The units of the columns that have one, by name.
    #[getter]
    fn units(&self) -> HashMap<&str, &str> {
        let with_unit = self.columns.iter().filter(|column| !column.unit.is_empty());
        with_unit.map(|column| (column.name.as_str(), column.unit)).collect()
    }

    /// The origin of the table: scenario, seed, version and digest.
    #[getter]
    fn metadata(&self) -> HashMap<String, String> {
        self.origin.clone()
    }

    /// The values of a column, as a list.
    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        match self.columns.iter().find(|column| column.name == name) {
            Some(column) => values(py, &column.values),
            None => Err(PyKeyError::new_err(name.to_owned())),
        }
    }

    fn __len__(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// The table as an Arrow stream, for libraries.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The protocol allows a producer to ignore the requested schema.
        let _ = requested_schema;
        arrow::stream(py, self.batch())
    }

    /// The schema of the table, for libraries.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, self.batch())
    }

    fn __repr__(&self) -> String {
        format!("<Table of {} rows: {}>", self.__len__(), self.columns().join(", "))
    }
}

fn values(py: Python<'_>, values: &Values) -> PyResult<Py<PyAny>> {
    Ok(match values {
        Values::Numbers(values) => values.into_pyobject(py)?,
        Values::Counts(values) => values.into_pyobject(py)?,
        Values::Texts(values) => values.into_pyobject(py)?,
        Values::Truths(values) => values.into_pyobject(py)?,
    }
    .unbind())
}

/// The origin of a table.
fn origin(entries: &[(&str, String)]) -> HashMap<String, String> {
    entries.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect()
}

/// A column of numbers. Its name ends in its unit.
fn numbers(name: &str, values: impl IntoIterator<Item = Option<f64>>) -> Column {
    Column { name: name.to_owned(), unit: unit(name), values: Values::Numbers(values.into_iter().collect()) }
}

/// A column of counts.
fn counts(name: &str, values: impl IntoIterator<Item = u64>) -> Column {
    let values = Values::Counts(values.into_iter().map(Some).collect());
    Column { name: name.to_owned(), unit: unit(name), values }
}

/// A column of text.
fn texts(name: &str, values: impl IntoIterator<Item = Option<String>>) -> Column {
    Column { name: name.to_owned(), unit: "", values: Values::Texts(values.into_iter().collect()) }
}

/// The unit of a quantity, from the end of its key; results name all keys this way.
fn unit(name: &str) -> &'static str {
    let ends = [
        ("_bytes", "B"),
        ("_bps", "b/s"),
        ("_rad_per_s", "rad/s"),
        ("_per_s", "1/s"),
        ("_s", "s"),
        ("_share", "share"),
    ];
    ends.iter().find(|(end, _)| name.ends_with(end)).map_or("", |(_, unit)| unit)
}
