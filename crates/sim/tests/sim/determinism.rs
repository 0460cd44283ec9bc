//! The same spec produces the same outcome; a different seed produces a different one.

use crate::support;
use crate::support::{LINE, flow, spec};
use setpoint_sim::topology::FatTree;
use setpoint_sim::traffic::{Traffic, matrix};
use setpoint_sim::{Decision, Monitor, SimError, Spec, Unwatched, simulate};
use setpoint_units::{Bytes, Time, TimeDelta};

fn dumbbell(senders: u32) -> Spec {
    support::dumbbell(senders, TimeDelta::from_micros(25), TimeDelta::from_millis(50))
}

#[test]
fn a_run_can_be_repeated() {
    let spec = dumbbell(4);
    let first = simulate(&spec, &mut Unwatched).unwrap();
    assert_eq!(first, simulate(&spec, &mut Unwatched).unwrap());
    let other = simulate(&Spec { seed: 2, ..spec }, &mut Unwatched).unwrap();
    assert_ne!(first, other);
}

#[test]
fn equal_paths_are_shared_by_the_seed() {
    let net = FatTree { k: 4, rate: LINE, delay: TimeDelta::from_micros(1) }.build();
    let stations: Vec<_> = net.stations().collect();
    let pairs = matrix::shifted(&stations, 8);
    let flows = pairs.iter().map(|&(from, to)| flow(from, to, Traffic::Backlogged)).collect();
    let spec = spec(net, flows, TimeDelta::from_micros(500));
    let used = |seed| {
        let outcome = simulate(&Spec { seed, ..spec.clone() }, &mut Unwatched).unwrap();
        outcome.ports.iter().map(|port| port.port).collect::<Vec<_>>()
    };
    assert_eq!(used(1), used(1));
    assert_ne!(used(1), used(2));
}

/// The sample interval does not affect any event.
#[test]
fn watching_does_not_disturb() {
    let coarse = simulate(&dumbbell(4), &mut Unwatched).unwrap();
    let mut fine = dumbbell(4);
    fine.sample_interval = TimeDelta::from_micros(10);
    let fine = simulate(&fine, &mut Unwatched).unwrap();
    for (coarse, fine) in coarse.flows.iter().zip(&fine.flows) {
        assert_eq!(
            (coarse.sent, coarse.delivered, coarse.delay_sum),
            (fine.sent, fine.delivered, fine.delay_sum)
        );
    }
    assert_eq!(coarse.queues[0].length, fine.queues[0].length);
}

#[test]
fn a_monitor_can_stop_the_run() {
    struct After(Time);
    impl Monitor for After {
        fn progress(&mut self, now: Time, _events: u64) -> Decision {
            if now >= self.0 { Decision::Stop } else { Decision::Continue }
        }
    }
    let at = Time::ZERO + TimeDelta::from_millis(7);
    assert_eq!(simulate(&dumbbell(1), &mut After(at)), Err(SimError::Stopped { at }));
}

#[test]
fn a_spec_without_sense_is_refused() {
    use setpoint_sim::SpecError;
    let refused = |change: &dyn Fn(&mut Spec)| {
        let mut spec = dumbbell(2);
        change(&mut spec);
        simulate(&spec, &mut Unwatched).unwrap_err().to_string()
    };
    assert_eq!(
        refused(&|spec| spec.flows[1].weight = 0),
        "flow FlowId(1) has weight 0; a weight must be at least 1"
    );
    assert_eq!(
        refused(&|spec| spec.flows[0].destination = spec.flows[0].source.into()),
        "flow FlowId(0) has the same source and destination"
    );
    assert_eq!(
        refused(&|spec| spec.flows[0].frame = Bytes::new(70_000)),
        "flow FlowId(0) has frames of 70 kB; a frame must be 1 B to 65535 B long"
    );
    let lonely = |spec: &mut Spec| {
        spec.topology.station("lonely", 0);
    };
    assert_eq!(refused(&lonely), "station NodeId(6) has 0 links; a station must have exactly one");
    assert!(matches!(
        simulate(&Spec { sample_interval: TimeDelta::ZERO, ..dumbbell(1) }, &mut Unwatched),
        Err(SimError::Spec(SpecError::ZeroInterval))
    ));
}
