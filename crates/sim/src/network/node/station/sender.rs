//! The sending side of a flow.

use setpoint_control::{Counters, Limit, Mark};
use setpoint_random::{Purpose, RandomStream};
use setpoint_units::{Rate, Time, TimeDelta};

use crate::index::{Conversation, HopNo, LaneNo};
use crate::outcome::RoundTrips;
use crate::traffic::source::Source;

/// A flow at its station, or an independent message. Occupies two cache lines.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(in crate::network) struct Sender {
    pub(super) sent_frames: u64,
    pub(super) sent: u64,
    /// The lane it currently sends in.
    pub(super) lane: LaneNo,
    /// The entry of its station on its route.
    pub(super) hop: HopNo,
    pub(super) weight: u32,
    pub(super) conversation: Conversation,
    pub(super) cap: Option<Rate>,
    /// State that its limiters share; absent until it is first notified.
    pub(super) limiters: Option<Box<Limiters>>,
    pub(super) source: Source,
}

const _: () = assert!(size_of::<Sender>() == 128);

/// The part of a flow's state at its station that is kept after the run.
#[derive(Clone, Debug)]
pub(in crate::network) struct Sent {
    pub(in crate::network) frames: u64,
    pub(in crate::network) bytes: u64,
    limiters: Option<Box<Limiters>>,
}

/// State that a flow's successive limiters share.
#[derive(Clone, Debug)]
pub(in crate::network) struct Limiters {
    /// The random stream of all its limiters.
    pub(super) entropy: RandomStream,
    /// Counters of released reaction points.
    pub(super) past: Counters,
    pub(super) notifications: u64,
    /// The time at which the flow received its first notification.
    pub(super) first_notified: Option<Time>,
    /// Bytes that are no longer in flight, as recorded at the sender.
    pub(super) settled: u64,
    /// The round-trip times of the flow, including its independent messages.
    pub(super) round_trips: RoundTrips,
    /// The acknowledgements since the last sample.
    pub(super) since_sample: SinceSample,
}

/// Acknowledgements in an interval.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SinceSample {
    pub(super) acknowledgements: u64,
    /// The sum of the round-trip times in picoseconds.
    pub(super) round_trips: u128,
    /// The number that carried a mark.
    pub(super) marks: u32,
}

impl Limiters {
    /// The state before the first limiter is created.
    pub(super) fn new(seed: u64, conversation: Conversation) -> Self {
        let entropy = RandomStream::new(seed, Purpose::ReactionPoint, conversation.0);
        Self {
            entropy,
            past: Counters::default(),
            notifications: 0,
            first_notified: None,
            settled: 0,
            round_trips: RoundTrips::default(),
            since_sample: SinceSample::default(),
        }
    }

    /// Records an acknowledgement.
    pub(super) fn add_acknowledgement(&mut self, round_trip: TimeDelta, mark: Mark) {
        self.round_trips.add(round_trip);
        self.since_sample.acknowledgements += 1;
        self.since_sample.round_trips += u128::from(round_trip.as_picos());
        self.since_sample.marks += u32::from(mark == Mark::Congested);
    }
}

impl Sender {
    /// A sender that has sent nothing yet and has no cap.
    pub(super) fn new(
        source: Source,
        conversation: Conversation,
        lane: LaneNo,
        hop: HopNo,
        weight: u32,
    ) -> Self {
        Self { sent_frames: 0, sent: 0, lane, hop, weight, conversation, cap: None, limiters: None, source }
    }

    /// The stricter of a limit and the flow's cap.
    pub(super) fn capped(&self, limit: Limit) -> Limit {
        self.cap.map_or(limit, |cap| limit.map(|rate| rate.min(cap)))
    }

    /// Bytes in flight, as recorded at the sender.
    pub(super) fn in_flight(&self) -> u64 {
        self.sent.saturating_sub(self.limiters.as_ref().map_or(0, |limiters| limiters.settled))
    }

    /// Notifications that have reached it.
    pub(in crate::network) fn notifications(&self) -> u64 {
        self.limiters.as_ref().map_or(0, |limiters| limiters.notifications)
    }

    /// Ends the run.
    pub(super) fn finish(self) -> Sent {
        Sent { frames: self.sent_frames, bytes: self.sent, limiters: self.limiters }
    }

    /// Its traffic.
    pub(in crate::network) fn source(&self) -> &Source {
        &self.source
    }
}

impl Sent {
    /// Notifications that reached the flow.
    pub(in crate::network) fn notifications(&self) -> u64 {
        self.limiters.as_ref().map_or(0, |limiters| limiters.notifications)
    }

    /// The time at which the first notification reached it.
    pub(in crate::network) fn first_notified(&self) -> Option<Time> {
        self.limiters.as_ref().and_then(|limiters| limiters.first_notified)
    }

    /// The round-trip times of the flow.
    pub(in crate::network) fn round_trips(&self) -> RoundTrips {
        self.limiters.as_ref().map(|limiters| limiters.round_trips).unwrap_or_default()
    }

    /// The counters of all its reaction points.
    pub(in crate::network) fn reaction(&self) -> Counters {
        self.limiters.as_ref().map(|limiters| limiters.past.clone()).unwrap_or_default()
    }
}
