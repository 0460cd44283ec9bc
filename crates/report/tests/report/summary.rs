//! The paragraph that summarises a run.

use setpoint_record::results::{
    EventSummary, MessageClass, MessageSummary, ReceiverSummary, RunRecord, Settling, Unsettled,
};
use setpoint_report::words::summary;

use crate::synthetic;

fn words(record: &RunRecord) -> String {
    summary(record).replace(['\u{a0}', '\u{202f}'], " ")
}

/// A small record with round figures, which tests modify.
fn steady() -> RunRecord {
    let mut record = synthetic::dumbbell(10, 60);
    let summary = &mut record.summary;
    summary.measure_from_s = 0.0;
    summary.events_at.clear();
    summary.total.throughput_bps = 9.98e9;
    summary.total.jain_index = Some(0.9987);
    summary.total.notifications = 12_345;
    summary.total.notifications_per_frame = 0.01;
    let queue = &mut summary.queues[0];
    (queue.mean_bytes, queue.peak_bytes, queue.empty_share) = (26_412.0, 91_000, 0.0);
    queue.quantiles = vec![(0.0, 0.0), (0.5, 26_000.0), (0.99, 61_000.0), (1.0, 91_000.0)];
    record
}

#[test]
fn flows_that_must_share_a_port_are_described_as_sharing_it() {
    insta::assert_snapshot!(words(&steady()), @"Ten flows shared left→right at 99.78 % utilisation and delivered 9.98 Gb/s in total. The longest queue, left→right/3, had a mean of 26.4 kB, 2 % above the set point of 26 kB, and a 99th percentile of 61 kB. Jain’s fairness index of the mean rates was 0.9987. Congestion points sent 12 345 notifications, one for every 100 data frames. No frame was lost.");
}

/// Whether the text states that all flows share the link in the middle.
fn share(record: &RunRecord) -> bool {
    words(record).contains("shared left→right")
}

#[test]
fn flows_to_a_group_share_a_port_if_all_members_are_beyond_it() {
    let mut record = steady();
    for flow in &mut record.summary.flows {
        flow.destination = "g1".into();
        flow.receivers = vec![ReceiverSummary { station: "r1".into(), ..ReceiverSummary::default() }];
    }
    assert!(share(&record));
    let near = ReceiverSummary { station: "s2".into(), ..ReceiverSummary::default() };
    record.summary.flows[0].receivers.push(near);
    assert!(!share(&record));
}

#[test]
fn a_single_flow_has_no_fairness() {
    let mut record = steady();
    record.summary.flows.truncate(1);
    record.summary.queues.truncate(1);
    record.summary.queues[0].mean_bytes = 26_010.0;
    insta::assert_snapshot!(words(&record), @"One flow used left→right at 99.78 % utilisation and delivered 9.98 Gb/s in total. The queue had a mean of 26 kB, at the set point of 26 kB, and a 99th percentile of 61 kB. Congestion points sent 12 345 notifications, one for every 100 data frames. No frame was lost.");
}

#[test]
fn a_queue_far_above_its_set_point_is_given_as_a_multiple() {
    let mut record = steady();
    record.summary.queues[0].mean_bytes = 641_000.0;
    record.summary.total.notifications = 0;
    insta::assert_snapshot!(words(&record), @"Ten flows shared left→right at 99.78 % utilisation and delivered 9.98 Gb/s in total. The longest queue, left→right/3, had a mean of 641 kB, 25 times the set point of 26 kB, and a 99th percentile of 61 kB. Jain’s fairness index of the mean rates was 0.9987. No congestion point sent a notification. No frame was lost.");
}

#[test]
fn losses_and_events_are_described() {
    let mut record = steady();
    record.summary.total.dropped_frames = 1;
    record.summary.total.loss_share = 1e-7;
    record.summary.queues[0].set_point_bytes = None;
    record.summary.events_at = vec![
        EventSummary { at_s: 1.0, label: "left->right at 1 Gb/s".into(), settling: Settling::AfterS(0.0412) },
        EventSummary {
            at_s: 2.0,
            label: "left->right at 10 Gb/s".into(),
            settling: Settling::NotSettled(Unsettled::BufferFull),
        },
    ];
    insta::assert_snapshot!(words(&record), @"Ten flows shared left→right at 99.78 % utilisation and delivered 9.98 Gb/s in total. The longest queue, left→right/3, had a mean of 26.4 kB, and a 99th percentile of 61 kB. Jain’s fairness index of the mean rates was 0.9987. Congestion points sent 12 345 notifications, one for every 100 data frames. One frame was lost, less than 0.0001 % of those sent. After “left→right at 1 Gb/s” at 1 s the queue settled after 41.2 ms; after “left→right at 10 Gb/s” at 2 s the queue did not settle (buffer full).");
}

#[test]
fn pauses_are_described() {
    insta::assert_snapshot!(words(&synthetic::incast_pfc()), @"64 flows shared bridge→h65 at 100.00 % utilisation and delivered 9.87 Gb/s in total. The queue had a mean of 6.07 MB, and a 99th percentile of 6.3 MB. Jain’s fairness index of the mean rates was 1.0000. No frame was lost. 64 ports were paused, for a total of 1.25 s.");
}

#[test]
fn a_lossless_run_without_a_pause_says_so() {
    let mut record = steady();
    record.summary.total.lossless = true;
    record.summary.queues.clear();
    record.summary.total.notifications = 0;
    insta::assert_snapshot!(words(&record), @"Ten flows shared left→right at 99.78 % utilisation and delivered 9.98 Gb/s in total. Jain’s fairness index of the mean rates was 0.9987. No frame was lost. No port was paused.");
}

#[test]
fn flows_with_several_paths_are_not_described_as_sharing_a_port() {
    insta::assert_snapshot!(words(&synthetic::fat_tree()), @"64 flows delivered 390 Gb/s in total; agg1.1→core1 was at 67.2 % utilisation. The longest queue, agg1.1→core1/3, had a mean of 22.9 kB, 12 % below the set point of 26 kB, and a 99th percentile of 88.9 kB; it was empty for 20 % of the time. Jain’s fairness index of the mean rates was 0.871. No congestion point sent a notification. No frame was lost. 12 432 messages were offered: 12 345 completed, 87 unfinished, 0 damaged; the median completion time was 204 µs and the 99th percentile 4.43 ms.");
}

#[test]
fn unfinished_messages_are_described() {
    let mut record = steady();
    record.summary.queues.truncate(1);
    record.summary.queues[0].peak_bytes = 0;
    let all = MessageClass {
        unfinished: 2,
        damaged: 1,
        fct_mean_at_least_s: Some(0.04),
        fct_at_least_quantiles: vec![(0.0, 0.03), (0.5, 0.04), (0.99, 0.05), (1.0, 0.05)],
        ..MessageClass::default()
    };
    record.summary.messages =
        Some(MessageSummary { unfinished: 2, damaged: 1, classes: vec![all], ..MessageSummary::default() });
    insta::assert_snapshot!(words(&record), @"Ten flows shared left→right at 99.78 % utilisation and delivered 9.98 Gb/s in total. No queue formed. Jain’s fairness index of the mean rates was 0.9987. Congestion points sent 12 345 notifications, one for every 100 data frames. No frame was lost. Three messages were offered: 0 completed, 2 unfinished, 1 damaged; the slowest took more than 50 ms.");
}

#[test]
fn flows_that_sent_nothing_are_left_out() {
    let mut record = steady();
    record.summary.flows[0].sent_frames = 0;
    assert!(words(&record).starts_with("Nine of ten flows shared left→right"), "{}", words(&record));
}

#[test]
fn parallel_links_are_not_described_as_shared() {
    let mut record = steady();
    let twin = record.topology.links[10].clone();
    record.topology.links.push(twin);
    assert!(
        words(&record).starts_with("Ten flows delivered 9.98 Gb/s in total; left→right was at"),
        "{}",
        words(&record)
    );
}

#[test]
fn runs_without_traffic_are_described() {
    assert_eq!(words(&synthetic::empty()), "The scenario has no flows, so nothing was sent.");
    let mut record = steady();
    for flow in &mut record.summary.flows {
        flow.sent_frames = 0;
    }
    assert_eq!(words(&record), "Ten flows sent nothing.");
}

#[test]
fn figures_of_the_whole_run_are_distinguished_from_measured_ones() {
    let mut record = synthetic::incast_pfc();
    record.summary.measure_from_s = 0.5;
    record.summary.duration_s = 2.0;
    record.summary.total.dropped_frames = 17;
    record.summary.total.notifications = 40;
    record.summary.total.notifications_per_frame = 0.01;
    let text = words(&record);
    assert!(text.starts_with("Measured from 500 ms to 2 s, 64 flows shared bridge→h65"), "{text}");
    assert!(text.contains("sent 40 notifications in the whole run, one for every 100"), "{text}");
    assert!(text.contains("17 frames were lost in the whole run, "), "{text}");
    assert!(
        text.contains(
            "64 ports were paused in the whole run, for a total of 1.25 s of the measurement interval."
        ),
        "{text}"
    );
    record.summary.total.paused_s = 0.0;
    let text = words(&record);
    assert!(
        text.contains("64 ports were paused in the whole run, but not in the measurement interval."),
        "{text}"
    );
}

#[test]
fn few_messages_have_no_quantiles() {
    let mut record = synthetic::fat_tree();
    let told = |record: &RunRecord| {
        let text = words(record);
        text[text.find("lost. ").expect("a sentence") + 6..].to_owned()
    };
    let mut set = |count: u64| {
        let messages = record.summary.messages.as_mut().expect("messages");
        (messages.completed, messages.unfinished) = (count, 0);
        (messages.classes[0].completed, messages.classes[0].unfinished) = (count, 0);
        messages.classes[0].fct_quantiles = vec![(0.0, 0.118), (0.5, 0.118), (0.99, 0.118), (1.0, 0.118)];
        record.clone()
    };
    assert_eq!(
        told(&set(1)),
        "One message was offered: 1 completed, 0 unfinished, 0 damaged; it took 118 ms."
    );
    assert_eq!(
        told(&set(3)),
        "Three messages were offered: 3 completed, 0 unfinished, 0 damaged; the slowest took 118 ms."
    );
}

#[test]
fn messages_offered_before_measurement_are_reported_separately() {
    let told = |record: &RunRecord| {
        let text = words(record);
        text[text.find("lost. ").expect("a sentence") + 6..].to_owned()
    };
    let mut record = synthetic::fat_tree();
    record.summary.measure_from_s = 0.005;
    let messages = record.summary.messages.as_mut().expect("messages");
    let quantiles = vec![(0.0, 0.118), (0.5, 0.118), (0.99, 0.118), (1.0, 0.118)];
    messages.offered_before =
        Some(MessageClass { completed: 16, fct_quantiles: quantiles, ..MessageClass::default() });
    insta::assert_snapshot!(told(&record), @"12 432 messages were offered from 5 ms on: 12 345 completed, 87 unfinished, 0 damaged; the median completion time was 204 µs and the 99th percentile 4.43 ms. 16 messages were offered before 5 ms and are not included in these figures: 16 completed, 0 unfinished, 0 damaged.");
    record.summary.messages.as_mut().expect("messages").classes[0] = MessageClass::default();
    insta::assert_snapshot!(told(&record), @"16 messages were offered before measurement began at 5 ms, and none after: 16 completed, 0 unfinished, 0 damaged; the median completion time was 118 ms and the 99th percentile 118 ms.");
}

#[test]
fn settling_at_once_is_within_a_sample_interval() {
    let mut record = steady();
    record.summary.events_at =
        vec![EventSummary { at_s: 1.0, label: "start".into(), settling: Settling::AfterS(0.0) }];
    record.series.time_s = vec![0.004, 0.008];
    let text = words(&record);
    assert!(text.ends_with("After “start” at 1 s the queue settled within 4 ms."), "{text}");
}

#[test]
fn trees_in_words() {
    let told = |record: &RunRecord| {
        let text = setpoint_report::words::trees::summary(record).unwrap_or_default();
        text.replace('\u{a0}', " ")
    };
    insta::assert_snapshot!(told(&synthetic::incast_pfc()), @"64 ports were asked to pause; no tree reached further than the ports that feed its root. All congestion began at bridge→h65.");
    insta::assert_snapshot!(told(&synthetic::fat_tree_pfc()), @"20 ports were asked to pause, at most 17 at once; the deepest tree reached five links from its root. All congestion began at edge1.1→h1. 22 flows were delayed by congestion elsewhere, h64 for 64 ms.");
    insta::assert_snapshot!(told(&synthetic::deadlock()), @"Ten ports were asked to pause; the deepest tree reached five links from its root. All congestion began at b1→b2. Three flows were delayed by congestion elsewhere, h5 for 3.74 ms.");
    assert_eq!(told(&synthetic::dumbbell(2, 60)), "");
}
