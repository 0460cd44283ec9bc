//! Four sources send through one queue onto a 10 Gb/s link, and QCN closes the loop.
//!
//! `cargo run -p setpoint-control --example closed_loop` prints the mean queue length in each millisecond. All sources
//! start at line rate, so the queue overshoots; then it settles at the set point of 26 kB.

use setpoint_control::{
    Algorithm, Arrival, CongestionPoint, Entropy, FlowKey, Limit, Observe, Params, Path, PointId, React,
    ReactionPoint,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

const LINE: Rate = Rate::from_gbps(10);
const FRAME: Bytes = Bytes::new(1_500);
const POINT: PointId = PointId(1);

/// The crate generates no random numbers: the caller supplies them.
struct Lcg(u64);
impl Entropy for Lcg {
    fn next_u32(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        (self.0 >> 32) as u32
    }
}

/// The mean queue length that arriving frames find, for each of the first `millis` milliseconds.
pub(crate) fn mean_queues(algorithm: Algorithm, millis: usize) -> Vec<Bytes> {
    let (cp, rp) = algorithm.points(&Params::default());
    let (mut bridge, mut entropy) = (CongestionPoint::new(&cp, POINT), Lcg(1));
    let mut sources = vec![(Time::ZERO, ReactionPoint::new(&rp, &Path::at(LINE))); 4];
    let mut idle_from = Time::ZERO; // when the link will have sent everything in the queue
    let (mut totals, mut outbox) = (vec![(0, 0); millis], Vec::new());
    loop {
        let next = (0..sources.len()).min_by_key(|&index| sources[index].0).expect("there are four");
        let now = sources[next].0;
        let milli = (now.since_start() / TimeDelta::from_millis(1)) as usize;
        let Some((bytes, frames)) = totals.get_mut(milli) else { break };
        // The frame enters the queue, and the congestion point may notify a source.
        idle_from = idle_from.max(now) + FRAME / LINE;
        let queue = LINE * (idle_from - now);
        (*bytes, *frames) = (*bytes + queue.get(), *frames + 1);
        let arrival = Arrival { now, flow: FlowKey(next as u32), ..Arrival::of(FRAME, queue) };
        bridge.on_enqueue(&arrival, &mut entropy, &mut outbox);
        for (flow, notification) in outbox.drain(..) {
            sources[flow.0 as usize].1.on_feedback(now, &notification.sent_by(POINT), &mut entropy);
        }
        // The source counts the frame, and its timer may expire before it sends the next one.
        let (departure, source) = &mut sources[next];
        source.on_sent(FRAME, &mut entropy);
        *departure = match source.limit() {
            Limit::Rate(rate) | Limit::Window { rate, .. } => now + FRAME / rate,
            // A silent source has a timer that ends the silence.
            Limit::Silent => source.timer().expect("silence ends"),
        };
        while let Some(due) = source.timer().filter(|due| due <= departure) {
            source.on_timer(due, &mut entropy);
        }
    }
    totals.iter().map(|&(bytes, frames)| Bytes::new(bytes / u64::max(frames, 1))).collect()
}

fn main() {
    for (milli, queue) in mean_queues(Algorithm::Qcn, 20).into_iter().enumerate() {
        println!("{milli:>3} ms {:>6} B {}", queue.get(), "#".repeat(queue.get() as usize / 1_000));
    }
}
