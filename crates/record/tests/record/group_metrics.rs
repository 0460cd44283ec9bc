//! Figures and curves of groups, computed from outcomes written by hand.

use setpoint_record::metrics::{Context, Measured, measure};
use setpoint_record::results::{GroupSummary, ReceiverSummary};
use setpoint_scenario::{Override, Prepared, Scenario, Source};
use setpoint_sim::{Destination, FlowOutcome, Outcome, ReceiverOutcome};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// Two sources send to a group of three: r1 stays, r2 leaves at 500 ms, and r3 joins at that time. There are ten
/// intervals of 100 ms; the last eight are measured.
const SCENARIO: &str = r#"
    duration = "1 s"
    measure_from = "200 ms"
    sample_interval = "100 ms"
    topology.dumbbell = { senders = 3, receivers = 4, rate = "1 Gb/s" }
    control = "qcn"
    groups = [{ members = "r{1..2}" }]
    flows = [
        { from = "s{1..2}", group = "g1", traffic.constant.rate = "200 Mb/s" },
        { from = "s3", to = "r4" },
    ]
    at = [{ time = "500 ms", group = "g1", join = "r3", leave = "r2" }]
"#;

/// Bytes per interval that each sender sends to each receiver while the receiver is a member: 80 and 40 Mb/s.
const FIRST: u64 = 1_000_000;
const SECOND: u64 = 500_000;
/// Bytes per interval that s3 sends to r4: 400 Mb/s.
const ALONE: u64 = 5_000_000;

fn prepare(settings: &[&str]) -> Prepared {
    let settings: Vec<Override> = settings.iter().map(|setting| setting.parse().unwrap()).collect();
    Scenario::load(&Source::new("groups.toml", SCENARIO), &settings).unwrap().prepare(1).unwrap()
}

fn at(millis: u64) -> Time {
    Time::ZERO + TimeDelta::from_millis(millis)
}

/// The intervals in which a station is a member.
fn membership(station: &str) -> std::ops::Range<usize> {
    match station {
        "r1" | "r4" => 0..10,
        "r2" => 0..5,
        "r3" => 5..10,
        other => panic!("{other}"),
    }
}

fn bytes(sender: &str, station: &str) -> Vec<u64> {
    let each = match sender {
        "s1" => FIRST,
        "s2" => SECOND,
        _ => ALONE,
    };
    (0..10).map(|sample| if membership(station).contains(&sample) { each } else { 0 }).collect()
}

/// Nine of ten 1000-byte frames arrive at r1; the other receivers lose none.
fn receiver(prepared: &Prepared, sender: &str, station: &str) -> ReceiverOutcome {
    let series = bytes(sender, station);
    let delivered: u64 = series.iter().sum();
    let lost = if station == "r1" { delivered / 9_000 } else { 0 };
    ReceiverOutcome {
        station: prepared.spec.topology.find(station).unwrap(),
        delivered_frames: delivered / 1_000,
        delivered: Bytes::new(delivered),
        delivered_measured: Bytes::new(series[2..].iter().sum()),
        lost_frames: lost,
        lost: Bytes::new(lost * 1_000),
        delay_sum: 0,
        delay_max: TimeDelta::ZERO,
        delay_frames: 0,
        delivered_series: series,
    }
}

/// The outcome of a flow with these receivers.
fn flow(receivers: Vec<ReceiverOutcome>, sent_frames: u64, notifications: Vec<u32>) -> FlowOutcome {
    let sum = |of: fn(&ReceiverOutcome) -> u64| receivers.iter().map(of).sum::<u64>();
    let series = (0..10).map(|sample| receivers.iter().map(|one| one.delivered_series[sample]).sum());
    FlowOutcome {
        sent_frames,
        delivered_frames: sum(|one| one.delivered_frames),
        delivered: Bytes::new(sum(|one| one.delivered.get())),
        delivered_measured: Bytes::new(sum(|one| one.delivered_measured.get())),
        dropped_frames: sum(|one| one.lost_frames),
        notifications: notifications.iter().map(|&count| u64::from(count)).sum(),
        first_notified: notifications
            .iter()
            .position(|&count| count > 0)
            .map(|sample| at(100 * sample as u64 + 40)),
        delivered_series: series.collect(),
        limit_series: (0..10).map(|sample| (sample >= 6).then_some(Rate::from_mbps(200))).collect(),
        notification_series: notifications,
        receivers,
        ..FlowOutcome::default()
    }
}

fn notifications(sender: &str) -> Vec<u32> {
    match sender {
        "s1" => vec![0, 0, 0, 0, 30, 2, 2, 2, 2, 2],
        "s2" => vec![0, 0, 0, 0, 0, 0, 4, 4, 4, 4],
        _ => vec![0; 10],
    }
}

/// The outcome for either delivery: with multiple unicast each part has half the notifications.
fn outcome(prepared: &Prepared) -> Outcome {
    let name = |id| prepared.spec.topology.node_at(id).name.clone();
    let flows = prepared.spec.flows.iter().map(|spec| {
        let sender = name(spec.source);
        match spec.destination {
            Destination::Group(_) => {
                let receivers = ["r1", "r2", "r3"].map(|station| receiver(prepared, &sender, station));
                flow(receivers.into(), 10_000, notifications(&sender))
            }
            Destination::Station(station) => {
                let only = receiver(prepared, &sender, &name(station));
                let sent = only.delivered_frames + only.lost_frames;
                let half = notifications(&sender).iter().map(|count| count / 2).collect();
                FlowOutcome { receivers: Vec::new(), ..flow(vec![only], sent, half) }
            }
        }
    });
    Outcome {
        end: at(1_000),
        sample_interval: TimeDelta::from_millis(100),
        measure_from: at(200),
        flows: flows.collect(),
        feedback: vec![0; 64],
        ..Outcome::default()
    }
}

fn measured(settings: &[&str]) -> Measured {
    let prepared = prepare(settings);
    measure(&context(&prepared), outcome(&prepared))
}

/// The context of a run without a set point.
pub(crate) fn context(prepared: &Prepared) -> Context<'_> {
    Context {
        spec: &prepared.spec,
        set_point: None,
        events: &[],
        groups: &prepared.groups,
        entries: &prepared.entries,
        jobs: &prepared.jobs,
    }
}

const UNICAST: &str = "network.delivery=multiple-unicast";

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= expected.abs() * 1e-12, "{found}, not {expected}");
}

fn stations(receivers: &[ReceiverSummary]) -> Vec<&str> {
    receivers.iter().map(|receiver| receiver.station.as_str()).collect()
}

#[test]
fn the_rate_of_a_multicast_flow_is_the_mean_over_its_members() {
    let measured = measured(&[]);
    let flows = &measured.summary.flows;
    // There are two members at any time, each with 80 Mb/s; two of the three receivers were members for part of the
    // time.
    close(flows[0].rate_bps, 80e6);
    close(flows[1].rate_bps, 40e6);
    assert_eq!(flows[0].group.as_deref(), Some("g1"));
    assert_eq!(flows[0].destination, "g1");
    assert_eq!(stations(&flows[0].receivers), ["r1", "r2", "r3"]);
    for receiver in &flows[0].receivers {
        close(receiver.rate_bps, 80e6);
    }
    assert_eq!((flows[2].group.as_deref(), flows[2].receivers.len()), (None, 0));
    // The same holds in every interval, even if one member leaves and another joins.
    assert_eq!(measured.series.flows[0].rate_bps, [80e6; 10]);
    assert_eq!(measured.series.flows[2].rate_bps, [400e6; 10]);
    close(measured.summary.total.throughput_bps, 520e6);
}

#[test]
fn bytes_that_arrive_after_a_member_left_do_not_count() {
    let prepared = prepare(&[]);
    let mut outcome = outcome(&prepared);
    // Half an interval's bytes arrive after r2 has left.
    outcome.flows[0].receivers[1].delivered_series[5] = FIRST / 2;
    assert_eq!(measure(&context(&prepared), outcome).series.flows[0].rate_bps, [80e6; 10]);
}

#[test]
fn losses_are_counted_at_receivers() {
    let summary = measured(&[]).summary;
    let receivers = &summary.flows[0].receivers;
    // 10 000 frames reached r1 in ten intervals.
    assert_eq!((receivers[0].delivered_frames, receivers[0].lost_frames), (10_000, 1_111));
    close(receivers[0].loss_share, 1_111.0 / 11_111.0);
    assert_eq!(receivers[1].loss_share, 0.0);
    let group = &summary.groups[0];
    // s1: 10 000 + 5000 + 5000 delivered, 1111 lost; s2: half of that.
    close(group.loss_share, (1_111.0 + 555.0) / (20_000.0 + 10_000.0 + 1_111.0 + 555.0));
    assert_eq!((group.receivers[0].delivered_frames, group.receivers[0].lost_frames), (15_000, 1_666));
    // For the whole run, the loss uses the frames that s3 sent, not those that it delivered.
    let alone = summary.flows[2].sent_frames as f64;
    close(summary.total.loss_share, 1_666.0 / (31_666.0 + alone));
}

#[test]
fn senders_to_a_group_are_compared_whatever_they_send() {
    let summary = measured(&[]).summary;
    // The rates are 2 : 1. Both flows send constant traffic, so the index of the whole run compares none.
    close(summary.groups[0].jain_index.unwrap(), 9.0 / 10.0);
    assert_eq!(summary.total.jain_index, None);
    close(summary.groups[0].rate_mean_bps, 60e6);
    let late = measured(&["flows.1.start=300ms"]).summary;
    assert_eq!(late.groups[0].jain_index, None, "no flow was on during the whole measurement interval");
    let weighted = measured(&["flows.1.weight=2"]).summary;
    close(weighted.groups[0].jain_index.unwrap(), 9.0 / 10.0);
}

#[test]
fn feedback_of_a_group() {
    let summary = measured(&[]).summary;
    let group = &summary.groups[0];
    // 40 + 16 notifications for 20 000 frames.
    close(group.feedback_overhead, 56.0 / 20_000.0);
    close(summary.flows[0].feedback_overhead, 40.0 / 10_000.0);
    close(summary.total.feedback_overhead, 56.0 / (20_000.0 + summary.flows[2].sent_frames as f64));
    // All notifications were sent in the measured 0.8 s, to two sources; s1 received 30 in the worst 0.1 s.
    close(group.notifications_per_source_mean, 56.0 / 0.8 / 2.0);
    close(group.notifications_per_source_peak, 300.0);
    close(summary.total.notifications_per_source_peak, 300.0);
    assert_eq!(summary.flows[0].first_notified_s, Some(0.44));
    assert_eq!(summary.flows[2].first_notified_s, None);
}

#[test]
fn without_a_limiter_the_line_rate_counts() {
    let summary = measured(&[]).summary;
    // Intervals 2 to 9 are measured: four at 1 Gb/s and four at 200 Mb/s.
    assert_eq!(summary.flows[0].limit_mean_bps, Some(600e6));
    assert_eq!(summary.flows[0].limit_deviation_bps, Some(400e6));
    let free = measured(&["flows.1.controlled=false"]).summary;
    assert_eq!((free.flows[0].limit_mean_bps, free.flows[0].limit_deviation_bps), (None, None));
    let uncontrolled = measured(&["control=none"]).summary;
    assert_eq!(uncontrolled.flows[2].limit_mean_bps, None);
}

/// With multiple unicast, the same arrivals give the same figures for the group, except for flows and notifications.
#[test]
fn multiple_unicast_gives_the_same_figures_of_the_group() {
    let (multicast, unicast) = (measured(&[]).summary, measured(&[UNICAST]).summary);
    let names: Vec<&str> = unicast.flows.iter().map(|flow| flow.name.as_str()).collect();
    assert_eq!(names, ["f1.r1", "f1.r2", "f1.r3", "f2.r1", "f2.r2", "f2.r3", "f3"]);
    assert!(unicast.flows[..6].iter().all(|flow| flow.group.as_deref() == Some("g1")));
    assert!(unicast.flows.iter().all(|flow| flow.receivers.is_empty()));
    let [group] = &unicast.groups[..] else { panic!("one group") };
    let same = GroupSummary {
        flows: 6,
        feedback_overhead: group.feedback_overhead,
        notifications_per_source_mean: group.notifications_per_source_mean,
        notifications_per_source_peak: group.notifications_per_source_peak,
        ..multicast.groups[0].clone()
    };
    assert_eq!(*group, same);
    // Each of the three parts has half of the notifications, so the total is one and a half times as large.
    close(group.notifications_per_source_peak, 450.0);
    // r2 was a member for 0.3 s of the measured 0.8 s, and its flow ran for that time.
    close(unicast.flows[1].rate_bps, 30e6);
}

#[test]
fn a_run_without_groups_reports_none() {
    let prepared = prepare(&[]);
    let context =
        Context { spec: &prepared.spec, set_point: None, events: &[], groups: &[], entries: &[], jobs: &[] };
    let mut outcome = outcome(&prepared);
    outcome.flows.drain(..2);
    let mut spec = prepared.spec.clone();
    spec.flows.drain(..2);
    let summary = measure(&Context { spec: &spec, ..context }, outcome).summary;
    let json = serde_json::to_value(&summary).unwrap();
    assert!(json.get("groups").is_none());
    let flow = &json["flows"][0];
    for key in ["group", "receivers", "first_notified_s", "feedback_overhead"] {
        assert!(flow.get(key).is_none(), "{key}");
    }
    assert_eq!(serde_json::from_value::<setpoint_record::results::Summary>(json).unwrap(), summary);
}
