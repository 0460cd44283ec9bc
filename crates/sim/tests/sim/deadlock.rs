//! Flow-control deadlocks on rings, and rings without a deadlock.

use crate::support::{DATA, LINE, cycle_is_silent, flow, pfc, spec, thresholds};
use proptest::prelude::*;
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{
    Change, FlowControl, NodeId, Outcome, PauseParams, PrioritySet, Spec, TimedChange, Topology, Unwatched,
    simulate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// Bridges in a ring with one station each, which sends to the second bridge ahead: every ring
/// link carries two flows. With five bridges this is the only shortest path; with three there is
/// a direct link to the destination.
fn ring(traffic: &Traffic) -> Spec {
    const BRIDGES: usize = 5;
    let mut net = Topology::new();
    let bridges: Vec<NodeId> = (0..BRIDGES).map(|n| net.bridge(format!("b{n}"), 1)).collect();
    let stations: Vec<NodeId> = (0..BRIDGES).map(|n| net.station(format!("h{n}"), 0)).collect();
    let delay = TimeDelta::from_nanos(500);
    for n in 0..BRIDGES {
        net.connect(bridges[n], bridges[(n + 1) % BRIDGES], LINE, delay);
        net.connect(stations[n], bridges[n], LINE, delay);
    }
    let flows =
        (0..BRIDGES).map(|n| flow(stations[n], stations[(n + 2) % BRIDGES], traffic.clone())).collect();
    let mut spec = spec(net, flows, TimeDelta::from_millis(4));
    spec.sample_interval = TimeDelta::from_micros(100);
    spec.flow_control = pfc();
    spec
}

fn cycle_names(spec: &Spec, outcome: &Outcome) -> Vec<String> {
    let deadlock = outcome.deadlock.as_ref().expect("a deadlock");
    deadlock.cycle.iter().map(|&port| spec.topology.port_name(port)).collect()
}

/// Bytes that arrived anywhere in intervals that begin at or after the given time.
fn delivered_after(outcome: &Outcome, at: Time) -> u64 {
    let first = (at - Time::ZERO).as_picos().div_ceil(outcome.sample_interval.as_picos()) as usize;
    outcome.flows.iter().flat_map(|flow| flow.delivered_series.get(first..).unwrap_or_default()).sum()
}

#[test]
fn a_ring_of_backlogged_flows_locks_up() {
    let spec = ring(&Traffic::Backlogged);
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    assert_eq!(cycle_names(&spec, &outcome), ["b0->b1", "b1->b2", "b2->b3", "b3->b4", "b4->b0"]);
    let deadlock = outcome.deadlock.as_ref().unwrap();
    assert_eq!(deadlock.priority, Some(DATA));
    assert_eq!(deadlock.stuck, 10, "the ring and the stations that feed it");
    assert!(deadlock.at < Time::ZERO + TimeDelta::from_millis(1), "seen at {}", deadlock.at);
    // Frames already in flight to a station still arrive.
    assert_eq!(delivered_after(&outcome, deadlock.at + outcome.sample_interval), 0);
    assert!(outcome.flows.iter().all(|flow| flow.dropped_frames == 0 && flow.delivered_frames > 0));
}

#[test]
fn pause_of_whole_links_locks_up_and_names_no_priority() {
    let spec = Spec { flow_control: FlowControl::Pause(thresholds()), ..ring(&Traffic::Backlogged) };
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    assert_eq!(cycle_names(&spec, &outcome).len(), 5);
    assert_eq!(outcome.deadlock.unwrap().priority, None);
}

#[test]
fn the_same_ring_with_half_the_load_goes_on() {
    let spec = ring(&Traffic::Constant { rate: Rate::from_gbps(5) });
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    assert_eq!(outcome.deadlock, None);
    let share = Rate::from_gbps(5) * TimeDelta::from_millis(4);
    assert!(outcome.flows.iter().all(|flow| flow.delivered.get() * 100 > share.get() * 99));
}

/// A burst that fits below XOFF is delivered; with a lower threshold, the same burst deadlocks the ring.
#[test]
fn the_same_ring_with_room_for_the_burst_goes_on() {
    let burst = Traffic::Message { size: Bytes::new(400_000) };
    let narrow = ring(&burst);
    assert!(simulate(&narrow, &mut Unwatched).unwrap().deadlock.is_some());
    let params = PauseParams { xoff: Bytes::new(400_000), ..thresholds() };
    let wide = Spec { flow_control: FlowControl::Pfc(params, PrioritySet::only(DATA)), ..narrow };
    let outcome = simulate(&wide, &mut Unwatched).unwrap();
    assert_eq!(outcome.deadlock, None);
    assert_eq!(outcome.messages.len(), 5);
}

#[test]
fn without_flow_control_frames_are_lost_and_nothing_locks_up() {
    let spec = Spec { flow_control: FlowControl::None, ..ring(&Traffic::Backlogged) };
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    assert_eq!(outcome.deadlock, None);
    assert!(outcome.flows.iter().any(|flow| flow.dropped_frames > 0));
}

/// Once the ring is full, it is too late for senders to stop or ports to become faster.
#[test]
fn a_deadlock_is_permanent() {
    let mut spec = ring(&Traffic::Backlogged);
    for flow in &mut spec.flows {
        flow.stop = Some(Time::ZERO + TimeDelta::from_millis(1));
    }
    let at = Time::ZERO + TimeDelta::from_millis(2);
    let faster = |port| TimedChange { at, change: Change::PortRate(port, Rate::from_gbps(100)) };
    spec.changes = spec.topology.ports().map(faster).collect();
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    let deadlock = outcome.deadlock.as_ref().unwrap();
    assert!(deadlock.at < Time::ZERO + TimeDelta::from_millis(1));
    assert_eq!(delivered_after(&outcome, deadlock.at + outcome.sample_interval), 0);
}

/// Whether traffic stopped although there was more to send.
fn has_stopped(outcome: &Outcome) -> bool {
    outcome.flows.iter().all(|flow| flow.delivered_series.iter().rev().take(10).all(|&bytes| bytes == 0))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    /// Rings with any load and thresholds: a reported cycle is silent from then on, and a ring whose backlogged
    /// senders no longer deliver anything is reported.
    #[test]
    fn a_reported_cycle_is_silent_and_a_silent_ring_is_reported(
        megabits in 2_000u64..10_000,
        caps in proptest::collection::vec(proptest::option::of(500u64..10_000), 5),
        xoff in 2u64..60,
        xon in 0u64..60,
        whole_link: bool,
        late in proptest::collection::vec(0u64..1_000, 5),
        seed: u64,
    ) {
        let mut spec = ring(&Traffic::Backlogged);
        let params = PauseParams { xoff: Bytes::new(xoff * 1_000), xon: Bytes::new(xon.min(xoff) * 1_000), ..thresholds() };
        spec.flow_control =
            if whole_link { FlowControl::Pause(params) } else { FlowControl::Pfc(params, PrioritySet::only(DATA)) };
        for ((flow, cap), late) in spec.flows.iter_mut().zip(caps).zip(late) {
            flow.cap = Some(Rate::from_mbps(cap.unwrap_or(megabits)));
            flow.start = Time::ZERO + TimeDelta::from_micros(late);
        }
        spec.sample_interval = TimeDelta::from_micros(50);
        spec.seed = seed;
        let outcome = simulate(&spec, &mut Unwatched).unwrap();
        cycle_is_silent(&outcome);
        prop_assert!(outcome.congestion_trees.deepest <= 5, "causes were followed around the ring more than once");
        if has_stopped(&outcome) {
            prop_assert!(outcome.deadlock.is_some(), "nothing moves, and no deadlock was reported");
        }
    }
}
