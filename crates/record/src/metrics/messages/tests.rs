//! Completion times calculated by hand.

use proptest::prelude::*;
use setpoint_sim::{Fate, Fates, FlowId, IncompleteMessage, MessageCounts, MessageOutcome, Outcome};
use setpoint_units::{Bytes, Time, TimeDelta};

use super::Messages;
use crate::results::{Bounded, MessageSummary};
use crate::statistics::quantile::at;

fn summary(outcome: &Outcome) -> Option<MessageSummary> {
    Messages::of(outcome).summary()
}

fn message(size: u64, offered_us: u64, taken_us: u64, ideal_us: u64) -> MessageOutcome {
    let offered = Time::ZERO + TimeDelta::from_micros(offered_us);
    MessageOutcome {
        flow: FlowId(0),
        size: Bytes::new(size),
        offered,
        completed: offered + TimeDelta::from_micros(taken_us),
        waited: TimeDelta::ZERO,
        ideal: TimeDelta::from_micros(ideal_us),
    }
}

fn incomplete(size: u64, offered_us: u64, fate: Fate) -> IncompleteMessage {
    let MessageOutcome { flow, size, offered, ideal, .. } = message(size, offered_us, 0, 10);
    IncompleteMessage { flow, size, offered, fate, waited: TimeDelta::ZERO, ideal }
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
        measure_messages_until: None,
        events: 0,
        packet_hops: 0,
        flows: Vec::new(),
        sources: Vec::new(),
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
        shared_buffers: Vec::new(),
        failed_links: Vec::new(),
        pauses: None,
        dependents: Vec::new(),
        passages: Vec::new(),
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
fn damaged_messages_count_as_slower_than_all_others() {
    // Four messages take 10, 20, 30 and 40 us. A fifth is offered 20 us before the end, so only these 20 us are known.
    let completed = (1..=4).map(|n| message(5_000, 200, 10 * n, 10)).collect();
    let young = vec![incomplete(5_000, 980, Fate::Damaged)];
    let summary = summary(&with_incomplete(completed, young)).unwrap();
    let all = &summary.classes[0];
    assert_eq!((all.completed, all.unfinished, all.damaged, all.count()), (4, 0, 1, 5));
    assert_eq!(all.fct_at(0.5), Some(Bounded::exact(30e-6)), "the third of five");
    assert_eq!(all.fct_at(0.75), Some(Bounded::exact(40e-6)), "the fourth of five");
    assert_eq!(all.fct_at(0.8), Some(Bounded::at_least(40e-6)), "between the fourth and the fifth");
    assert_eq!(all.fct_at(1.0), Some(Bounded::at_least(40e-6)), "no less than the slowest completed message");
    // (10 + 20 + 30 + 40 + 20) / 5.
    assert!((all.fct_mean_at_least_s.unwrap() - 24e-6).abs() < 1e-18);
    assert_eq!(all.fct_mean_s, None);
}

#[test]
fn an_unfinished_message_may_turn_out_faster_than_completed_ones() {
    // Four messages take 10, 20, 30 and 40 us. A fifth is offered 20 us before the end and may take any time from 20 us
    // up.
    let completed = (1..=4).map(|n| message(5_000, 200, 10 * n, 10)).collect();
    let young = vec![incomplete(5_000, 980, Fate::Unfinished)];
    let all = &summary(&with_incomplete(completed, young)).unwrap().classes[0];
    assert_eq!(all.fct_at(0.0), Some(Bounded::exact(10e-6)));
    assert_eq!(
        all.fct_at(0.25),
        Some(Bounded::exact(20e-6)),
        "the second of five, whatever becomes of the fifth"
    );
    assert_eq!(all.fct_at(0.5), Some(Bounded::at_least(20e-6)), "between 20 and 30 us");
    assert_eq!(all.fct_at(0.75), Some(Bounded::at_least(30e-6)), "between 30 and 40 us");
    assert_eq!(all.slowdown_at(1.0), Some(Bounded::at_least(4.0)));
}

proptest! {
    /// Ending a run early never makes a reported quantile of its messages wrong.
    #[test]
    fn quantiles_of_a_run_that_is_cut_off_hold_for_the_whole_run(
        messages in prop::collection::vec((100_u64..1_000, 1_u64..300), 1..200),
    ) {
        let whole: Vec<MessageOutcome> =
            messages.iter().map(|&(offered, taken)| message(5_000, offered, taken, 10)).collect();
        let end = Time::ZERO + TimeDelta::from_millis(1);
        let (done, late): (Vec<MessageOutcome>, Vec<MessageOutcome>) =
            whole.iter().partition(|message| message.completed <= end);
        let late = late.iter().map(|late| IncompleteMessage {
            flow: late.flow,
            size: late.size,
            offered: late.offered,
            fate: Fate::Unfinished,
            waited: late.waited,
            ideal: late.ideal,
        });
        let (whole, cut) = (summary(&outcome(whole.clone())), summary(&with_incomplete(done, late.collect())));
        let (whole, cut) = (&whole.unwrap().classes[0], &cut.unwrap().classes[0]);
        for probability in [0.0, 0.05, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0] {
            for (truth, known) in [
                (whole.fct_at(probability), cut.fct_at(probability)),
                (whole.slowdown_at(probability), cut.slowdown_at(probability)),
            ] {
                let (truth, known) = (truth.unwrap().value, known.unwrap());
                match known.is_lower_bound {
                    true => prop_assert!(known.value <= truth * (1.0 + 1e-9), "{known:?} above {truth}"),
                    false => prop_assert!((known.value / truth - 1.0).abs() < 0.0102, "{known:?}, not {truth}"),
                }
            }
        }
    }
}

#[test]
fn messages_offered_after_the_measured_time_are_in_no_class() {
    let messages = vec![message(5_000, 200, 10, 10), message(5_000, 500, 400, 10)];
    let mut run = with_incomplete(messages, vec![incomplete(5_000, 900, Fate::Unfinished)]);
    run.measure_messages_until = Some(Time::ZERO + TimeDelta::from_micros(500));
    run.message_counts.measured = Fates { completed: 1, ..Fates::default() };
    run.message_counts.after = Fates { completed: 1, unfinished: 1, damaged: 0 };
    let summary = summary(&run).unwrap();
    assert_eq!((summary.completed, summary.unfinished), (2, 1));
    assert_eq!(summary.classes[0].fct_mean(), Some(Bounded::exact(10e-6)));
    assert_eq!(summary.offered_after, Some(2));
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
    let messages = vec![message(5_000, 200, 10, 10), message(5_000, 300, 30, 10), message(5_000, 400, 20, 5)];
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

#[test]
fn slowdown_by_size_has_bins_of_their_own_and_shows_lower_bounds() {
    // Sizes from 2 to 5 kB: 2 and 3 times the ideal. From 10 to 20 kB: 1 and 4 times, and one unfinished message.
    let sizes = [(4_999, 20), (2_000, 30), (10_000, 10), (19_999, 40)];
    let messages = sizes.map(|(size, taken)| message(size, 200, taken, 10)).to_vec();
    let run = with_incomplete(messages, vec![incomplete(15_000, 500, Fate::Unfinished)]);
    let bins = Messages::of(&run).slowdown_by_size();
    let sizes: Vec<_> = bins.iter().map(|bin| (bin.from_bytes, bin.to_bytes, bin.messages)).collect();
    assert_eq!(sizes, [(2_000, 5_000, 2), (10_000, 20_000, 3)]);
    assert_eq!((bins[0].median(), bins[0].tail()), (Bounded::exact(2.5), Some(Bounded::exact(2.99))));
    assert_eq!(bins[1].median(), Bounded::exact(4.0));
    // The unfinished message has taken 500 us, 50 times its ideal.
    assert_eq!(bins[1].tail().map(|tail| tail.is_lower_bound), Some(true));
    let single = Messages::of(&outcome(vec![message(5_000, 200, 30, 10)])).slowdown_by_size();
    assert_eq!((single[0].median(), single[0].tail()), (Bounded::exact(3.0), None));
}
