//! Cells that cross leaves and spines: their throughput, and the absence of stuck cells.

use crate::support::{LINE, cioq, flow, spec, thresholds};
use setpoint_control::parameter::Percent;
use setpoint_sim::topology::RackFabric;
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{
    Bridges, Cells, Change, Cioq, Delivery, FlowControl, FlowSpec, Headroom, NodeId, Outcome, PauseParams,
    PortId, Priority, Purpose, RandomStream, Spec, Spraying, TimedChange, Topology, Unwatched, simulate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

const DELAY: TimeDelta = TimeDelta::from_nanos(500);
const INSIDE: TimeDelta = TimeDelta::from_nanos(100);

fn fabric(leaves: u32, stations: u32, spines: u32) -> RackFabric {
    RackFabric {
        racks: 1,
        leaves_per_rack: leaves,
        stations_per_leaf: stations,
        spines,
        access_rate: LINE,
        access_delay: DELAY,
        fabric_rate: LINE,
        fabric_delay: INSIDE,
    }
}

fn cells(change: impl FnOnce(&mut Cells)) -> Bridges {
    let mut cioq = cioq();
    change(&mut cioq.cells);
    Bridges::Cioq(cioq)
}

/// A flow from the first station to the last.
fn through(net: Topology, frame: u64, traffic: Traffic, duration: TimeDelta) -> Spec {
    let stations: Vec<NodeId> = net.stations().collect();
    let one =
        FlowSpec { frame: Bytes::new(frame), ..flow(stations[0], stations[stations.len() - 1], traffic) };
    let mut spec = spec(net, vec![one], duration);
    spec.bridges = cells(|_| ());
    spec.flow_control = FlowControl::Pause(thresholds());
    spec
}

fn run(spec: &Spec) -> Outcome {
    simulate(spec, &mut Unwatched).unwrap()
}

/// Frames that arrived in the second and third millisecond.
fn frames_in_two_milliseconds(mut spec: Spec) -> u64 {
    spec.duration = TimeDelta::from_millis(3);
    spec.measure_from = Time::ZERO + TimeDelta::from_millis(1);
    run(&spec).flows[0].delay_frames
}

/// A frame that fits into one cell is transmitted once on the link to a spine and once on the link from it.
#[test]
fn a_frame_of_one_cell_is_sent_twice() {
    for (payload, header) in [(256, 16), (64, 0), (9_000, 100)] {
        let traffic = Traffic::Message { size: Bytes::new(64) };
        let mut spec = through(fabric(2, 1, 4).build(), 64, traffic, TimeDelta::from_micros(20));
        spec.bridges =
            cells(|cells| (cells.payload, cells.header) = (Bytes::new(payload), Bytes::new(header)));
        let outcome = run(&spec);
        let link = LINE.time_to_send(Bytes::new(64)) + DELAY;
        let cell = LINE.time_to_send(Bytes::new(64 + header)) + INSIDE;
        assert_eq!(outcome.flows[0].delay_max, link * 2 + cioq().control_delay * 2 + cell * 2);
        assert_eq!((outcome.fabric.cells, outcome.packet_hops), (1, 2 + 2));
    }
}

/// 9 000 B are 36 cells, nine on each of four links. All cells on a link except the last are
/// full, and each spine finishes one cell after its link.
#[test]
fn a_jumbo_frame_takes_all_links_several_times() {
    let traffic = Traffic::Message { size: Bytes::new(9_000) };
    let spec = through(fabric(2, 1, 4).build(), 9_000, traffic, TimeDelta::from_micros(50));
    let outcome = run(&spec);
    let link = LINE.time_to_send(Bytes::new(9_000)) + DELAY;
    let inside = LINE.time_to_send(Bytes::new(272)) * 10 + INSIDE * 2;
    assert_eq!(outcome.flows[0].delay_max, link * 2 + cioq().control_delay * 2 + inside);
    assert_eq!(outcome.messages[0].ideal, outcome.flows[0].delay_max);
    assert_eq!((outcome.fabric.cells, outcome.packet_hops), (36, 2 + 72));
}

/// If a spine has buffer space for only one or two cells, the other cells of a frame wait for it; the ideal
/// time includes that wait.
#[test]
fn ideal_times_account_for_the_room_at_spines() {
    for (spine_input, frame) in [(1, 9_000), (2, 9_000), (2, 1_500), (16, 9_001), (1, 256 * 9 + 1)] {
        let traffic = Traffic::Message { size: Bytes::new(frame) };
        let net = RackFabric { fabric_delay: DELAY, ..fabric(2, 1, 3) };
        let mut spec = through(net.build(), frame, traffic, TimeDelta::from_micros(100));
        spec.bridges = cells(|cells| (cells.spine_input, cells.spine_output) = (spine_input, 1));
        let outcome = run(&spec);
        assert_eq!(
            outcome.messages[0].ideal, outcome.flows[0].delay_max,
            "{frame} B, room for {spine_input}"
        );
        assert_eq!(outcome.fabric.waited_at_leaves > 0, spine_input < 16 && frame > 1_500);
    }
}

/// One spine with buffer space for one cell: a cell is transmitted and propagates, and the report
/// of freed space reaches the leaf after the same delay.
#[test]
fn room_for_one_cell_bounds_the_rate_by_the_round_trip() {
    for (spine_input, inside) in [(1, INSIDE), (1, DELAY), (2, DELAY), (3, DELAY)] {
        let net = RackFabric { fabric_delay: inside, ..fabric(2, 1, 1) };
        let mut spec = through(net.build(), 240, Traffic::Backlogged, TimeDelta::ZERO);
        spec.bridges = cells(|cells| cells.spine_input = spine_input);
        let cell = LINE.time_to_send(Bytes::new(256));
        let round = cell + inside * 2;
        let per_cell = cell.max(TimeDelta::from_picos(round.as_picos().div_ceil(u64::from(spine_input))));
        let expected = TimeDelta::from_millis(2) / per_cell;
        let frames = frames_in_two_milliseconds(spec);
        assert!(
            frames.abs_diff(expected) <= 2,
            "{frames} frames with room for {spine_input}, not {expected}"
        );
    }
}

/// Buffer space for one cell at a spine's output is enough: a cell waits there while its predecessor is transmitted.
#[test]
fn room_for_one_cell_at_the_output_costs_nothing() {
    let mut spec = through(fabric(2, 1, 1).build(), 240, Traffic::Backlogged, TimeDelta::ZERO);
    spec.bridges = cells(|cells| cells.spine_output = 1);
    let expected = TimeDelta::from_millis(2) / LINE.time_to_send(Bytes::new(256));
    assert!(frames_in_two_milliseconds(spec).abs_diff(expected) <= 2);
}

/// Cells sprayed at random overtake each other, yet frames leave in order at the same rate: the links have 50
/// % more capacity than needed.
#[test]
fn random_spraying_keeps_order_and_rate() {
    let net = RackFabric { fabric_rate: Rate::from_gbps(5), ..fabric(2, 1, 3) };
    let mut spec = through(net.build(), 256, Traffic::Backlogged, TimeDelta::from_millis(2));
    spec.bridges = cells(|cells| cells.spraying = Spraying::Random);
    let outcome = run(&spec);
    assert!(
        outcome.fabric.resequenced > 100,
        "{} frames waited for an older one",
        outcome.fabric.resequenced
    );
    let rate = outcome.flows[0].delivered.get() as f64 * 8.0 / 2e-3;
    assert!(rate > 9.9e9, "{rate}");
}

/// An internal link that becomes slow delays every frame with a cell on it; a slow edge link delays only its
/// own frames.
#[test]
fn a_slow_internal_link_delays_all_frames() {
    let net = fabric(2, 1, 4).build();
    let (leaf, spine) = (net.find("leaf1.1").unwrap(), net.find("spine1").unwrap());
    let (up, down) = (net.port_between(leaf, spine).unwrap(), net.port_between(spine, leaf).unwrap());
    let at = Time::ZERO + TimeDelta::from_micros(300);
    let mut rates = Vec::new();
    for port in [None, Some(up), Some(down), Some(PortId(0))] {
        let mut spec = through(net.clone(), 1_024, Traffic::Backlogged, TimeDelta::ZERO);
        let change = port.map(|port| Change::PortRate(port, Rate::from_gbps(1)));
        spec.changes.extend(change.map(|change| TimedChange { at, change }));
        rates.push(frames_in_two_milliseconds(spec));
    }
    // Four cells on four links: one cell of each frame is on the slow link. The other direction carries nothing.
    let slow = TimeDelta::from_millis(2) / Rate::from_gbps(1).time_to_send(Bytes::new(272));
    let line = TimeDelta::from_millis(2) / LINE.time_to_send(Bytes::new(1_024));
    let edge = TimeDelta::from_millis(2) / Rate::from_gbps(1).time_to_send(Bytes::new(1_024));
    for (rate, expected) in rates.into_iter().zip([line, slow, line, edge]) {
        assert!(rate.abs_diff(expected) <= 2, "{rate} frames, not {expected}");
    }
}

/// Two priorities through one fabric: each has its own buffers, and at a shared link the higher priority is
/// served first.
#[test]
fn priorities_share_spines_and_nothing_else() {
    let net = fabric(3, 1, 3).build();
    let stations: Vec<NodeId> = net.stations().collect();
    let low = FlowSpec {
        priority: Priority::new(1).unwrap(),
        ..flow(stations[0], stations[2], Traffic::Backlogged)
    };
    let high = flow(stations[1], stations[2], Traffic::Constant { rate: Rate::from_gbps(7) });
    let mut spec = spec(net, vec![low, high], TimeDelta::from_millis(3));
    spec.bridges = cells(|_| ());
    spec.flow_control = FlowControl::Pfc(thresholds(), setpoint_sim::PrioritySet::ALL);
    spec.measure_from = Time::ZERO + TimeDelta::from_millis(1);
    let outcome = run(&spec);
    let rate = |flow: usize| outcome.flows[flow].delivered_measured.get() as f64 * 8.0 / 2e-3 / 1e9;
    assert!((rate(1) - 7.0).abs() < 0.05, "{}", rate(1));
    assert!((rate(0) - 3.0).abs() < 0.05, "{}", rate(0));
}

/// The same spec produces the same outcome.
#[test]
fn a_fabric_is_deterministic() {
    let mut spec = through(fabric(2, 1, 3).build(), 1_500, Traffic::Backlogged, TimeDelta::from_millis(1));
    spec.bridges = cells(|cells| cells.spraying = Spraying::Random);
    assert_eq!(run(&spec), run(&spec));
}

/// All buffers are tiny, and all stations send to all others: once the senders have stopped, everything sent
/// has arrived.
#[test]
fn tiny_buffers_drain() {
    let mut waited = [0; 2];
    for seed in 0..60 {
        let mut draw = RandomStream::new(seed, Purpose::Matrix, 7);
        let mut one = |of: &[u64]| of[draw.below(of.len() as u64) as usize];
        let net = RackFabric {
            fabric_rate: Rate::from_gbps(one(&[1, 3, 10, 40])),
            fabric_delay: TimeDelta::from_nanos(one(&[0, 1, 100, 2_000])),
            ..fabric(one(&[2, 3]) as u32, 2, one(&[1, 2, 5]) as u32)
        };
        let net = net.build();
        let stations: Vec<NodeId> = net.stations().collect();
        let mut flows = Vec::new();
        for (place, &from) in stations.iter().enumerate() {
            for &to in stations.iter().filter(|&&to| to != from) {
                let frame = Bytes::new(one(&[1, 64, 256, 257, 1_500]));
                let priority = Priority::new(one(&[1, 3, 6]) as u8).unwrap();
                let stop = Some(Time::ZERO + TimeDelta::from_micros(50 + 10 * place as u64));
                flows.push(FlowSpec { frame, priority, stop, ..flow(from, to, Traffic::Backlogged) });
            }
        }
        let mut spec = spec(net, flows, TimeDelta::from_millis(40));
        spec.bridges = Bridges::Cioq(Cioq {
            input_buffer: Bytes::new(1_000_000),
            unit: Bytes::new(one(&[1, 100, 256])),
            speedup: Percent::new(one(&[100, 300]) as u16),
            control_delay: TimeDelta::from_nanos(one(&[0, 0, 1, 300])),
            delivery: if one(&[0, 1]) == 0 { Delivery::Plain } else { Delivery::Reliable },
            cells: Cells {
                payload: Bytes::new(one(&[64, 256, 1_499])),
                header: Bytes::new(one(&[0, 16])),
                spine_input: one(&[1, 2, 3]) as u32,
                spine_output: one(&[1, 2]) as u32,
                spraying: if one(&[0, 1]) == 0 { Spraying::RoundRobin } else { Spraying::Random },
            },
        });
        spec.buffer = Bytes::new(1_536);
        spec.overhead = Bytes::new(20);
        spec.sample_interval = TimeDelta::from_micros(200);
        let (xoff, xon) = (Bytes::new(3_000), Bytes::new(one(&[0, 3_000])));
        let params =
            PauseParams { xoff, xon, headroom: Headroom::Fixed(Bytes::new(400_000)), ..thresholds() };
        spec.flow_control = FlowControl::Pause(params);
        spec.seed = seed;
        let outcome = run(&spec);
        for (index, flow) in outcome.flows.iter().enumerate() {
            assert_eq!(flow.sent_frames, flow.delivered_frames, "flow {index} of seed {seed}");
        }
        assert!(outcome.queues.iter().all(|queue| queue.length_series.last() == Some(&0)), "seed {seed}");
        waited[0] += outcome.fabric.waited_at_leaves;
        waited[1] += outcome.fabric.waited_at_spines;
    }
    assert!(waited.iter().all(|&cells| cells > 10_000), "{waited:?} cells waited at leaves and spines");
}
