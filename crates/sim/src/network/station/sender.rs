//! The sending side of a flow.

use setpoint_control::RpCounters;
use setpoint_units::{Rate, Time};

use crate::index::{HopNo, LaneNo};
use crate::random::RandomStream;
use crate::traffic::source::Source;

/// A flow at its station. Takes one cache line.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(in super::super) struct Sender {
    pub(super) source: Source,
    /// The lane it currently sends in.
    pub(super) lane: LaneNo,
    /// The station's entry on its route.
    pub(super) hop: HopNo,
    pub(super) weight: u32,
    pub(super) class: u8,
    pub(super) sent_frames: u64,
    pub(super) sent: u64,
    pub(super) cap: Option<Rate>,
    /// State that outlives its limiters; boxed, since it is rarely accessed.
    pub(super) limiters: Box<Limiters>,
}

/// State that a flow's successive limiters share.
#[derive(Clone, Debug)]
pub(in super::super) struct Limiters {
    /// The random stream of all its limiters.
    pub(super) entropy: RandomStream,
    /// Counters of released reaction points.
    pub(super) past: RpCounters,
    pub(super) notifications: u64,
    /// When the flow received its first notification.
    pub(super) first_notified: Option<Time>,
}

impl Sender {
    /// The smaller of a rate and the flow's cap.
    pub(super) fn capped(&self, rate: Rate) -> Option<Rate> {
        Some(self.cap.map_or(rate, |cap| cap.min(rate)))
    }

    /// Bytes that it has sent.
    pub(in super::super) fn sent(&self) -> u64 {
        self.sent
    }

    /// Frames that it has sent.
    pub(in super::super) fn sent_frames(&self) -> u64 {
        self.sent_frames
    }

    /// Notifications that have reached it.
    pub(in super::super) fn notifications(&self) -> u64 {
        self.limiters.notifications
    }

    /// When the first notification reached it.
    pub(in super::super) fn first_notified(&self) -> Option<Time> {
        self.limiters.first_notified
    }

    /// Its traffic.
    pub(in super::super) fn source(&self) -> &Source {
        &self.source
    }

    /// Its traffic, to ask for what has arrived.
    pub(in super::super) fn source_mut(&mut self) -> &mut Source {
        &mut self.source
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sender_takes_one_cache_line() {
        assert_eq!(size_of::<Sender>(), 64);
    }
}
