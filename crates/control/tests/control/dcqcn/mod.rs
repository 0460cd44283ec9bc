//! DCQCN, worked out by hand: every rule of both versions, and RED marking.

mod congestion_point;
mod notification_point;
mod paper;
mod profiles;
mod vendor;
mod window;

use setpoint_control::dcqcn::{ReactionPoint, RpParams};
use setpoint_control::{Feedback, Path, React};
use setpoint_units::{Rate, Time, TimeDelta};

const LINE: Rate = Rate::from_gbps(40);

fn at_nanos(nanos: u64) -> Time {
    Time::ZERO + TimeDelta::from_nanos(nanos)
}

fn at(micros: u64) -> Time {
    at_nanos(1_000 * micros)
}

fn notify(point: &mut ReactionPoint, now: Time) {
    point.on_feedback(now, &Feedback::Congestion, &mut || 0);
}

/// Lets all timers fire until `now`, at the times at which they are due.
fn pass(point: &mut ReactionPoint, now: Time) {
    while let Some(due) = point.timer().filter(|due| *due <= now) {
        point.on_timer(due, &mut || 0);
    }
}

fn mbps(point: &ReactionPoint) -> (f64, f64) {
    let of = |rate: Rate| rate.bits_per_second() as f64 / 1e6;
    (of(point.target_rate()), of(point.rate()))
}

/// Compares with exact values; ours round α to 2^-30 and rates to whole bits per second.
#[track_caller]
fn assert_near((target, rate): (f64, f64), (expected_target, expected_rate): (f64, f64)) {
    let near = |one: f64, other: f64| (one - other).abs() < 1e-7 * other;
    assert!(near(target, expected_target) && near(rate, expected_rate), "{target}, {rate}");
}

fn new(params: RpParams) -> ReactionPoint {
    ReactionPoint::new(params, &Path::at(LINE))
}
