//! Sequences for a reaction point.

use setpoint_control::{Limit, Notification, PointId, QuantizedFeedback, React};
use setpoint_units::{Bytes, TimeDelta};

use super::super::input::CONGESTION_POINT;
use super::super::input::{Event, ReceivedNotification};
use super::Sequence;
use super::player::Player;

pub(super) const SEQUENCES: &[Sequence] = &[
    ("one cut and the whole recovery", recovery),
    ("never notified", unnotified),
    ("every feedback", every_feedback),
    ("bursts of notifications", bursts),
    ("timer against byte counter", clocks),
    ("silence", silence),
    ("feedback of either sign", signs),
    ("two congestion points", two_points),
    ("at random", random),
];

const FRAME: u64 = 1_500;
const LONG_FRAME: u64 = 9_000;
const LONGEST_FRAME: u64 = 65_535;
const OTHER: PointId = PointId(9);
/// The magnitude of the largest feedback of QCN, Qeq(2w + 1) with its defaults.
const LARGEST: i64 = 130_000;

/// Positive feedback, which some algorithms ignore.
const SPARE: Notification =
    Notification { feedback: QuantizedFeedback::saturating(0), queue_offset: 26_000, queue_delta: -13_000 };

/// A notification with consistent quantised feedback and components: the magnitude is -offset + 2 delta, half of it
/// from each.
fn congested(feedback: u64) -> Notification {
    let magnitude = LARGEST * feedback as i64 / 63;
    Notification {
        feedback: QuantizedFeedback::saturating(feedback),
        queue_offset: -magnitude / 2,
        queue_delta: magnitude / 4,
    }
}

fn notify(player: &mut Player, from: PointId, notification: Notification) {
    player.play(Event::Notification(ReceivedNotification { time: player.clock, from, notification }));
}

/// Sends frames regardless of the rate.
fn send(player: &mut Player, frames: u64, bytes: u64) {
    for _ in 0..frames {
        player.play(Event::Sent(Bytes::new(bytes)));
    }
}

/// Waits for the timer; plays a timer event even if the timer is not running.
fn expire(player: &mut Player) {
    if let Some(due) = player.stepper().reaction_point().timer() {
        player.clock = player.clock.max(due);
    } else {
        player.wait(TimeDelta::from_micros(100));
    }
    if player.goes_on() {
        player.play(Event::Timer(player.clock));
    }
}

/// Sends enough frames to complete a byte-counter cycle, unless that would take too many.
fn send_cycle(player: &mut Player, frame: u64) {
    let cycle = player.longest_size().map_or(0, Bytes::get);
    send(player, (cycle / frame + 1).min(40), frame);
}

/// The strongest notification, then every event that can raise the rate, in turn: bytes, time, positive feedback.
fn recovery(player: &mut Player) {
    notify(player, CONGESTION_POINT, congested(63));
    while player.goes_on() {
        send_cycle(player, LONG_FRAME);
        expire(player);
        notify(player, CONGESTION_POINT, SPARE);
    }
}

/// A recovery in as few inputs as possible, with two more notifications halfway. Played with every parameter at its
/// extremes.
pub(super) fn probe(player: &mut Player) {
    for feedbacks in [&[63][..], &[20, 40]] {
        let left = player.left();
        for feedback in feedbacks {
            notify(player, CONGESTION_POINT, congested(*feedback));
        }
        while player.goes_on() && player.left() > left / 3 {
            send_cycle(player, LONGEST_FRAME);
            expire(player);
            notify(player, CONGESTION_POINT, SPARE);
        }
    }
}

/// Sends without ever being notified, and checks a timer that is not running.
fn unnotified(player: &mut Player) {
    let rounds = player.left().min(40) / 4;
    for _ in 0..rounds {
        send(player, 3, FRAME);
        expire(player);
    }
}

fn every_feedback(player: &mut Player) {
    for feedback in 0..=63 {
        notify(player, CONGESTION_POINT, congested(feedback));
        send(player, 1, FRAME);
        expire(player);
        notify(player, CONGESTION_POINT, SPARE);
        expire(player);
    }
}

/// Notifications in quick succession, with and without frames in between, and part of the recovery.
fn bursts(player: &mut Player) {
    while player.goes_on() {
        for feedback in [63, 31, 63, 8, 1, 50] {
            notify(player, CONGESTION_POINT, congested(feedback));
            player.wait(TimeDelta::from_micros(10));
            send(player, feedback % 3, FRAME);
        }
        send_cycle(player, LONG_FRAME);
        expire(player);
        notify(player, CONGESTION_POINT, SPARE);
        expire(player);
    }
}

/// A source that sends at the minimum rate: the next event is its next frame or its timer, whichever comes first.
fn clocks(player: &mut Player) {
    for _ in 0..12 {
        notify(player, CONGESTION_POINT, congested(63));
    }
    let frame = Bytes::new(LONG_FRAME);
    while player.goes_on() {
        let point = player.stepper().reaction_point();
        let departure = match point.limit() {
            Limit::Rate(rate) | Limit::Window { rate, .. } => {
                Some(player.clock.saturating_add(rate.time_to_send(frame)))
            }
            Limit::Silent => None,
        };
        match departure.filter(|departure| point.timer().is_none_or(|due| due > *departure)) {
            Some(departure) => {
                player.clock = departure;
                player.play(Event::Sent(frame));
            }
            None => expire(player),
        }
    }
}

/// A source that has nothing to send while its timer runs, then sends.
fn silence(player: &mut Player) {
    notify(player, CONGESTION_POINT, congested(40));
    let quiet = player.left() * 3 / 4;
    for _ in 0..quiet {
        expire(player);
    }
    while player.goes_on() {
        send(player, 1, LONG_FRAME);
    }
}

/// Queues above and below the set point, growing and shrinking, after a rate cut.
fn signs(player: &mut Player) {
    while player.goes_on() {
        notify(player, CONGESTION_POINT, congested(63));
        for magnitude in [1, 100, 2_000, 13_000, 26_000, 260_000] {
            for (offset, delta) in [(1, -1), (1, 0), (1, 1), (0, -1), (-1, -1), (-1, 0)] {
                let notification = Notification {
                    feedback: QuantizedFeedback::default(),
                    queue_offset: offset * magnitude,
                    queue_delta: delta * magnitude / 2,
                };
                notify(player, CONGESTION_POINT, notification);
                player.wait(TimeDelta::from_micros(50));
                send(player, 1, FRAME);
            }
        }
        expire(player);
    }
}

/// Negative and positive feedback from two congestion points in turn.
fn two_points(player: &mut Player) {
    while player.goes_on() {
        for (from, notification) in [
            (CONGESTION_POINT, congested(20)),
            (OTHER, SPARE),
            (OTHER, congested(5)),
            (CONGESTION_POINT, SPARE),
            (OTHER, congested(40)),
            (OTHER, SPARE),
            (CONGESTION_POINT, congested(1)),
        ] {
            notify(player, from, notification);
            player.wait(TimeDelta::from_micros(50));
            send(player, 2, FRAME);
        }
        send_cycle(player, LONG_FRAME);
        expire(player);
    }
}

fn random(player: &mut Player) {
    while player.goes_on() {
        match player.between(0, 9) {
            0 => {
                let (feedback, offset) = (player.between(0, 63), player.between(0, 26_000));
                let from = if player.between(0, 3) == 0 { OTHER } else { CONGESTION_POINT };
                let notification = match feedback {
                    0..32 => Notification { queue_offset: offset as i64, ..congested(0) },
                    _ => congested(feedback),
                };
                notify(player, from, notification);
            }
            1 => expire(player),
            _ => {
                let bytes = player.between(64, LONG_FRAME);
                send(player, 1, bytes);
                let span = player.between(0, 100_000_000);
                player.wait(TimeDelta::from_picos(span));
            }
        }
    }
}
