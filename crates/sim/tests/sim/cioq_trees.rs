//! Congestion trees and deadlocks in networks of bridges with input buffers.

use crate::support::{DATA, LINE, cioq, cycle_is_silent, flow, spec, thresholds};
use proptest::prelude::*;
use setpoint_sim::topology::RackFabric;
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{
    Bridges, Cioq, Delivery, FlowControl, NodeId, Outcome, PauseParams, PrioritySet, Spec, Topology,
    Unwatched, simulate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

const DELAY: TimeDelta = TimeDelta::from_nanos(500);

/// Five bridges in a ring, each with the given number of stations, which send to the second bridge
/// ahead. Virtual output queues take turns: with two stations, traffic on the ring gets a third of
/// the next link and needs two thirds, so inputs fill up.
fn ring(stations_each: usize, traffic: &Traffic, delivery: Delivery) -> Spec {
    const BRIDGES: usize = 5;
    let mut net = Topology::new();
    let bridges: Vec<NodeId> = (0..BRIDGES).map(|n| net.bridge(format!("b{n}"), 1)).collect();
    let mut stations = Vec::new();
    for n in 0..BRIDGES {
        net.connect(bridges[n], bridges[(n + 1) % BRIDGES], LINE, DELAY);
        for place in 0..stations_each {
            let station = net.station(format!("h{n}.{place}"), 0);
            net.connect(station, bridges[n], LINE, DELAY);
            stations.push(station);
        }
    }
    let count = stations.len();
    let sink = |n: usize| stations[(n + 2 * stations_each) % count];
    let flows = (0..count).map(|n| flow(stations[n], sink(n), traffic.clone())).collect();
    let mut spec = spec(net, flows, TimeDelta::from_millis(4));
    spec.bridges = Bridges::Cioq(Cioq { delivery, ..cioq() });
    spec.buffer = Bytes::new(20_000);
    spec.sample_interval = TimeDelta::from_micros(50);
    spec.flow_control = with_thresholds(30_000, 20_000);
    spec
}

fn with_thresholds(xoff: u64, xon: u64) -> FlowControl {
    let params = PauseParams { xoff: Bytes::new(xoff), xon: Bytes::new(xon), ..thresholds() };
    FlowControl::Pfc(params, PrioritySet::only(DATA))
}

fn run(spec: &Spec) -> Outcome {
    simulate(spec, &mut Unwatched).unwrap()
}

fn delivered_after(outcome: &Outcome, at: Time) -> u64 {
    let first = (at - Time::ZERO).as_picos().div_ceil(outcome.sample_interval.as_picos()) as usize;
    outcome.flows.iter().flat_map(|flow| flow.delivered_series.get(first..).unwrap_or_default()).sum()
}

#[test]
fn a_ring_locks_up_whatever_the_delivery() {
    for delivery in [Delivery::Plain, Delivery::Reliable] {
        let spec = ring(2, &Traffic::Backlogged, delivery);
        let outcome = run(&spec);
        let deadlock = outcome.deadlock.as_ref().expect("a deadlock");
        let cycle: Vec<String> = deadlock.cycle.iter().map(|&port| spec.topology.port_name(port)).collect();
        assert_eq!(cycle, ["b0->b1", "b1->b2", "b2->b3", "b3->b4", "b4->b0"], "{delivery:?}");
        assert_eq!(
            (deadlock.priority, deadlock.stuck),
            (Some(DATA), 15),
            "the ring and the stations that feed it"
        );
        assert!(deadlock.at < Time::ZERO + TimeDelta::from_millis(1), "seen at {}", deadlock.at);
        assert_eq!(delivered_after(&outcome, deadlock.at + outcome.sample_interval * 2), 0);
        cycle_is_silent(&outcome);
        assert!(outcome.flows.iter().all(|flow| flow.dropped_frames == 0 && flow.delivered_frames > 0));
    }
}

#[test]
fn half_the_load_does_not_lock_a_ring() {
    for delivery in [Delivery::Plain, Delivery::Reliable] {
        let outcome = run(&ring(1, &Traffic::Constant { rate: Rate::from_gbps(5) }, delivery));
        assert_eq!(outcome.deadlock, None, "{delivery:?}");
        let share = Rate::from_gbps(5) * TimeDelta::from_millis(4);
        assert!(outcome.flows.iter().all(|flow| flow.delivered.get() * 100 > share.get() * 99));
    }
}

/// PAUSE counts all priorities of a link together, yet one priority cannot use the buffer space of another at an output.
#[test]
fn room_of_another_priority_does_not_resolve_a_deadlock() {
    let mut spec = ring(2, &Traffic::Backlogged, Delivery::Plain);
    if let FlowControl::Pfc(params, _) = spec.flow_control {
        spec.flow_control = FlowControl::Pause(params);
    }
    let outcome = run(&spec);
    assert!(has_stopped(&outcome));
    let deadlock = outcome.deadlock.expect("a deadlock");
    assert_eq!((deadlock.cycle.len(), deadlock.priority, deadlock.stuck), (5, None, 15));
}

/// A frame that has been sent occupies buffer space at its input until the acknowledgement arrives there. That does not
/// close a cycle.
#[test]
fn room_that_is_about_to_be_freed_is_not_stuck() {
    let mut spec = ring(1, &Traffic::Backlogged, Delivery::Reliable);
    let caps = [Some(6_087), Some(9_574), None, None, Some(6_779)];
    for ((flow, cap), late) in spec.flows.iter_mut().zip(caps).zip([77, 9, 150, 992, 742]) {
        flow.cap = cap.map(Rate::from_mbps);
        flow.start = Time::ZERO + TimeDelta::from_micros(late);
        flow.frame = Bytes::new(443);
    }
    spec.bridges = Bridges::Cioq(Cioq {
        delivery: Delivery::Reliable,
        unit: Bytes::new(126),
        input_buffer: Bytes::new(1_000_000),
        control_delay: TimeDelta::from_nanos(800),
        ..cioq()
    });
    spec.buffer = Bytes::new(10_000);
    spec.flow_control = with_thresholds(5_000, 0);
    spec.seed = 6_437_548_218_973_018_266;
    cycle_is_silent(&run(&spec));
}

/// Whether traffic stopped although there was more to send.
fn has_stopped(outcome: &Outcome) -> bool {
    outcome.flows.iter().all(|flow| flow.delivered_series.iter().rev().take(10).all(|&bytes| bytes == 0))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// Rings with any load, thresholds and buffers: a reported cycle is silent from then on, and a ring that
    /// stops is reported.
    #[test]
    fn a_reported_cycle_is_silent_and_a_silent_ring_is_reported(
        stations_each in 1usize..3,
        caps in proptest::collection::vec(proptest::option::of(500u64..10_000), 10),
        late in proptest::collection::vec(0u64..1_000, 10),
        xoff in 2u64..60,
        below in 0u64..60,
        buffer in 1u64..40,
        unit in 1u64..700,
        frame in 100u64..1_000,
        reliable: bool,
        whole_link: bool,
        control in 0u64..3,
        seed: u64,
    ) {
        let delivery = if reliable { Delivery::Reliable } else { Delivery::Plain };
        let mut spec = ring(stations_each, &Traffic::Backlogged, delivery);
        for ((flow, cap), late) in spec.flows.iter_mut().zip(caps).zip(late) {
            flow.cap = cap.map(Rate::from_mbps);
            flow.start = Time::ZERO + TimeDelta::from_micros(late);
            flow.frame = Bytes::new(frame);
        }
        let room = Bytes::new(1_000_000);
        let control_delay = TimeDelta::from_nanos(control * 400);
        spec.bridges =
            Bridges::Cioq(Cioq { delivery, unit: Bytes::new(unit), input_buffer: room, control_delay, ..cioq() });
        spec.buffer = Bytes::new(buffer * 2_000);
        spec.flow_control = with_thresholds(xoff * 1_000, xoff.saturating_sub(below) * 1_000);
        if whole_link && let FlowControl::Pfc(params, _) = spec.flow_control {
            spec.flow_control = FlowControl::Pause(params);
        }
        spec.seed = seed;
        let outcome = run(&spec);
        cycle_is_silent(&outcome);
        // The longest chain goes once around the ring and on to a station.
        prop_assert!(outcome.congestion_trees.deepest <= 6, "causes were followed around the ring more than once");
        if has_stopped(&outcome) {
            prop_assert!(outcome.deadlock.is_some(), "nothing moves, and no deadlock was reported");
        }
    }
}

/// A hot port: every sender to it is paused because of it, and flows that share a sender's link are delayed.
#[test]
fn in_a_fabric_trees_begin_at_the_hot_port() {
    let fabric = RackFabric {
        racks: 1,
        leaves_per_rack: 3,
        stations_per_leaf: 2,
        spines: 3,
        access_rate: LINE,
        access_delay: DELAY,
        fabric_rate: LINE,
        fabric_delay: TimeDelta::from_nanos(100),
    };
    for delivery in [Delivery::Plain, Delivery::Reliable] {
        let net = fabric.build();
        let station = |name: &str| net.find(name).unwrap();
        // h1, h3 and h6 overload h5; h1 also sends to h2, and h4, which is not involved, to h6.
        let pairs = [("h1", "h5"), ("h3", "h5"), ("h1", "h2"), ("h4", "h6"), ("h6", "h5")];
        let flows = pairs.map(|(from, to)| flow(station(from), station(to), Traffic::Backlogged));
        let mut spec = spec(net, flows.to_vec(), TimeDelta::from_millis(4));
        spec.bridges = Bridges::Cioq(Cioq { delivery, ..cioq() });
        spec.flow_control = with_thresholds(30_000, 20_000);
        let outcome = run(&spec);
        let trees = &outcome.congestion_trees;
        let name = |port| spec.topology.port_name(port);
        let table: Vec<_> = trees
            .pauses
            .iter()
            .map(|pause| (name(pause.paused), name(pause.cause), name(pause.root), pause.depth))
            .collect();
        let hot = |paused: &str| (paused.to_owned(), "leaf1.3->h5".to_owned(), "leaf1.3->h5".to_owned(), 1);
        assert_eq!(table, [hot("h1->leaf1.1"), hot("h3->leaf1.2"), hot("h6->leaf1.3")], "{delivery:?}");
        assert_eq!((trees.widest, trees.deepest), (3, 1));
        let [culprit, other, victim, stranger, neighbour] = &outcome.flows[..] else { panic!("five flows") };
        for to_blame in [culprit, other, stranger, neighbour] {
            assert_eq!(to_blame.victim, TimeDelta::ZERO);
        }
        assert_eq!(victim.victim, trees.pauses[0].time);
        assert!(victim.victim > TimeDelta::from_micros(500), "{}", victim.victim);
        assert_eq!(outcome.deadlock, None);
    }
}
