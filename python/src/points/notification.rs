//! Notifications between the two points.

use pyo3::prelude::*;
use setpoint_control::{FlowKey, Signal};

/// A congestion notification.
#[pyclass(frozen, get_all, eq, module = "setpoint")]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Notification {
    /// The flow whose source receives it.
    pub(crate) to: u32,
    /// Six bits of quantised feedback, 0 to 63.
    pub(crate) feedback: u64,
    /// Fine feedback in units of 1/256 of a step, if six bits cannot hold it.
    pub(crate) feedback_256: Option<u64>,
    /// Set point minus queue length, in bytes: negative under congestion.
    pub(crate) queue_offset_bytes: i64,
    /// Change in the queue length since the last sample, in bytes.
    pub(crate) queue_delta_bytes: i64,
}

#[pymethods]
impl Notification {
    /// A notification for testing a reaction point on its own.
    #[new]
    #[pyo3(signature = (feedback, *, to = 0, feedback_256 = None, queue_offset_bytes = 0, queue_delta_bytes = 0))]
    fn new(
        feedback: u64,
        to: u32,
        feedback_256: Option<u64>,
        queue_offset_bytes: i64,
        queue_delta_bytes: i64,
    ) -> Self {
        Self { to, feedback, feedback_256, queue_offset_bytes, queue_delta_bytes }
    }

    fn __repr__(&self) -> String {
        format!(
            "Notification(feedback={}, to={}, queue_offset_bytes={}, queue_delta_bytes={})",
            self.feedback, self.to, self.queue_offset_bytes, self.queue_delta_bytes
        )
    }
}

impl Notification {
    /// A notification for the source of a flow. In a BCN stop, every field is zero.
    pub(crate) fn of((to, signal): &(FlowKey, Signal)) -> Self {
        let sent = signal.fields();
        let feedback = sent.feedback;
        Self {
            to: to.0,
            feedback: feedback.get().into(),
            feedback_256: (!feedback.fits_six_bits()).then(|| feedback.parts().into()),
            queue_offset_bytes: sent.queue_offset,
            queue_delta_bytes: sent.queue_delta,
        }
    }
}
