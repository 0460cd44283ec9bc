//! A minimal closed loop: backlogged sources, one queue, one link, and notifications without delay. It shows
//! that the two points of an algorithm act on each other in the right direction; accurate measurements are
//! left to the simulator. Several algorithms share this file.

use setpoint_control::{
    Algorithm, Arrival, CongestionPoint, Entropy, FlowKey, Limit, Observe, Params, Path, PointId, React,
    ReactionPoint, Update,
};
use setpoint_units::{Bytes, Rate, Time};

/// The settings of a run.
pub(crate) struct Bottleneck {
    pub(crate) algorithm: Algorithm,
    pub(crate) params: Params,
    pub(crate) link: Rate,
    pub(crate) sources: usize,
    pub(crate) frame: Bytes,
    pub(crate) buffer: Bytes,
}

/// Measurements from the second half of a run.
#[derive(Debug)]
pub(crate) struct Seen {
    /// Mean queue length that arriving frames found.
    pub(crate) queue: u64,
    /// Utilisation of the link, in hundredths of a percent.
    pub(crate) utilisation: u64,
    /// Bytes sent by each source.
    pub(crate) shares: Vec<u64>,
}

impl Bottleneck {
    /// A link of 10 Gb/s with three sources, frames of 1500 bytes and a buffer of 150 kB.
    pub(crate) fn of_three(algorithm: Algorithm, params: Params) -> Self {
        let (frame, buffer) = (Bytes::new(1_500), Bytes::new(150_000));
        Self { algorithm, params, link: Rate::from_gbps(10), sources: 3, frame, buffer }
    }

    /// Runs for the given number of milliseconds.
    pub(crate) fn run(&self, millis: u64, entropy: &mut impl Entropy) -> Seen {
        let end = millis * 1_000_000_000;
        let mut run = Run::new(self, end / 2);
        while let Some((now, due)) = run.next().filter(|(now, _)| *now < end) {
            match due {
                Due::Timer(index) => {
                    run.sources[index].on_timer(Time::from_picos(now), entropy);
                }
                Due::Frame(index) => run.send(now, index, entropy),
            }
        }
        Seen {
            queue: run.lengths / run.arrivals.max(1),
            utilisation: 10_000 - run.idle * 10_000 / (end / 2),
            shares: run.shares,
        }
    }
}

const HERE: PointId = PointId(5);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    Timer(usize),
    Frame(usize),
}

/// The state of a run; times are in picoseconds.
struct Run<'b> {
    setup: &'b Bottleneck,
    bridge: CongestionPoint,
    sources: Vec<ReactionPoint>,
    /// The time at which each source sent its last frame.
    sent: Vec<u64>,
    /// The time at which the link will have sent everything in the queue.
    busy_until: u64,
    measured_from: u64,
    idle: u64,
    lengths: u64,
    arrivals: u64,
    shares: Vec<u64>,
}

impl<'b> Run<'b> {
    fn new(setup: &'b Bottleneck, measured_from: u64) -> Self {
        let (cp, rp) = setup.algorithm.points(&setup.params);
        let (sources, each) = (setup.sources, 0..setup.sources);
        Self {
            setup,
            bridge: CongestionPoint::new(&cp, HERE),
            sources: each.clone().map(|_| ReactionPoint::new(&rp, &Path::at(setup.link))).collect(),
            sent: each.map(|index| 1_000_000 * index as u64).collect(),
            busy_until: 0,
            measured_from,
            idle: 0,
            lengths: 0,
            arrivals: 0,
            shares: vec![0; sources],
        }
    }

    /// The next event and its time.
    fn next(&self) -> Option<(u64, Due)> {
        let frame = self.setup.frame;
        let frames = self.sources.iter().enumerate().filter_map(|(index, source)| match source.limit() {
            Limit::Silent => None,
            Limit::Rate(rate) | Limit::Window { rate, .. } => Some((
                self.sent[index].saturating_add(rate.time_to_send(frame).as_picos()),
                Due::Frame(index),
            )),
        });
        let timers = self.sources.iter().enumerate();
        let timers =
            timers.filter_map(|(index, source)| Some((source.timer()?.as_picos(), Due::Timer(index))));
        frames.chain(timers).min()
    }

    fn send(&mut self, now: u64, index: usize, entropy: &mut impl Entropy) {
        self.sent[index] = now;
        self.sources[index].on_sent(self.setup.frame, entropy);
        let queue = self.queue(now);
        if queue + self.setup.frame > self.setup.buffer {
            return;
        }
        if now >= self.measured_from {
            self.measure(now, index, queue);
        }
        self.busy_until =
            self.busy_until.max(now) + self.setup.link.time_to_send(self.setup.frame).as_picos();
        let arrival = Arrival {
            now: Time::from_picos(now),
            flow: FlowKey(index as u32),
            tag: self.sources[index].tag(),
            ..Arrival::of(self.setup.frame, queue + self.setup.frame)
        };
        self.notify(&arrival, entropy);
    }

    fn notify(&mut self, arrival: &Arrival, entropy: &mut impl Entropy) {
        let mut outbox = Vec::new();
        self.bridge.on_enqueue(arrival, entropy, &mut outbox);
        for (flow, told) in outbox {
            let source = &mut self.sources[flow.0 as usize];
            let before = source.limit();
            let update = source.on_feedback(arrival.now, &told.sent_by(HERE), entropy);
            assert_eq!(update == Update::Changed, before != source.limit());
        }
    }

    fn measure(&mut self, now: u64, index: usize, queue: Bytes) {
        self.idle += now.saturating_sub(self.busy_until.max(self.measured_from));
        self.lengths += queue.get();
        self.arrivals += 1;
        self.shares[index] += self.setup.frame.get();
    }

    /// The number of bytes that wait for the link.
    fn queue(&self, now: u64) -> Bytes {
        let waiting = u128::from(self.busy_until.saturating_sub(now));
        let bits = u128::from(self.setup.link.bits_per_second());
        Bytes::new((waiting * bits / u128::from(Rate::BYTE_PICOS)) as u64)
    }
}
