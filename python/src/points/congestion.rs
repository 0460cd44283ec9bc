//! The congestion point of an algorithm.

use pyo3::prelude::*;
use pyo3::types::PyMapping;
use serde::Serialize;
use serde_json::json;
use setpoint_control::{Admission, Mark};
use setpoint_vectors::{Outcome, Point};

use super::notification::Notification;
use super::stepped::{Setting, Stepped};
use crate::plain::{object, value};

/// The congestion point of an algorithm, as it observes a queue.
///
/// Pass it every frame that enters the queue; it returns notifications. Time is in picoseconds and never runs backwards.
#[pyclass(module = "setpoint")]
#[derive(Debug)]
pub(crate) struct CongestionPoint(Stepped);

#[pymethods]
impl CongestionPoint {
    /// A point in its initial state. `set` changes parameters, as in `{"set_point": "33 kB"}`.
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
        Stepped::new(&setting, Point::Congestion).map(Self)
    }

    /// A frame enters the queue. The queue length includes it. Returns the notifications that it causes.
    #[pyo3(signature = (frame_bytes, queue_bytes, *, time_ps = None, flow = None, tenant = None, weight = None,
                        max_bps = None, tag = None, random = None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn enqueue(
        &mut self,
        frame_bytes: u64,
        queue_bytes: u64,
        time_ps: Option<u64>,
        flow: Option<u32>,
        tenant: Option<u32>,
        weight: Option<u32>,
        max_bps: Option<u64>,
        tag: Option<u32>,
        random: Option<Vec<u32>>,
    ) -> PyResult<Vec<Notification>> {
        let frame = Frame { time_ps, frame_bytes, queue_bytes, flow, tenant, weight, max_bps, tag };
        match &self.0.input("enqueue", json!(frame), random)?.outcome {
            Outcome::Enqueued { notifications, .. } => {
                Ok(notifications.iter().map(Notification::of).collect())
            }
            other => unreachable!("a frame was enqueued, but the outcome is {other:?}"),
        }
    }

    /// Whether a frame may enter the queue. The queue length does not include it yet. Only AFD drops frames.
    #[pyo3(signature = (frame_bytes, queue_bytes, *, time_ps = None, flow = None, tenant = None, weight = None,
                        max_bps = None, tag = None, random = None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn admit(
        &mut self,
        frame_bytes: u64,
        queue_bytes: u64,
        time_ps: Option<u64>,
        flow: Option<u32>,
        tenant: Option<u32>,
        weight: Option<u32>,
        max_bps: Option<u64>,
        tag: Option<u32>,
        random: Option<Vec<u32>>,
    ) -> PyResult<bool> {
        let frame = Frame { time_ps, frame_bytes, queue_bytes, flow, tenant, weight, max_bps, tag };
        let outcome = &self.0.input("admit", json!(frame), random)?.outcome;
        Ok(*outcome == Outcome::Judged(Admission::Accept))
    }

    /// A frame leaves the queue, whose length includes it. Returns whether it is marked. Only points that mark frames when they
    /// leave the queue (DCQCN) use this.
    #[pyo3(signature = (frame_bytes, queue_bytes, *, time_ps = None, flow = None, random = None))]
    fn dequeue(
        &mut self,
        frame_bytes: u64,
        queue_bytes: u64,
        time_ps: Option<u64>,
        flow: Option<u32>,
        random: Option<Vec<u32>>,
    ) -> PyResult<bool> {
        let keys = json!({
            "time_ps": time_ps, "frame_bytes": frame_bytes, "queue_bytes": queue_bytes, "flow": flow,
        });
        let outcome = &self.0.input("dequeue", keys, random)?.outcome;
        Ok(*outcome == Outcome::Dequeued(Mark::Congested))
    }

    /// Applies an input in the format of `setpoint step`, such as `{"enqueue": {…}}`, and returns the complete answer.
    fn step<'py>(&mut self, py: Python<'py>, input: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.0.step(&value(input)?)?;
        object(py, &self.0.answer())
    }

    /// The algorithm.
    #[getter]
    fn algorithm(&self) -> &'static str {
        self.0.name
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
        format!("<CongestionPoint {:?}>", self.0.name)
    }
}

/// The keys of `enqueue` and `admit`.
#[derive(Serialize)]
struct Frame {
    time_ps: Option<u64>,
    frame_bytes: u64,
    queue_bytes: u64,
    flow: Option<u32>,
    tenant: Option<u32>,
    weight: Option<u32>,
    max_bps: Option<u64>,
    tag: Option<u32>,
}
