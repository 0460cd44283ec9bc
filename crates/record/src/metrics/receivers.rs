//! Figures for the receivers of a group.
//!
//! A receiver's rate covers the time during which it was a member. The rate of a flow to a group is the mean over its
//! receivers, weighted by that time: all bytes divided by the total membership time. If members neither join nor leave,
//! that is the plain mean. With multicast, bytes that reach a station after it has left do not count. With multiple
//! unicast they do, since a flow does not record why it was stopped; their number is limited by the amount of data in
//! the buffers.

use setpoint_scenario::{Group, Member};
use setpoint_sim::{FlowOutcome, NodeId, Topology};
use setpoint_units::{Time, TimeDelta};

use super::axis::Axis;
use crate::results::ReceiverSummary;
use crate::statistics::moments::{ratio, share};

/// Bytes that arrived in an interval, and the total time for which their receivers were members during it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Arrived {
    bytes: u64,
    time: TimeDelta,
}

impl Arrived {
    /// The bytes a member received between two instants; zero if it was not a member then.
    pub(super) fn at(member: &Member, bytes: u64, from: Time, to: Time) -> Self {
        let time = member.time_within(from, to);
        if time.is_zero() { Self::default() } else { Self { bytes, time } }
    }

    /// Bits per second and member.
    pub(super) fn rate(self) -> f64 {
        // In this order of operations, a rate that is a whole number of bits per second is exact.
        ratio(self.bytes as f64 * 8e12, self.time.as_picos() as f64)
    }
}

impl std::iter::Sum for Arrived {
    fn sum<I: Iterator<Item = Self>>(arrivals: I) -> Self {
        arrivals.fold(Self::default(), |sum, one| Self {
            bytes: sum.bytes + one.bytes,
            time: sum.time + one.time,
        })
    }
}

/// Frames due, and how many of them were lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Losses {
    pub(super) lost: u64,
    pub(super) due: u64,
}

impl Losses {
    /// The losses of a flow; for a flow to a group, summed over its receivers.
    pub(super) fn of(flow: &FlowOutcome) -> Self {
        if flow.receivers.is_empty() {
            return Self { lost: flow.dropped_frames, due: flow.sent_frames };
        }
        let lost = flow.receivers.iter().map(|receiver| receiver.lost_frames).sum();
        let delivered: u64 = flow.receivers.iter().map(|receiver| receiver.delivered_frames).sum();
        Self { lost, due: delivered + lost }
    }

    pub(super) fn share(self) -> f64 {
        share(self.lost as f64, self.due as f64)
    }
}

impl std::iter::Sum for Losses {
    fn sum<I: Iterator<Item = Self>>(losses: I) -> Self {
        losses.fold(Self::default(), |sum, one| Self { lost: sum.lost + one.lost, due: sum.due + one.due })
    }
}

/// Frames that one receiver received from one or several flows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Received {
    pub(super) delivered_frames: u64,
    pub(super) lost_frames: u64,
    pub(super) measured_bytes: u64,
}

impl Received {
    /// The frames from a multicast flow.
    pub(super) fn copies(flow: &FlowOutcome, station: NodeId) -> Self {
        let found = flow.receivers.binary_search_by_key(&station, |receiver| receiver.station);
        let Ok(receiver) = found.map(|index| &flow.receivers[index]) else { return Self::default() };
        Self {
            delivered_frames: receiver.delivered_frames,
            lost_frames: receiver.lost_frames,
            measured_bytes: receiver.delivered_measured.get(),
        }
    }

    /// The frames from a unicast flow to this receiver.
    pub(super) fn alone(flow: &FlowOutcome) -> Self {
        Self {
            delivered_frames: flow.delivered_frames,
            lost_frames: flow.dropped_frames,
            measured_bytes: flow.delivered_measured.get(),
        }
    }

    /// The figures as stored; the measurement interval lies between the two instants.
    pub(super) fn summary(
        self,
        member: &Member,
        topology: &Topology,
        (from, to): (Time, Time),
    ) -> ReceiverSummary {
        let due = self.delivered_frames + self.lost_frames;
        ReceiverSummary {
            station: topology.node_at(member.station).name.clone(),
            rate_bps: Arrived::at(member, self.measured_bytes, from, to).rate(),
            delivered_frames: self.delivered_frames,
            lost_frames: self.lost_frames,
            loss_share: share(self.lost_frames as f64, due as f64),
        }
    }
}

impl std::iter::Sum for Received {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            delivered_frames: sum.delivered_frames + one.delivered_frames,
            lost_frames: sum.lost_frames + one.lost_frames,
            measured_bytes: sum.measured_bytes + one.measured_bytes,
        })
    }
}

/// The rate of a multicast flow between two instants.
pub(super) fn rate(flow: &FlowOutcome, group: &Group, from: Time, to: Time) -> f64 {
    let of = |member: &Member| {
        Arrived::at(member, Received::copies(flow, member.station).measured_bytes, from, to)
    };
    group.members.iter().map(of).sum::<Arrived>().rate()
}

/// The rate of a multicast flow in each interval.
pub(super) fn rates(flow: &FlowOutcome, group: &Group, axis: &Axis) -> Vec<f64> {
    let series: Vec<(&Member, &[u64])> = group
        .members
        .iter()
        .filter_map(|member| {
            let found = flow.receivers.binary_search_by_key(&member.station, |receiver| receiver.station);
            Some((member, flow.receivers[found.ok()?].delivered_series.as_slice()))
        })
        .collect();
    let in_interval = |sample: usize| {
        let (from, to) = (axis.begin(sample), axis.finish(sample));
        let bytes = |series: &[u64]| series.get(sample).copied().unwrap_or(0);
        series
            .iter()
            .map(|(member, series)| Arrived::at(member, bytes(series), from, to))
            .sum::<Arrived>()
            .rate()
    };
    (0..axis.samples).map(in_interval).collect()
}
