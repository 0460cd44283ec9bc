//! Runs that go on at once share the memory they may take.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use setpoint_sim::Spec;
use setpoint_units::Bytes;

use super::monitor::SweepMonitor;
use crate::memory::Estimate;

/// Lets runs begin as long as their estimates fit into a limit together. One run alone may always go on.
#[derive(Debug)]
pub(super) struct Gate {
    limit: Option<Bytes>,
    taken: Mutex<u64>,
    left: Condvar,
}

/// The share of a run that goes on; given back when it is dropped.
#[derive(Debug)]
pub(super) struct Share<'a> {
    gate: &'a Gate,
    bytes: u64,
}

impl Gate {
    pub(super) fn new(limit: Option<Bytes>) -> Self {
        Self { limit, taken: Mutex::new(0), left: Condvar::new() }
    }

    /// Waits until there is room for a run.
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
        let mut taken = self.lock();
        if *taken > 0 && *taken + bytes > limit.get() {
            monitor.waits_for_memory(estimate.total());
        }
        while *taken > 0 && *taken + bytes > limit.get() {
            taken = self.left.wait(taken).unwrap_or_else(PoisonError::into_inner);
        }
        *taken += bytes;
        Ok(Share { gate: self, bytes })
    }

    fn lock(&self) -> MutexGuard<'_, u64> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        *self.gate.lock() -= self.bytes;
        self.gate.left.notify_all();
    }
}
