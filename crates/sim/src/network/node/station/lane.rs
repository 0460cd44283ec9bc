//! A lane: the unit that a station schedules. It holds the senders that share one rate.
//!
//! Every sender has its own lane, called its home. The first notification gives the lane a rate limiter. If
//! the station has no limiter left, the sender moves into a lane that has one.

use setpoint_control::{Answers, Limit, Pace, React, ReactionPoint};
use setpoint_random::RandomStream;
use setpoint_units::Time;

use crate::frame::Frame;
use crate::index::{LaneNo, SenderNo, StationNo};
use crate::network::node::context::Context;

/// Takes one cache line.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(in crate::network) struct Lane {
    pub(super) pace: Pace,
    /// The time at which the lane is due, that is, at which it has a frame and its pace permits sending it. Valid
    /// while it is pending.
    pub(super) due: Time,
    pub(super) limiter: Option<Box<Limiter>>,
    /// The senders in the lane, unless its resident is the only one.
    members: Option<Box<Members>>,
    /// Bytes it may still send before the station serves another lane.
    pub(super) credit: u64,
    pub(super) station: StationNo,
    pub(super) class: u8,
    pub(super) state: LaneState,
    /// Whether it is in its station's ring; an entry there is valid only while the lane is ready.
    pub(super) queued: bool,
    /// Whether its limit is a window.
    pub(super) has_window: bool,
}

/// The senders in a lane.
#[derive(Clone, Debug, Default)]
struct Members {
    senders: Vec<SenderNo>,
    /// The index of the sender that sends next.
    turn: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LaneState {
    /// Nothing to send, and the time of the next frame is unknown.
    Idle,
    /// Due at a later time.
    Pending,
    /// Waiting for the port.
    Ready,
    /// Has traffic, now or later, but its limiter lets no frame through, or its window is full.
    Silent,
}

/// A rate limiter and the reaction point that sets it.
#[derive(Clone, Debug)]
pub(in crate::network) struct Limiter {
    pub(super) reaction_point: ReactionPoint,
    pub(super) entropy: RandomStream,
    /// The time at which the pending timer event fires.
    pub(super) timer_armed: Option<Time>,
    /// While the window is full: the pace of the lane, and the time at which the bytes in flight are given up. The lane
    /// is silent until then.
    pub(super) full: Option<(Pace, Time)>,
}

impl LaneNo {
    /// The home of a sender.
    pub(super) fn home_of(sender: SenderNo) -> Self {
        Self(sender.0)
    }

    /// The sender whose home this lane is.
    pub(super) fn resident(self) -> SenderNo {
        SenderNo(self.0)
    }
}

impl Lane {
    pub(super) fn new(station: StationNo, class: u8, pace: Pace) -> Self {
        Self {
            pace,
            due: Time::MAX,
            limiter: None,
            members: None,
            station,
            credit: 0,
            class,
            state: LaneState::Idle,
            queued: false,
            has_window: false,
        }
    }

    /// Ends the lane's turn: it cannot send until it is reconsidered.
    pub(super) fn park(&mut self, state: LaneState) {
        self.state = state;
        self.credit = 0;
    }

    /// Whether its resident is the only sender in the lane.
    #[inline]
    pub(super) fn has_only_resident(&self) -> bool {
        self.members.is_none()
    }

    /// The senders in the lane, unless its resident is the only one.
    pub(super) fn members(&self) -> &[SenderNo] {
        self.members.as_ref().map_or(&[], |members| &members.senders)
    }

    /// The index of the member whose turn it is.
    pub(super) fn turn(&self) -> usize {
        self.members.as_ref().map_or(0, |members| members.turn)
    }

    /// Gives the turn to a member.
    pub(super) fn set_turn(&mut self, turn: usize) {
        if let Some(members) = &mut self.members {
            members.turn = turn % members.senders.len().max(1);
        }
    }

    /// The sender whose turn it is in the lane with this number, if there is one.
    #[inline]
    pub(super) fn current(&self, lane: LaneNo) -> Option<SenderNo> {
        match &self.members {
            None => Some(lane.resident()),
            Some(members) => members.senders.get(members.turn).or(members.senders.first()).copied(),
        }
    }

    /// Removes its resident, which moves to another lane.
    pub(super) fn leave(&mut self) {
        self.members = Some(Box::default());
    }

    /// Makes its resident the only sender in the lane again, and returns the previous members.
    pub(super) fn come_home(&mut self, resident: SenderNo) -> Vec<SenderNo> {
        self.members.take().map_or(vec![resident], |members| members.senders)
    }

    /// Adds a sender.
    pub(super) fn add_member(&mut self, resident: SenderNo, sender: SenderNo) {
        let members =
            self.members.get_or_insert_with(|| Box::new(Members { senders: vec![resident], turn: 0 }));
        members.senders.push(sender);
        members.turn = 0;
    }

    /// Removes a sender that has nothing more to send. Returns whether other senders remain.
    pub(super) fn remove_member(&mut self, sender: SenderNo) -> bool {
        let Some(members) = &mut self.members else { return false };
        members.senders.retain(|&other| other != sender);
        members.turn = 0;
        !members.senders.is_empty()
    }

    /// Adds the data that this run requires to a frame of the lane: the congestion point that the limiter follows,
    /// an empty report, or a request for a reply.
    pub(super) fn labelled(&self, cx: &mut Context, mut frame: Frame) -> Frame {
        if cx.rules.sources.tags
            && let Some(point) = self.limiter.as_ref().and_then(|limiter| limiter.reaction_point.tag())
        {
            frame = frame.tagged(point);
        }
        if cx.rules.sources.telemetry {
            frame = cx.with_new_report(frame);
        }
        if cx.rules.answers == Answers::EveryFrame {
            frame = frame.requesting_reply();
        }
        frame
    }

    /// The limit that its limiter sets, if it has one.
    pub(super) fn limit(&self) -> Option<Limit> {
        self.limiter.as_ref().map(|limiter| limiter.reaction_point.limit())
    }
}
