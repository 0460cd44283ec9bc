//! PowerTCP, worked out by hand: power from reports and from delays. The line rate is 10 Gb/s and T = 10 us, so
//! that B T = 12.5 kB.

use setpoint_control::powertcp::{ReactionPoint, RpParams};
use setpoint_control::telemetry::Fields;
use setpoint_control::{
    Acknowledgement, Algorithm, Feedback, HopReport, Limit, Mark, Params, Path, Preset, React, Update,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

const LINE: Rate = Rate::from_gbps(10);
const T: TimeDelta = TimeDelta::from_micros(10);

fn path() -> Path {
    Path { base_rtt: T, largest_rtt: T, ..Path::at(LINE) }
}

fn at(micros: u64) -> Time {
    Time::ZERO + TimeDelta::from_micros(micros)
}

fn report(micros: u64, queue: u64, sent: u64) -> HopReport {
    HopReport { at: at(micros), queue: Bytes::new(queue), sent: Bytes::new(sent), rate: LINE }
}

fn acknowledge(
    point: &mut ReactionPoint,
    now: Time,
    sent_at: Time,
    settled: u64,
    hops: &[HopReport],
) -> Update {
    let settled = Bytes::new(settled);
    let content = Acknowledgement { sent_at, bytes: settled, settled, mark: Mark::Clear, hops };
    point.on_feedback(now, &Feedback::Acknowledgement(content), &mut || 0)
}

/// The rates in Mb/s after reports with these times, queues and bytes sent, each in a window of its own.
fn rates(reports: &[(u64, u64, u64)]) -> Vec<f64> {
    let mut point = ReactionPoint::new(RpParams { fields: Fields::Exact, ..RpParams::default() }, &path());
    let after = |(index, &(micros, queue, sent)): (usize, &(u64, u64, u64))| {
        let now = at(micros);
        acknowledge(&mut point, now, now, 1_000 * (index as u64 + 1), &[report(micros, queue, sent)]);
        assert_eq!(point.limit(), Limit::Window { bytes: point.rate() * T, rate: point.rate() });
        point.rate().bits_per_second() as f64 / 1e6
    };
    reports.iter().enumerate().map(after).collect()
}

/// The rate that follows from a reference and from U, in Mb/s.
fn next(reference: f64, power: f64) -> f64 {
    0.9 * (reference * 0.95 / power + 150.0) + 0.1 * reference
}

#[track_caller]
fn assert_near(found: &[f64], expected: &[f64]) {
    let near = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-3;
    assert!(
        found.len() == expected.len() && found.iter().zip(expected).all(near),
        "{found:?}, not {expected:?}"
    );
}

#[test]
fn power_is_current_times_voltage() {
    // A full link without a queue; then the queue grows to 2.5 kB in T: λ = 1.2 B and the voltage is 1.2 B T.
    let second = next(next(10_000.0, 1.0), 1.44);
    assert_near(&rates(&[(0, 0, 0), (10, 0, 12_500), (20, 2_500, 25_000)]), &[10_000.0, 9_685.0, second]);
    // The queue drains from 5 kB to 4 kB: λ = 0.92 B, and the voltage is 1.32 B T.
    assert_near(&rates(&[(0, 5_000, 0), (10, 4_000, 12_500)]), &[10_000.0, next(10_000.0, 0.92 * 1.32)]);
}

/// An idle port counts as half used. After half of T: U = 0.5 x 3 + 0.5 x 0.5.
#[test]
fn power_is_averaged_and_has_a_minimum() {
    assert_near(&rates(&[(0, 25_000, 0), (10, 25_000, 12_500)]), &[10_000.0, next(10_000.0, 3.0)]);
    let [_, low, after] = rates(&[(0, 25_000, 0), (10, 25_000, 12_500), (15, 0, 12_500)])[..] else {
        panic!("there are three reports")
    };
    assert_near(&[after], &[next(low, 0.5 * 3.0 + 0.5 * 0.5)]);
}

#[test]
fn the_reference_changes_once_per_window() {
    let mut point = ReactionPoint::new(RpParams { fields: Fields::Exact, ..RpParams::default() }, &path());
    for _ in 0..3 {
        point.on_sent(Bytes::new(1_000), &mut || 0);
    }
    let mut rates = Vec::new();
    for (index, settled) in [(0, 1_000), (1, 2_000), (2, 3_000), (3, 4_000), (4, 5_000)] {
        let hops = [report(10 * index, 12_500, 12_500 * index)];
        acknowledge(&mut point, at(10 * index), at(10 * index), settled, &hops);
        rates.push(point.rate().bits_per_second() as f64 / 1e6);
    }
    let (first, second) = (next(10_000.0, 2.0), next(next(10_000.0, 2.0), 2.0));
    assert_near(&rates, &[10_000.0, first, first, first, second]);
}

/// The round-trip time grows from 10.5 us to 12.6 us in 10 us: u = 1.21 x 1.2. Then it falls fast: 0.5 x 10.5/10.5.
#[test]
fn power_by_delay() {
    let profile = Algorithm::Powertcp.profile("theta-powertcp");
    let params = Params::of(Preset::TenG, profile).powertcp.rp;
    let mut point = ReactionPoint::new(params, &path());
    let mut after = |now: Time, nanos: u64, settled| {
        let sent_at = Time::from_picos(now.as_picos() - nanos * 1_000);
        acknowledge(&mut point, now, sent_at, settled, &[]);
        point.rate().bits_per_second() as f64 / 1e6
    };
    let next = |reference: f64, power: f64| 0.7 * (reference / power + 150.0) + 0.3 * reference;
    assert_near(&[after(at(100), 10_500, 1_000)], &[10_000.0]);
    let first = next(10_000.0, 1.21 * 1.2);
    assert_near(&[after(at(110), 12_600, 2_000)], &[first]);
    let second = next(first, 0.8 * 1.21 * 1.2 + 0.2 * 0.5);
    assert_near(&[after(at(112), 10_500, 3_000)], &[second]);
}
