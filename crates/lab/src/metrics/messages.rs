//! Completion times and slowdowns of messages, by class of sizes.
//!
//! The completion time runs from the offer of a message to the arrival of its last byte; the
//! slowdown is that time over the one on an empty network. Classes hold the messages that were
//! offered in the measured part of the run, whatever became of them; those offered before have a class of
//! their own.
//!
//! A message that was not completed (unfinished or damaged) took at least the time from its offer to the end of the
//! run. With one of them in a class
//!
//! * the mean is a lower bound, in which such a message counts with that time;
//! * in quantiles it counts as slower than every message that was completed. A quantile that falls among completed
//!   messages is given as it is; one that falls among the others is a lower bound: the longest completion time or, where that
//!   is more, the time that the message has taken at least.

use setpoint_sim::{Fate, Fates, IncompleteMessage, MessageOutcome, Outcome};
use setpoint_units::{Bytes, Time, TimeDelta};

use super::moments::Moments;
use super::quantile::{PROBABILITIES, quantile};
use crate::results::{MessageClass, MessageRecord, MessageSummary};

/// Bounds of the classes: from, inclusive, and to, exclusive. The first is all sizes.
pub const CLASSES: [(Option<Bytes>, Option<Bytes>); 6] = [
    (None, None),
    (None, Some(Bytes::new(1_000))),
    (Some(Bytes::new(1_000)), Some(Bytes::new(10_000))),
    (Some(Bytes::new(10_000)), Some(Bytes::new(100_000))),
    (Some(Bytes::new(100_000)), Some(Bytes::new(1_000_000))),
    (Some(Bytes::new(1_000_000)), None),
];

/// The figures of all messages; none where there were none. Classes without a message are left
/// out, except the one of all sizes.
pub(super) fn summary(outcome: &Outcome) -> Option<MessageSummary> {
    let counts = outcome.message_counts;
    let Fates { completed, unfinished, damaged } = counts.total();
    if counts.total().total() == 0 {
        return None;
    }
    let known = known(outcome);
    let (before, measured): (Vec<Known>, Vec<Known>) =
        known.into_iter().partition(|message| message.offered < outcome.measure_from);
    let mut classes: Vec<MessageClass> = CLASSES.map(|bounds| class(bounds, &measured)).into();
    classes[0] = with_counts(counts.measured, classes[0].clone());
    let mut places = 0..;
    classes.retain(|class| places.next() == Some(0) || class.count() > 0);
    Some(MessageSummary {
        completed,
        unfinished,
        damaged,
        offered_before: offered_before(counts.before, &before),
        classes,
    })
}

/// What is known of a message.
#[derive(Clone, Copy, Debug)]
struct Known {
    size: Bytes,
    offered: Time,
    fate: Fate,
    /// How long it took, or has taken at least.
    taken: TimeDelta,
    ideal: TimeDelta,
}

impl Known {
    fn is_completed(&self) -> bool {
        self.fate == Fate::Completed
    }

    /// A message without an ideal time was as fast as can be, and nothing is faster: one that was offered a moment before the
    /// end will have taken its ideal time at least.
    fn slowdown(&self) -> f64 {
        let taken = self.taken.as_picos() as f64;
        if self.ideal.is_zero() { 1.0 } else { (taken / self.ideal.as_picos() as f64).max(1.0) }
    }
}

fn known(outcome: &Outcome) -> Vec<Known> {
    let completed = outcome.messages.iter().map(|message| {
        let &MessageOutcome { size, offered, completed, ideal, .. } = message;
        let taken = completed.saturating_since(offered);
        Known { size, offered, fate: Fate::Completed, taken, ideal }
    });
    let incomplete = outcome.messages_incomplete.iter().map(|message| {
        let &IncompleteMessage { size, offered, fate, ideal, .. } = message;
        Known { size, offered, fate, taken: outcome.end.saturating_since(offered), ideal }
    });
    completed.chain(incomplete).collect()
}

/// The messages offered before measurement. Of a run with very many only their number is known.
fn offered_before(counts: Fates, messages: &[Known]) -> Option<MessageClass> {
    let all_known = messages.len() as u64 == counts.total();
    let figures = if all_known { class(CLASSES[0], messages) } else { MessageClass::default() };
    (counts.total() > 0).then(|| with_counts(counts, figures))
}

/// A class with the counts of all its messages, where some of them may not be among those kept.
fn with_counts(Fates { completed, unfinished, damaged }: Fates, class: MessageClass) -> MessageClass {
    let mut class = MessageClass { completed, unfinished, damaged, ..class };
    if unfinished + damaged > 0 {
        class.fct_mean_at_least_s = class.fct_mean_at_least_s.or(class.fct_mean_s.take());
    }
    class
}

fn class((from, to): (Option<Bytes>, Option<Bytes>), messages: &[Known]) -> MessageClass {
    let inside = |size: Bytes| from.is_none_or(|from| size >= from) && to.is_none_or(|to| size < to);
    let messages: Vec<&Known> = messages.iter().filter(|message| inside(message.size)).collect();
    let count = |fate| messages.iter().filter(|message| message.fate == fate).count() as u64;
    let mean = Moments::of(messages.iter().map(|message| message.taken.as_secs_f64())).mean;
    let all_completed = messages.iter().all(|message| message.is_completed());
    let times = quantiles(&messages, |message| message.taken.as_secs_f64());
    let slowdowns = quantiles(&messages, Known::slowdown);
    MessageClass {
        from_bytes: from.map(Bytes::get),
        to_bytes: to.map(Bytes::get),
        completed: count(Fate::Completed),
        unfinished: count(Fate::Unfinished),
        damaged: count(Fate::Damaged),
        fct_mean_s: (all_completed && !messages.is_empty()).then_some(mean),
        fct_mean_at_least_s: (!all_completed).then_some(mean),
        fct_quantiles: times.exact,
        fct_at_least_quantiles: times.at_least,
        slowdown_quantiles: slowdowns.exact,
        slowdown_at_least_quantiles: slowdowns.at_least,
    }
}

/// Quantiles as (probability, value): those that are known, and those of which only a lower bound is.
struct Quantiles {
    exact: Vec<(f64, f64)>,
    at_least: Vec<(f64, f64)>,
}

fn quantiles(messages: &[&Known], value: fn(&Known) -> f64) -> Quantiles {
    let of = |completed: bool| -> Vec<f64> {
        let chosen = messages.iter().filter(|message| message.is_completed() == completed);
        let mut values: Vec<f64> = chosen.map(|message| value(message)).collect();
        values.sort_unstable_by(f64::total_cmp);
        values
    };
    let mut values = of(true);
    let completed = values.len();
    let longest = values.last().copied().unwrap_or(0.0);
    values.extend(of(false).into_iter().map(|value| value.max(longest)));
    let at = |probability: f64| Some((probability, quantile(&values, probability)?));
    // A quantile between two messages depends on both.
    let depends_on = |probability: f64| (probability * values.len().saturating_sub(1) as f64).ceil() as usize;
    let (exact, at_least) = PROBABILITIES
        .into_iter()
        .filter_map(at)
        .partition(|&(probability, _)| depends_on(probability) < completed);
    Quantiles { exact, at_least }
}

/// The message as it is stored.
pub(super) fn record(message: &MessageOutcome) -> MessageRecord {
    MessageRecord {
        flow: message.flow.index(),
        size_bytes: message.size.get(),
        offered_s: message.offered.as_secs_f64(),
        completed_s: message.completed.as_secs_f64(),
        ideal_s: message.ideal.as_secs_f64(),
        fct_s: message.completed.saturating_since(message.offered).as_secs_f64(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::quantile::at;
    use super::*;
    use crate::results::Bounded;
    use setpoint_sim::{FlowId, MessageCounts};

    fn message(size: u64, offered_us: u64, taken_us: u64, ideal_us: u64) -> MessageOutcome {
        let offered = Time::ZERO + TimeDelta::from_micros(offered_us);
        MessageOutcome {
            flow: FlowId(0),
            size: Bytes::new(size),
            offered,
            completed: offered + TimeDelta::from_micros(taken_us),
            ideal: TimeDelta::from_micros(ideal_us),
        }
    }

    fn incomplete(size: u64, offered_us: u64, fate: Fate) -> IncompleteMessage {
        let MessageOutcome { flow, size, offered, ideal, .. } = message(size, offered_us, 0, 10);
        IncompleteMessage { flow, size, offered, fate, ideal }
    }

    /// The run lasts 1 ms and is measured from 100 us on.
    fn outcome(messages: Vec<MessageOutcome>) -> Outcome {
        with_incomplete(messages, Vec::new())
    }

    fn with_incomplete(messages: Vec<MessageOutcome>, incomplete: Vec<IncompleteMessage>) -> Outcome {
        let measure_from = Time::ZERO + TimeDelta::from_micros(100);
        let mut counts = MessageCounts::default();
        let mut count = |offered: Time, fate: Fate| {
            let fates = if offered < measure_from { &mut counts.before } else { &mut counts.measured };
            match fate {
                Fate::Completed => fates.completed += 1,
                Fate::Unfinished => fates.unfinished += 1,
                Fate::Damaged => fates.damaged += 1,
            }
        };
        messages.iter().for_each(|message| count(message.offered, Fate::Completed));
        incomplete.iter().for_each(|message| count(message.offered, message.fate));
        Outcome {
            end: Time::ZERO + TimeDelta::from_millis(1),
            sample_interval: TimeDelta::from_millis(1),
            measure_from,
            events: 0,
            packet_hops: 0,
            flows: Vec::new(),
            queues: Vec::new(),
            ports: Vec::new(),
            messages,
            messages_incomplete: incomplete,
            message_counts: counts,
            feedback: vec![0; 64],
            fabric: setpoint_sim::FabricOutcome::default(),
            congestion_trees: setpoint_sim::CongestionTrees::default(),
            deadlock: None,
            links: Vec::new(),
        }
    }

    #[test]
    fn no_messages_no_summary() {
        assert_eq!(summary(&outcome(Vec::new())), None);
    }

    #[test]
    fn messages_of_which_none_was_completed_have_lower_bounds_only() {
        let waiting = vec![incomplete(500, 200, Fate::Unfinished), incomplete(500, 400, Fate::Damaged)];
        let summary = summary(&with_incomplete(Vec::new(), waiting)).unwrap();
        assert_eq!((summary.completed, summary.unfinished, summary.damaged), (0, 1, 1));
        let all = &summary.classes[0];
        // 800 us and 600 us until the end; the ideal is 10 us.
        assert_eq!(all.fct_mean(), Some(Bounded::at_least(7e-4)));
        assert_eq!(all.fct_at(0.0), Some(Bounded::at_least(6e-4)));
        assert_eq!(all.slowdown_at(1.0), Some(Bounded::at_least(80.0)));
        assert!(all.fct_quantiles.is_empty() && all.slowdown_quantiles.is_empty());
    }

    #[test]
    fn those_not_completed_count_as_slower_than_all_others() {
        // Four take 10, 20, 30 and 40 us. Of a fifth, offered 20 us before the end, only those are known.
        let completed = (1..=4).map(|n| message(5_000, 200, 10 * n, 10)).collect();
        let young = vec![incomplete(5_000, 980, Fate::Damaged)];
        let summary = summary(&with_incomplete(completed, young)).unwrap();
        let all = &summary.classes[0];
        assert_eq!((all.completed, all.unfinished, all.damaged, all.count()), (4, 0, 1, 5));
        assert_eq!(all.fct_at(0.5), Some(Bounded::exact(30e-6)), "the third of five");
        assert_eq!(all.fct_at(0.75), Some(Bounded::exact(40e-6)), "the fourth of five");
        assert_eq!(all.fct_at(0.8), Some(Bounded::at_least(40e-6)), "between the fourth and the fifth");
        assert_eq!(all.fct_at(1.0), Some(Bounded::at_least(40e-6)), "no less than the slowest that came");
        // (10 + 20 + 30 + 40 + 20) / 5.
        assert!((all.fct_mean_at_least_s.unwrap() - 24e-6).abs() < 1e-18);
        assert_eq!(all.fct_mean_s, None);
    }

    #[test]
    fn classes_take_their_lower_bound_and_leave_their_upper_one() {
        let sizes = [999, 1_000, 9_999, 10_000, 100_000, 999_999, 1_000_000, 50_000_000];
        let messages = sizes.map(|size| message(size, 200, 10, 10)).to_vec();
        let classes = summary(&outcome(messages)).unwrap().classes;
        let counts: Vec<_> =
            classes.iter().map(|class| (class.from_bytes, class.to_bytes, class.count())).collect();
        let kb = |n: u64| Some(n * 1_000);
        let expected = [
            (None, None, 8),
            (None, kb(1), 1),
            (kb(1), kb(10), 2),
            (kb(10), kb(100), 1),
            (kb(100), kb(1000), 2),
            (kb(1000), None, 2),
        ];
        assert_eq!(counts, expected);
    }

    #[test]
    fn times_and_slowdowns_by_hand() {
        let messages =
            vec![message(5_000, 200, 10, 10), message(5_000, 300, 30, 10), message(5_000, 400, 20, 5)];
        let all = &summary(&outcome(messages)).unwrap().classes[0];
        assert!((all.fct_mean_s.unwrap() - 20e-6).abs() < 1e-18);
        assert_eq!((all.fct_mean_at_least_s, all.fct_at_least_quantiles.len()), (None, 0));
        assert_eq!(at(&all.fct_quantiles, 0.5), Some(20e-6));
        assert_eq!(at(&all.slowdown_quantiles, 0.0), Some(1.0));
        assert_eq!(at(&all.slowdown_quantiles, 0.5), Some(3.0));
        assert_eq!(at(&all.slowdown_quantiles, 1.0), Some(4.0));
    }

    #[test]
    fn messages_offered_before_measurement_have_a_class_of_their_own() {
        let messages = vec![message(5_000, 50, 10, 10), message(5_000, 100, 30, 10)];
        let early = vec![incomplete(5_000, 99, Fate::Unfinished)];
        let summary = summary(&with_incomplete(messages, early)).unwrap();
        assert_eq!((summary.completed, summary.unfinished), (2, 1));
        assert_eq!(summary.classes[0].count(), 1);
        let before = summary.offered_before.as_ref().unwrap();
        assert_eq!((before.completed, before.unfinished, before.damaged), (1, 1, 0));
        assert_eq!(before.fct_at(0.0), Some(Bounded::exact(10e-6)));
        assert_eq!(summary.judged(), summary.classes.first());
    }

    #[test]
    fn a_single_message_has_its_time_whenever_it_was_offered() {
        for offered in [50, 200] {
            let summary = summary(&outcome(vec![message(5_000, offered, 10, 10)])).unwrap();
            assert_eq!(summary.judged().unwrap().fct_mean(), Some(Bounded::exact(10e-6)));
        }
    }

    #[test]
    fn of_very_many_messages_those_offered_before_are_only_counted() {
        let mut run = outcome(vec![message(5_000, 200, 10, 10)]);
        run.message_counts.before.completed = 7;
        let before = summary(&run).unwrap().offered_before.unwrap();
        assert_eq!((before.completed, before.fct_mean()), (7, None));
    }
}
