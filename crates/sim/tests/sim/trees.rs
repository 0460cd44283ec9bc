//! Congestion trees: which port causes each pause, and which flows are delayed by congestion they
//! did not cause.

use crate::support::{DATA, LINE, flow, pfc, spec, thresholds};
use setpoint_sim::topology::Star;
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{
    CongestionTrees, FlowControl, FlowSpec, Outcome, PauseParams, Priority, PrioritySet, Spec, Topology,
    Unwatched, simulate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

const FAST: Rate = Rate::from_gbps(40);
const SLOW: Rate = Rate::from_gbps(1);

/// Bridges a and b, joined by a link faster than all senders together. At a, two senders overload the slow
/// link to r, and a third sends to w without limit.
fn two_bridges() -> Spec {
    let mut net = Topology::new();
    let (a, b) = (net.bridge("a", 1), net.bridge("b", 2));
    let delay = TimeDelta::from_nanos(500);
    net.connect(a, b, FAST, delay);
    let stations = ["h1", "h2", "v", "r", "w"].map(|name| net.station(name, 0));
    for (station, (bridge, rate)) in
        stations.into_iter().zip([(a, LINE), (a, LINE), (a, LINE), (b, SLOW), (b, LINE)])
    {
        net.connect(station, bridge, rate, delay);
    }
    let [h1, h2, v, r, w] = stations;
    let flows = [(h1, r), (h2, r), (v, w)].map(|(from, to)| flow(from, to, Traffic::Backlogged));
    let mut spec = spec(net, flows.to_vec(), TimeDelta::from_millis(4));
    spec.flow_control = pfc();
    spec
}

/// The paused port, cause, root and depth of every entry.
fn table(spec: &Spec, trees: &CongestionTrees) -> Vec<(String, String, String, u32)> {
    let name = |port| spec.topology.port_name(port);
    trees
        .pauses
        .iter()
        .map(|pause| (name(pause.paused), name(pause.cause), name(pause.root), pause.depth))
        .collect()
}

#[test]
fn a_tree_grows_from_its_root_over_two_bridges() {
    let spec = two_bridges();
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    let trees = &outcome.congestion_trees;
    let entry =
        |paused: &str, cause: &str, depth| (paused.to_owned(), cause.to_owned(), "b->r".to_owned(), depth);
    let expected = [
        entry("a->b", "b->r", 1),
        entry("h1->a", "a->b", 2),
        entry("h2->a", "a->b", 2),
        entry("v->a", "a->b", 2),
    ];
    assert_eq!(table(&spec, trees), expected);
    assert_eq!((trees.widest, trees.deepest), (4, 2));
    assert_eq!(outcome.deadlock, None);
}

/// The requested and actual pause times differ by the travel time of a pause frame: at most the
/// transmission time of a frame before it plus the link delay.
#[test]
fn pauses_in_the_tree_match_the_ports() {
    let spec = two_bridges();
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    for pause in &outcome.congestion_trees.pauses {
        let port = outcome.ports.iter().find(|port| port.port == pause.paused).unwrap();
        let lag = TimeDelta::from_nanos(500 + 800 + 52) * pause.pauses;
        let difference =
            if pause.time > port.paused { pause.time - port.paused } else { port.paused - pause.time };
        assert!(difference < lag, "{} requested, {} actual", pause.time, port.paused);
        // The last pause may be in transit when the run ends.
        assert!(pause.pauses - port.pauses <= 1, "{} requested, {} actual", pause.pauses, port.pauses);
    }
}

/// The recorded changes add up to the time and the number of the pauses of every port, and recording them changes nothing else.
#[test]
fn recorded_pauses_match_the_ports() {
    let unrecorded = two_bridges();
    let mut plain = simulate(&unrecorded, &mut Unwatched).unwrap();
    let spec = Spec { records_pauses: true, ..unrecorded };
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    assert_eq!(plain.pauses, None);
    let changes = outcome.pauses.clone().expect("they are recorded");
    plain.pauses.clone_from(&outcome.pauses);
    assert!(plain == outcome, "recording pauses changes the outcome");
    assert!(changes.is_sorted_by_key(|change| (change.at, change.port)));
    for port in outcome.ports.iter().filter(|port| port.pauses > 0) {
        let (mut total, mut begun, mut count) = (TimeDelta::ZERO, None, 0);
        for change in changes.iter().filter(|change| change.port == port.port) {
            if change.paused == PrioritySet::NONE {
                total += change.at - begun.take().expect("a pause ends only once");
            } else {
                assert_eq!(change.paused, PrioritySet::only(DATA));
                assert_eq!(begun.replace(change.at), None, "it is paused already");
                count += 1;
            }
        }
        total += begun.map_or(TimeDelta::ZERO, |begun| outcome.end - begun);
        assert_eq!((total, count), (port.paused, port.pauses));
    }
    assert!(changes.iter().any(|change| spec.topology.port_name(change.port) == "v->a"));
}

/// The victim always has data to send. It waits while `v->a` or `a->b` is asked to pause. That is
/// longer than the pauses of either port, but shorter than their sum, since the two are often
/// paused at once.
#[test]
fn a_flow_is_a_victim_of_congestion_that_is_not_on_its_path() {
    let spec = two_bridges();
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    let [first, second, victim] = &outcome.flows[..] else { panic!("three flows") };
    assert_eq!((first.victim, second.victim), (TimeDelta::ZERO, TimeDelta::ZERO));
    let asked = |name: &str| {
        let id = spec.topology.find_port(name).unwrap();
        let pauses = outcome.congestion_trees.pauses.iter().filter(|pause| pause.paused == id);
        pauses.map(|pause| pause.time).sum::<TimeDelta>()
    };
    let (own, next) = (asked("v->a"), asked("a->b"));
    assert!(victim.victim > own.max(next) && victim.victim < own + next, "{} {own} {next}", victim.victim);
    assert!(victim.victim < spec.duration);
    // The link to w is free, yet the victim gets only a fraction of it.
    let free = LINE * TimeDelta::from_millis(4);
    assert!(victim.delivered.get() * 5 < free.get(), "{} of {free}", victim.delivered);
}

/// A flow with nothing to send is never a victim, and a flow with a short message is one only while that
/// message is in transit.
#[test]
fn a_flow_with_nothing_to_send_is_no_victim() {
    let mut spec = two_bridges();
    let message = |size| Traffic::Message { size: Bytes::new(size) };
    spec.flows[2].start = Time::ZERO + spec.duration;
    let silent = simulate(&spec, &mut Unwatched).unwrap();
    assert!(silent.congestion_trees.pauses.iter().any(|pause| pause.depth == 2));
    assert_eq!((silent.flows[2].sent_frames, silent.flows[2].victim), (0, TimeDelta::ZERO));
    spec.flows[2] = FlowSpec {
        start: Time::ZERO + TimeDelta::from_millis(2),
        traffic: message(3_000),
        ..spec.flows[2].clone()
    };
    let brief = simulate(&spec, &mut Unwatched).unwrap();
    let [message] = brief.messages[..] else { panic!("one message") };
    let taken = message.completed - message.offered;
    assert!(brief.flows[2].victim <= taken, "{} of {taken}", brief.flows[2].victim);
}

/// PFC pauses only the congested priority, so a flow of another priority is not delayed; with PAUSE it is.
#[test]
fn another_priority_is_delayed_by_pause_and_not_by_pfc() {
    let mut spec = two_bridges();
    spec.flows[2] = FlowSpec { priority: Priority::new(1).unwrap(), ..spec.flows[2].clone() };
    spec.flow_control = FlowControl::Pfc(thresholds(), PrioritySet::ALL);
    let pfc = simulate(&spec, &mut Unwatched).unwrap();
    assert_eq!(pfc.flows[2].victim, TimeDelta::ZERO);
    assert_eq!(pfc.congestion_trees.deepest, 2);
    spec.flow_control = FlowControl::Pause(thresholds());
    let pause = simulate(&spec, &mut Unwatched).unwrap();
    assert!(pause.flows[2].victim > TimeDelta::from_millis(3), "{}", pause.flows[2].victim);
}

/// If a run ends during a pause, the pause counts up to the end.
#[test]
fn a_pause_in_progress_counts_up_to_the_end() {
    let mut spec = two_bridges();
    let whole = simulate(&spec, &mut Unwatched).unwrap();
    let time =
        |outcome: &Outcome| outcome.congestion_trees.pauses.iter().map(|pause| pause.time).sum::<TimeDelta>();
    spec.duration = TimeDelta::from_micros(60);
    let early = simulate(&spec, &mut Unwatched).unwrap();
    assert!(early.congestion_trees.pauses.iter().all(|pause| pause.pauses == 1));
    assert_eq!(early.congestion_trees.widest, 4);
    assert!(!time(&early).is_zero() && time(&early) < time(&whole));
    assert!(early.congestion_trees.pauses.iter().all(|pause| pause.time < spec.duration));
    // Both pauses on the victim's path last until the end: it is delayed from the beginning of the first.
    let on_its_path = ["v->a", "a->b"].map(|name| spec.topology.find_port(name).unwrap());
    let pauses = early.congestion_trees.pauses.iter().filter(|pause| on_its_path.contains(&pause.paused));
    assert_eq!(early.flows[2].victim, pauses.map(|pause| pause.time).max().unwrap());
}

/// With a single bridge, every sender is paused because of the shared port, and no flow is
/// delayed by congestion that others cause.
#[test]
fn at_one_bridge_trees_have_depth_one() {
    let net = Star { stations: 9, rate: LINE, delay: TimeDelta::from_micros(1) }.build();
    let stations: Vec<_> = net.stations().collect();
    let pairs = setpoint_sim::traffic::matrix::incast(&stations, stations[8]);
    let flows = pairs.iter().map(|&(source, sink)| flow(source, sink, Traffic::Backlogged)).collect();
    let mut spec = spec(net, flows, TimeDelta::from_millis(3));
    spec.flow_control = pfc();
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    let trees = &outcome.congestion_trees;
    assert_eq!((trees.pauses.len(), trees.widest, trees.deepest), (8, 8, 1));
    let sink = spec.topology.find_port("bridge->h9").unwrap();
    assert!(trees.pauses.iter().all(|pause| pause.cause == sink && pause.root == sink));
    assert!(outcome.flows.iter().all(|flow| flow.victim.is_zero()));
}

#[test]
fn without_flow_control_there_are_no_trees() {
    let spec = Spec { flow_control: FlowControl::None, ..two_bridges() };
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    assert_eq!(outcome.congestion_trees, CongestionTrees::default());
    assert_eq!(outcome.deadlock, None);
    assert!(outcome.flows.iter().all(|flow| flow.victim.is_zero()));
}

#[test]
fn enough_room_means_no_tree() {
    let params = PauseParams { xoff: Bytes::new(20_000_000), ..thresholds() };
    let spec = Spec { flow_control: FlowControl::Pfc(params, PrioritySet::only(DATA)), ..two_bridges() };
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    assert_eq!(outcome.congestion_trees, CongestionTrees::default());
}
