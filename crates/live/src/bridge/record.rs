//! What a bridge has measured, as the outcome of a run.
//!
//! The outcome has the form of a simulated one, so that the same figures, files and reports can be made of it. A bridge
//! does not see the rate limiters and the reactions of the stations; these fields stay empty.

use setpoint_control::CpCounters;
use setpoint_sim::{FlowOutcome, Outcome, PortId, PortOutcome, Priority, QueueOutcome, Side};
use setpoint_units::{Bytes, Time, TimeDelta};

use super::Bridge;

/// Measurements so far.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// Notifications sent, by quantised feedback.
    pub(super) feedback: [u64; 64],
    flows: Vec<FlowRecord>,
    ports: Vec<PortRecord>,
    sampled_at: Time,
    measured_from: Time,
}

#[derive(Clone, Debug, Default)]
struct FlowRecord {
    arrived: Count,
    delivered: Count,
    dropped: Count,
    /// Bytes delivered before measurement began.
    unmeasured: u64,
    series: Vec<u64>,
    sampled: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    frames: u64,
    bytes: u64,
}

impl Count {
    fn add(&mut self, length: u64) {
        self.frames += 1;
        self.bytes += length;
    }
}

#[derive(Clone, Debug, Default)]
struct PortRecord {
    sent: Vec<u64>,
    sent_so_far: u64,
    busy: Vec<TimeDelta>,
    busy_so_far: TimeDelta,
    busy_unmeasured: TimeDelta,
    paused: Vec<TimeDelta>,
    paused_so_far: TimeDelta,
    paused_unmeasured: TimeDelta,
    queues: [QueueRecord; 8],
}

#[derive(Clone, Debug, Default)]
struct QueueRecord {
    length: Vec<u64>,
    largest: Vec<u64>,
    mean: Vec<u64>,
    area_so_far: u128,
    area_before: u128,
    peak: u64,
    notifications: Vec<u32>,
    notified_so_far: u64,
}

/// The numbers of a bridge's ports and queues in the network that its outcome describes.
#[derive(Clone, Debug)]
pub struct Numbers {
    /// The port of each output.
    pub ports: Vec<PortId>,
    /// The queues to report: the index of a port, and a priority.
    pub queues: Vec<(usize, Priority)>,
    /// The number of flows in the network.
    pub flows: usize,
    /// The flow of each planned flow.
    pub planned: Vec<usize>,
}

impl Record {
    pub(super) fn new(flows: usize, ports: usize) -> Self {
        Self {
            feedback: [0; 64],
            flows: vec![FlowRecord::default(); flows],
            ports: vec![PortRecord::default(); ports],
            sampled_at: Time::ZERO,
            measured_from: Time::ZERO,
        }
    }

    /// Bytes delivered so far, by flow of the configuration.
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
}

impl Bridge {
    /// Ends a sample interval.
    pub fn sample(&mut self, now: Time) {
        let span = now.saturating_since(std::mem::replace(&mut self.record.sampled_at, now));
        for flow in &mut self.record.flows {
            flow.series.push(flow.delivered.bytes - flow.sampled);
            flow.sampled = flow.delivered.bytes;
        }
        for (port, record) in self.ports.iter_mut().zip(&mut self.record.ports) {
            let transmitter = &port.output.transmitter;
            record.sent.push(transmitter.bytes - record.sent_so_far);
            record.sent_so_far = transmitter.bytes;
            let (busy, paused) = (transmitter.busy_until(now), port.output.pauses.total(now));
            record.busy.push(busy.saturating_sub(record.busy_so_far));
            record.paused.push(paused.saturating_sub(record.paused_so_far));
            (record.busy_so_far, record.paused_so_far) = (busy, paused);
            let lengths = port.output.lengths;
            for ((point, queue), length) in port.points.iter_mut().zip(&mut record.queues).zip(lengths) {
                queue.push(point.dwell.area_until(length, now), span);
                queue.length.push(length);
                let largest = std::mem::replace(&mut point.largest, length).max(length);
                queue.largest.push(largest);
                queue.peak = queue.peak.max(largest);
                queue.notifications.push((point.notifications - queue.notified_so_far) as u32);
                queue.notified_so_far = point.notifications;
            }
        }
    }

    /// Begins the measurement: statistics ignore everything before.
    pub fn measure_from(&mut self, now: Time) {
        self.record.measured_from = now;
        for flow in &mut self.record.flows {
            flow.unmeasured = flow.delivered.bytes;
        }
        for (port, record) in self.ports.iter_mut().zip(&mut self.record.ports) {
            record.busy_unmeasured = port.output.transmitter.busy_until(now);
            record.paused_unmeasured = port.output.pauses.total(now);
            let lengths = port.output.lengths;
            for ((point, queue), length) in port.points.iter_mut().zip(&mut record.queues).zip(lengths) {
                queue.area_before += point.dwell.area_until(length, now) - queue.area_so_far;
                queue.area_so_far = 0;
                point.dwell.restart(now);
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
        let samples = self.record.flows.first().map_or(0, |flow| flow.series.len());
        for flow in &mut flows {
            flow.delivered_series.resize(samples, 0);
            flow.limit_series.resize(samples, None);
            flow.notification_series.resize(samples, 0);
        }
        let sent = |port: &super::Port| port.output.transmitter.frames;
        Outcome {
            end: now,
            sample_interval,
            measure_from: self.record.measured_from,
            events: self.counters.received,
            packet_hops: self.ports.iter().map(sent).sum(),
            flows,
            queues: numbers.queues.iter().map(|place| self.queue_outcome(now, *place, numbers)).collect(),
            ports: (0..self.ports.len()).map(|index| self.port_outcome(now, index, numbers)).collect(),
            messages: Vec::new(),
            messages_incomplete: Vec::new(),
            message_counts: Default::default(),
            feedback: self.record.feedback.to_vec(),
            fabric: Default::default(),
            congestion_trees: Default::default(),
            deadlock: None,
            links: Vec::new(),
        }
    }

    fn queue_outcome(
        &mut self,
        now: Time,
        (port, priority): (usize, Priority),
        numbers: &Numbers,
    ) -> QueueOutcome {
        let lossless = self.plan.flow_control.protected().contains(priority);
        let length = self.ports[port].output.lengths[priority.index()];
        let point = &mut self.ports[port].points[priority.index()];
        point.leave(length, now);
        let record = &self.record.ports[port].queues[priority.index()];
        QueueOutcome {
            port: numbers.ports[port],
            side: Side::Output,
            priority,
            length: point.dwell.statistics(),
            peak: Bytes::new(record.peak),
            dropped_frames: point.dropped_frames,
            dropped: Bytes::new(point.dropped),
            congestion_point: CpCounters { samples: point.samples(), notifications: point.notifications },
            culprits: Default::default(),
            length_series: record.length.clone(),
            largest_series: record.largest.clone(),
            mean_series: record.mean.clone(),
            limit: (!lossless).then_some(self.plan.buffer),
            notification_series: record.notifications.clone(),
        }
    }

    fn port_outcome(&self, now: Time, index: usize, numbers: &Numbers) -> PortOutcome {
        let (output, record) = (&self.ports[index].output, &self.record.ports[index]);
        PortOutcome {
            port: numbers.ports[index],
            sent_frames: output.transmitter.frames,
            sent: Bytes::new(output.transmitter.bytes),
            busy: output.transmitter.busy_until(now).saturating_sub(record.busy_unmeasured),
            paused: output.pauses.total(now).saturating_sub(record.paused_unmeasured),
            pauses: output.pauses.begun,
            sent_series: record.sent.clone(),
            busy_series: record.busy.clone(),
            paused_series: record.paused.clone(),
        }
    }
}

impl FlowRecord {
    fn outcome(&self) -> FlowOutcome {
        FlowOutcome {
            sent_frames: self.arrived.frames,
            sent: Bytes::new(self.arrived.bytes),
            delivered_frames: self.delivered.frames,
            delivered: Bytes::new(self.delivered.bytes),
            delivered_measured: Bytes::new(self.delivered.bytes - self.unmeasured),
            dropped_frames: self.dropped.frames,
            dropped: Bytes::new(self.dropped.bytes),
            delivered_series: self.series.clone(),
            ..FlowOutcome::default()
        }
    }
}

impl QueueRecord {
    /// Records the mean length in an interval that ends now, from the integral of the length up to now.
    fn push(&mut self, area: u128, span: TimeDelta) {
        let grown =
            std::mem::take(&mut self.area_before) + area - std::mem::replace(&mut self.area_so_far, area);
        self.mean.push((grown / u128::from(span.as_picos().max(1))) as u64);
    }
}
