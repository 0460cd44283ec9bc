//! Four stations share a link on real frames, in namespaces on this machine, as they do in the simulator.
//!
//! Where the machine does not allow namespaces, or stalls for so long that its own pauses are measured instead of the
//! network, the test is skipped. The tests in this program take turns, so that they do not disturb each other.
#![cfg(target_os = "linux")]

mod support;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use setpoint_control::parameter::Percent;
use setpoint_control::{Algorithm, Params, af_qcn};
use setpoint_live::bridge::Snapshot;
use setpoint_live::neighbour::Defence;
use setpoint_live::options::Options;
use setpoint_live::testbed::{self, Measured, Watch};
use setpoint_sim::{Decision, Outcome, Spec, Unwatched, simulate};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};
use support::SENDERS;
use support::skip::{Reason, skip};

const SET_POINT: f64 = 26_000.0;
/// A stall during which more data than the set point arrives.
const LONG_STALL: TimeDelta = TimeDelta::from_millis(5);
/// A stall during which the kernel's buffers may overflow.
const ENDLESS_STALL: TimeDelta = TimeDelta::from_millis(200);

/// Waits for the other tests in this program.
fn alone() -> MutexGuard<'static, ()> {
    static MACHINE: Mutex<()> = Mutex::new(());
    MACHINE.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Quiet;

impl Watch for Quiet {
    fn look(&self, _: &Snapshot) -> Decision {
        Decision::Continue
    }
}

/// AF-QCN for a link of 95 Mb/s, as in the built-in scenario `live-shares`.
fn params() -> Params {
    let mut params = Params::default();
    params.qcn.cp.sample_base = Bytes::new(60_000);
    params.qcn.rp.byte_reset = Bytes::new(60_000);
    params.qcn.rp.time_reset = TimeDelta::from_millis(60);
    params.qcn.rp.active_increase = Rate::from_bits_per_second(100_000);
    params.qcn.rp.hyper_increase = Rate::from_mbps(1);
    params.qcn.rp.min_rate = Rate::from_mbps(1);
    params.af_qcn = af_qcn::Params {
        interval: TimeDelta::from_millis(10),
        active_threshold: Bytes::new(2_000),
        ..af_qcn::Params::default()
    };
    params
}

fn spec() -> Spec {
    let rate = |number| Rate::from_mbps(if number == SENDERS { 95 } else { 100 });
    let control = support::control(Algorithm::AfQcn, &params());
    let mut spec =
        support::incast(control, support::pfc(60_000, 40_000), rate, |_| TimeDelta::from_micros(50));
    for flow in &mut spec.flows {
        flow.frame = Bytes::new(1_000);
    }
    Spec {
        overhead: Bytes::ZERO,
        sample_interval: TimeDelta::from_millis(20),
        measure_from: Time::ZERO + TimeDelta::from_secs(4),
        duration: TimeDelta::from_secs(10),
        seed: 1,
        ..spec
    }
}

fn options() -> Options {
    Options { defence: Defence::Automatic, announce_every: TimeDelta::from_secs(30), ..support::options() }
}

/// DCQCN for a link of 95 Mb/s, as in the built-in scenario `live-dcqcn`.
fn dcqcn_spec() -> Spec {
    let mut params = Params::default();
    params.dcqcn.cp.p_max = Percent::new(10);
    params.dcqcn.np.interval = TimeDelta::from_millis(5);
    params.dcqcn.rp.alpha_interval = TimeDelta::from_micros(5_500);
    params.dcqcn.rp.time_reset = TimeDelta::from_micros(5_500);
    params.dcqcn.rp.active_increase = Rate::from_bits_per_second(100_000);
    params.dcqcn.rp.hyper_increase = Rate::from_bits_per_second(500_000);
    params.dcqcn.rp.min_rate = Rate::from_bits_per_second(250_000);
    let control = support::control(Algorithm::Dcqcn, &params);
    Spec { control, flow_control: support::pfc(150_000, 100_000), ..spec() }
}

/// Rates in the measurement interval, in Mb/s.
fn rates(spec: &Spec, outcome: &Outcome) -> Vec<f64> {
    let seconds = (outcome.end - spec.measure_from).as_picos() as f64 / 1e12;
    outcome.flows.iter().map(|flow| flow.delivered_measured.get() as f64 * 8.0 / seconds / 1e6).collect()
}

fn mean_queue(outcome: &Outcome) -> f64 {
    outcome.queues.iter().map(|queue| queue.length.mean).fold(0.0, f64::max)
}

/// Nothing is lost between the stations' limiters and the receiving programs.
fn nothing_is_lost(measured: &Measured) {
    assert_eq!(
        (measured.bridge.lost, measured.bridge.dropped, measured.losses.total()),
        (0, 0, 0),
        "{:?} {:?}",
        measured.bridge,
        measured.losses
    );
    every_frame_arrives(measured);
    for station in &measured.stations {
        assert_eq!(station.announcements, 3, "both neighbours become ready with three announcements");
    }
}

/// Everything that the stations' limiters let pass reaches the receiving programs.
fn every_frame_arrives(measured: &Measured) {
    for (flow, received) in measured.outcome.flows.iter().zip(&measured.received) {
        let on_the_way = flow.sent_frames - flow.delivered_frames;
        // At the end, at most a full input buffer waits in the bridge.
        assert!(on_the_way < 1_000, "{on_the_way}");
        assert!(
            *received <= flow.sent_frames && *received + 1_000 > flow.sent_frames,
            "{received} of {}",
            flow.sent_frames
        );
        assert!(flow.notifications > 10 && flow.limit_series.iter().flatten().count() > 10);
    }
    for station in &measured.stations {
        assert_eq!(
            (station.unknown_flow, station.too_many, station.invalid, station.truncated),
            (0, 0, 0, 0)
        );
    }
    assert_eq!((measured.bridge.invalid, measured.bridge.truncated, measured.bridge.remapped), (0, 0, 0));
}

#[test]
fn a_panic_in_one_thread_ends_all() {
    struct Panics;

    impl Watch for Panics {
        fn look(&self, _: &Snapshot) -> Decision {
            panic!("as intended")
        }
    }

    let _alone = alone();
    match catch_unwind(AssertUnwindSafe(|| testbed::run(&spec(), options(), &Panics))) {
        Ok(Err(error)) if error.is_not_allowed() => skip(Reason::NotPermitted, error),
        Ok(ended) => panic!("the run went on: {:?}", ended.map(|measured| measured.stall)),
        Err(panic) => assert_eq!(panic.downcast_ref(), Some(&"as intended")),
    }
}

#[test]
fn four_stations_share_a_link_as_in_the_simulator() {
    let _alone = alone();
    let spec = spec();
    let measured = match testbed::run(&spec, options(), &Quiet) {
        Err(error) if error.is_not_allowed() => return skip(Reason::NotPermitted, error),
        measured => measured.unwrap(),
    };
    if measured.stall > ENDLESS_STALL {
        return skip(Reason::Stalled, measured.stall);
    }
    nothing_is_lost(&measured);
    let simulated = simulate(&spec, &mut Unwatched).unwrap();
    let (live, expected) = (rates(&spec, &measured.outcome), rates(&spec, &simulated));
    println!("real frames {live:.2?}, simulated {expected:.2?} Mb/s, stall {}", measured.stall);
    if measured.stall > LONG_STALL {
        return skip(Reason::Stalled, format!("shares: {}", measured.stall));
    }
    let total: f64 = live.iter().sum();
    assert!(total > 0.97 * 95.0 && total <= 95.1, "{total}");
    for (live, expected) in live.iter().zip(&expected) {
        assert!((live / (total / 4.0) - 1.0).abs() < 0.1, "{live}");
        assert!((live / expected - 1.0).abs() < 0.15, "{live} {expected}");
    }
    let (queue, expected) = (mean_queue(&measured.outcome), mean_queue(&simulated));
    assert!(
        (queue / SET_POINT - 1.0).abs() < 0.25 && (queue / expected - 1.0).abs() < 0.15,
        "{queue} {expected}"
    );
}

/// The bridge marks frames, the receiver reports the marks, and the sources obey the reports. The bounds of the rates are those of
/// `setpoint live demo dcqcn`.
#[test]
fn four_stations_share_a_link_by_marks() {
    let _alone = alone();
    let spec = dcqcn_spec();
    let measured = match testbed::run(&spec, options(), &Quiet) {
        Err(error) if error.is_not_allowed() => return skip(Reason::NotPermitted, error),
        measured => measured.unwrap(),
    };
    if measured.stall > ENDLESS_STALL {
        return skip(Reason::Stalled, measured.stall);
    }
    assert_eq!((measured.bridge.lost, measured.bridge.dropped), (0, 0), "{:?}", measured.bridge);
    assert_eq!(measured.losses.total(), 0, "{:?}", measured.losses);
    every_frame_arrives(&measured);
    reports_follow_marks(&measured);
    let (live, queue) = (rates(&spec, &measured.outcome), mean_queue(&measured.outcome));
    println!("{live:.2?} Mb/s, mean queue {queue:.0} B, stall {}", measured.stall);
    if measured.stall > LONG_STALL {
        return skip(Reason::Stalled, format!("shares: {}", measured.stall));
    }
    let total: f64 = live.iter().sum();
    assert!(total > 0.95 * 95.0 && total <= 95.1, "{total}");
    assert!(live.iter().all(|rate| (rate / (total / 4.0) - 1.0).abs() < 0.2), "{live:?}");
    assert!((5_000.0..200_000.0).contains(&queue), "{queue}");
}

/// Marks, reports and reactions agree with each other: what one node sends, the other receives.
fn reports_follow_marks(measured: &Measured) {
    let (sources, receiver) = measured.stations.split_at(SENDERS);
    let receiver = receiver[0];
    let marked = measured.outcome.queues.iter().find_map(|queue| queue.marked_frames);
    assert_eq!(marked, Some(measured.bridge.marked));
    assert!(receiver.marked > 100 && receiver.marked <= measured.bridge.marked, "{receiver:?}");
    assert!(receiver.cnps > 50 && receiver.cnps <= receiver.marked, "{receiver:?}");
    let obeyed: u64 = sources.iter().map(|station| station.obeyed).sum();
    // At the end, a few reports are on their way.
    assert!(obeyed <= receiver.cnps && obeyed + 10 >= receiver.cnps, "{obeyed} {receiver:?}");
    assert!(obeyed <= measured.bridge.cnps && measured.bridge.cnps <= receiver.cnps, "{:?}", measured.bridge);
    // Only ARP is not ECN-capable, and it has another priority.
    let bridge = measured.bridge;
    assert_eq!((bridge.unmarkable_forwarded, bridge.unmarkable_dropped, bridge.notifications), (0, 0, 0));
}
