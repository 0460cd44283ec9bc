//! A memory limit shared by concurrent runs.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use setpoint_sim::Spec;
use setpoint_units::Bytes;

use super::monitor::SweepMonitor;
use crate::memory::Estimate;

/// Admits runs as long as the sum of their estimates is within a limit. A single run is always admitted.
#[derive(Debug)]
pub(super) struct Gate {
    limit: Option<Bytes>,
    reserved: Mutex<u64>,
    released: Condvar,
}

/// The memory reserved for a run; released when it is dropped.
#[derive(Debug)]
pub(super) struct Share<'a> {
    gate: &'a Gate,
    bytes: u64,
}

impl Gate {
    pub(super) fn new(limit: Option<Bytes>) -> Self {
        Self { limit, reserved: Mutex::new(0), released: Condvar::new() }
    }

    /// Waits until enough memory is free for a run.
    ///
    /// # Errors
    /// If the run alone may need more than the limit.
    pub(super) fn enter(&self, spec: &Spec, monitor: &dyn SweepMonitor) -> Result<Share<'_>, String> {
        let Some(limit) = self.limit else { return Ok(Share { gate: self, bytes: 0 }) };
        let estimate = Estimate::of(spec).map_err(|error| error.to_string())?;
        if let Some(refusal) = estimate.refusal(limit) {
            return Err(refusal);
        }
        let bytes = estimate.total().get();
        let mut reserved = self.lock();
        if *reserved > 0 && *reserved + bytes > limit.get() {
            monitor.waits_for_memory(estimate.total());
        }
        while *reserved > 0 && *reserved + bytes > limit.get() {
            reserved = self.released.wait(reserved).unwrap_or_else(PoisonError::into_inner);
        }
        *reserved += bytes;
        Ok(Share { gate: self, bytes })
    }

    fn lock(&self) -> MutexGuard<'_, u64> {
        self.reserved.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        *self.gate.lock() -= self.bytes;
        self.gate.released.notify_all();
    }
}
