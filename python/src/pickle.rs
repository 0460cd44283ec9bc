//! Pickling: results and errors are passed to another process with their content, in JSON.

use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// An object that can be pickled.
pub(crate) trait Pickled: Into<PyClassInitializer<Self>> + PyClass {
    type Content<'a>: Serialize
    where
        Self: 'a;
    /// Its content, as read back.
    type Restored: DeserializeOwned;

    fn content(&self) -> Self::Content<'_>;

    /// The object with this content.
    fn restore(content: Self::Restored) -> PyResult<Self>;
}

/// The function and the arguments that `pickle` uses to recreate the object.
pub(crate) type Reduced<'py> = (Bound<'py, PyAny>, (&'static str, Bound<'py, PyBytes>));

/// The return value of `__reduce__`.
pub(crate) fn reduce<'py, P: Pickled>(py: Python<'py>, object: &P) -> PyResult<Reduced<'py>> {
    let content = serde_json::to_vec(&object.content()).expect("keys are text");
    let restore = py.import("setpoint._setpoint")?.getattr("_restore")?;
    Ok((restore, (P::NAME, PyBytes::new(py, &content))))
}
