//! A lane: the unit that a station schedules. It holds the flows that share one rate.
//!
//! Every flow has its own lane, its home. The first notification gives the lane a rate limiter. If the
//! station has no limiter left, the flow moves into a lane that has one.

use setpoint_control::{LastFrame, Pace, PointId, ReactionPoint};
use setpoint_units::{Rate, Time};

use crate::clock::Clock;
use crate::ids::FlowId;
use crate::index::{LaneNo, StationNo};
use crate::random::RandomStream;

/// The fields accessed for every frame of a limited flow are in the first of its two cache lines.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(in super::super) struct Lane {
    pub(super) station: StationNo,
    /// The only flow in it, if there is exactly one.
    sole: Option<FlowId>,
    pub(super) class: u8,
    pub(super) state: LaneState,
    /// Whether it is in its station's ring; an entry there is valid only while the lane is ready.
    pub(super) queued: bool,
    /// The station's clock, which drives its pacing and its limiter's timers.
    pub(super) clock: Clock,
    pub(super) pace: Pace,
    /// When it is due: its pace permits a frame and its traffic has one. Valid while it is pending.
    pub(super) due: Time,
    pub(super) limiter: Option<Box<Limiter>>,
    /// Bytes it may still send before the station serves another lane.
    pub(super) credit: u64,
    last: LastFrame,
    /// The flows in it; `turn` is the index of the next to send.
    members: Vec<FlowId>,
    pub(super) turn: usize,
}

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
pub(in super::super) struct Limiter {
    pub(super) reaction_point: ReactionPoint,
    pub(super) entropy: RandomStream,
    /// When the pending timer event fires.
    pub(super) timer_armed: Option<Time>,
}

impl LaneNo {
    /// The home of a flow.
    pub(super) fn home_of(flow: FlowId) -> Self {
        Self(flow.0)
    }

    /// The flow whose home it is.
    pub(super) fn resident(self) -> FlowId {
        FlowId(self.0)
    }
}

impl Lane {
    pub(super) fn new(station: StationNo, class: u8, flow: FlowId, clock: Clock) -> Self {
        Self {
            station,
            sole: Some(flow),
            class,
            state: LaneState::Idle,
            queued: false,
            clock,
            pace: Pace::default(),
            due: Time::MAX,
            limiter: None,
            credit: 0,
            last: LastFrame::default(),
            members: vec![flow],
            turn: 0,
        }
    }

    /// Sets the time of the next frame, given that a frame of `bytes` (including overhead) has just been sent.
    #[inline]
    pub(super) fn charge(&mut self, bytes: u64, now: Time) {
        self.pace.charge(bytes, now, &mut self.last);
    }

    /// Changes the pace, measured by the station's clock, and reschedules the pending departure.
    pub(super) fn set_pace(&mut self, pace: Option<Rate>, now: Time) {
        self.pace.set_rate(pace.map(|pace| self.clock.rate(pace)), now, &self.last);
    }

    /// The only flow in it, if there is exactly one.
    #[inline]
    pub(super) fn sole(&self) -> Option<FlowId> {
        self.sole
    }

    pub(super) fn members(&self) -> &[FlowId] {
        &self.members
    }

    /// The flow whose turn it is, if there is one.
    pub(super) fn current(&self) -> Option<FlowId> {
        self.members.get(self.turn).or(self.members.first()).copied()
    }

    /// Replaces the flows in it and returns those that were there.
    pub(super) fn set_members(&mut self, members: Vec<FlowId>) -> Vec<FlowId> {
        self.turn = 0;
        self.sole = if let [flow] = members[..] { Some(flow) } else { None };
        std::mem::replace(&mut self.members, members)
    }

    /// Adds a flow.
    pub(super) fn add_member(&mut self, flow: FlowId) {
        let mut members = self.members.clone();
        members.push(flow);
        self.set_members(members);
    }

    /// The congestion point that its limiter follows, if frames carry it.
    pub(super) fn tag(&self) -> Option<PointId> {
        self.limiter.as_ref().and_then(|limiter| limiter.reaction_point.tag())
    }

    /// The rate its limiter sets, if it has one.
    pub(in super::super) fn limit(&self) -> Option<Rate> {
        self.limiter.as_ref().map(|limiter| limiter.reaction_point.rate())
    }
}
