//! Swift in simulated networks: windows that hold the delay at its target.

use setpoint_control::parameter::Percent;
use setpoint_control::swift::Delay;
use setpoint_control::{Algorithm, Params};
use setpoint_sim::{ControlSpec, FlowControl, Outcome, Spec, Unwatched, simulate};
use setpoint_units::{Bytes, Time, TimeDelta};

use crate::support::{self, LINE};

/// Two links of 1 us to each station and one between the bridges, and 1000 B and 64 B at 10 Gb/s on each, in microseconds.
const BASE_RTT: f64 = 6.0 + 3.0 * 0.8 + 3.0 * 0.0512;

/// Backlogged senders with a receiver each. The second half of the run is measured.
fn run(params: &Params, senders: u32) -> Outcome {
    let (congestion_point, reaction_point) = Algorithm::Swift.points(params);
    let notification_point = Algorithm::Swift.notification_point(params);
    let control =
        ControlSpec { congestion_point, notification_point, reaction_point, ..support::qcn_control() };
    let duration = TimeDelta::from_millis(20);
    let network = support::dumbbell(senders, TimeDelta::from_micros(1), duration);
    let measure_from = Time::ZERO + duration / 2;
    let spec = Spec {
        control,
        flow_control: FlowControl::None,
        buffer: Bytes::new(10_000_000),
        measure_from,
        ..network
    };
    simulate(&spec, &mut Unwatched).expect("it runs")
}

/// The target delay of N flows that fill a link, in microseconds: 20 us, 3.053 us for each of two bridges, and the part that
/// depends on the window, which is an Nth of the bytes that are sent in a round-trip time.
fn target(senders: u32, path: f64) -> f64 {
    let scaled =
        |window: f64| 100.0 * ((1.0 / window.sqrt() - 0.1) / (10.0_f64.sqrt() - 0.1)).clamp(0.0, 1.0);
    let mut delay = 50.0;
    for _ in 0..200 {
        let window = (delay + path) * 1.25 / f64::from(senders);
        delay = (delay + 26.106 + scaled(window)) / 2.0;
    }
    delay
}

/// The queue is C times the target, or C times the part of the target that the path leaves. The increments of all flows
/// together are at most 8 frames per round-trip time, since the queue overshoots the target by these increments.
#[test]
fn delays_are_held_at_their_target() {
    for delay in [Delay::Queueing, Delay::RoundTrip] {
        for senders in [2, 8, 32] {
            let mut params = Params::default();
            params.swift.rp.delay = delay;
            if senders == 32 {
                params.swift.rp.increase = Percent::new(25);
            }
            let outcome = run(&params, senders);
            let micros = match delay {
                Delay::Queueing => target(senders, BASE_RTT),
                Delay::RoundTrip => target(senders, 0.0) - BASE_RTT,
            };
            let queue = outcome.queues.iter().map(|queue| queue.length.mean).fold(0.0, f64::max);
            let ratio = queue / (micros * 1_250.0);
            assert!((0.85..1.15).contains(&ratio), "{delay:?} {senders}: {queue} B, {ratio}");
            let measured = outcome.end.saturating_since(outcome.measure_from).as_secs_f64();
            let rates =
                outcome.flows.iter().map(|flow| flow.delivered_measured.get() as f64 * 8.0 / measured);
            let rates: Vec<f64> = rates.map(|rate| rate / LINE.bits_per_second() as f64).collect();
            let share = 1.0 / f64::from(senders);
            assert!(rates.iter().sum::<f64>() > 0.99, "{delay:?} {senders}: {rates:?}");
            assert!(rates.iter().all(|rate| (0.5..2.0).contains(&(rate / share))), "{senders}: {rates:?}");
        }
    }
}
