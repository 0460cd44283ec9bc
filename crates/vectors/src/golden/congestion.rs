//! Sequences for a congestion point.
//!
//! Queue lengths are chosen relative to the set point and are not those of a simulated queue: the sequences cover
//! corner cases, likely or not.

use setpoint_control::{Admission, Arrival, Departure, FlowKey, PointId, Tenant};
use setpoint_units::{Bytes, Rate, TimeDelta};

use super::super::answer::Outcome;
use super::super::input::CONGESTION_POINT;
use super::super::input::Event;
use super::Sequence;
use super::player::Player;

pub(super) const SEQUENCES: &[Sequence] = &[
    ("bursts of long frames", bursts),
    ("up through the set point, hold, drain, empty", ramp),
    ("every length of queue with every length of frame", lengths),
    ("flows and tenants of different weights and bounds", accounts),
    ("tagged frames around the set point", tags),
    ("at random", random),
];

pub(super) const FRAME: u64 = 1_500;
pub(super) const LONG_FRAME: u64 = 9_000;
const LONGEST_FRAME: u64 = 65_535;
/// The longest queue that an input can express.
const LONGEST_QUEUE: u64 = 1_000_000_000_000;

/// A frame in a sequence.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    bytes: u64,
    /// Queue length including the frame.
    queue: u64,
    flow: u32,
    tenant: Tenant,
    tag: Option<PointId>,
}

impl Frame {
    pub(super) const fn new(bytes: u64, queue: u64) -> Self {
        Self { bytes, queue, flow: 0, tenant: Tenant::ANYONE, tag: None }
    }
}

/// Plays a frame. If the algorithm drops frames, the frame must be admitted first. If it marks frames that leave the queue,
/// this one leaves it at once, with the same queue length.
pub(super) fn arrive(player: &mut Player, frame: Frame) {
    let arrival = Arrival {
        now: player.clock,
        flow: FlowKey(frame.flow),
        tenant: frame.tenant,
        tag: frame.tag,
        ..Arrival::of(Bytes::new(frame.bytes), Bytes::new(frame.queue.min(LONGEST_QUEUE)))
    };
    if player.needs().admission {
        let without = Arrival { queue: arrival.queue.saturating_sub(arrival.frame), ..arrival };
        if player.play(Event::Admit(without)) != Some(Outcome::Judged(Admission::Accept)) {
            return;
        }
    }
    player.play(Event::Enqueue(arrival));
    if player.needs().departures {
        let Arrival { now, frame, queue, flow, .. } = arrival;
        player.play(Event::Dequeue(Departure { now, frame, queue, flow }));
    }
}

/// Waits for the transmission time of a frame at line rate.
pub(super) fn pass(player: &mut Player, bytes: u64) {
    let span = player.line_rate().time_to_send(Bytes::new(bytes));
    player.wait(span);
}

/// Number of frames that still fit into the sequence.
pub(super) fn frames(player: &Player) -> u64 {
    let needs = player.needs();
    u64::from(player.left() / (1 + u32::from(needs.admission) + u32::from(needs.departures)))
}

/// Thirty frames at four times the line rate, then a pause in which the queue drains to nearly empty. Also played
/// with every parameter at its extremes.
pub(super) fn bursts(player: &mut Player) {
    while player.goes_on() {
        for index in 1..=30 {
            arrive(player, Frame::new(LONG_FRAME, index * LONG_FRAME * 3 / 4 + LONG_FRAME));
            pass(player, LONG_FRAME / 4);
        }
        player.wait(TimeDelta::from_millis(1));
        for _ in 0..10 {
            arrive(player, Frame::new(LONG_FRAME, LONG_FRAME));
            pass(player, LONG_FRAME * 2);
        }
    }
}

fn ramp(player: &mut Player) {
    let (count, top) = (frames(player).max(20), 3 * player.set_point() + FRAME);
    for index in 0..count {
        let queue = match index * 20 / count {
            0..8 => top * index * 20 / (count * 8),
            8..11 => top,
            11..17 => top * (count * 17 - index * 20) / (count * 6),
            _ => 0,
        };
        arrive(player, Frame::new(FRAME, queue.max(FRAME)));
        pass(player, FRAME);
    }
}

/// Includes queues shorter than the frame, which occur if the point also samples dropped frames.
fn lengths(player: &mut Player) {
    let set_point = player.set_point();
    let around = [
        set_point.saturating_sub(1),
        set_point,
        set_point + 1,
        2 * set_point,
        5 * set_point,
        5 * set_point + 1,
    ];
    let far = [0, 1, 100 * set_point, 1_000_000_000, LONGEST_QUEUE];
    let frames = [LONGEST_FRAME, 1, 64, FRAME, LONGEST_FRAME, LONG_FRAME, LONGEST_FRAME];
    while player.goes_on() {
        // Consecutive long frames, so that every queue length is sampled.
        for queue in around.into_iter().chain(far) {
            for bytes in frames {
                arrive(player, Frame::new(bytes, queue));
                pass(player, bytes);
            }
        }
    }
}

/// Eight flows, the last two of which share an account. Their offered loads differ by factors of up to eight, over
/// twenty of the longest intervals in which the point counts arrivals. The queue is first above its set point, then
/// far above, then below.
fn accounts(player: &mut Player) {
    const OFFERED: [u32; 8] = [0, 1, 2, 3, 3, 3, 3, 3];
    const WEIGHTS: [u32; 8] = [1, 1, 2, 4, 1, 1, 8, 8];
    let line = player.line_rate().bits_per_second();
    let bounds = [None, None, None, None, Rate::new(line / 10), Rate::new(line / 100), None, None];
    let count = frames(player).max(1);
    let shortest = player.line_rate().time_to_send(Bytes::new(LONG_FRAME));
    let gap = player.longest_time().map_or(shortest, |interval| interval.scaled(20, count).max(shortest));
    let quarter = player.left().div_ceil(4);
    let mut queue = player.set_point();
    while player.goes_on() {
        let flow = loop {
            let (flow, toss) = (player.between(0, 7) as usize, player.between(0, 7));
            if toss < 1 << OFFERED[flow] {
                break flow;
            }
        };
        let set_point = player.set_point();
        let range = match player.left() / quarter {
            3.. => [2 * set_point, 4 * set_point],
            2 => [20 * set_point, 40 * set_point],
            _ => [0, set_point],
        };
        queue = walk(player, queue, range);
        let tenant = Tenant { id: flow.min(6) as u32, weight: WEIGHTS[flow], max: bounds[flow] };
        arrive(player, Frame { flow: flow as u32, tenant, ..Frame::new(LONG_FRAME, queue.max(LONG_FRAME)) });
        player.wait(gap);
    }
}

/// A queue that falls from twice the set point to nearly empty and rises again. Frames carry no tag, the point's
/// own, or another point's.
fn tags(player: &mut Player) {
    let (half, set_point) = ((frames(player) / 2).max(1), player.set_point());
    for index in 0..2 * half {
        let above = half.abs_diff(index);
        let tag = [None, Some(CONGESTION_POINT), Some(PointId(9))][(index % 3) as usize];
        let queue = (2 * set_point * above / half).max(LONG_FRAME);
        arrive(player, Frame { flow: (index % 4) as u32, tag, ..Frame::new(LONG_FRAME, queue) });
        pass(player, LONG_FRAME);
    }
}

fn random(player: &mut Player) {
    let mut queue = player.set_point();
    let bounds = [0, 4 * queue];
    while player.goes_on() {
        queue = walk(player, queue, bounds);
        let bytes = player.between(64, LONG_FRAME);
        let flow = player.between(0, 15) as u32;
        let tag = [None, Some(CONGESTION_POINT), Some(PointId(9))][player.between(0, 2) as usize];
        let tenant = Tenant { id: flow / 2, weight: 1 + flow / 2, max: None };
        arrive(player, Frame { bytes, queue: queue.max(bytes), flow, tenant, tag });
        let span = player.between(0, 20_000_000);
        player.wait(TimeDelta::from_picos(span));
    }
}

/// A random step of the queue: up or down by a few frames, within bounds.
fn walk(player: &mut Player, queue: u64, [lowest, highest]: [u64; 2]) -> u64 {
    let step = player.between(0, 8 * FRAME);
    (queue + step).saturating_sub(4 * FRAME).clamp(lowest, highest).max(FRAME)
}
