//! One state per congestion point, and the minimum of their rates.

use setpoint_control::qcn::{Release, RpParams};
use setpoint_control::{Backlog, Counters, Entry, GroupRule, React, ReactionPoint, Reading, Update};
use setpoint_units::{Bytes, Rate};

use super::{A, B, LINE, at, bits, by, feedback, states, tell, with};
use crate::entropy::Constant;

fn send(point: &mut ReactionPoint, bytes: u64) -> Update {
    point.on_sent(Bytes::new(bytes), &mut Constant(0))
}

fn expire(point: &mut ReactionPoint, micros: u64) -> Update {
    assert_eq!(point.timer(), Some(at(micros)));
    point.on_timer(at(micros), &mut Constant(0))
}

#[test]
fn a_notification_changes_the_state_of_its_sender() {
    let mut point = by(GroupRule::SlowestPath);
    assert_eq!((point.rate(), states(&point)), (LINE, vec![]));
    assert!(point.may_release(Backlog::Waiting));
    assert_eq!(tell(&mut point, 0, B, feedback(48)), Update::Changed);
    assert_eq!(tell(&mut point, 1, A, feedback(32)), Update::Unchanged);
    // Ordered by number, not by first notification.
    assert_eq!(states(&point), [(A, Rate::from_mbps(7_500)), (B, Rate::from_mbps(6_250))]);
    assert_eq!(point.rate(), Rate::from_mbps(6_250));
    assert_eq!(tell(&mut point, 2, A, feedback(32)), Update::Changed);
    assert_eq!(bits(&point), 5_625_000_000);
    assert!(!point.may_release(Backlog::Empty));
}

#[test]
fn a_notification_without_feedback_creates_no_state() {
    let mut point = by(GroupRule::SlowestPath);
    assert_eq!(tell(&mut point, 0, A, feedback(0)), Update::Unchanged);
    assert_eq!((states(&point), point.counters()), (vec![], Counters::default()));
}

/// A's timer starts a cycle at 0, B's at 5 ms; the first cycle takes 15 ms.
#[test]
fn every_state_has_its_own_timer() {
    let mut point = by(GroupRule::SlowestPath);
    tell(&mut point, 0, A, feedback(32));
    tell(&mut point, 5_000, B, feedback(48));
    // A goes halfway from 7.5 to 10 Gb/s.
    assert_eq!(expire(&mut point, 15_000), Update::Unchanged);
    assert_eq!(states(&point), [(A, Rate::from_mbps(8_750)), (B, Rate::from_mbps(6_250))]);
    // B goes halfway from 6.25 to 10 Gb/s.
    assert_eq!(expire(&mut point, 20_000), Update::Changed);
    assert_eq!(states(&point), [(A, Rate::from_mbps(8_750)), (B, Rate::from_mbps(8_125))]);
    assert_eq!(point.rate(), Rate::from_mbps(8_125));
    // With the smallest random number, A's second cycle is 15 % shorter and ends at 27.75 ms.
    expire(&mut point, 27_750);
    assert_eq!(states(&point), [(A, Rate::from_mbps(9_375)), (B, Rate::from_mbps(8_125))]);
    assert_eq!(point.counters().get("fast_recovery_cycles"), 3);
}

/// Timers that are due at the same time are handled together.
#[test]
fn one_call_serves_all_timers_that_are_due() {
    let mut point = by(GroupRule::SlowestPath);
    tell(&mut point, 0, A, feedback(32));
    tell(&mut point, 0, B, feedback(48));
    assert_eq!(expire(&mut point, 15_000), Update::Changed);
    assert_eq!(states(&point), [(A, Rate::from_mbps(8_750)), (B, Rate::from_mbps(8_125))]);
}

/// A byte-counter cycle ends with the frame that exceeds 150 kB; B's cycle begins 100 kB later.
#[test]
fn every_state_counts_every_frame() {
    let mut point = by(GroupRule::SlowestPath);
    tell(&mut point, 0, A, feedback(48));
    assert_eq!(send(&mut point, 100_000), Update::Unchanged);
    tell(&mut point, 0, B, feedback(32));
    assert_eq!(send(&mut point, 50_001), Update::Changed);
    assert_eq!(states(&point), [(A, Rate::from_mbps(8_125)), (B, Rate::from_mbps(7_500))]);
    assert_eq!(point.rate(), Rate::from_mbps(7_500));
    assert_eq!(send(&mut point, 100_000), Update::Changed);
    assert_eq!(states(&point)[1], (B, Rate::from_mbps(8_750)));
    assert_eq!(point.rate(), Rate::from_mbps(8_125));
}

/// A state starts at the maximum rate: a second point must first reduce its own rate below the first point's.
#[test]
fn a_late_point_has_to_notify_repeatedly() {
    let mut point = by(GroupRule::SlowestPath);
    for _ in 0..2 {
        tell(&mut point, 0, A, feedback(63));
    }
    let rates = [0; 3].map(|micros| {
        tell(&mut point, micros, B, feedback(63));
        bits(&point)
    });
    assert_eq!(rates, [2_578_735_351, 2_578_735_351, 1_309_514_045]);
}

/// A recovers the missing 78.125 Mb/s in 27 cycles, and B the missing 4.9 Gb/s in 33: each cycle halves the
/// difference and rounds down.
#[test]
fn a_state_that_is_no_longer_needed_ends() {
    let mut point = by(GroupRule::SlowestPath);
    tell(&mut point, 0, A, feedback(1));
    tell(&mut point, 0, B, feedback(63));
    for _ in 0..26 {
        send(&mut point, 200_000);
    }
    assert_eq!(states(&point).len(), 2);
    send(&mut point, 200_000);
    assert_eq!(states(&point).iter().map(|&(of, _)| of).collect::<Vec<_>>(), [B]);
    let counters = point.counters();
    assert_eq!(
        (
            counters.get("decreases"),
            counters.get("fast_recovery_cycles") + counters.get("active_increase_cycles")
        ),
        (2, 54)
    );
    for _ in 0..5 {
        send(&mut point, 200_000);
    }
    assert!(point.rate() < LINE);
    send(&mut point, 200_000);
    // The last state stays, because frames may be waiting for it.
    assert_eq!((point.rate(), states(&point).len()), (LINE, 1));
    assert!(!point.may_release(Backlog::Waiting));
    assert!(point.may_release(Backlog::Empty));
    assert_eq!(point.counters().get("decreases"), 2);
}

#[test]
fn a_state_that_is_released_at_the_largest_rate_leaves_none() {
    let params = RpParams { release: Release::AtMaxRate, ..RpParams::default() };
    let mut point = with(params, GroupRule::SlowestPath);
    tell(&mut point, 0, A, feedback(1));
    while point.rate() < LINE {
        send(&mut point, 200_000);
    }
    assert_eq!((states(&point), point.timer()), (vec![], None));
    assert!(point.may_release(Backlog::Waiting));
    assert_eq!(point.counters().get("decreases"), 1);
}

/// Two states at the maximum rate stay while frames wait; when one rate is cut, no frame waits because of the
/// other.
#[test]
fn frames_wait_for_the_slowest_state() {
    let mut point = by(GroupRule::SlowestPath);
    tell(&mut point, 0, A, feedback(1));
    tell(&mut point, 0, B, feedback(1));
    for _ in 0..27 {
        send(&mut point, 200_000);
    }
    assert_eq!(states(&point), [(A, LINE), (B, LINE)]);
    tell(&mut point, 0, B, feedback(64));
    assert_eq!(states(&point), [(B, Rate::from_bits_per_second(5_078_125_000))]);
}

#[test]
fn the_target_is_the_minimum_of_all() {
    let mut point = by(GroupRule::SlowestPath);
    assert_eq!(point.target_rate(), LINE);
    tell(&mut point, 0, A, feedback(32));
    send(&mut point, 150_001);
    // From 8.75 Gb/s to 6.5625, with a new target since a cycle was completed.
    tell(&mut point, 0, A, feedback(32));
    tell(&mut point, 0, B, feedback(63));
    assert_eq!(bits(&point), 5_078_125_000);
    assert_eq!(point.target_rate(), Rate::from_mbps(8_750));
}

#[test]
fn the_state_says_whose_it_is() {
    let mut point = by(GroupRule::SlowestPath);
    tell(&mut point, 0, B, feedback(48));
    tell(&mut point, 0, A, feedback(32));
    let mut shown: Vec<Entry> = Vec::new();
    point.state(&mut shown);
    let lines: Vec<String> =
        shown.iter().map(|Entry { name, of, reading }| format!("{name} {of:?} {reading:?}")).collect();
    insta::assert_snapshot!(lines.join("\n"));
    let rates = shown.iter().filter(|entry| entry.name == "rate");
    let rates: Vec<_> = rates.map(|entry| (entry.of, entry.reading)).collect();
    let rate = |mbps| Reading::Rate(Rate::from_mbps(mbps));
    assert_eq!(rates, [(Some(1), rate(7_500)), (Some(2), rate(6_250))]);
}
