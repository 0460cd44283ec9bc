//! Sequences for a notification point.
//!
//! Frames arrive with reports of two bridges and in part marked, at times that are chosen freely. The timer is checked whenever
//! it has expired before the next frame.

use setpoint_control::{HopReport, Mark};
use setpoint_units::{Bytes, Time, TimeDelta};

use super::super::input::{DeliveredFrame, Event};
use super::Sequence;
use super::player::Player;

pub(super) const SEQUENCES: &[Sequence] = &[
    ("frames in a row", row),
    ("every frame marked", marked),
    ("bursts and pauses", bursts),
    ("short and long frames", lengths),
    ("late marks", late),
    ("at random", random),
];

const FRAME: u64 = 1_500;
const LONG_FRAME: u64 = 9_000;
const GAP: TimeDelta = TimeDelta::from_micros(1);

/// Delivers a frame after a time, and before it checks the timer if it is due by then.
fn deliver(player: &mut Player, gap: TimeDelta, bytes: u64, mark: Mark) {
    player.wait(gap);
    while let Some(due) = player.stepper().reply_due().filter(|due| *due <= player.clock) {
        if !player.goes_on() {
            return;
        }
        player.play(Event::NpTimer(due));
    }
    let settled = player.settle(bytes);
    let before = |span: TimeDelta| Time::from_picos(player.clock.as_picos().saturating_sub(span.as_picos()));
    let hop = |number: u64| HopReport {
        at: before(TimeDelta::from_micros(3) * (2 - number)),
        queue: Bytes::new(settled % 100_000 * (number + 1)),
        sent: Bytes::new(settled * (number + 1)),
        rate: player.line_rate(),
    };
    let delivered = DeliveredFrame {
        time: player.clock,
        frame: Bytes::new(bytes),
        sent_at: before(TimeDelta::from_micros(8)),
        settled: Bytes::new(settled),
        mark,
        hops: vec![hop(0), hop(1)],
    };
    player.play(Event::Delivery(delivered));
}

fn row(player: &mut Player) {
    while player.goes_on() {
        deliver(player, GAP, FRAME, Mark::Clear);
    }
}

fn marked(player: &mut Player) {
    while player.goes_on() {
        deliver(player, GAP, FRAME, Mark::Congested);
    }
}

/// Bursts of growing length, in which every third frame is marked, and pauses longer than any timer. Also played with every
/// parameter at its extremes.
pub(super) fn bursts(player: &mut Player) {
    let pause = player.longest_time().unwrap_or(TimeDelta::from_millis(1)).min(TimeDelta::from_millis(10));
    for length in (1..40).cycle() {
        if !player.goes_on() {
            break;
        }
        for frame in 0..length {
            let mark = if frame % 3 == 2 { Mark::Congested } else { Mark::Clear };
            deliver(player, GAP, FRAME, mark);
        }
        player.wait(pause + GAP);
    }
}

fn lengths(player: &mut Player) {
    for bytes in [64, LONG_FRAME, FRAME, 1, LONG_FRAME, LONG_FRAME, 65_535].into_iter().cycle() {
        if !player.goes_on() {
            break;
        }
        deliver(player, GAP * 3, bytes, Mark::Clear);
    }
}

/// A marked frame after every interval from 10 to 200 us.
fn late(player: &mut Player) {
    for micros in (10..200).step_by(10).cycle() {
        if !player.goes_on() {
            break;
        }
        deliver(player, TimeDelta::from_micros(micros), FRAME, Mark::Congested);
    }
}

fn random(player: &mut Player) {
    while player.goes_on() {
        let bytes = player.between(1, LONG_FRAME);
        let gap = TimeDelta::from_picos(player.between(0, 60_000_000));
        let mark = if player.between(0, 3) == 0 { Mark::Congested } else { Mark::Clear };
        deliver(player, gap, bytes, mark);
    }
}
