//! Rust values as plain Python objects: dictionaries, lists, numbers and text.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyNone};
use serde::Serialize;
use serde_json::Value;

/// The value as it would be written to JSON.
pub(crate) fn plain(py: Python<'_>, value: &impl Serialize) -> PyResult<Py<PyAny>> {
    let value = serde_json::to_value(value).expect("keys are text");
    Ok(object(py, &value)?.unbind())
}

/// A JSON value as a Python object.
pub(crate) fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => PyNone::get(py).to_owned().into_any(),
        Value::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Array(values) => {
            let values: PyResult<Vec<_>> = values.iter().map(|value| object(py, value)).collect();
            PyList::new(py, values?)?.into_any()
        }
        Value::Object(entries) => {
            let dict = PyDict::new(py);
            entries.iter().try_for_each(|(key, value)| dict.set_item(key, object(py, value)?))?;
            dict.into_any()
        }
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => number.into_pyobject(py)?.into_any(),
            (None, Some(number)) => number.into_pyobject(py)?.into_any(),
            (None, None) => number.as_f64().into_pyobject(py)?.into_any(),
        },
    })
}

/// A plain Python object as JSON: the inverse of [`object`].
pub(crate) fn value(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    let text: String = object.py().import("json")?.call_method1("dumps", (object,))?.extract()?;
    // Python also writes NaN and values nested to any depth, both of which are errors here.
    serde_json::from_str(&text).map_err(|error| PyValueError::new_err(format!("{text:.100}: {error}")))
}
