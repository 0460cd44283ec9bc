//! A congestion point written in Python.

use std::collections::BTreeSet;
use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use setpoint_control::{
    CloneObserve, CpCounters, Entropy, FlowKey, Notification as Sent, Observe, Outbox, QuantizedFeedback,
    Show,
};
use setpoint_units::Rate;

use super::random::Random;
use super::{counters, method, required};
use crate::points::Notification;
use crate::raised::Raised;

/// A frame that enters the queue of a congestion point.
#[pyclass(frozen, get_all, module = "setpoint")]
#[derive(Debug)]
pub(crate) struct Arrival {
    /// The time, in picoseconds.
    time_ps: u64,
    /// The length of the frame.
    frame_bytes: u64,
    /// The length of the queue, including the frame unless it was dropped.
    queue_bytes: u64,
    /// The number of the frame's flow.
    flow: u32,
    /// The number of the flow's tenant, or 0 if the scenario's control does not use tenants.
    tenant: u32,
    /// The weight of the tenant, or 1 if the control does not use tenants.
    weight: u32,
    /// The maximum rate of the tenant, or None if it has no maximum.
    max_bps: Option<u64>,
    /// The congestion point with which the frame is tagged, or None if it has no tag.
    tag: Option<u32>,
}

#[pymethods]
impl Arrival {
    fn __repr__(&self) -> String {
        let Self { time_ps, frame_bytes, queue_bytes, flow, .. } = self;
        format!("<Arrival at {time_ps} ps: {frame_bytes} B of flow {flow}, queue {queue_bytes} B>")
    }
}

impl Arrival {
    fn of(arrival: &setpoint_control::Arrival) -> Self {
        Self {
            time_ps: arrival.now.as_picos(),
            frame_bytes: arrival.frame.get(),
            queue_bytes: arrival.queue.get(),
            flow: arrival.flow.0,
            tenant: arrival.tenant.id,
            weight: arrival.tenant.weight,
            max_bps: arrival.tenant.max.map(Rate::bits_per_second),
            tag: arrival.tag.map(|point| point.0),
        }
    }
}

/// A Python object that observes a queue.
#[derive(Debug)]
pub(super) struct PythonCongestionPoint {
    raised: Arc<Raised>,
    /// `None` if the factory raised an exception.
    point: Option<Methods>,
    /// The flows seen so far: only these can be notified.
    flows: BTreeSet<u32>,
    counted: CpCounters,
}

#[derive(Debug)]
struct Methods {
    object: Py<PyAny>,
    on_enqueue: Py<PyAny>,
    on_clock: Option<Py<PyAny>>,
    random: Py<Random>,
}

impl Methods {
    fn make(py: Python<'_>, factory: &Py<PyAny>, line_rate: Rate) -> PyResult<Self> {
        let random = Py::new(py, Random::default())?;
        let object = factory.bind(py).call1((line_rate.bits_per_second(), &random))?;
        Ok(Self {
            on_enqueue: required(&object, "on_enqueue", "congestion point")?,
            on_clock: method(&object, "on_clock")?,
            object: object.unbind(),
            random,
        })
    }
}

impl PythonCongestionPoint {
    /// A point for a port with this rate.
    pub(super) fn boxed(factory: &Py<PyAny>, line_rate: Rate, raised: &Arc<Raised>) -> Box<dyn Observe> {
        let point = raised.attempt(|py| Methods::make(py, factory, line_rate));
        let (flows, counted) = (BTreeSet::new(), CpCounters::default());
        Box::new(Self { raised: raised.clone(), point, flows, counted })
    }

    fn call(
        &mut self,
        of: impl Fn(&Methods) -> Option<&Py<PyAny>>,
        arrival: &setpoint_control::Arrival,
        entropy: &mut dyn Entropy,
        outbox: &mut dyn Outbox,
    ) {
        let Some(point) = &self.point else { return };
        let Some(method) = of(point) else { return };
        self.flows.insert(arrival.flow.0);
        let (flows, raised) = (&self.flows, &self.raised);
        let sent = raised.attempt(|py| {
            let answer =
                point.random.get().during(entropy, || method.bind(py).call1((Arrival::of(arrival),)))?;
            notifications(&answer, arrival.flow, flows)
        });
        let sent = sent.unwrap_or_default();
        self.counted.samples += u64::from(!sent.is_empty());
        self.counted.notifications += sent.len() as u64;
        sent.into_iter().for_each(|(to, notification)| outbox.send(to, notification.into()));
    }
}

impl Observe for PythonCongestionPoint {
    fn on_enqueue(
        &mut self,
        arrival: &setpoint_control::Arrival,
        entropy: &mut dyn Entropy,
        outbox: &mut dyn Outbox,
    ) {
        self.call(|point| Some(&point.on_enqueue), arrival, entropy, outbox);
    }

    fn on_clock(
        &mut self,
        arrival: &setpoint_control::Arrival,
        entropy: &mut dyn Entropy,
        outbox: &mut dyn Outbox,
    ) {
        self.call(|point| point.on_clock.as_ref(), arrival, entropy, outbox);
    }

    fn counters(&self) -> CpCounters {
        let object = self.point.as_ref().map(|point| &point.object);
        let read = object.and_then(|object| self.raised.attempt(|py| counted(object.bind(py), self.counted)));
        read.unwrap_or(self.counted)
    }

    /// Shows nothing: the state is inside the Python object.
    fn state(&self, _show: &mut dyn Show) {}
}

impl CloneObserve for PythonCongestionPoint {
    fn clone_box(&self) -> Box<dyn Observe> {
        unreachable!("only the points of groups are copied, and groups have no external points")
    }
}

/// The counters of an object if it has them, otherwise those that were counted here.
fn counted(object: &Bound<'_, PyAny>, mut counted: CpCounters) -> PyResult<CpCounters> {
    for (name, value) in counters(object)? {
        match name.as_str() {
            "samples" => counted.samples = value,
            "notifications" => counted.notifications = value,
            _ => {
                return Err(PyValueError::new_err(format!(
                    "counters has {name:?}; a congestion point counts samples and notifications"
                )));
            }
        }
    }
    Ok(counted)
}

/// The return value of a method: nothing, a notification for the source of the frame, or a list of notifications with their
/// flows.
fn notifications(
    answer: &Bound<'_, PyAny>,
    flow: FlowKey,
    flows: &BTreeSet<u32>,
) -> PyResult<Vec<(FlowKey, Sent)>> {
    if answer.is_none() {
        return Ok(Vec::new());
    }
    if let Ok(notification) = answer.cast::<Notification>() {
        return Ok(vec![(flow, sent(notification.get())?)]);
    }
    let list: Vec<PyRef<'_, Notification>> = answer.extract().map_err(|_| {
        let kind = answer.get_type();
        PyTypeError::new_err(format!(
            "on_enqueue returned {kind}; expected None, a Notification or a list of them"
        ))
    })?;
    let one = |notification: &PyRef<'_, Notification>| {
        if !flows.contains(&notification.to) {
            let message = format!(
                "a notification is to flow {}, but no frame of that flow has arrived here",
                notification.to
            );
            return Err(PyValueError::new_err(message));
        }
        Ok((FlowKey(notification.to), sent(notification)?))
    };
    list.iter().map(one).collect()
}

fn sent(notification: &Notification) -> PyResult<Sent> {
    let parts = u64::from(QuantizedFeedback::PARTS);
    let feedback = match (notification.feedback, notification.feedback_256) {
        (feedback, None) if feedback <= 63 => QuantizedFeedback::saturating(feedback),
        (_, Some(fine)) if fine <= 64 * parts => QuantizedFeedback::from_parts(fine),
        (feedback, fine) => {
            let given = fine
                .map_or_else(|| format!("feedback is {feedback}"), |fine| format!("feedback_256 is {fine}"));
            return Err(PyValueError::new_err(format!(
                "{given}; expected 0 to 63, or 0 to 16384 in units of 1/256"
            )));
        }
    };
    let (queue_offset, queue_delta) = (notification.queue_offset_bytes, notification.queue_delta_bytes);
    Ok(Sent { feedback, queue_offset, queue_delta })
}
