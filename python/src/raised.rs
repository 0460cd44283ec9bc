//! Exceptions of controllers in Python, which stop a run.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;

/// The first exception that a controller raised.
#[derive(Debug, Default)]
pub(crate) struct Raised {
    any: AtomicBool,
    first: Mutex<Option<PyErr>>,
}

impl Raised {
    /// Whether there is an exception; no controller is called from then on.
    pub(crate) fn any(&self) -> bool {
        self.any.load(Ordering::Relaxed)
    }

    /// The exception, for the caller of the run.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The value, unless a controller has raised an exception.
    pub(crate) fn attempt<T>(&self, call: impl FnOnce(Python<'_>) -> PyResult<T>) -> Option<T> {
        if self.any() {
            return None;
        }
        Python::attach(|py| call(py).map_err(|error| self.record(error)).ok())
    }

    fn record(&self, error: PyErr) {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.any.store(true, Ordering::Relaxed);
    }

    /// Stops calling the controllers of a run whose result is no longer needed.
    pub(crate) fn abandon(&self) {
        self.any.store(true, Ordering::Relaxed);
    }
}
