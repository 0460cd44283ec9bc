//! Tables in the Arrow format, through its PyCapsule interface: pandas, polars, DuckDB and pyarrow take them without
//! going through text.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, RecordBatch, RecordBatchIterator, StringArray, UInt64Array,
};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::error;

/// A column: its name, its unit, and its values. A column without a unit holds text, a count or a ratio.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) unit: &'static str,
    pub(crate) values: Values,
}

/// The values of a column; some may be missing.
#[derive(Clone, Debug)]
pub(crate) enum Values {
    Numbers(Vec<Option<f64>>),
    Counts(Vec<Option<u64>>),
    Texts(Vec<Option<String>>),
    Truths(Vec<Option<bool>>),
}

impl Values {
    /// The number of values.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Numbers(values) => values.len(),
            Self::Counts(values) => values.len(),
            Self::Texts(values) => values.len(),
            Self::Truths(values) => values.len(),
        }
    }
}

/// A batch of all rows. The metadata of the schema gives the origin of the table, that of a field its unit.
pub(crate) fn batch(columns: &[Column], origin: HashMap<String, String>) -> RecordBatch {
    let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = columns.iter().map(field).unzip();
    let schema: SchemaRef = Arc::new(Schema::new_with_metadata(fields, origin));
    RecordBatch::try_new(schema, arrays).expect("columns of a table have equal lengths")
}

fn field(column: &Column) -> (Field, ArrayRef) {
    let (kind, array): (DataType, ArrayRef) = match &column.values {
        Values::Numbers(values) => (DataType::Float64, Arc::new(Float64Array::from(values.clone()))),
        Values::Counts(values) => (DataType::UInt64, Arc::new(UInt64Array::from(values.clone()))),
        Values::Texts(values) => (DataType::Utf8, Arc::new(StringArray::from(values.clone()))),
        Values::Truths(values) => (DataType::Boolean, Arc::new(BooleanArray::from(values.clone()))),
    };
    let field = Field::new(&column.name, kind, true);
    let unit = (!column.unit.is_empty()).then(|| ("unit".to_owned(), column.unit.to_owned()));
    let metadata: HashMap<String, String> = unit.into_iter().collect();
    (field.with_metadata(metadata), array)
}

/// A capsule with a stream of one batch.
pub(crate) fn stream<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Bound<'py, PyCapsule>> {
    let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
}

/// A capsule with the schema.
pub(crate) fn schema<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(batch.schema_ref().as_ref()).map_err(error::failed)?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}
