//! CR = min r_i: a state for each congestion point, and the lowest of their rates.
//!
//! Mliki et al. (2016), section 3: a group of N receivers is treated as N sessions to one receiver each, the rate r_i
//! of each follows the congestion on the path to its receiver i, and the source sends at CR = min r_i.
//!
//! **Why one state per point suffices.** A source can identify only the points that notify it, not its receivers. Let
//! P_i be the points on the path to receiver i, and s_p the rate that a reaction point derives from the notifications
//! of point p. The most restrictive point determines the rate of the path to i, r_i = min { s_p : p in P_i }. The
//! minimum over receivers of the minimum over the points on their paths is the minimum over all points on any path:
//!
//! ```text
//! CR = min r_i = min  min  s_p = min { s_p : p on the tree }
//!       i         i  p∈P_i
//! ```
//!
//! A point shared by several paths counts once, and receivers may join or leave without informing the source. A point
//! that has sent no notification, or none for a long time, has no state; its s_p is the maximum rate, which does not
//! affect the minimum.
//!
//! * **Changes.** A notification changes only the state of its sender. Every state counts every sent frame (its session
//!   would have sent it too) and has its own timer.
//! * **Start.** A state starts at the maximum rate, like every reaction point, not at CR. A new point that notifies
//!   while another one keeps the rate low therefore lowers CR only once its own rate is below CR. The paper's sessions
//!   are independent in the same way.
//! * **End.** A state ends when its reaction point may be released ([`React::may_release`]). Frames wait only behind
//!   the slowest states: they arrive at a faster one at CR, below its own rate, so none would wait there. Faster states
//!   are therefore queried with an empty backlog and the slowest with a waiting one. The limiter may be released when
//!   all of its states may.
//! * **Order.** States are kept and served in the order of their point ids, so that random numbers are drawn in a fixed
//!   order.
//! * **Counters** are summed over all states, including those that have ended: every cycle of every state
//!   counts, although a decrease in a state's rate lowers CR only if that state is the slowest.
//! * **Tag** (BCN): the tag of the slowest state; on a tie, the one with the lowest id. A frame carries one
//!   id, only the tagged point raises its rate, and raising any but the slowest rate would not raise CR.
//! * **Silence** (BCN) counts as lower than any rate: the source stays silent as long as any of its states is silent.
//! * Invariant: the limit is the minimum over all states, or the maximum rate if there are none.
//!
//! Departure from the paper: two points on *one* path have separate states too. A source with one receiver would follow
//! both points and cut r_i twice.
//!
//! An algorithm whose sources do not recover by themselves (SMCC, AIMD, BCN without drift) keeps the state of a point
//! that no longer sends notifications, for example because the receivers behind it have left, so CR does not recover.

use alloc::vec::Vec;

use setpoint_units::{Bytes, Rate, Time};

use super::Params;
use crate::{
    Backlog, Counters, Entropy, Entry, Feedback, GroupRule, Limit, Path, PointId, React, ReactionPoint,
    ReactionPointParams, Reading, Show, Update,
};

/// A group's reaction point with [`GroupRule::SlowestPath`].
#[derive(Clone, Debug)]
pub struct SlowestPath {
    /// The lowest limit of all states.
    limit: Limit,
    /// Sorted by the id of their point.
    states: Vec<State>,
    /// A reaction point that has received no notifications: the initial value of a state.
    fresh: ReactionPoint,
    /// The counters of ended states.
    past: Counters,
}

#[derive(Clone, Debug)]
struct State {
    of: PointId,
    point: ReactionPoint,
}

impl SlowestPath {
    /// Creates a reaction point at the full rate of its port, not yet limited.
    pub fn new(params: Params, line_rate: Rate) -> Self {
        Self::starting_from(ReactionPoint::new(&params.point, &Path::at(line_rate)))
    }

    /// Replaces the parameters and keeps the state.
    pub fn set_params(&mut self, params: Params) -> Update {
        self.set_point_params(&params.point)
    }

    /// The congestion points that limit the rate, by id, and the reaction point of each.
    pub fn states(&self) -> impl ExactSizeIterator<Item = (PointId, &ReactionPoint)> {
        self.states.iter().map(|state| (state.of, &state.point))
    }

    /// Replaces the parameters of all states. If the algorithm changes, the point restarts.
    pub(super) fn set_point_params(&mut self, params: &ReactionPointParams) -> Update {
        let before = self.limit;
        let path = Path::at(self.line_rate());
        if !self.fresh.runs(params) {
            *self = Self::starting_from(ReactionPoint::new(params, &path));
            return Update::between(before, self.limit);
        }
        self.fresh.set_params(params, &path);
        for state in &mut self.states {
            state.point.set_params(params, &path);
        }
        self.settle()
    }

    fn starting_from(fresh: ReactionPoint) -> Self {
        Self { limit: fresh.limit(), states: Vec::new(), fresh, past: Counters::default() }
    }

    /// The state with the lowest limit.
    fn slowest(&self) -> Option<&State> {
        self.states.iter().min_by_key(|state| state.point.limit().rate())
    }

    fn least_limit(&self) -> Limit {
        self.slowest().map_or_else(|| self.fresh.limit(), |state| state.point.limit())
    }

    /// Returns the index of a point's state, and creates the state if there is none.
    fn place_of(&mut self, of: PointId) -> usize {
        self.states.binary_search_by_key(&of, |state| state.of).unwrap_or_else(|place| {
            self.states.insert(place, State { of, point: self.fresh.clone() });
            place
        })
    }

    /// Drops the states that are no longer needed and applies the lowest limit among the others.
    fn settle(&mut self) -> Update {
        let before = self.limit;
        let least = self.least_limit().rate();
        let past = &mut self.past;
        self.states.retain(|State { point, .. }| {
            let backlog = if point.limit().rate() > least { Backlog::Empty } else { Backlog::Waiting };
            let ended = point.may_release(backlog);
            if ended {
                *past += point.counters();
            }
            !ended
        });
        self.limit = self.least_limit();
        Update::between(before, self.limit)
    }
}

impl React for SlowestPath {
    fn on_feedback(&mut self, now: Time, feedback: &Feedback, entropy: &mut dyn Entropy) -> Update {
        let Some(from) = feedback.point() else { return Update::Unchanged };
        let place = self.place_of(from);
        self.states[place].point.on_feedback(now, feedback, entropy);
        self.settle()
    }

    fn on_sent(&mut self, frame: Bytes, entropy: &mut dyn Entropy) -> Update {
        let mut update = Update::Unchanged;
        for state in &mut self.states {
            if state.point.on_sent(frame, entropy) == Update::Changed {
                update = Update::Changed;
            }
        }
        match update {
            Update::Unchanged => Update::Unchanged,
            Update::Changed => self.settle(),
        }
    }

    /// Handles all timers that are due.
    fn on_timer(&mut self, now: Time, entropy: &mut dyn Entropy) -> Update {
        for state in &mut self.states {
            if state.point.timer().is_some_and(|due| due <= now) {
                state.point.on_timer(now, entropy);
            }
        }
        self.settle()
    }

    /// The earliest timer.
    fn timer(&self) -> Option<Time> {
        self.states.iter().filter_map(|state| state.point.timer()).min()
    }

    #[inline]
    fn limit(&self) -> Limit {
        self.limit
    }

    /// The lowest rate: the one that applies once no state is silent.
    fn rate(&self) -> Rate {
        let rates = self.states.iter().map(|state| state.point.rate());
        rates.min().unwrap_or_else(|| self.fresh.rate())
    }

    /// The lowest target: the rate that would apply if every state reached its target.
    fn target_rate(&self) -> Rate {
        let targets = self.states.iter().map(|state| state.point.target_rate());
        targets.min().unwrap_or_else(|| self.fresh.target_rate())
    }

    fn line_rate(&self) -> Rate {
        self.fresh.line_rate()
    }

    fn level(&self, feedback: &Feedback) -> u64 {
        self.fresh.level(feedback)
    }

    fn tag(&self) -> Option<PointId> {
        self.slowest().and_then(|state| state.point.tag())
    }

    fn may_release(&self, backlog: Backlog) -> bool {
        self.states.iter().all(|state| state.point.may_release(backlog))
    }

    fn counters(&self) -> Counters {
        let mut counters = self.past.clone();
        for state in &self.states {
            counters += state.point.counters();
        }
        counters
    }

    fn state(&self, show: &mut dyn Show) {
        let slowest = self.slowest().map(|state| Reading::Number(state.of.0.into()));
        show.show("rule", Reading::Word(GroupRule::SlowestPath.name()));
        show.show("least_rate", Reading::Rate(self.limit.reported()));
        show.show("slowest", slowest.unwrap_or(Reading::Absent));
        for state in &self.states {
            state.point.state(&mut ShowOf { of: state.of, show: &mut *show });
        }
    }
}

/// Adds the id of the congestion point to each value.
struct ShowOf<'a> {
    of: PointId,
    show: &'a mut dyn Show,
}

impl Show for ShowOf<'_> {
    fn entry(&mut self, entry: Entry) {
        self.show.entry(Entry { of: Some(self.of.0), ..entry });
    }
}
