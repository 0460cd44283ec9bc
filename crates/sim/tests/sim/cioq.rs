//! Bridges with input buffers: idle latency, and fairness under contention.

use setpoint_sim::topology::{RackFabric, Star};
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{Bridges, FlowControl, FlowSpec, NodeId, Outcome, Spec, Topology, Unwatched, simulate};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use crate::support::{LINE, cioq, flow, spec, thresholds};

const DELAY: TimeDelta = TimeDelta::from_micros(1);

fn star(stations: u32) -> Topology {
    Star { stations, rate: LINE, delay: DELAY }.build()
}

fn fabric(racks: u32) -> RackFabric {
    RackFabric {
        racks,
        leaves_per_rack: 2,
        stations_per_leaf: 2,
        spines: 4,
        access_rate: LINE,
        access_delay: DELAY,
        fabric_rate: LINE,
        fabric_delay: TimeDelta::from_nanos(100),
    }
}

/// PAUSE with thresholds that leave buffer space for frames in transit.
fn paused(spec: Spec) -> Spec {
    Spec { flow_control: FlowControl::Pause(thresholds()), bridges: Bridges::Cioq(cioq()), ..spec }
}

fn run(spec: &Spec) -> Outcome {
    simulate(spec, &mut Unwatched).unwrap()
}

fn one_message(bytes: u64) -> Traffic {
    Traffic::Message { size: Bytes::new(bytes) }
}

fn stations(topology: &Topology) -> Vec<NodeId> {
    topology.stations().collect()
}

/// The latency consists of two links, the request and the grant, and the crossbar at 1.6 times the link rate.
#[test]
fn an_idle_crossbar_takes_as_long_as_its_parts() {
    let net = star(2);
    let ends = stations(&net);
    let one = flow(ends[0], ends[1], one_message(1_000));
    let outcome = run(&paused(spec(net, vec![one], TimeDelta::from_micros(50))));
    assert_eq!(outcome.flows[0].delivered_frames, 1);
    let link = LINE.time_to_send(Bytes::new(1_000)) + DELAY;
    let crossbar = Rate::from_gbps(16).time_to_send(Bytes::new(1_000));
    assert_eq!(outcome.flows[0].delay_max, link * 2 + cioq().control_delay * 2 + crossbar);
}

/// The latency of a frame that crosses spines: six cells on four links, each link followed by its spine.
#[test]
fn an_idle_fabric_takes_as_long_as_its_parts() {
    let net = fabric(1).build();
    let ends = stations(&net);
    let mut one = flow(ends[0], ends[3], one_message(1_500));
    one.frame = Bytes::new(1_500);
    let outcome = run(&paused(spec(net, vec![one], TimeDelta::from_micros(50))));
    let link = LINE.time_to_send(Bytes::new(1_500)) + DELAY;
    let full = LINE.time_to_send(Bytes::new(256 + 16));
    let last = LINE.time_to_send(Bytes::new(1_500 - 5 * 256 + 16));
    // The fifth cell follows the first; the sixth, which is shorter, follows the second.
    assert!(last < full);
    let cells = full * 3 + TimeDelta::from_nanos(100) * 2;
    assert_eq!(outcome.flows[0].delay_max, link * 2 + cioq().control_delay * 2 + cells);
    assert_eq!(outcome.messages[0].ideal, outcome.flows[0].delay_max);
    assert_eq!(outcome.fabric.cells, 6);
    assert_eq!(outcome.packet_hops, 2 + 2 * 6);
}

/// Frames between ports of one leaf do not cross spines.
#[test]
fn neighbours_cross_their_leaf() {
    let net = fabric(1).build();
    let ends = stations(&net);
    let outcome =
        run(&paused(spec(net, vec![flow(ends[0], ends[1], one_message(1_000))], TimeDelta::from_micros(50))));
    let link = LINE.time_to_send(Bytes::new(1_000)) + DELAY;
    let crossbar = Rate::from_gbps(16).time_to_send(Bytes::new(1_000));
    assert_eq!(outcome.flows[0].delay_max, link * 2 + cioq().control_delay * 2 + crossbar);
    assert_eq!(outcome.messages[0].ideal, outcome.flows[0].delay_max);
    assert_eq!((outcome.fabric.cells, outcome.packet_hops), (0, 2));
}

/// Each station sends to a station on the next leaf, so no output has two senders.
#[test]
fn without_contention_every_port_has_line_rate() {
    let net = RackFabric { fabric_rate: Rate::from_gbps(8), ..fabric(2) }.build();
    let ends = stations(&net);
    let flows =
        (0..ends.len()).map(|from| flow(ends[from], ends[(from + 3) % ends.len()], Traffic::Backlogged));
    let flows: Vec<FlowSpec> = flows.collect();
    let mut wanted = spec(net, flows, TimeDelta::from_millis(3));
    wanted.measure_from = Time::ZERO + TimeDelta::from_millis(1);
    let outcome = run(&paused(wanted));
    for (index, flow) in outcome.flows.iter().enumerate() {
        let rate = flow.delivered_measured.get() as f64 * 8.0 / 2e-3;
        assert!((rate / 1e10 - 1.0).abs() < 0.001, "flow {index} has {rate}");
    }
    assert!(outcome.ports.iter().all(|port| port.pauses == 0));
}

/// Four backlogged inputs, one output: crossbar and fabric serve every virtual output queue equally.
#[test]
fn the_arbiter_serves_backlogged_queues_equally() {
    for (name, net) in [("crossbar", star(5)), ("fabric", fabric(2).build())] {
        let ends = stations(&net);
        let flows = (0..4).map(|from| flow(ends[from], ends[4], Traffic::Backlogged)).collect();
        let mut wanted = spec(net, flows, TimeDelta::from_millis(36));
        wanted.measure_from = Time::ZERO + TimeDelta::from_millis(2);
        let outcome = run(&paused(wanted));
        let served: Vec<u64> =
            outcome.flows.iter().map(|flow| flow.delivered_measured.get() / 1_000).collect();
        let total: u64 = served.iter().sum();
        assert!(total > 40_000, "{name}: {total} frames");
        for frames in served {
            let share = frames as f64 / (total as f64 / 4.0);
            assert!((share - 1.0).abs() < 0.01, "{name}: {share} of a fair share");
        }
    }
}
