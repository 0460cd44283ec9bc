//! The measurements of a station.

use setpoint_control::Counters;
use setpoint_sim::{FlowCurves, FlowOutcome, Outcome, PortId, PortOutcome};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use super::{Flow, Station};
use crate::record::{PortRecord, PortState};

/// Measurements of a flow so far.
#[derive(Clone, Debug, Default)]
pub(super) struct FlowRecord {
    sent_frames: u64,
    sent: u64,
    unmeasured: u64,
    notifications: u64,
    first_notified: Option<Time>,
    /// Frames count as delivered when they are sent.
    curves: FlowCurves,
    sent_sampled: u64,
    notified_sampled: u64,
}

/// Measurements of a station so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    pub(super) port: PortRecord,
    measured_from: Time,
}

/// The state of a flow, for display.
#[derive(Clone, Debug, PartialEq)]
pub struct StationFlow {
    /// The fields that its frames share, such as `udp 10.0.0.1:20000 to 10.0.0.2:9000`.
    pub name: String,
    /// Octets sent, with frame check sequences.
    pub sent: u64,
    /// Notifications obeyed.
    pub notifications: u64,
    /// The current rate of its limiter, if it has one.
    pub limit: Option<Rate>,
    /// The phase of its limiter, such as `fast-recovery`; `None` for algorithms without phases.
    pub phase: Option<&'static str>,
    /// Counters of its limiters.
    pub reaction: Counters,
}

impl FlowRecord {
    pub(super) fn send(&mut self, length: u64) {
        self.sent_frames += 1;
        self.sent += length;
    }

    pub(super) fn notify(&mut self, now: Time) {
        self.notifications += 1;
        self.first_notified.get_or_insert(now);
    }

    /// Ends a sample interval. A flow that appeared later has no samples from earlier intervals.
    fn sample(&mut self, earlier: usize, limit: Option<Rate>) {
        self.curves.resize(earlier);
        self.curves.delivered_series.push(self.sent - self.sent_sampled);
        self.curves.notification_series.push((self.notifications - self.notified_sampled) as u32);
        self.curves.limit_series.push(limit);
        (self.sent_sampled, self.notified_sampled) = (self.sent, self.notifications);
    }

    pub(super) fn thin(&mut self) {
        self.curves.halve();
    }

    /// The outcome as observed by the station. It cannot observe which of its frames arrive, so frames count as
    /// delivered when they are sent.
    fn outcome(&self, reaction: Counters) -> FlowOutcome {
        let FlowCurves { delivered_series, limit_series, notification_series } = self.curves.clone();
        FlowOutcome {
            sent_frames: self.sent_frames,
            sent: Bytes::new(self.sent),
            delivered_frames: self.sent_frames,
            delivered: Bytes::new(self.sent),
            delivered_measured: Bytes::new(self.sent - self.unmeasured),
            notifications: self.notifications,
            first_notified: self.first_notified,
            reaction: reaction.into(),
            delivered_series,
            limit_series,
            notification_series,
            ..FlowOutcome::default()
        }
    }
}

impl Station {
    fn port_state(&self, now: Time) -> PortState<'_> {
        PortState { now, transmitter: &self.transmitter, pauses: &self.pauses }
    }

    /// Ends a sample interval.
    pub(super) fn record_sample(&mut self, now: Time) {
        let earlier = self.record.port.samples();
        let mut port = std::mem::take(&mut self.record.port);
        port.sample(self.port_state(now));
        self.record.port = port;
        for flow in &mut self.flows {
            let limit = flow.reported_limit();
            flow.record.sample(earlier, limit);
        }
    }

    pub(super) fn begin_measurement(&mut self, now: Time) {
        self.record.measured_from = now;
        let mut port = std::mem::take(&mut self.record.port);
        port.measure_from(self.port_state(now));
        self.record.port = port;
        for flow in &mut self.flows {
            flow.record.unmeasured = flow.record.sent;
        }
    }

    /// Its flows, in the order in which they appeared, without the entry for frames that belong to no flow.
    pub fn flows(&self) -> Vec<StationFlow> {
        let state = |flow: &Flow| StationFlow {
            name: flow.name.map_or_else(String::new, |name| name.to_string()),
            sent: flow.record.sent,
            notifications: flow.record.notifications,
            limit: flow.reported_limit(),
            phase: flow.phase(),
            reaction: flow.reaction(),
        };
        self.flows.iter().skip(1).map(state).collect()
    }

    /// The outcome so far, with the flows in the order in which they appeared. Delivered bytes are those that the station
    /// sent. `port` is the number of its port in the network that the outcome describes.
    pub fn outcome(&self, now: Time, sample_interval: TimeDelta, port: PortId) -> Outcome {
        let samples = self.record.port.samples();
        let outcome = |flow: &Flow| {
            let mut record = flow.record.clone();
            record.curves.resize(samples);
            record.outcome(flow.reaction())
        };
        Outcome {
            end: now,
            sample_interval,
            measure_from: self.record.measured_from,
            events: self.counters.received,
            packet_hops: self.transmitter.frames,
            flows: self.flows.iter().skip(1).map(outcome).collect(),
            ports: vec![self.port_outcome(now, port)],
            feedback: vec![0; 64],
            ..Outcome::default()
        }
    }

    fn port_outcome(&self, now: Time, port: PortId) -> PortOutcome {
        self.record.port.outcome(port, self.port_state(now))
    }
}
