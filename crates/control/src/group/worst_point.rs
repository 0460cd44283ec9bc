//! QCN/BS: only the congestion point in the worst state is obeyed.
//!
//! Source: Tanisawa and Yamamoto, "Multicast congestion control with quantized congestion notification in
//! data center networks" (IEICE Transactions on Communications E97-B (6), 2014). **Only the abstract was at
//! hand.** By it one switch is selected, the most congested, and what it says alone sets the rate of the
//! source. The abstract of a later paper (Matsushima, Hirata and Yamamoto, E99-B (7), 2016) adds that the level of a switch is
//! calculated from the feedback of that switch. All else here is our choice:
//!
//! * **Level.** That of a notification is what it asks for ([`React::level`]): the quantised feedback with
//!   QCN. The level of a point is that of its last notification; only that of the selected point is kept.
//! * **Selection.** A notification is obeyed if it comes from the selected point, if its level is larger than
//!   the level of the selected point, or if no point is selected. With a level above zero its sender is then
//!   the selected point. Of equal levels the first stays selected, so two points that both send the largest
//!   feedback do not take turns.
//! * **Everything else is ignored**, and counted as that ([`RpCounters::ignored`]).
//! * **Memory.** A point that has not been heard for [`GroupParams::memory`](crate::GroupParams::memory) is
//!   no longer selected: QCN's points do not say when they are no longer congested, and the others must not
//!   be ignored for ever. It ends as well when the limiter is released or its reaction point no longer
//!   limits. There is no timer: it matters, and is looked at, when a notification comes.
//! * **Algorithms that also ask for more** (SMCC, BCN, AIMD). Asking for more has level zero: from the
//!   selected point it is obeyed, and whoever then asks for less is worse and takes over; from others it is
//!   ignored. It selects nobody, so while nobody is selected the algorithm's own association decides, as it
//!   does for a single receiver.
//! * **Tag** (BCN): that of the reaction point, which is the last point that slowed it down. Only a point
//!   whose demand for less is obeyed is selected anew, so tag and selection are the same point while there is
//!   one.
//!
//! With a single congestion point this is the plain reaction point, and with a memory of zero it always is.

use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use super::Params;
use crate::{
    Backlog, Entropy, GroupRule, Notification, PointId, React, ReactionPoint, ReactionPointParams, Reading,
    RpCounters, Show, Update,
};

/// A reaction point of a group by [`GroupRule::WorstPoint`].
#[derive(Clone, Debug)]
pub struct WorstPoint {
    point: ReactionPoint,
    selection: Option<Selection>,
    memory: TimeDelta,
    /// Notifications of points that were not selected.
    ignored: u64,
}

/// The congestion point that is obeyed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Selection {
    point: PointId,
    /// Of its last notification.
    level: u64,
    /// When that came.
    last_notified: Time,
}

impl WorstPoint {
    /// The congestion point that was selected last, unless that has ended since. A memory that has run out is
    /// noticed with the next notification.
    #[must_use]
    pub fn selected(&self) -> Option<PointId> {
        self.selection.map(|selection| selection.point)
    }

    /// Gives the reaction point other parameters and keeps the selection. With another algorithm everything
    /// starts anew.
    pub(super) fn set_point_params(&mut self, params: &ReactionPointParams) -> Update {
        let before = self.rate();
        if self.point.runs(params) {
            self.point.set_params(params);
        } else {
            *self = Self::around(ReactionPoint::new(params, self.line_rate()), self.memory);
        }
        Update::between(before, self.rate())
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
    type Params = Params;

    fn new(params: Params, line_rate: Rate) -> Self {
        Self::around(ReactionPoint::new(&params.point, line_rate), memory_of(&params))
    }

    fn set_params(&mut self, params: Params) -> Update {
        self.memory = memory_of(&params);
        self.set_point_params(&params.point)
    }

    fn on_notification(
        &mut self,
        now: Time,
        from: PointId,
        notification: &Notification,
        entropy: &mut impl Entropy,
    ) -> Update {
        self.end_selection_if_over(now);
        let level = self.point.level(notification);
        if !self.accepts(from, level) {
            self.ignored += 1;
            return Update::Unchanged;
        }
        if level > 0 || self.selection.is_some() {
            self.selection = Some(Selection { point: from, level, last_notified: now });
        }
        self.point.on_notification(now, from, notification, entropy)
    }

    fn on_sent(&mut self, frame: Bytes, entropy: &mut impl Entropy) -> Update {
        self.point.on_sent(frame, entropy)
    }

    fn on_timer(&mut self, now: Time, entropy: &mut impl Entropy) -> Update {
        self.point.on_timer(now, entropy)
    }

    fn timer(&self) -> Option<Time> {
        self.point.timer()
    }

    #[inline]
    fn rate(&self) -> Rate {
        self.point.rate()
    }

    fn target_rate(&self) -> Rate {
        self.point.target_rate()
    }

    fn line_rate(&self) -> Rate {
        self.point.line_rate()
    }

    fn level(&self, notification: &Notification) -> u64 {
        self.point.level(notification)
    }

    fn tag(&self) -> Option<PointId> {
        self.point.tag()
    }

    fn may_release(&self, backlog: Backlog) -> bool {
        self.point.may_release(backlog)
    }

    fn counters(&self) -> RpCounters {
        let mut counters = self.point.counters();
        counters.ignored += self.ignored;
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

/// A source that obeys every notification remembers nobody.
fn memory_of(params: &Params) -> TimeDelta {
    match params.group.rule {
        GroupRule::EveryNotification => TimeDelta::ZERO,
        GroupRule::SlowestPath | GroupRule::WorstPoint => params.group.memory,
    }
}
