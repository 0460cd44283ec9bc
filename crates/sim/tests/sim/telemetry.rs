//! HPCC and PowerTCP in simulated networks: windows, reports of bridges, and the equilibrium.

use setpoint_control::{Algorithm, Params, Preset};
use setpoint_sim::{ControlSpec, FlowControl, Outcome, Spec, Unwatched, simulate};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use crate::support::{self, LINE};

/// Frames of 1000 B and acknowledgements of 64 B cross three links at 10 Gb/s in each direction.
const SERIALISATION: TimeDelta = TimeDelta::from_picos(3 * 800_000 + 3 * 51_200);

/// The round-trip time of the idle path, if the links from the senders have this delay. The two others have 1 us.
fn base_rtt(access: TimeDelta) -> TimeDelta {
    access * 2 + TimeDelta::from_micros(4) + SERIALISATION
}

/// Backlogged senders with a receiver each, all at 10 Gb/s. The second half of the run is measured.
fn run(algorithm: Algorithm, params: &Params, senders: u32, access: TimeDelta) -> Outcome {
    let (congestion_point, reaction_point) = algorithm.points(params);
    let notification_point = algorithm.notification_point(params);
    let control =
        ControlSpec { congestion_point, notification_point, reaction_point, ..support::qcn_control() };
    let duration = TimeDelta::from_millis(40);
    let network = support::dumbbell(senders, access, duration);
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

/// The share of the line rate that each flow uses.
fn shares(outcome: &Outcome) -> Vec<f64> {
    let measured = outcome.end.saturating_since(outcome.measure_from).as_secs_f64();
    let bits = measured * LINE.bits_per_second() as f64;
    outcome.flows.iter().map(|flow| flow.delivered_measured.get() as f64 * 8.0 / bits).collect()
}

/// The mean length of the longest queue in bytes.
fn mean_queue(outcome: &Outcome) -> f64 {
    outcome.queues.iter().map(|queue| queue.length.mean).fold(0.0, f64::max)
}

fn of(algorithm: Algorithm, profile: &str) -> Params {
    Params::of(Preset::TenG, algorithm.profile(profile))
}

const FAR: TimeDelta = TimeDelta::from_micros(20);

/// U = η + N R_AI/C, which is 0.99 for both. The path is so long that the frames which arrive at the same time are a small part of
/// the bytes in a round-trip time.
#[test]
fn hpcc_uses_links_as_far_as_its_target() {
    for (senders, increase) in [(4, 100), (8, 50)] {
        let mut params = of(Algorithm::Hpcc, "hpcc");
        params.hpcc.rp.increase = Rate::from_mbps(increase);
        let outcome = run(Algorithm::Hpcc, &params, senders, TimeDelta::from_micros(100));
        let expected = 0.95 + f64::from(senders) * increase as f64 / 10_000.0;
        let used: f64 = shares(&outcome).iter().sum();
        assert!((used / expected - 1.0).abs() < 0.01, "{senders}: {used}, expected {expected}");
        let equal = 1.0 / f64::from(senders);
        assert!(shares(&outcome).iter().all(|share| (share / used / equal - 1.0).abs() < 0.05), "{senders}");
        assert!(mean_queue(&outcome) < 4_000.0, "{senders}: {}", mean_queue(&outcome));
    }
}

/// If U is above one, the link is full and the queue is (U - 1) C T. Two flows have windows of many frames.
#[test]
fn queues_have_their_equilibrium_lengths() {
    let bytes = LINE.bits_per_second() as f64 / 8.0 * base_rtt(FAR).as_secs_f64();
    for (algorithm, profile, increase, target) in [
        (Algorithm::Hpcc, "hpcc", 1_500, 0.95),
        (Algorithm::Powertcp, "powertcp", 1_500, 0.95),
        (Algorithm::Powertcp, "theta-powertcp", 1_000, 1.05),
    ] {
        let mut params = of(algorithm, profile);
        params.hpcc.rp.increase = Rate::from_mbps(increase);
        params.powertcp.rp.increase = Rate::from_mbps(increase);
        let outcome = run(algorithm, &params, 2, FAR);
        let expected = (target + 2.0 * increase as f64 / 10_000.0 - 1.0) * bytes;
        let queue = mean_queue(&outcome);
        assert!((queue / expected - 1.0).abs() < 0.1, "{profile}: {queue}, expected {expected}");
        let used: f64 = shares(&outcome).iter().sum();
        assert!(used > 0.99, "{profile}: {used}");
    }
}

/// Under every profile, and with acknowledgements of batches, flows share a link and none starves.
#[test]
fn flows_share_a_link() {
    for algorithm in [Algorithm::Hpcc, Algorithm::Powertcp] {
        for profile in algorithm.profiles() {
            for frames in [1, 4] {
                let mut params = of(algorithm, profile.name);
                (params.hpcc.np.frames, params.powertcp.np.frames) = (frames, frames);
                let shares = shares(&run(algorithm, &params, 4, FAR));
                let used: f64 = shares.iter().sum();
                assert!(used > 0.9, "{} {frames}: {used}", profile.name);
                assert!(shares.iter().all(|share| *share > 0.1), "{} {frames}: {shares:?}", profile.name);
            }
        }
    }
}
