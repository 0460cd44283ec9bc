//! Tables of results, as Python objects.

mod compared;
mod papers;
mod pickled;
mod theory;
mod tune;

use std::collections::HashMap;
use std::sync::OnceLock;

use arrow_array::RecordBatch;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use setpoint_record::table::{Column, Table as Content, Values};
use setpoint_units::quantity::Unit;

use crate::arrow;
use crate::html;
use crate::pickle::{Reduced, reduce};

pub(crate) use compared::{comparison, overview, standings};
pub(crate) use papers::verdicts;
pub(crate) use theory::{fluid, map, response, trajectories};
pub(crate) use tune::{candidates, front};

/// A table with named columns, for any library that accepts Arrow tables.
///
/// `pandas.DataFrame.from_arrow(table)`, `polars.DataFrame(table)`, `pyarrow.table(table)` and DuckDB read it without
/// conversion to text. The metadata of a field gives its unit; the metadata of the schema gives the origin of the
/// table.
#[pyclass(frozen, module = "setpoint")]
#[derive(Debug)]
pub(crate) struct Table {
    content: Content,
    batch: OnceLock<RecordBatch>,
}

impl Table {
    pub(crate) fn new(content: Content) -> Self {
        Self { content, batch: OnceLock::new() }
    }

    /// The table itself.
    pub(crate) fn content(&self) -> &Content {
        &self.content
    }

    fn batch(&self) -> &RecordBatch {
        self.batch.get_or_init(|| arrow::batch(&self.content))
    }
}

pub(crate) fn by_name(py: Python<'_>, tables: Vec<Content>) -> PyResult<Py<PyDict>> {
    let dict = PyDict::new(py);
    tables.into_iter().try_for_each(|table| dict.set_item(table.name.clone(), Table::new(table)))?;
    Ok(dict.unbind())
}

#[pymethods]
impl Table {
    /// The name of the table.
    #[getter]
    fn name(&self) -> &str {
        &self.content.name
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<&str> {
        self.content.columns.iter().map(|column| column.name.as_str()).collect()
    }

    /// The units of the columns that have one, by name.
    #[getter]
    fn units(&self) -> HashMap<&str, &str> {
        let columns = self.content.columns.iter();
        columns.filter_map(|column| Some((column.name.as_str(), column.unit_symbol()?))).collect()
    }

    /// The origin of the table: scenario, seed, version and digest.
    #[getter]
    fn metadata(&self) -> HashMap<&str, &str> {
        self.content.origin.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect()
    }

    /// The values of a column, as a list.
    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        match self.content.column(name) {
            Some(column) => values(py, &column.values),
            None => Err(PyKeyError::new_err(name.to_owned())),
        }
    }

    fn __len__(&self) -> usize {
        self.content.rows()
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

    fn _repr_html_(&self) -> String {
        html::table(&self.content)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduce(py, self)
    }

    fn __repr__(&self) -> String {
        format!("<Table {:?} of {} rows: {}>", self.name(), self.__len__(), self.columns().join(", "))
    }
}

fn values(py: Python<'_>, values: &Values) -> PyResult<Py<PyAny>> {
    Ok(match values {
        Values::Numbers(values) => values.into_pyobject(py)?,
        Values::Counts(values) => values.into_pyobject(py)?,
        Values::Flags(values) => values.into_pyobject(py)?,
        Values::Texts(values) => values.into_pyobject(py)?,
        Values::Names { names, rows } => {
            rows.iter().map(|row| names[*row as usize].as_str()).collect::<Vec<_>>().into_pyobject(py)?
        }
    }
    .unbind())
}

fn table(name: &str, columns: Vec<Column>, origin: &[(&str, &str)]) -> Table {
    let origin = origin.iter().map(|(key, value)| (format!("setpoint.{key}"), (*value).to_owned())).collect();
    Table::new(Content { name: name.to_owned(), columns, origin })
}

/// A column of numbers. Its name ends in its unit.
fn numbers(name: &str, values: impl IntoIterator<Item = Option<f64>>) -> Column {
    column(name, unit(name), Values::Numbers(values.into_iter().collect()))
}

fn counts(name: &str, values: impl IntoIterator<Item = u64>) -> Column {
    column(name, None, Values::Counts(values.into_iter().map(Some).collect()))
}

fn texts(name: &str, values: impl IntoIterator<Item = Option<String>>) -> Column {
    column(name, None, Values::Texts(values.into_iter().collect()))
}

fn column(name: &str, unit: Option<Unit>, values: Values) -> Column {
    Column { name: name.to_owned(), unit, meaning: String::new(), values }
}

/// The unit of a quantity, taken from the end of its key: in results, all keys end in their unit.
fn unit(name: &str) -> Option<Unit> {
    let ends = [
        ("_bytes", Unit::Bytes),
        ("_bps", Unit::BitsPerSecond),
        ("_rad_per_s", Unit::RadiansPerSecond),
        ("_s", Unit::Seconds),
    ];
    ends.into_iter().find(|(end, _)| name.ends_with(end)).map(|(_, unit)| unit)
}
