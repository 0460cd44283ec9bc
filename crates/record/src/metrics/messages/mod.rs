//! Completion times and slowdowns of messages, by size class and by entry.
//!
//! The completion time runs from when a message is offered until its last byte arrives; the slowdown is that time
//! divided by the completion time on an empty network; HPCC defines both differently. Classes contain the messages offered in the measurement
//! interval, completed or not; messages offered earlier have their own class.

mod bins;
mod class;
mod hpcc;
#[cfg(test)]
mod tests;

use std::ops::Range;

use setpoint_sim::{Fate, Fates, Offered, Outcome, Spec};
use setpoint_units::{Bytes, Time};

use self::class::{Known, class, known};
use crate::results::{
    Bounded, HpccSlowdown, MessageClass, MessageRecord, MessageSize, MessageState, MessageSummary, SizeClass,
    SlowdownBin,
};

/// Smallest size, inclusive, and largest size, exclusive.
type Sizes = (Option<Bytes>, Option<Bytes>);

const ALL_SIZES: Sizes = (None, None);

/// The classes of `messages.classes`. The first covers all sizes.
pub const CLASSES: [Sizes; 6] = [
    ALL_SIZES,
    (None, Some(Bytes::new(1_000))),
    (Some(Bytes::new(1_000)), Some(Bytes::new(10_000))),
    (Some(Bytes::new(10_000)), Some(Bytes::new(100_000))),
    (Some(Bytes::new(100_000)), Some(Bytes::new(1_000_000))),
    (Some(Bytes::new(1_000_000)), None),
];

/// The classes that the literature compares (pFabric, SIGCOMM 2013, and later papers).
const SIZE_CLASSES: [(MessageSize, Sizes); 3] = [
    (MessageSize::Short, (None, Some(Bytes::new(100_000)))),
    (MessageSize::Medium, (Some(Bytes::new(100_000)), Some(Bytes::new(10_000_000)))),
    (MessageSize::Large, (Some(Bytes::new(10_000_000)), None)),
];

/// The messages of a run.
pub(super) struct Messages<'a> {
    outcome: &'a Outcome,
    /// Offered before the measurement interval.
    before: Vec<Known>,
    /// Offered in the measurement interval.
    measured: Vec<Known>,
}

impl<'a> Messages<'a> {
    pub(super) fn of(outcome: &'a Outcome) -> Self {
        let mut messages = Self { outcome, before: Vec::new(), measured: Vec::new() };
        for message in known(outcome) {
            match outcome.offered(message.offered) {
                Offered::Before => messages.before.push(message),
                Offered::Measured => messages.measured.push(message),
                Offered::After => {}
            }
        }
        messages
    }

    /// The figures for all messages; none if there are no messages. Empty classes are left out, except
    /// the class for all sizes.
    pub(super) fn summary(&self) -> Option<MessageSummary> {
        let counts = self.outcome.message_counts;
        let Fates { completed, unfinished, damaged } = counts.total();
        if counts.total().total() == 0 {
            return None;
        }
        let mut classes: Vec<MessageClass> = CLASSES.map(|sizes| class(sizes, &self.measured)).into();
        classes[0] = with_counts(counts.measured, classes[0].clone());
        let mut places = 0..;
        classes.retain(|class| places.next() == Some(0) || class.count() > 0);
        let offered_before = self.offered_before(counts.before);
        let offered_after = Some(counts.after.total()).filter(|&count| count > 0);
        Some(MessageSummary { completed, unfinished, damaged, offered_before, offered_after, classes })
    }

    /// Short, medium and large messages; empty classes are left out.
    pub(super) fn size_classes(&self) -> Vec<SizeClass> {
        let judged = judged(&self.before, &self.measured);
        let class = |(size, sizes)| SizeClass { size, messages: class(sizes, judged) };
        SIZE_CLASSES.map(class).into_iter().filter(|class| class.messages.count() > 0).collect()
    }

    /// Slowdowns by size, for the messages by which the run is judged.
    pub(super) fn slowdown_by_size(&self) -> Vec<SlowdownBin> {
        bins::bins(judged(&self.before, &self.measured))
    }

    /// Slowdowns by HPCC's definition, for the messages by which the run is judged.
    pub(super) fn hpcc_slowdowns(&self, spec: &Spec) -> Vec<HpccSlowdown> {
        hpcc::slowdowns(spec, judged(&self.before, &self.measured))
    }

    /// The messages of several ranges of flows; the ranges are in ascending order and do not overlap.
    pub(super) fn by_flows(&self, ranges: &[Range<usize>]) -> Vec<FlowMessages> {
        let mut lists = vec![FlowMessages { end: self.outcome.end, ..FlowMessages::default() }; ranges.len()];
        for (message, is_early) in
            self.before.iter().map(|one| (one, true)).chain(self.measured.iter().map(|one| (one, false)))
        {
            let place = ranges.partition_point(|range| range.end <= message.flow);
            if ranges.get(place).is_some_and(|range| range.contains(&message.flow)) {
                let list = &mut lists[place];
                if is_early { &mut list.before } else { &mut list.measured }.push(*message);
            }
        }
        lists
    }

    /// The messages offered before the measurement interval. If a run has very many, only their number is known.
    fn offered_before(&self, counts: Fates) -> Option<MessageClass> {
        let all_known = self.before.len() as u64 == counts.total();
        let figures = if all_known { class(ALL_SIZES, &self.before) } else { MessageClass::default() };
        (counts.total() > 0).then(|| with_counts(counts, figures))
    }
}

/// The messages of a range of flows.
#[derive(Clone, Debug, Default)]
pub(super) struct FlowMessages {
    before: Vec<Known>,
    measured: Vec<Known>,
    /// End of the run.
    end: Time,
}

impl FlowMessages {
    /// The figures for the messages by which the flows are judged; none if there are no messages.
    pub(super) fn class(&self) -> Option<MessageClass> {
        let class = class(ALL_SIZES, judged(&self.before, &self.measured));
        (class.count() > 0).then_some(class)
    }

    /// The time from a common start until the last of `count` messages is complete; none if the number
    /// of known messages differs from `count`. A lower bound if one of them was not completed.
    pub(super) fn last_completion(&self, start: Time, count: usize) -> Option<Bounded> {
        let all = || self.before.iter().chain(&self.measured);
        if all().count() != count {
            return None;
        }
        let finish =
            |message: &Known| (message.offered + message.elapsed).saturating_since(start).as_secs_f64();
        match all().all(Known::is_completed) {
            true => all().map(finish).max_by(f64::total_cmp).map(Bounded::exact),
            false => Some(Bounded::at_least(self.end.saturating_since(start).as_secs_f64())),
        }
    }
}

/// The messages by which a run is judged: those offered in the measurement interval or, if there are none, those
/// offered before it.
fn judged<'a>(before: &'a [Known], measured: &'a [Known]) -> &'a [Known] {
    if measured.is_empty() { before } else { measured }
}

/// A class with the counts of all its messages, some of which may not have been retained.
fn with_counts(Fates { completed, unfinished, damaged }: Fates, class: MessageClass) -> MessageClass {
    let mut class = MessageClass { completed, unfinished, damaged, ..class };
    if class.not_completed() > 0 {
        class.fct_mean_at_least_s = class.fct_mean_at_least_s.or(class.fct_mean_s.take());
    }
    class
}

/// The stored form of all retained messages: first the completed ones, in order of completion, then the others, in the
/// order in which they were offered.
pub(super) fn records(outcome: &Outcome) -> Vec<MessageRecord> {
    let completed = outcome.messages.iter().map(|message| MessageRecord {
        flow: message.flow.index(),
        size_bytes: message.size.get(),
        offered_s: message.offered.as_secs_f64(),
        completed_s: Some(message.completed.as_secs_f64()),
        ideal_s: message.ideal.as_secs_f64(),
        fct_s: Some(message.completed.saturating_since(message.offered).as_secs_f64()),
        waited_s: message.waited.as_secs_f64(),
        state: MessageState::Completed,
    });
    let incomplete = outcome.messages_incomplete.iter().map(|message| MessageRecord {
        flow: message.flow.index(),
        size_bytes: message.size.get(),
        offered_s: message.offered.as_secs_f64(),
        completed_s: None,
        ideal_s: message.ideal.as_secs_f64(),
        fct_s: None,
        waited_s: message.waited.as_secs_f64(),
        state: if message.fate == Fate::Damaged { MessageState::Damaged } else { MessageState::Unfinished },
    });
    completed.chain(incomplete).collect()
}
