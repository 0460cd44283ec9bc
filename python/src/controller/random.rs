//! Random numbers for controllers, from the point's own stream, so that runs are reproducible.

use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use setpoint_control::Entropy;

/// The random generator of a point: call it for a number from 0 to 4294967295.
///
/// The numbers depend only on the seed of the run and on the point, so that a run is reproducible. They are available while
/// the simulator calls a method of the point.
#[pyclass(frozen, module = "setpoint")]
#[derive(Default)]
pub(crate) struct Random(Mutex<Option<Draw>>);

/// A copy of the point's stream, and the number of values drawn from it.
struct Draw {
    stream: Box<dyn Entropy + Send>,
    drawn: u32,
}

impl Random {
    /// Makes numbers available during a call, and afterwards draws the same number of values from the stream itself.
    pub(super) fn during<T>(&self, entropy: &mut dyn Entropy, call: impl FnOnce() -> T) -> T {
        *self.lock() = entropy.fork().map(|stream| Draw { stream, drawn: 0 });
        let result = call();
        let drawn = self.lock().take().map_or(0, |draw| draw.drawn);
        for _ in 0..drawn {
            entropy.next_u32();
        }
        result
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Draw>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Random {
    fn __call__(&self) -> PyResult<u32> {
        let mut draw = self.lock();
        let draw = draw.as_mut().ok_or_else(|| {
            PyRuntimeError::new_err(
                "random numbers are available while the simulator calls a method of the point",
            )
        })?;
        draw.drawn += 1;
        Ok(draw.stream.next_u32())
    }

    fn __repr__(&self) -> &'static str {
        "<Random>"
    }
}
