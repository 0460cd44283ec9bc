//! Tables in the Arrow format, through its PyCapsule interface: pandas, polars, DuckDB and pyarrow read them without
//! conversion to text.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int32Array, RecordBatch, RecordBatchIterator,
    StringArray, UInt64Array,
};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{Field, Schema, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use setpoint_record::table::{Column, Table, Values};

use crate::error;

/// A batch of all rows. The metadata of the schema gives the origin of the table; the metadata of a field gives its
/// unit and meaning.
pub(crate) fn batch(table: &Table) -> RecordBatch {
    let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = table.columns.iter().map(field).unzip();
    let origin: HashMap<String, String> = table.origin.iter().cloned().collect();
    let schema: SchemaRef = Arc::new(Schema::new_with_metadata(fields, origin));
    RecordBatch::try_new(schema, arrays).expect("columns of a table have equal lengths")
}

fn field(column: &Column) -> (Field, ArrayRef) {
    let array = array(&column.values);
    let unit = column.unit_symbol().map(|unit| ("unit".to_owned(), unit.to_owned()));
    let meaning = (!column.meaning.is_empty()).then(|| ("meaning".to_owned(), column.meaning.clone()));
    let metadata: HashMap<String, String> = unit.into_iter().chain(meaning).collect();
    (Field::new(&column.name, array.data_type().clone(), true).with_metadata(metadata), array)
}

fn array(values: &Values) -> ArrayRef {
    match values {
        Values::Numbers(values) => Arc::new(Float64Array::from(values.clone())),
        Values::Counts(values) => Arc::new(UInt64Array::from(values.clone())),
        Values::Flags(values) => Arc::new(BooleanArray::from(values.clone())),
        Values::Texts(values) => Arc::new(StringArray::from_iter(values)),
        Values::Names { names, rows } => Arc::new(dictionary(names, rows)),
    }
}

/// Repeated names, as a categorical column. pandas requires signed indices.
fn dictionary(names: &[String], rows: &[u32]) -> DictionaryArray<Int32Type> {
    let rows = rows.iter().map(|row| i32::try_from(*row).expect("there are at most as many names as rows"));
    let names = StringArray::from_iter_values(names);
    DictionaryArray::new(Int32Array::from_iter_values(rows), Arc::new(names))
}

pub(crate) fn stream<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Bound<'py, PyCapsule>> {
    let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
}

pub(crate) fn schema<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(batch.schema_ref().as_ref()).map_err(error::failed)?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}
