//! Sequences for a reaction point that acts on acknowledgements.
//!
//! The path has two bridges. Delays, queues and loads are chosen freely and are not those of a simulated network.

use setpoint_control::{HopReport, Mark};
use setpoint_units::{Bytes, Time, TimeDelta};

use super::super::input::{Event, ReceivedAcknowledgement};
use super::Sequence;
use super::player::Player;

pub(super) const SEQUENCES: &[Sequence] = &[
    ("a delay that grows and falls", waves),
    ("short and long delays in turn", jumps),
    ("an idle network", idle),
    ("loads around the target", loads),
    ("overload until the minimum rate", overload),
    ("never acknowledged", unacknowledged),
    ("acknowledgements without reports", bare),
    ("marks", marks),
    ("at random", random),
];

const FRAME: u64 = 1_500;
/// The time between two acknowledgements.
const GAP: TimeDelta = TimeDelta::from_micros(4);

/// The state of the path during a sequence.
#[derive(Default)]
struct Course {
    sent: u64,
    settled: u64,
    /// Bytes sent by the port of each bridge.
    ports: [u64; 2],
    last: Time,
}

impl Course {
    /// Waits longer than the longest delay, so that every frame leaves after time zero.
    fn new(player: &mut Player) -> Self {
        player.wait(TimeDelta::from_millis(10));
        Self { last: player.clock, ..Self::default() }
    }
}

/// The content of an acknowledgement.
#[derive(Clone, Copy)]
struct View {
    rtt: TimeDelta,
    /// The queues at the two bridges.
    queues: [u64; 2],
    /// The load of the two ports, in percent.
    loads: [u64; 2],
    mark: Mark,
}

impl View {
    const IDLE: Self =
        Self { rtt: TimeDelta::from_micros(12), queues: [0; 2], loads: [10, 5], mark: Mark::Clear };

    /// A queue at the first bridge, whose port is busy, with the delay that this queue causes at 10 Gb/s.
    fn queued(queue: u64) -> Self {
        let rtt = Self::IDLE.rtt + TimeDelta::from_nanos(queue * 8 / 10);
        Self { rtt, queues: [queue, queue / 10], loads: [100, 60], ..Self::IDLE }
    }
}

/// Sends frames and then plays an acknowledgement of as many bytes. At most 30 frames are in flight.
fn exchange(player: &mut Player, course: &mut Course, frames: u64, view: &View) {
    for _ in 0..frames {
        player.play(Event::Sent(Bytes::new(FRAME)));
        course.sent += FRAME;
    }
    player.wait(GAP);
    let before = course.settled;
    course.settled = (before + frames.max(1) * FRAME).max(course.sent.saturating_sub(30 * FRAME));
    course.sent = course.sent.max(course.settled);
    acknowledge(player, course, course.settled - before, view);
}

fn acknowledge(player: &mut Player, course: &mut Course, bytes: u64, view: &View) {
    let passed = player.clock.saturating_since(course.last);
    course.last = player.clock;
    let full = (player.line_rate() * passed).get();
    // A bridge writes its report when the frame leaves the queue, so the queue does not delay the report.
    let at = before(player.clock, View::IDLE.rtt / 2);
    let mut hops = Vec::new();
    for (port, (queue, load)) in course.ports.iter_mut().zip(view.queues.into_iter().zip(view.loads)) {
        *port += full * load / 100;
        let (queue, sent) = (Bytes::new(queue), Bytes::new(*port));
        hops.push(HopReport { at, queue, sent, rate: player.line_rate() });
    }
    player.play(Event::Acknowledgement(ReceivedAcknowledgement {
        time: player.clock,
        sent_at: before(player.clock, view.rtt),
        bytes: Bytes::new(bytes),
        settled: Bytes::new(course.settled),
        mark: view.mark,
        hops,
    }));
}

fn before(time: Time, span: TimeDelta) -> Time {
    Time::from_picos(time.as_picos().saturating_sub(span.as_picos()))
}

/// A queue that grows to 1 MB and drains, in steps that become larger. Also played with every parameter at its extremes.
pub(super) fn waves(player: &mut Player) {
    let mut course = Course::new(player);
    let mut step = 10_000;
    while player.goes_on() {
        for queue in (0..1_000_000).step_by(step).chain((0..1_000_000).rev().step_by(step)) {
            exchange(player, &mut course, 1, &View::queued(queue));
            if !player.goes_on() {
                return;
            }
        }
        step *= 3;
    }
}

fn jumps(player: &mut Player) {
    let mut course = Course::new(player);
    while player.goes_on() {
        for queue in [0, 50_000, 0, 500_000, 100_000, 1_000_000, 0, 0, 70_000, 70_000, 70_000] {
            exchange(player, &mut course, 2, &View::queued(queue));
        }
    }
}

fn idle(player: &mut Player) {
    let mut course = Course::new(player);
    while player.goes_on() {
        exchange(player, &mut course, 2, &View::IDLE);
    }
}

/// A first port whose load rises from 60 to 110 percent and falls again, with a short queue above 100 percent.
fn loads(player: &mut Player) {
    let mut course = Course::new(player);
    for load in (60..110).chain((61..=110).rev()).cycle() {
        if !player.goes_on() {
            break;
        }
        let queue = 100 * u64::saturating_sub(load, 100);
        exchange(player, &mut course, 2, &View { loads: [load.min(100), 50], ..View::queued(queue) });
    }
}

fn overload(player: &mut Player) {
    let mut course = Course::new(player);
    let long = View::queued(3_000_000);
    while player.left() > 40 {
        exchange(player, &mut course, 1, &long);
    }
    while player.goes_on() {
        exchange(player, &mut course, 1, &View::IDLE);
    }
}

/// Sends and checks a timer that is not running.
fn unacknowledged(player: &mut Player) {
    while player.left() > 300 {
        player.play(Event::Sent(Bytes::new(FRAME)));
        player.wait(GAP);
        player.play(Event::Timer(player.clock));
    }
}

/// Bridges that report nothing, and acknowledgements that cover no new bytes.
fn bare(player: &mut Player) {
    let mut course = Course::new(player);
    for bytes in [0, FRAME, 0, 10 * FRAME, 0].into_iter().cycle() {
        if !player.goes_on() {
            break;
        }
        player.wait(GAP);
        course.settled += bytes;
        player.play(Event::Acknowledgement(ReceivedAcknowledgement {
            time: player.clock,
            sent_at: before(player.clock, View::IDLE.rtt * (1 + bytes / FRAME)),
            bytes: Bytes::new(bytes),
            settled: Bytes::new(course.settled),
            mark: Mark::Clear,
            hops: Vec::new(),
        }));
    }
}

fn marks(player: &mut Player) {
    let mut course = Course::new(player);
    while player.goes_on() {
        for mark in [Mark::Congested, Mark::Clear, Mark::Clear] {
            exchange(player, &mut course, 1, &View { mark, ..View::queued(30_000) });
            player.play(Event::Timer(player.clock));
        }
    }
}

fn random(player: &mut Player) {
    let mut course = Course::new(player);
    while player.goes_on() {
        let queues = [player.between(0, 400_000), player.between(0, 20_000)];
        let loads = [player.between(0, 100), player.between(0, 100)];
        let rtt = TimeDelta::from_picos(player.between(5_000_000, 800_000_000));
        let frames = player.between(0, 3);
        let mark = if player.between(0, 9) == 0 { Mark::Congested } else { Mark::Clear };
        exchange(player, &mut course, frames, &View { rtt, queues, loads, mark });
    }
}
