//! HPCC, worked out by hand: every rule. The line rate is 10 Gb/s, T = 10 us, so that B T = 12.5 kB, and R_AI = 4 Mb/s.

use setpoint_control::hpcc::{NotificationPoint, NpParams, ReactionPoint, References, RpParams, Updates};
use setpoint_control::parameter::Percent;
use setpoint_control::telemetry::{Fields, Telemetry};
use setpoint_control::{
    Acknowledgement, Answer, BaseRtt, Delivery, Feedback, HopReport, Limit, Mark, Path, React, Reply, Update,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

const LINE: Rate = Rate::from_gbps(10);
const T: TimeDelta = TimeDelta::from_micros(10);

fn path() -> Path {
    Path { base_rtt: TimeDelta::from_micros(8), largest_rtt: T, ..Path::at(LINE) }
}

fn exact() -> RpParams {
    RpParams { fields: Fields::Exact, ..RpParams::default() }
}

fn report(micros: u64, queue: u64, sent: u64) -> HopReport {
    let at = Time::ZERO + TimeDelta::from_micros(micros);
    HopReport { at, queue: Bytes::new(queue), sent: Bytes::new(sent), rate: LINE }
}

fn acknowledge(point: &mut ReactionPoint, settled: u64, hops: &[HopReport]) -> Update {
    let settled = Bytes::new(settled);
    let content = Acknowledgement { sent_at: Time::ZERO, bytes: settled, settled, mark: Mark::Clear, hops };
    point.on_feedback(Time::ZERO, &Feedback::Acknowledgement(content), &mut || 0)
}

fn mbps(point: &ReactionPoint) -> f64 {
    point.rate().bits_per_second() as f64 / 1e6
}

#[track_caller]
fn assert_near(point: &ReactionPoint, expected: f64) {
    assert!((mbps(point) - expected).abs() < 1e-4, "{} instead of {expected}", mbps(point));
}

/// A window in which the port is fully used: U = 1 and R = 10 Gb/s 0.95 + 4 Mb/s. Then 4 us at half use without a queue:
/// U = 0.6 x 1 + 0.4 x 0.5 = 0.8, and R = 9504 Mb/s 0.95/0.8 + 4 Mb/s, above the line rate.
#[test]
fn the_rate_follows_the_use() {
    let mut point = ReactionPoint::new(exact(), &path());
    assert_eq!(point.limit(), Limit::Window { bytes: Bytes::new(12_500), rate: LINE });
    assert_eq!(acknowledge(&mut point, 1_000, &[report(0, 0, 0)]), Update::Unchanged);
    assert_eq!(acknowledge(&mut point, 2_000, &[report(10, 0, 12_500)]), Update::Changed);
    assert_near(&point, 9_504.0);
    assert_eq!(point.limit(), Limit::Window { bytes: Bytes::new(11_880), rate: Rate::from_mbps(9_504) });
    assert_eq!(acknowledge(&mut point, 3_000, &[report(14, 0, 15_000)]), Update::Changed);
    assert_near(&point, 10_000.0);
    assert_eq!((point.counters().get("decreases"), point.counters().get("increases")), (1, 1));
}

/// Over 20 us, which counts as T, the port was fully used and had queues of 5 kB and 2.5 kB: u = 1 + 2.5/12.5 = 1.2.
#[test]
fn the_shorter_of_two_queues_counts() {
    let mut point = ReactionPoint::new(exact(), &path());
    acknowledge(&mut point, 1_000, &[report(0, 5_000, 0)]);
    acknowledge(&mut point, 2_000, &[report(20, 2_500, 25_000)]);
    assert_near(&point, 10_000.0 * 0.95 / 1.2 + 4.0);
}

/// The second port is used more: its u of 1.2 counts, not the first one's 0.4.
#[test]
fn the_busiest_port_counts() {
    let mut point = ReactionPoint::new(exact(), &path());
    acknowledge(&mut point, 1_000, &[report(0, 0, 0), report(1, 2_500, 0)]);
    acknowledge(&mut point, 2_000, &[report(10, 0, 5_000), report(11, 2_500, 12_500)]);
    assert_near(&point, 10_000.0 * 0.95 / 1.2 + 4.0);
}

/// R starts from the same reference until all bytes sent before the last update are settled; then it becomes the reference.
/// Without a reference, every report that counts acts on the last rate.
#[test]
fn the_reference_changes_once_per_window() {
    let run = |updates| {
        let mut point = ReactionPoint::new(RpParams { updates, ..exact() }, &path());
        for _ in 0..4 {
            point.on_sent(Bytes::new(1_000), &mut || 0);
        }
        acknowledge(&mut point, 1_000, &[report(0, 0, 0)]);
        let mut rates = Vec::new();
        for (index, settled) in [(1, 3_000), (2, 4_000), (3, 5_000), (4, 6_000)] {
            // Full use and a queue of 12.5 kB: u = 2 and U = 2 after 10 us.
            acknowledge(&mut point, settled, &[report(10 * index, 12_500, 12_500 * index)]);
            rates.push(mbps(&point));
        }
        rates
    };
    // The first report had no queue: u = 1.
    assert_eq!(run(Updates::Acknowledgement), [9_504.0, 4_754.0, 4_754.0, 2_262.15]);
    // The second report that counts is 30 us after the first.
    assert_eq!(run(Updates::WithoutReference), [9_504.0, 4_518.4, 2_150.24, 1_025.364]);
    assert_eq!(run(Updates::Window), [10_000.0, 10_000.0, 9_504.0, 4_518.4]);
}

/// With two stages, use below η adds R_AI in two windows, and then changes the rate in proportion, here to the line rate.
#[test]
fn stages_of_additive_increase() {
    let mut point = ReactionPoint::new(RpParams { max_stage: 2, ..exact() }, &path());
    acknowledge(&mut point, 1_000, &[report(0, 0, 0)]);
    // U = 1.9: the rate is halved.
    acknowledge(&mut point, 2_000, &[report(10, 0, 23_750)]);
    assert_near(&point, 5_004.0);
    for (index, expected) in [(2, 5_008.0), (3, 5_012.0), (4, 10_000.0)] {
        let sent = 23_750 + (index - 1) * 5_937 + (index - 1) / 2;
        acknowledge(&mut point, 1_000 * (index + 1), &[report(10 * index, 0, sent)]);
        assert!((mbps(&point) - expected).abs() < 1.0, "{index}: {}", mbps(&point));
    }
}

/// The first port asks for 10 Gb/s 0.95/1.2 + 4 Mb/s, and the second, whose queue is longer, for 0.95/1.6.
#[test]
fn a_reference_for_each_port() {
    let params = RpParams { references: References::PerHop, ..exact() };
    let mut point = ReactionPoint::new(params, &path());
    acknowledge(&mut point, 1_000, &[report(0, 2_500, 0), report(1, 7_500, 0)]);
    acknowledge(&mut point, 2_000, &[report(10, 2_500, 12_500), report(11, 7_500, 12_500)]);
    assert_near(&point, 10_000.0 * 0.95 / 1.6 + 4.0);
    // Both ports are idle now: the first one's reference is the higher one.
    acknowledge(&mut point, 3_000, &[report(15, 0, 12_500), report(16, 0, 12_500)]);
    let second = 10_000.0 * 0.95 / 1.6 + 4.0;
    assert_near(&point, second * 0.95 / 0.8 + 4.0);
}

/// Times in ns, bytes in 128 B and queues in 80 B: 1999.999 ns count as 1999, 1279 B as 1152 and 239 B as 160. Both counters
/// wrap.
#[test]
fn fields_of_the_header() {
    let picos = |picos, queue, sent| HopReport {
        at: Time::from_picos(picos),
        queue: Bytes::new(queue),
        sent: Bytes::new(sent),
        rate: LINE,
    };
    let change = |fields| {
        let mut telemetry = Telemetry::NONE;
        assert!(telemetry.update(&[picos(0, 79, 0)], fields).iter().all(Option::is_none));
        telemetry.update(&[picos(1_999_999, 239, 1_279)], fields)[0].expect("there are two reports")
    };
    let (exact, rounded) = (change(Fields::Exact), change(Fields::Quantised));
    assert_eq!((exact.span.as_picos(), exact.sent.get(), exact.queues[1].get()), (1_999_999, 1_279, 239));
    assert_eq!((rounded.span, rounded.sent.get()), (TimeDelta::from_nanos(1_999), 1_152));
    assert_eq!(rounded.queues.map(Bytes::get), [0, 160]);
    let mut telemetry = Telemetry::NONE;
    let (before, wrap) = ((1 << 24) - 10, 128 << 20);
    telemetry.update(&[picos(before * 1_000, 0, wrap - 1_280)], Fields::Quantised);
    let wrapped =
        telemetry.update(&[picos((before + 30) * 1_000, u64::MAX, wrap + 2_560)], Fields::Quantised);
    let wrapped = wrapped[0].expect("there are two reports");
    assert_eq!((wrapped.span, wrapped.sent.get()), (TimeDelta::from_nanos(30), 3_840));
    assert_eq!(wrapped.queues[1].get(), ((1 << 17) - 1) * 80);
}

#[test]
fn reports_without_a_predecessor_change_nothing() {
    let mut point = ReactionPoint::new(exact(), &path());
    acknowledge(&mut point, 1_000, &[report(0, 0, 0)]);
    // Another path, the same time, and no reports.
    for hops in
        [&[report(9, 90_000, 0), report(9, 0, 0)][..], &[report(9, 90_000, 9_000), report(9, 0, 0)], &[]]
    {
        assert_eq!(acknowledge(&mut point, 2_000, hops), Update::Unchanged);
    }
}

#[test]
fn windows_follow_the_round_trip_time() {
    let of = |base_rtt| ReactionPoint::new(RpParams { base_rtt, ..exact() }, &path()).window().get();
    assert_eq!((of(BaseRtt::Network), of(BaseRtt::Path)), (12_500, 10_000));
    let mut point = ReactionPoint::new(RpParams { utilisation: Percent::new(1), ..exact() }, &path());
    acknowledge(&mut point, 1_000, &[report(0, 0, 0)]);
    acknowledge(&mut point, 2_000, &[report(10, 0, 12_500)]);
    assert_near(&point, 104.0);
    point.set_params(RpParams { min_rate: Rate::from_gbps(1), ..exact() });
    assert_eq!((point.rate(), point.window().get()), (Rate::from_gbps(1), 1_250));
}

/// Frames that do not complete a batch are acknowledged 50 us after the first of them, without reports.
#[test]
fn incomplete_batches_are_acknowledged_later() {
    let at = |micros| Time::ZERO + TimeDelta::from_micros(micros);
    let mut point = NotificationPoint::new(NpParams { frames: 3, ..NpParams::default() });
    let frame = Bytes::new(1_000);
    let hops = [report(0, 0, 0)];
    let mut deliver = |now, count: u64| {
        let settled = Bytes::new(1_000 * count);
        let delivery = Delivery { now, frame, sent_at: now, mark: Mark::Clear, settled, hops: &hops };
        let reply = point.on_delivery(&delivery);
        let bytes = match reply {
            Some(Reply::Acknowledgement(content)) => Some((content.bytes.get(), content.hops.len())),
            _ => None,
        };
        (bytes, point.timer())
    };
    assert_eq!(deliver(at(1), 1), (None, Some(at(51))));
    assert_eq!(deliver(at(2), 2), (None, Some(at(51))));
    assert_eq!(deliver(at(3), 3), (Some((3_000, 1)), None));
    assert_eq!(deliver(at(9), 4), (None, Some(at(59))));
    assert_eq!(point.on_timer(at(58)), None);
    let Some(Reply::Acknowledgement(late)) = point.on_timer(at(59)) else { panic!("it is due") };
    let expected = (1_000, 4_000, at(9), 0);
    assert_eq!((late.bytes.get(), late.settled.get(), late.sent_at, late.hops.len()), expected);
    assert_eq!((point.timer(), point.counters().get("reports")), (None, 2));
}
