//! Completion times and slowdowns of messages, by class of sizes.
//!
//! The completion time runs from the offer of a message to the arrival of its last byte; the
//! slowdown is that time over the one on an empty network. Classes hold the messages that were
//! offered in the measured part of the run. A message still under way at the end is in no class:
//! long ones are missing from the tail if the run is short, which `unfinished` shows.

use setpoint_sim::{MessageOutcome, Outcome};
use setpoint_units::Bytes;

use super::moments::Moments;
use super::quantile::quantiles;
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
    let completed = outcome.messages.len() as u64 + outcome.messages_beyond_bound;
    let (unfinished, damaged) = (outcome.messages_unfinished, outcome.messages_damaged);
    if completed + unfinished + damaged == 0 {
        return None;
    }
    let measured = || outcome.messages.iter().filter(|message| message.offered >= outcome.measure_from);
    let classes = CLASSES.into_iter().map(|bounds| class(bounds, measured()));
    let used =
        |class: &MessageClass| class.count > 0 || (class.from_bytes.is_none() && class.to_bytes.is_none());
    Some(MessageSummary { completed, unfinished, damaged, classes: classes.filter(used).collect() })
}

fn class<'a>(
    (from, to): (Option<Bytes>, Option<Bytes>),
    messages: impl Iterator<Item = &'a MessageOutcome>,
) -> MessageClass {
    let inside = |size: Bytes| from.is_none_or(|from| size >= from) && to.is_none_or(|to| size < to);
    let (times, slowdowns): (Vec<f64>, Vec<f64>) = messages
        .filter(|message| inside(message.size))
        .map(|message| (completion_time(message), slowdown(message)))
        .unzip();
    MessageClass {
        from_bytes: from.map(Bytes::get),
        to_bytes: to.map(Bytes::get),
        count: times.len() as u64,
        fct_mean_s: Moments::of(times.iter().copied()).mean,
        fct_quantiles: quantiles(times),
        slowdown_quantiles: quantiles(slowdowns),
    }
}

fn completion_time(message: &MessageOutcome) -> f64 {
    message.completed.saturating_since(message.offered).as_secs_f64()
}

/// A message without an ideal time was as fast as can be.
fn slowdown(message: &MessageOutcome) -> f64 {
    let taken = message.completed.saturating_since(message.offered).as_picos() as f64;
    if message.ideal.is_zero() { 1.0 } else { taken / message.ideal.as_picos() as f64 }
}

/// The message as it is stored.
pub(super) fn record(message: &MessageOutcome) -> MessageRecord {
    MessageRecord {
        flow: message.flow.index(),
        size_bytes: message.size.get(),
        offered_s: message.offered.as_secs_f64(),
        completed_s: message.completed.as_secs_f64(),
        ideal_s: message.ideal.as_secs_f64(),
        fct_s: completion_time(message),
    }
}

#[cfg(test)]
mod tests {
    use super::super::quantile::at;
    use super::*;
    use setpoint_sim::FlowId;
    use setpoint_units::{Time, TimeDelta};

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

    fn outcome(messages: Vec<MessageOutcome>) -> Outcome {
        Outcome {
            end: Time::ZERO + TimeDelta::from_millis(1),
            sample_interval: TimeDelta::from_millis(1),
            measure_from: Time::ZERO + TimeDelta::from_micros(100),
            events: 0,
            packet_hops: 0,
            flows: Vec::new(),
            queues: Vec::new(),
            ports: Vec::new(),
            messages,
            messages_beyond_bound: 0,
            messages_unfinished: 0,
            messages_damaged: 0,
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
        let waiting = Outcome { messages_unfinished: 2, ..outcome(Vec::new()) };
        let summary = summary(&waiting).unwrap();
        assert_eq!((summary.completed, summary.unfinished, summary.classes.len()), (0, 2, 1));
        assert_eq!(summary.classes[0].count, 0);
    }

    #[test]
    fn classes_take_their_lower_bound_and_leave_their_upper_one() {
        let sizes = [999, 1_000, 9_999, 10_000, 100_000, 999_999, 1_000_000, 50_000_000];
        let messages = sizes.map(|size| message(size, 200, 10, 10)).to_vec();
        let classes = summary(&outcome(messages)).unwrap().classes;
        let counts: Vec<_> =
            classes.iter().map(|class| (class.from_bytes, class.to_bytes, class.count)).collect();
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
        assert!((all.fct_mean_s - 20e-6).abs() < 1e-18);
        assert_eq!(at(&all.fct_quantiles, 0.5), Some(20e-6));
        assert_eq!(at(&all.slowdown_quantiles, 0.0), Some(1.0));
        assert_eq!(at(&all.slowdown_quantiles, 0.5), Some(3.0));
        assert_eq!(at(&all.slowdown_quantiles, 1.0), Some(4.0));
    }

    #[test]
    fn the_warm_up_is_counted_but_not_measured() {
        let messages = vec![message(5_000, 50, 10, 10), message(5_000, 100, 30, 10)];
        let summary = summary(&Outcome { messages_beyond_bound: 3, ..outcome(messages) }).unwrap();
        assert_eq!(summary.completed, 5);
        assert_eq!(summary.classes[0].count, 1);
    }
}
