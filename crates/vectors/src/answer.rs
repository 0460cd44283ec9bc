//! The answer to an input.

use setpoint_control::{
    Admission, Answer as _, Backlog, CongestionPoint, CpCounters, Entry, FlowKey, Limit, Mark,
    NotificationPoint, Observe, PointId, React, ReactionPoint, Reply, Signal, Update,
};
use setpoint_units::{Bytes, Rate, Time};

use super::input::{Input, ReceivedAcknowledgement};
use super::setup::Point;

/// The answer to an input. Displays as one line of JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Number of inputs since the last start, including this one.
    pub step: u64,
    /// The input, with all defaults filled in.
    pub input: Input,
    /// The outcome.
    pub outcome: Outcome,
    /// The random numbers drawn.
    pub drawn: Vec<u32>,
    /// The addressed point after the input, or possibly all points after a start.
    pub snapshots: Vec<Snapshot>,
}

/// The outcome of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The points were reset.
    Started,
    /// A frame has entered the queue.
    Enqueued {
        /// The notifications that it triggers, with their destination flows.
        notifications: Vec<(FlowKey, Signal)>,
        /// Its mark, if the point marks frames that enter the queue.
        mark: Option<Mark>,
    },
    /// The mark of a frame that leaves the queue.
    Dequeued(Mark),
    /// Whether a frame may enter the queue.
    Judged(Admission),
    /// The reply of the notification point, and the expiry time of its timer.
    Answered {
        /// The reply, if there is one.
        reply: Option<SentReply>,
        /// The timer's expiry time.
        timer: Option<Time>,
    },
    /// The new settings of the reaction point.
    Reacted(Reaction),
}

/// A reply of a notification point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SentReply {
    /// Frames of the flow were marked (CNP).
    Congestion,
    /// Frames have arrived.
    Acknowledgement(ReceivedAcknowledgement),
}

impl SentReply {
    pub(super) fn of(reply: Reply<'_>, now: Time) -> Self {
        match reply {
            Reply::Congestion => Self::Congestion,
            Reply::Acknowledgement(content) => {
                Self::Acknowledgement(ReceivedAcknowledgement::of(now, content))
            }
        }
    }
}

/// The settings of a reaction point after an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reaction {
    /// Whether the input changed the rate.
    pub update: Update,
    /// The rate of the limiter, as reported ([`Limit::reported`](setpoint_control::Limit::reported)).
    pub rate: Rate,
    /// The window, if the limit is one.
    pub window: Option<Bytes>,
    /// The rate towards which it recovers.
    pub target_rate: Rate,
    /// The timer's expiry time.
    pub timer: Option<Time>,
    /// The congestion point whose id is the tag of the limiter's frames.
    pub tag: Option<PointId>,
    /// Whether the limiter may be released if no frame is waiting.
    pub released_if_empty: bool,
    /// Whether the limiter may be released while frames are waiting.
    pub released_if_waiting: bool,
}

/// The state of a point after an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The point.
    pub point: Point,
    /// Its counters.
    pub counters: Vec<(&'static str, u64)>,
    /// Its whole state.
    pub state: Vec<Entry>,
}

impl Reaction {
    /// The settings of a point after an input.
    pub(super) fn of(point: &ReactionPoint, update: Update) -> Self {
        let limit = point.limit();
        let window = if let Limit::Window { bytes, .. } = limit { Some(bytes) } else { None };
        Self {
            update,
            rate: limit.reported(),
            window,
            target_rate: point.target_rate(),
            timer: point.timer(),
            tag: point.tag(),
            released_if_empty: point.may_release(Backlog::Empty),
            released_if_waiting: point.may_release(Backlog::Waiting),
        }
    }
}

impl Snapshot {
    pub(super) fn of_congestion_point(point: &CongestionPoint) -> Self {
        let CpCounters { samples, notifications } = point.counters();
        let mut counters = vec![("samples", samples), ("notifications", notifications)];
        counters.extend(point.marks().map(|marks| ("marks", marks)));
        let mut state = Vec::new();
        point.state(&mut state);
        Self { point: Point::Congestion, counters, state }
    }

    pub(super) fn of_notification_point(point: &NotificationPoint) -> Self {
        let counters = point.counters().iter().collect();
        let mut state = Vec::new();
        point.state(&mut state);
        Self { point: Point::Notification, counters, state }
    }

    pub(super) fn of_reaction_point(point: &ReactionPoint) -> Self {
        let counters = point.counters().iter().collect();
        let mut state = Vec::new();
        point.state(&mut state);
        Self { point: Point::Reaction, counters, state }
    }
}
