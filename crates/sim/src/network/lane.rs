//! A lane: the unit that a station schedules. It holds the flows that share one rate.
//!
//! Every flow has its own lane, its home. The first notification gives the lane a rate limiter. If the
//! station has no limiter left, the flow moves into a lane that has one.

use setpoint_control::{PointId, ReactionPoint};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use crate::clock::Clock;
use crate::random::RandomStream;

/// The fields accessed for every frame of a limited flow are in the first of its two cache lines.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Lane {
    pub(super) station: u32,
    /// The only flow in it, or [`NONE`] if there are several or none.
    sole: u32,
    pub(super) class: u8,
    pub(super) state: LaneState,
    /// Whether it is in its station's ring; an entry there is valid only while the lane is ready.
    pub(super) queued: bool,
    /// The station's clock, which drives its pacing and its limiter's timers.
    pub(super) clock: Clock,
    /// When its pace allows the next frame.
    pub(super) eligible: Time,
    /// When it is due: its pace permits a frame and its traffic has one. Valid while it is pending.
    pub(super) due: Time,
    /// Its pacing rate; `None` for the port's own rate.
    pub(super) pace: Option<Rate>,
    /// The remainder from rounding down the last gap, in bits times picoseconds per second.
    remainder: u64,
    pub(super) limiter: Option<Box<Limiter>>,
    /// Bytes it may still send before the station serves another lane.
    pub(super) credit: u64,
    /// When it sent its last frame without a pace.
    last_sent: Time,
    last_bytes: u64,
    /// The flows in it; `turn` is the index of the next to send.
    members: Vec<u32>,
    pub(super) turn: usize,
}

const NONE: u32 = u32::MAX;
/// A typical frame length.
const FRAME: Bytes = Bytes::new(1_000);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LaneState {
    /// Nothing to send, and no known time of the next frame.
    Idle,
    /// Due at a later time.
    Pending,
    /// Waiting for the port.
    Ready,
}

/// A rate limiter and the reaction point that sets it.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Limiter {
    pub(super) reaction_point: ReactionPoint,
    pub(super) entropy: RandomStream,
    /// When the pending timer event fires.
    pub(super) timer_armed: Option<Time>,
}

impl Lane {
    pub(super) fn new(station: u32, class: u8, flow: u32, clock: Clock) -> Self {
        Self {
            station,
            sole: flow,
            class,
            state: LaneState::Idle,
            queued: false,
            clock,
            eligible: Time::ZERO,
            due: Time::MAX,
            pace: None,
            remainder: 0,
            limiter: None,
            credit: 0,
            last_sent: Time::ZERO,
            last_bytes: 0,
            members: vec![flow],
            turn: 0,
        }
    }

    /// Sets the time of the next frame, given that a frame of `bytes` (including overhead) has just been sent.
    ///
    /// A lane that its port or a pause has delayed may catch up by at most one frame. The gap is
    /// rounded down and the remainder carried over, so that the mean rate is exact.
    #[inline]
    pub(super) fn charge(&mut self, bytes: u64, now: Time) {
        let Some(rate) = self.pace else {
            self.eligible = now;
            self.last_sent = now;
            self.last_bytes = bytes;
            return;
        };
        let work = bytes * Rate::BYTE_PICOS + self.remainder;
        let gap = TimeDelta::from_picos(work / rate.bits_per_second());
        self.remainder = work % rate.bits_per_second();
        let earliest = Time::from_picos(now.as_picos().saturating_sub(gap.as_picos()));
        self.eligible = self.eligible.max(earliest) + gap;
    }

    /// Changes the pace and reschedules the pending departure: the rest of the gap is scaled by the ratio of
    /// the rates (rounded up); for a lane without a pace, the gap counts from its last frame. The
    /// pace is measured by the station's clock.
    pub(super) fn set_pace(&mut self, pace: Option<Rate>, now: Time) {
        let pace = pace.map(|pace| self.clock.rate(pace));
        if pace == self.pace {
            return;
        }
        self.eligible = match (self.pace, pace) {
            (_, None) => now,
            (None, Some(rate)) => now.max(self.last_sent + rate.time_to_send(Bytes::new(self.last_bytes))),
            // Silence: a lane that could have sent at once also waits, for one frame time after it may send
            // again.
            (Some(_), Some(Rate::MIN)) => now + Rate::MIN.time_to_send(FRAME),
            (Some(old), Some(new)) => {
                let left = self.eligible.saturating_since(now);
                now + left.scaled(old.bits_per_second(), new.bits_per_second())
            }
        };
        self.remainder = 0;
        self.pace = pace;
    }

    /// The only flow in it, if there is exactly one.
    #[inline]
    pub(super) fn sole(&self) -> Option<u32> {
        if self.sole == NONE { None } else { Some(self.sole) }
    }

    pub(super) fn members(&self) -> &[u32] {
        &self.members
    }

    /// The flow whose turn it is, if there is one.
    pub(super) fn current(&self) -> Option<u32> {
        self.members.get(self.turn).or(self.members.first()).copied()
    }

    /// Replaces the flows in it and returns those that were there.
    pub(super) fn set_members(&mut self, members: Vec<u32>) -> Vec<u32> {
        self.turn = 0;
        self.sole = if let [flow] = members[..] { flow } else { NONE };
        std::mem::replace(&mut self.members, members)
    }

    /// Adds a flow.
    pub(super) fn add_member(&mut self, flow: u32) {
        let mut members = self.members.clone();
        members.push(flow);
        self.set_members(members);
    }

    /// The congestion point that its limiter follows, if frames carry it.
    pub(super) fn tag(&self) -> Option<PointId> {
        self.limiter.as_ref().and_then(|limiter| limiter.reaction_point.tag())
    }

    /// The rate its limiter sets, if it has one.
    pub(super) fn limit(&self) -> Option<Rate> {
        self.limiter.as_ref().map(|limiter| limiter.reaction_point.rate())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(nanos: u64) -> Time {
        Time::ZERO + TimeDelta::from_nanos(nanos)
    }

    #[test]
    fn a_pace_that_does_not_divide_evenly_keeps_its_mean() {
        let mut lane = Lane::new(0, 0, 0, Clock::EXACT);
        lane.set_pace(Some(Rate::from_gbps(3)), Time::ZERO);
        for _ in 0..3_000 {
            lane.charge(1_000, lane.eligible);
        }
        assert_eq!(lane.eligible, at(8_000_000));
    }

    #[test]
    fn a_change_of_rate_moves_the_pending_departure() {
        let mut lane = Lane::new(0, 0, 0, Clock::EXACT);
        lane.set_pace(Some(Rate::from_gbps(10)), Time::ZERO);
        lane.charge(1_000, at(0));
        assert_eq!(lane.eligible, at(800));
        lane.set_pace(Some(Rate::from_gbps(5)), at(400));
        assert_eq!(lane.eligible, at(1_200));
        lane.set_pace(Some(Rate::from_gbps(10)), at(400));
        assert_eq!(lane.eligible, at(800));
    }

    #[test]
    fn silence_also_holds_a_lane_that_was_free_to_send() {
        let mut lane = Lane::new(0, 0, 0, Clock::EXACT);
        lane.set_pace(Some(Rate::from_gbps(1)), Time::ZERO);
        lane.set_pace(Some(Rate::MIN), at(1_000));
        assert_eq!(lane.eligible, at(1_000) + TimeDelta::from_secs(8_000));
        lane.set_pace(Some(Rate::from_gbps(1)), at(5_000));
        assert!(lane.eligible > at(12_900) && lane.eligible < at(13_100), "{}", lane.eligible);
    }

    #[test]
    fn the_first_limit_counts_from_the_last_frame() {
        let mut lane = Lane::new(0, 0, 0, Clock::EXACT);
        lane.charge(1_000, at(0));
        lane.set_pace(Some(Rate::from_gbps(1)), at(500));
        assert_eq!(lane.eligible, at(8_000));
    }

    #[test]
    fn a_lane_that_was_held_up_catches_up_by_one_frame() {
        let mut lane = Lane::new(0, 0, 0, Clock::EXACT);
        lane.set_pace(Some(Rate::from_gbps(1)), Time::ZERO);
        lane.charge(1_000, at(0));
        lane.charge(1_000, at(100_000));
        assert_eq!(lane.eligible, at(100_000));
        lane.charge(1_000, at(100_000));
        assert_eq!(lane.eligible, at(108_000));
    }
}
