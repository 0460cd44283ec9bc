//! CR = min r_i: a state for each congestion point, and the least of their rates.
//!
//! Mliki and others (2016), section 3: a group of N receivers is treated as N sessions to one receiver each, the rate r_i
//! of each follows the congestion on the path to its receiver i, and the source sends at CR = min r_i.
//!
//! **Why a state for each point is enough.** A source does not know its receivers, only the points it hears
//! from. Let P_i be the points on the path to receiver i, and s_p the rate that a reaction point makes of
//! what point p says. The path to i bears what its tightest point bears, r_i = min { s_p : p in P_i }. The
//! least over receivers of the least over the points on their paths is the least over all points on any path:
//!
//! ```text
//! CR = min r_i = min  min  s_p = min { s_p : p on the tree }
//!       i         i  p∈P_i
//! ```
//!
//! A point that several paths share counts once, and who joins or leaves need not be told. A point that has
//! not been heard, or not for long enough, has no state; its s_p is the largest rate, which leaves the
//! minimum as it is.
//!
//! * **What changes a state.** A notification changes the state of its sender and no other. Every state
//!   counts every frame sent (its session would have sent it too) and has a timer of its own.
//! * **Where a state begins**: at the largest rate, as every reaction point does, and not at CR. So a point
//!   that is heard for the first time while another keeps the rate low lowers CR only once it has brought its
//!   own rate below it. The paper's sessions are independent, and this is what that means.
//! * **When a state ends**: when its reaction point may be released ([`React::may_release`]). Frames wait
//!   behind the slowest states only: to a faster one they come at CR, below its own rate, so nothing would
//!   wait at it. Hence faster states are asked as if nothing waited, the slowest as if something did. The
//!   limiter may be released when all of its states may.
//! * **Order.** States are kept and served by the number of their point, so that random numbers are drawn in
//!   one order.
//! * **Counters** add up over states, those that have ended among them: a cycle of each is a cycle, and a
//!   decrease is one of its state, of CR only if that is the slowest.
//! * **Tag** (BCN): that of the slowest state, of several with that rate the one of the lowest number. A
//!   frame has room for one name, only the point that is named raises its rate, and raising any other than
//!   the slowest would not raise CR.
//! * Invariant: the rate is at most that of every state, and is that of one of them if there are any, else
//!   the largest rate.
//!
//! Departure: two points on *one* path have a state each as well. A source to one receiver would obey both
//! (r_i is then cut twice).
//!
//! An algorithm whose sources do not recover by themselves (SMCC, AIMD, BCN without drift) keeps the state of
//! a point that no longer says anything, for instance since the receivers behind it have left, and with it
//! CR.

use alloc::vec::Vec;

use setpoint_units::{Bytes, Rate, Time};

use super::Params;
use crate::{
    Backlog, Entropy, Entry, GroupRule, Notification, PointId, React, ReactionPoint, ReactionPointParams,
    Reading, RpCounters, Show, Update,
};

/// A reaction point of a group by [`GroupRule::SlowestPath`].
#[derive(Clone, Debug)]
pub struct SlowestPath {
    /// The least rate of all states.
    rate: Rate,
    /// By the number of their point.
    states: Vec<State>,
    /// A reaction point that has heard nothing, which is what a state begins as.
    fresh: ReactionPoint,
    /// What states have done that have ended.
    past: RpCounters,
}

#[derive(Clone, Debug)]
struct State {
    of: PointId,
    point: ReactionPoint,
}

impl SlowestPath {
    /// The congestion points that hold the rate down, by their numbers, and the reaction point of each.
    pub fn states(&self) -> impl ExactSizeIterator<Item = (PointId, &ReactionPoint)> {
        self.states.iter().map(|state| (state.of, &state.point))
    }

    /// Gives all states other parameters. With another algorithm everything starts anew.
    pub(super) fn set_point_params(&mut self, params: &ReactionPointParams) -> Update {
        let before = self.rate;
        if !self.fresh.runs(params) {
            *self = Self::starting_from(ReactionPoint::new(params, self.line_rate()));
            return Update::between(before, self.rate);
        }
        self.fresh.set_params(params);
        for state in &mut self.states {
            state.point.set_params(params);
        }
        self.settle()
    }

    fn starting_from(fresh: ReactionPoint) -> Self {
        Self { rate: fresh.rate(), states: Vec::new(), fresh, past: RpCounters::default() }
    }

    /// The state whose rate is the least.
    fn slowest(&self) -> Option<&State> {
        self.states.iter().min_by_key(|state| state.point.rate())
    }

    fn least_rate(&self) -> Rate {
        self.slowest().map_or_else(|| self.fresh.rate(), |state| state.point.rate())
    }

    /// The place of a point's state, which is made if there is none.
    fn place_of(&mut self, of: PointId) -> usize {
        self.states.binary_search_by_key(&of, |state| state.of).unwrap_or_else(|place| {
            self.states.insert(place, State { of, point: self.fresh.clone() });
            place
        })
    }

    /// Drops the states that are no longer needed and takes the least of the others' rates.
    fn settle(&mut self) -> Update {
        let before = self.rate;
        let least = self.least_rate();
        let past = &mut self.past;
        self.states.retain(|State { point, .. }| {
            let backlog = if point.rate() > least { Backlog::Empty } else { Backlog::Waiting };
            let ended = point.may_release(backlog);
            if ended {
                *past += point.counters();
            }
            !ended
        });
        self.rate = self.least_rate();
        Update::between(before, self.rate)
    }
}

impl React for SlowestPath {
    type Params = Params;

    fn new(params: Params, line_rate: Rate) -> Self {
        Self::starting_from(ReactionPoint::new(&params.point, line_rate))
    }

    fn set_params(&mut self, params: Params) -> Update {
        self.set_point_params(&params.point)
    }

    fn on_notification(
        &mut self,
        now: Time,
        from: PointId,
        notification: &Notification,
        entropy: &mut impl Entropy,
    ) -> Update {
        let place = self.place_of(from);
        self.states[place].point.on_notification(now, from, notification, entropy);
        self.settle()
    }

    fn on_sent(&mut self, frame: Bytes, entropy: &mut impl Entropy) -> Update {
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

    /// Acts on all timers that are due.
    fn on_timer(&mut self, now: Time, entropy: &mut impl Entropy) -> Update {
        for state in &mut self.states {
            if state.point.timer().is_some_and(|due| due <= now) {
                state.point.on_timer(now, entropy);
            }
        }
        self.settle()
    }

    /// The earliest of all.
    fn timer(&self) -> Option<Time> {
        self.states.iter().filter_map(|state| state.point.timer()).min()
    }

    #[inline]
    fn rate(&self) -> Rate {
        self.rate
    }

    /// The least of all targets: where the rate would come to if every state got to its own.
    fn target_rate(&self) -> Rate {
        let targets = self.states.iter().map(|state| state.point.target_rate());
        targets.min().unwrap_or_else(|| self.fresh.target_rate())
    }

    fn line_rate(&self) -> Rate {
        self.fresh.line_rate()
    }

    fn level(&self, notification: &Notification) -> u64 {
        self.fresh.level(notification)
    }

    fn tag(&self) -> Option<PointId> {
        self.slowest().and_then(|state| state.point.tag())
    }

    fn may_release(&self, backlog: Backlog) -> bool {
        self.states.iter().all(|state| state.point.may_release(backlog))
    }

    fn counters(&self) -> RpCounters {
        let mut counters = self.past;
        for state in &self.states {
            counters += state.point.counters();
        }
        counters
    }

    fn state(&self, show: &mut dyn Show) {
        let slowest = self.slowest().map(|state| Reading::Number(state.of.0.into()));
        show.show("rule", Reading::Word(GroupRule::SlowestPath.name()));
        show.show("least_rate", Reading::Rate(self.rate));
        show.show("slowest", slowest.unwrap_or(Reading::Absent));
        for state in &self.states {
            state.point.state(&mut ShowOf { of: state.of, show: &mut *show });
        }
    }
}

/// Says of each value which congestion point it belongs to.
struct ShowOf<'a> {
    of: PointId,
    show: &'a mut dyn Show,
}

impl Show for ShowOf<'_> {
    fn entry(&mut self, entry: Entry) {
        self.show.entry(Entry { of: Some(self.of.0), ..entry });
    }
}
