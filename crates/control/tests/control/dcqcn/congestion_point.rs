//! Marking by RED.

use setpoint_control::dcqcn::{CongestionPoint, CpParams, Marking};
use setpoint_control::parameter::Percent;
use setpoint_control::{Arrival, Departure, FlowKey, Mark, Observe};
use setpoint_units::{Bytes, Time};

const FRAME: Bytes = Bytes::new(1_000);

fn leaves(point: &mut CongestionPoint, rest: u64, random: u32) -> bool {
    let queue = Bytes::new(rest) + FRAME;
    let departure = Departure { now: Time::ZERO, frame: FRAME, queue, flow: FlowKey(0) };
    point.on_dequeue(&departure, &mut || random) == Mark::Congested
}

/// Whether a frame is marked, given the queue without it and a random number.
type Way = fn(&mut CongestionPoint, u64, u32) -> bool;

/// Whether a frame that finds this queue ahead of it is marked on entry.
fn enters(point: &mut CongestionPoint, ahead: u64, random: u32) -> bool {
    point.mark(&Arrival::of(FRAME, Bytes::new(ahead) + FRAME), &mut || random) == Mark::Congested
}

fn red(k_min: u64, k_max: u64, p_max: Percent) -> CongestionPoint {
    let (k_min, k_max) = (Bytes::new(k_min), Bytes::new(k_max));
    CongestionPoint::new(CpParams { k_min, k_max, p_max, marking: Marking::Dequeue })
}

/// A frame is marked if the random number is below the probability; the thresholds of HPCC at 25 Gb/s, of the paper, and of
/// DCQCN'15's testbed. On entry the queue ahead of the frame counts, on departure the queue behind it.
#[test]
fn the_probability_of_a_mark() {
    #[rustfmt::skip]
    let table = [
        // k_min    k_max    p_max                         queue    probability
        (100_000, 400_000, Percent::new(20),             100_000, 0.0),
        (100_000, 400_000, Percent::new(20),             250_000, 0.1),
        (100_000, 400_000, Percent::new(20),             400_000, 0.2),
        (100_000, 400_000, Percent::new(20),             400_001, 1.0),
        (5_000,   200_000, Percent::new(1),                5_000, 0.0),
        (5_000,   200_000, Percent::new(1),              102_500, 0.005),
        (5_000,   200_000, Percent::new(1),              200_000, 0.01),
        (5_000,   200_000, Percent::new(1),              200_001, 1.0),
        (40_000,   40_000, Percent::WHOLE,                40_000, 0.0),
        (40_000,   40_000, Percent::WHOLE,                40_001, 1.0),
    ];
    for (k_min, k_max, p_max, queue, probability) in table {
        let mut point = red(k_min, k_max, p_max);
        let first_unmarked = (probability * 4_294_967_296.0_f64).ceil();
        for (random, marked) in [(first_unmarked - 1.0, true), (first_unmarked, false)]
            .map(|(random, marked)| (random as i64, marked))
        {
            let Ok(random) = u32::try_from(random) else { continue };
            for (way, is_marked) in [("departure", leaves as Way), ("entry", enters)] {
                assert_eq!(
                    is_marked(&mut point, queue, random),
                    marked,
                    "{way}, {queue} of {k_min}, {k_max}: {random}"
                );
            }
        }
    }
}

/// Marks as often as the closed form predicts, with random numbers that are spread evenly.
#[test]
fn the_rate_of_marks() {
    let mut point = red(100_000, 400_000, Percent::new(20));
    let draws = 1 << 15;
    let marks = (0..draws).filter(|draw| leaves(&mut point, 175_000, draw << 17)).count();
    assert_eq!(marks, 1_639, "a quarter of 20 %: 1638.4 of 32 768");
    assert_eq!((point.counters().samples, point.marks()), (u64::from(draws), Some(1_639)));
}
