//! The measurements of a bridge, as the outcome of a run.
//!
//! The outcome has the form of a simulated one, so that the same figures, files and reports can be produced from it. A
//! bridge cannot observe the stations' rate limiters and reactions, so these fields stay empty.

mod flow;
mod queue;

use setpoint_sim::{FlowOutcome, Outcome, PortId, PortOutcome, Priority, QueueOutcome};
use setpoint_units::{Time, TimeDelta};

use super::{Bridge, Port};
use crate::record::{PortRecord, PortState};
use flow::FlowRecord;
use queue::{Place, QueueRecord};

/// Measurements so far.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// Notifications sent, by quantised feedback.
    pub(super) feedback: [u64; 64],
    flows: Vec<FlowRecord>,
    ports: Vec<(PortRecord, [QueueRecord; 8])>,
    sampled_at: Time,
    measured_from: Time,
}

/// The numbers of a bridge's ports and queues in the network that its outcome describes.
#[derive(Clone, Debug)]
pub struct Numbers {
    /// The port number of each output.
    pub ports: Vec<PortId>,
    /// The queues to report: the index of a port, and a priority.
    pub queues: Vec<(usize, Priority)>,
    /// The number of flows in the network.
    pub flows: usize,
    /// The number of each planned flow in the network.
    pub planned: Vec<usize>,
}

impl Record {
    pub(super) fn new(flows: usize, ports: usize) -> Self {
        Self {
            feedback: [0; 64],
            flows: vec![FlowRecord::default(); flows],
            ports: vec![Default::default(); ports],
            sampled_at: Time::ZERO,
            measured_from: Time::ZERO,
        }
    }

    /// Bytes delivered so far, by configured flow.
    pub(super) fn delivered(&self) -> Vec<u64> {
        self.flows.iter().map(|flow| flow.delivered.bytes).collect()
    }

    pub(super) fn arrive(&mut self, flow: usize, length: u64) {
        if let Some(flow) = self.flows.get_mut(flow) {
            flow.arrived.add(length);
        }
    }

    pub(super) fn drop(&mut self, flow: usize, length: u64) {
        if let Some(flow) = self.flows.get_mut(flow) {
            flow.dropped.add(length);
        }
    }

    pub(super) fn deliver(&mut self, flow: usize, length: u64) {
        if let Some(flow) = self.flows.get_mut(flow) {
            flow.delivered.add(length);
        }
    }

    /// Halves the number of samples.
    pub(super) fn thin(&mut self) {
        self.flows.iter_mut().for_each(FlowRecord::thin);
        for (record, queues) in &mut self.ports {
            record.thin();
            queues.iter_mut().for_each(QueueRecord::thin);
        }
    }
}

impl Port {
    fn state(&self, now: Time) -> PortState<'_> {
        PortState { now, transmitter: &self.output.transmitter, pauses: &self.output.pauses }
    }
}

impl Bridge {
    /// Ends a sample interval.
    pub(super) fn record_sample(&mut self, now: Time) {
        let span = now.saturating_since(std::mem::replace(&mut self.record.sampled_at, now));
        self.record.flows.iter_mut().for_each(FlowRecord::sample);
        for (port, (record, queues)) in self.ports.iter_mut().zip(&mut self.record.ports) {
            record.sample(port.state(now));
            let lengths = port.output.lengths;
            for ((point, queue), length) in port.points.iter_mut().zip(queues).zip(lengths) {
                queue.sample(point, length, now, span);
            }
        }
    }

    pub(super) fn begin_measurement(&mut self, now: Time) {
        self.record.measured_from = now;
        self.record.flows.iter_mut().for_each(FlowRecord::measure_from);
        for (port, (record, queues)) in self.ports.iter_mut().zip(&mut self.record.ports) {
            record.measure_from(port.state(now));
            let lengths = port.output.lengths;
            for ((point, queue), length) in port.points.iter_mut().zip(queues).zip(lengths) {
                queue.measure_from(point, length, now);
            }
        }
    }

    /// The outcome so far.
    #[must_use]
    pub fn outcome(&mut self, now: Time, sample_interval: TimeDelta, numbers: &Numbers) -> Outcome {
        let mut flows = vec![FlowOutcome::default(); numbers.flows];
        for (record, &flow) in self.record.flows.iter().zip(&numbers.planned) {
            flows[flow] = record.outcome();
        }
        let samples = self.record.ports.first().map_or(0, |(record, _)| record.samples());
        flows.iter_mut().for_each(|flow| flow.resize(samples));
        Outcome {
            end: now,
            sample_interval,
            measure_from: self.record.measured_from,
            events: self.counters.received,
            packet_hops: self.ports.iter().map(|port| port.output.transmitter.frames).sum(),
            flows,
            queues: numbers.queues.iter().map(|place| self.queue_outcome(now, *place, numbers)).collect(),
            ports: self.port_outcomes(now, numbers),
            feedback: self.record.feedback.to_vec(),
            ..Outcome::default()
        }
    }

    fn queue_outcome(
        &mut self,
        now: Time,
        (port, priority): (usize, Priority),
        numbers: &Numbers,
    ) -> QueueOutcome {
        let lossless = self.plan.flow_control.protected().contains(priority);
        let place =
            Place { port: numbers.ports[port], priority, limit: (!lossless).then_some(self.plan.buffer) };
        let length = self.ports[port].output.lengths[priority.index()];
        let point = &mut self.ports[port].points[priority.index()];
        point.leave(length, now);
        self.record.ports[port].1[priority.index()].outcome(&place, point)
    }

    fn port_outcomes(&self, now: Time, numbers: &Numbers) -> Vec<PortOutcome> {
        let ports = self.ports.iter().zip(&self.record.ports).zip(&numbers.ports);
        ports.map(|((port, (record, _)), number)| record.outcome(*number, port.state(now))).collect()
    }
}
