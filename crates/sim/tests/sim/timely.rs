//! TIMELY in simulated networks: receivers that acknowledge, and sources that measure the round-trip time.

use setpoint_control::timely::Delay;
use setpoint_control::{Algorithm, Params, Preset, Window};
use setpoint_sim::{ControlSpec, FlowControl, Outcome, Spec, Unwatched, simulate};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use crate::support::{self, LINE};

/// The time from the beginning of a frame's transmission to the arrival of its acknowledgement, in an idle network: three
/// links of 1 us in each direction, and 1000 B and 64 B at 10 Gb/s on each.
const BASE_RTT: TimeDelta = TimeDelta::from_picos(6_000_000 + 3 * 800_000 + 3 * 51_200);

fn params(profile: &str) -> Params {
    Params::of(Preset::TenG, Algorithm::Timely.profile(profile))
}

/// Flows from several senders to one receiver, all at 10 Gb/s. The second half of the run is measured.
fn spec(senders: u32, params: &Params, duration: TimeDelta) -> Spec {
    let (congestion_point, reaction_point) = Algorithm::Timely.points(params);
    let notification_point = Algorithm::Timely.notification_point(params);
    let control =
        ControlSpec { congestion_point, notification_point, reaction_point, ..support::qcn_control() };
    let network = support::dumbbell(senders, TimeDelta::from_micros(1), duration);
    let measure_from = Time::ZERO + duration / 2;
    Spec { control, flow_control: FlowControl::None, buffer: Bytes::new(10_000_000), measure_from, ..network }
}

fn run(spec: &Spec) -> Outcome {
    simulate(spec, &mut Unwatched).expect("it runs")
}

/// Bytes that the flows deliver while the run is measured.
fn delivered(outcome: &Outcome) -> Vec<f64> {
    outcome.flows.iter().map(|flow| flow.delivered_measured.get() as f64).collect()
}

/// The share of the line rate that the flows use together.
fn share(outcome: &Outcome) -> f64 {
    let measured = outcome.end.saturating_since(outcome.measure_from);
    let bytes: f64 = delivered(outcome).iter().sum();
    bytes * 8.0 / (LINE.bits_per_second() as f64 * measured.as_secs_f64())
}

fn mean_queue(outcome: &Outcome) -> f64 {
    outcome.queues.iter().map(|queue| queue.length.mean).fold(0.0, f64::max)
}

/// The delay of N flows at the fixed point is T_low (1 + N δ/(β C)): 50 us (1 + N/8). The round-trip time includes the
/// path. Sources start at their shares.
#[test]
fn patched_timely_settles_at_its_fixed_point() {
    for delay in [Delay::Queueing, Delay::RoundTrip] {
        for senders in [2, 4, 8] {
            let mut params = params("patched");
            params.timely.rp.delay = delay;
            params.timely.rp.first_rate = Rate::new(LINE.bits_per_second() / u64::from(senders));
            let outcome = run(&spec(senders, &params, TimeDelta::from_millis(60)));
            let micros = 50.0 * (1.0 + f64::from(senders) / 8.0);
            let path = if delay == Delay::RoundTrip { BASE_RTT.as_secs_f64() * 1e6 } else { 0.0 };
            let expected = (micros - path) * 1_250.0;
            let queue = mean_queue(&outcome);
            assert!(
                (queue / expected - 1.0).abs() < 0.05,
                "{delay:?} {senders}: {queue}, expected {expected}"
            );
            assert!(share(&outcome) > 0.999, "{senders}: {}", share(&outcome));
        }
    }
}

/// Under every profile, delay alone slows flows that together exceed the link, and none starves. The shares need not become
/// equal. The flows start at 4 Gb/s at most: after a start at line rate, a deep buffer fills, rates fall to the minimum, and
/// recover slowly, since a slow source receives few acknowledgements. The windows of four flows keep the delay below the lower
/// threshold, so the runs with windows have more flows.
#[test]
fn flows_share_a_link() {
    for profile in Algorithm::Timely.profiles() {
        let mut params = params(profile.name);
        let first = params.timely.rp.first_rate.unwrap_or(LINE);
        params.timely.rp.first_rate = Some(first.min(Rate::from_gbps(4)));
        let senders = if params.timely.rp.window == Window::None { 4 } else { 32 };
        let outcome = run(&spec(senders, &params, TimeDelta::from_millis(60)));
        let (delivered, share) = (delivered(&outcome), share(&outcome));
        let total: f64 = delivered.iter().sum();
        assert!(
            delivered.iter().all(|one| *one > total / (12.5 * f64::from(senders))),
            "{}: {delivered:?}",
            profile.name
        );
        assert!(share > 0.8, "{}: {share}", profile.name);
        assert!(
            outcome.flows.iter().all(|flow| flow.reaction.get().get("decreases") > 0),
            "{}",
            profile.name
        );
        assert_eq!(outcome.queues.iter().filter_map(|queue| queue.marked_frames).sum::<u64>(), 0);
    }
}

/// A receiver acknowledges every 16 kB, which is 16 frames, or every frame.
#[test]
fn acknowledgements_are_counted() {
    for (profile, frames) in [("paper", 16), ("hpcc", 1)] {
        let outcome = run(&spec(2, &params(profile), TimeDelta::from_millis(4)));
        for flow in &outcome.flows {
            let replies = flow.replies.get().get("reports");
            assert_eq!(replies, flow.delivered_frames / frames, "{profile}");
            assert!(replies > 0 && flow.notifications == 0);
        }
    }
}
