//! What came of an input.

use setpoint_control::{
    Admission, Backlog, CongestionPoint, CpCounters, Entry, FlowKey, Notification, PointId, ReactionPoint,
    RpCounters, Update,
};
use setpoint_units::{Rate, Time};

use super::input::Input;
use super::setup::Point;

/// What came of an input. Prints as one line of JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// How many inputs there were since the beginning, with this one.
    pub step: u64,
    /// The input, with nothing left to defaults.
    pub input: Input,
    /// What came out.
    pub outcome: Outcome,
    /// The random numbers that were drawn.
    pub drawn: Vec<u32>,
    /// The point that was asked as it is afterwards; at the beginning perhaps both.
    pub snapshots: Vec<Snapshot>,
}

/// What came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A beginning.
    Started,
    /// The notifications that a frame gave rise to, and whom they are for.
    Notified(Vec<(FlowKey, Notification)>),
    /// Whether a frame may enter the queue.
    Judged(Admission),
    /// What the reaction point does now.
    Reacted(Reaction),
}

/// What a reaction point does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reaction {
    /// Whether the input changed the rate.
    pub update: Update,
    /// The rate of the limiter.
    pub rate: Rate,
    /// The rate that it recovers towards.
    pub target_rate: Rate,
    /// When the timer is due.
    pub timer: Option<Time>,
    /// The point that frames are tagged with.
    pub tag: Option<PointId>,
    /// Whether the limiter could be released if no frame waited.
    pub released_if_empty: bool,
    /// Whether it could be while frames wait.
    pub released_if_waiting: bool,
}

/// A point as it is after an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Which point.
    pub point: Point,
    /// What it has done so far.
    pub counters: Vec<(&'static str, u64)>,
    /// Its whole state.
    pub state: Vec<Entry>,
}

impl Reaction {
    /// What a point does after an input.
    pub(super) fn of(point: &ReactionPoint, update: Update) -> Self {
        Self {
            update,
            rate: point.rate(),
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
        let counters = vec![("samples", samples), ("notifications", notifications)];
        let mut state = Vec::new();
        point.state(&mut state);
        Self { point: Point::Congestion, counters, state }
    }

    pub(super) fn of_reaction_point(point: &ReactionPoint) -> Self {
        // Taken apart, so that a counter that is added is not forgotten here.
        let RpCounters {
            decreases,
            increases,
            ignored,
            stops,
            fast_recovery_cycles,
            active_increase_cycles,
            hyper_increase_cycles,
            kept_targets,
            target_reductions,
        } = point.counters();
        let counters = vec![
            ("decreases", decreases),
            ("increases", increases),
            ("ignored", ignored),
            ("stops", stops),
            ("fast_recovery_cycles", fast_recovery_cycles),
            ("active_increase_cycles", active_increase_cycles),
            ("hyper_increase_cycles", hyper_increase_cycles),
            ("kept_targets", kept_targets),
            ("target_reductions", target_reductions),
        ];
        let mut state = Vec::new();
        point.state(&mut state);
        Self { point: Point::Reaction, counters, state }
    }
}
