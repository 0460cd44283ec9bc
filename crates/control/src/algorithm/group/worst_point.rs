//! QCN/BS: the source follows only the most congested point.
//!
//! Source: Tanisawa and Yamamoto, "Multicast congestion control with quantized congestion notification in
//! data center networks" (IEICE Transactions on Communications E97-B (6), 2014). **Only the abstract was available.**
//! According to it, the source selects the most congested switch, whose feedback alone sets the rate. The abstract of a
//! later paper (Matsushima, Hirata and Yamamoto, E99-B (7), 2016) adds that the level of a switch is calculated from its
//! feedback. Everything else is our choice:
//!
//! * **Level.** The level of a notification is the decrease that it requests ([`React::level`]): the quantised
//!   feedback with QCN, rounded up to whole steps. The level of a point is the level of its last notification;
//!   only the selected point's level is kept.
//! * **Selection.** The source accepts a notification if it comes from the selected point, if its level exceeds that of
//!   the selected point, or if no point is selected. If its level is above zero, its sender then becomes the selected
//!   point. Among equal levels the first stays selected, so that two points that both send the strongest feedback do
//!   not alternate.
//! * **All other notifications are ignored** and counted (`ignored`).
//! * **Memory.** A point that has not sent a notification for [`GroupParams::memory`](crate::GroupParams::memory) is no
//!   longer selected: QCN's points do not report the end of congestion, and the others must not be ignored forever. The
//!   selection also ends when the limiter is released or its reaction point no longer limits. No timer is needed: the
//!   memory matters, and is checked, only when a notification arrives.
//! * **Algorithms that also request increases** (SMCC, BCN, AIMD). Such a request has level zero. It is accepted
//!   from the selected point, and any point that then requests a decrease is worse and takes over; it is ignored
//!   from all other points. It never selects a point. While no point is selected, the algorithm's own association
//!   rule decides, as it does for a single receiver.
//! * **Tag** (BCN): the tag of the reaction point, which is the last point that slowed it down. Only a point
//!   whose decrease is accepted becomes selected, so tag and selection agree while there is a selection.
//!
//! With a single congestion point, or with a memory of zero, it behaves like the plain reaction point.

use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use super::Params;
use crate::{
    Backlog, Counters, Entropy, Feedback, GroupRule, Limit, Path, PointId, React, ReactionPoint,
    ReactionPointParams, Reading, Show, Update,
};

/// A group's reaction point with [`GroupRule::WorstPoint`].
#[derive(Clone, Debug)]
pub struct WorstPoint {
    point: ReactionPoint,
    selection: Option<Selection>,
    memory: TimeDelta,
    /// Notifications from points that were not selected.
    ignored: u64,
}

/// The selected congestion point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Selection {
    point: PointId,
    /// The level of its last notification.
    level: u64,
    /// The time of its last notification.
    last_notified: Time,
}

impl WorstPoint {
    /// Creates a reaction point at the full rate of its port, not yet limited.
    pub fn new(params: Params, line_rate: Rate) -> Self {
        Self::around(ReactionPoint::new(&params.point, &Path::at(line_rate)), memory_of(&params))
    }

    /// Replaces the parameters and keeps the state.
    pub fn set_params(&mut self, params: Params) -> Update {
        self.memory = memory_of(&params);
        self.set_point_params(&params.point)
    }

    /// The selected congestion point, if there is one. Expiry of the memory takes effect with the next notification.
    pub fn selected(&self) -> Option<PointId> {
        self.selection.map(|selection| selection.point)
    }

    /// Replaces the parameters of the reaction point and keeps the selection. If the algorithm changes, the point
    /// restarts.
    pub(super) fn set_point_params(&mut self, params: &ReactionPointParams) -> Update {
        let before = self.limit();
        let path = Path::at(self.line_rate());
        if self.point.runs(params) {
            self.point.set_params(params, &path);
        } else {
            *self = Self::around(ReactionPoint::new(params, &path), self.memory);
        }
        Update::between(before, self.limit())
    }

    fn around(point: ReactionPoint, memory: TimeDelta) -> Self {
        Self { point, selection: None, memory, ignored: 0 }
    }

    fn end_selection_if_over(&mut self, now: Time) {
        let forgotten = |selection: Selection| selection.last_notified.saturating_add(self.memory) <= now;
        if self.selection.is_some_and(forgotten) || self.point.may_release(Backlog::Waiting) {
            self.selection = None;
        }
    }

    fn accepts(&self, from: PointId, level: u64) -> bool {
        self.selection.is_none_or(|selection| from == selection.point || level > selection.level)
    }
}

impl React for WorstPoint {
    fn on_feedback(&mut self, now: Time, feedback: &Feedback, entropy: &mut dyn Entropy) -> Update {
        self.end_selection_if_over(now);
        let Some(from) = feedback.point() else { return Update::Unchanged };
        let level = self.point.level(feedback);
        if !self.accepts(from, level) {
            self.ignored += 1;
            return Update::Unchanged;
        }
        if level > 0 || self.selection.is_some() {
            self.selection = Some(Selection { point: from, level, last_notified: now });
        }
        self.point.on_feedback(now, feedback, entropy)
    }

    fn on_sent(&mut self, frame: Bytes, entropy: &mut dyn Entropy) -> Update {
        self.point.on_sent(frame, entropy)
    }

    fn on_timer(&mut self, now: Time, entropy: &mut dyn Entropy) -> Update {
        self.point.on_timer(now, entropy)
    }

    fn timer(&self) -> Option<Time> {
        self.point.timer()
    }

    #[inline]
    fn limit(&self) -> Limit {
        self.point.limit()
    }

    fn rate(&self) -> Rate {
        self.point.rate()
    }

    fn target_rate(&self) -> Rate {
        self.point.target_rate()
    }

    fn line_rate(&self) -> Rate {
        self.point.line_rate()
    }

    fn level(&self, feedback: &Feedback) -> u64 {
        self.point.level(feedback)
    }

    fn tag(&self) -> Option<PointId> {
        self.point.tag()
    }

    fn may_release(&self, backlog: Backlog) -> bool {
        self.point.may_release(backlog)
    }

    fn counters(&self) -> Counters {
        let mut counters = self.point.counters();
        counters += [("ignored", self.ignored)].into();
        counters
    }

    fn state(&self, show: &mut dyn Show) {
        let number = |value: u64| Reading::Number(i64::try_from(value).unwrap_or(i64::MAX));
        let of_selection =
            |reading: &dyn Fn(Selection) -> Reading| self.selection.map_or(Reading::Absent, reading);
        show.show("rule", Reading::Word(GroupRule::WorstPoint.name()));
        show.show("selected", of_selection(&|selection| number(selection.point.0.into())));
        show.show("level", of_selection(&|selection| number(selection.level)));
        show.show("selected_heard", of_selection(&|selection| Reading::Time(selection.last_notified)));
        self.point.state(show);
    }
}

/// With [`GroupRule::EveryNotification`] the memory is zero.
fn memory_of(params: &Params) -> TimeDelta {
    match params.group.rule {
        GroupRule::EveryNotification => TimeDelta::ZERO,
        GroupRule::SlowestPath | GroupRule::WorstPoint => params.group.memory,
    }
}
