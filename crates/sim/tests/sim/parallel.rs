//! The number of threads does not affect any result.

use std::num::NonZeroUsize;

use crate::support::draw::{Draw, Scale, Ways};
use crate::support::siege::{besieged, besieged_shared};
use crate::support::{LINE, cioq, flow, qcn_control, spec};
use proptest::prelude::*;
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{
    Bridges, Cioq, Decision, Monitor, PassingFrame, PortId, Spec, Threads, Topology, Unwatched, simulate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// Runs on the given number of threads, and observes every third port if requested.
struct On {
    threads: usize,
    observes: bool,
    seen: Vec<(Time, PortId, Bytes)>,
}

impl On {
    fn new(threads: usize, observes: bool) -> Self {
        Self { threads, observes, seen: Vec::new() }
    }
}

impl Monitor for On {
    fn progress(&mut self, _: Time, _: u64) -> Decision {
        Decision::Continue
    }

    fn threads(&self) -> Threads {
        Threads::exactly(NonZeroUsize::new(self.threads).unwrap())
    }

    fn observes(&self, port: PortId) -> bool {
        self.observes && port.0.is_multiple_of(3)
    }

    fn passes(&mut self, frame: &PassingFrame) {
        self.seen.push((frame.at, frame.port, frame.length));
    }
}

/// Runs a spec on different numbers of threads and compares the outcomes.
fn same_on_any_number(spec: &Spec, observes: bool) {
    let mut alone = On::new(1, observes);
    let one = simulate(spec, &mut alone);
    for threads in [2, 3, 8] {
        let mut together = On::new(threads, observes);
        match (&one, &simulate(spec, &mut together)) {
            (Ok(one), Ok(several)) => {
                assert!(one == several, "{threads} threads");
                assert!(alone.seen == together.seen, "{threads} threads");
            }
            (Err(one), Err(several)) => assert_eq!(one.to_string(), several.to_string(), "{threads} threads"),
            (one, several) => panic!("{threads} threads: {:?}, {:?}", one.is_ok(), several.is_ok()),
        }
    }
}

/// A cell reaches a nearby spine, and is announced from there, within the window in which its frame is announced.
#[test]
fn a_spine_may_be_much_nearer_to_one_leaf_than_to_another() {
    let mut net = Topology::new();
    let leaves = [net.bridge("l0", 1), net.bridge("l1", 1)];
    let spines = [net.spine("s0", 2), net.spine("s1", 2)];
    for (leaf, spine) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let delay = if leaf == spine { TimeDelta::from_nanos(10) } else { TimeDelta::from_micros(1) };
        net.connect(leaves[leaf], spines[spine], LINE, delay);
    }
    let stations = [net.station("h0", 0), net.station("h1", 0)];
    for (leaf, station) in stations.iter().enumerate() {
        net.connect(*station, leaves[leaf], LINE, TimeDelta::from_nanos(500));
    }
    let flows = [(0, 1), (1, 0)].map(|(from, to)| flow(stations[from], stations[to], Traffic::Backlogged));
    let mut spec = spec(net, flows.to_vec(), TimeDelta::from_micros(200));
    spec.bridges = Bridges::Cioq(Cioq { control_delay: TimeDelta::from_micros(1), ..cioq() });
    same_on_any_number(&spec, false);
    assert!(simulate(&spec, &mut Unwatched).unwrap().fabric.cells > 1_000);
}

/// A notification from a bridge beyond a fabric enters it at one leaf and leaves it at another, in another partition.
#[test]
fn a_notification_crosses_a_fabric() {
    let mut net = Topology::new();
    let [near, far] = [net.bridge("near", 1), net.bridge("far", 1)];
    let (spine, beyond) = (net.spine("spine", 2), net.bridge("beyond", 1));
    for (bridge, to) in [(near, spine), (far, spine), (far, beyond)] {
        net.connect(bridge, to, LINE, TimeDelta::from_micros(1));
    }
    let stations = [(near, LINE), (near, LINE), (beyond, Rate::from_gbps(2))].map(|(bridge, rate)| {
        let station = net.station(format!("h{}", net.nodes().len()), 0);
        net.connect(station, bridge, rate, TimeDelta::from_micros(1));
        station
    });
    let flows = [0, 1].map(|from| flow(stations[from], stations[2], Traffic::Backlogged));
    let mut spec = spec(net, flows.to_vec(), TimeDelta::from_millis(2));
    spec.control = qcn_control();
    spec.bridges = Bridges::Cioq(Cioq { control_delay: TimeDelta::from_micros(1), ..cioq() });
    same_on_any_number(&spec, false);
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    assert!(outcome.flows.iter().all(|flow| flow.notifications > 0));
}

#[test]
fn shared_buffers_do_not_depend_on_the_number_of_threads() {
    for (seed, mut spec) in
        (0..4 * u64::from(networks())).filter_map(|seed| Some((seed, besieged_shared(seed)?)))
    {
        if seed % 2 == 0 {
            Draw::new(seed, Scale::Usual).fail_links(&mut spec);
        }
        same_on_any_number(&spec, false);
    }
}

/// The number of random networks of each kind, which `PARALLEL_NETWORKS` can increase.
fn networks() -> u32 {
    std::env::var("PARALLEL_NETWORKS").ok().and_then(|count| count.parse().ok()).unwrap_or(24)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: networks(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_spec(seed: u64) {
        same_on_any_number(&Draw::new(seed, Scale::Any).plain(seed, Ways::Several), seed % 4 == 0);
    }

    #[test]
    fn any_distributed_bridge(seed: u64) {
        same_on_any_number(&Draw::new(seed, Scale::Usual).distributed_bridge(seed), seed % 4 == 0);
    }

    #[test]
    fn any_spec_under_siege(seed: u64) {
        same_on_any_number(&besieged(seed), seed % 4 == 0);
    }
}
