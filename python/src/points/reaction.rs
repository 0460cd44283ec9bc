//! The reaction point of an algorithm.

use pyo3::prelude::*;
use pyo3::types::PyMapping;
use serde_json::json;
use setpoint_control::{Limit, React, Role, Update};
use setpoint_units::Time;
use setpoint_vectors::{Answer, Outcome};

use super::notification::Notification;
use super::stepped::{Setting, Stepped};
use crate::plain::{object, value};

/// The reaction point of an algorithm, as it controls the rate of a source.
///
/// Pass it the notifications and acknowledgements that arrive, the frames that its limiter sends, and the expiry of its timer; read the
/// rate from it. Time is in picoseconds and never runs backwards.
#[pyclass(module = "setpoint")]
#[derive(Debug)]
pub(crate) struct ReactionPoint(Stepped);

#[pymethods]
impl ReactionPoint {
    /// A point in its initial state, at the line rate. `set` changes parameters, as in `{"gain": "2^-8"}`.
    #[new]
    #[pyo3(signature = (algorithm, *, set = None, preset = "10G", line_rate = None, seed = 1))]
    fn new(
        algorithm: &str,
        set: Option<&Bound<'_, PyMapping>>,
        preset: &str,
        line_rate: Option<&str>,
        seed: u64,
    ) -> PyResult<Self> {
        let setting = Setting { algorithm, set, preset, line_rate, seed };
        Stepped::new(&setting, Role::ReactionPoint).map(Self)
    }

    /// A notification arrives, from the congestion point with the given number. Returns whether the rate has changed.
    #[pyo3(signature = (notification, *, time_ps = None, from_point = None, random = None))]
    fn notify(
        &mut self,
        notification: &Notification,
        time_ps: Option<u64>,
        from_point: Option<u32>,
        random: Option<Vec<u32>>,
    ) -> PyResult<bool> {
        let keys = json!({
            "time_ps": time_ps, "from": from_point, "feedback": notification.feedback,
            "feedback_256": notification.feedback_256, "queue_offset_bytes": notification.queue_offset_bytes,
            "queue_delta_bytes": notification.queue_delta_bytes,
        });
        self.0.input("notification", keys, random).map(has_changed)
    }

    /// An acknowledgement arrives, for algorithms whose sources act on them. `hops` are the reports of the bridges on the path, as
    /// dictionaries with the keys `at_ps`, `queue_bytes`, `sent_bytes` and `rate_bps`. Returns whether the limit has changed.
    #[pyo3(signature = (acknowledged_bytes, *, sent_at_ps, settled_bytes, time_ps = None, marked = false, hops = None, random = None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn acknowledge(
        &mut self,
        acknowledged_bytes: u64,
        sent_at_ps: u64,
        settled_bytes: u64,
        time_ps: Option<u64>,
        marked: bool,
        hops: Option<&Bound<'_, PyAny>>,
        random: Option<Vec<u32>>,
    ) -> PyResult<bool> {
        let keys = json!({
            "time_ps": time_ps, "sent_at_ps": sent_at_ps, "bytes": acknowledged_bytes,
            "settled_bytes": settled_bytes, "marked": marked, "hops": hops.map(value).transpose()?,
        });
        self.0.input("acknowledgement", keys, random).map(has_changed)
    }

    /// The limiter has sent a frame. Returns whether the rate has changed.
    #[pyo3(signature = (frame_bytes, *, random = None))]
    fn sent(&mut self, frame_bytes: u64, random: Option<Vec<u32>>) -> PyResult<bool> {
        self.0.input("sent", json!({"frame_bytes": frame_bytes}), random).map(has_changed)
    }

    /// The timer is checked, by default at its expiry time; before it is due, nothing happens. Returns whether the rate
    /// has changed.
    #[pyo3(signature = (time_ps = None, *, random = None))]
    fn timer(&mut self, time_ps: Option<u64>, random: Option<Vec<u32>>) -> PyResult<bool> {
        self.0.input("timer", json!({"time_ps": time_ps}), random).map(has_changed)
    }

    /// Applies an input in the format of `setpoint step`, such as `{"sent": {…}}`, and returns the complete answer.
    fn step<'py>(&mut self, py: Python<'py>, input: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.0.step(&value(input)?)?;
        object(py, &self.0.answer())
    }

    /// The algorithm.
    #[getter]
    fn algorithm(&self) -> &'static str {
        self.0.name
    }

    /// The rate of the limiter, in bits per second; 1 while the limiter is silent.
    #[getter]
    fn rate_bps(&self) -> u64 {
        self.0.stepper.reaction_point().limit().reported().bits_per_second()
    }

    /// The window in bytes, for algorithms whose limit is one; otherwise None.
    #[getter]
    fn window_bytes(&self) -> Option<u64> {
        match self.0.stepper.reaction_point().limit() {
            Limit::Window { bytes, .. } => Some(bytes.get()),
            _ => None,
        }
    }

    /// The rate towards which the limiter recovers, in bits per second.
    #[getter]
    fn target_rate_bps(&self) -> u64 {
        self.0.stepper.reaction_point().target_rate().bits_per_second()
    }

    /// The time at which the timer expires, in picoseconds; None if it is not running.
    #[getter]
    fn timer_ps(&self) -> Option<u64> {
        self.0.stepper.reaction_point().timer().map(Time::as_picos)
    }

    /// The congestion point with which frames are tagged, or None if they have no tag.
    #[getter]
    fn tag(&self) -> Option<u32> {
        self.0.stepper.reaction_point().tag().map(|point| point.0)
    }

    /// The complete state, by name.
    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.part(py, "state")
    }

    /// The counters since the start, by name.
    #[getter]
    fn counters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.part(py, "counters")
    }

    fn __repr__(&self) -> String {
        format!("<ReactionPoint {:?} at {} b/s>", self.0.name, self.rate_bps())
    }
}

fn has_changed(answer: &Answer) -> bool {
    let Outcome::Reacted(reaction) = &answer.outcome else { return false };
    reaction.update == Update::Changed
}
