//! The estimate is an upper bound, but not excessively large.

use setpoint_control::Marking;
use setpoint_control::culprit::Search;
use setpoint_sim::topology::{FatTree, LeafSpine, Star};
use setpoint_sim::traffic::{SizeDistribution, Traffic};
use setpoint_sim::{
    Bridges, Cioq, ControlSpec, FlowSpec, MessageOrder, Placement, Recording, Spec, Topology, Unwatched,
    memory_of, simulate,
};
use setpoint_units::{Bytes, Rate, TimeDelta};

use crate::counted::counted;
use crate::support::{LINE, cioq, dumbbell, flow, pfc, qcn_control, spec};

/// Compares a run's memory use with its estimate: at most the estimate, and at least 1/`part` of
/// it.
fn holds(name: &str, spec: &Spec, part: u64) {
    let estimate = memory_of(spec).unwrap().total().get();
    let (_, run) = counted(|| simulate(spec, &mut Unwatched).unwrap());
    assert!(run.peak <= estimate, "{name}: {} were used, {estimate} estimated", run.peak);
    assert!(run.peak * part >= estimate, "{name}: only {} were used, {estimate} estimated", run.peak);
}

fn star(stations: u32) -> Topology {
    Star { stations, rate: LINE, delay: TimeDelta::from_micros(1) }.build()
}

fn incast(net: &Topology, traffic: &Traffic) -> Vec<FlowSpec> {
    let stations: Vec<_> = net.stations().collect();
    let (last, others) = stations.split_last().unwrap();
    others.iter().map(|&from| flow(from, *last, traffic.clone())).collect()
}

fn shifted(net: &Topology, by: usize) -> Vec<FlowSpec> {
    let stations: Vec<_> = net.stations().collect();
    let to = |place: usize| stations[(place + by) % stations.len()];
    stations.iter().enumerate().map(|(place, &from)| flow(from, to(place), Traffic::Backlogged)).collect()
}

const SHORT: TimeDelta = TimeDelta::from_millis(5);

#[test]
fn long_series_of_few_flows() {
    let mut spec = dumbbell(10, TimeDelta::from_micros(5), TimeDelta::from_millis(40));
    spec.sample_interval = TimeDelta::from_micros(10);
    holds("dumbbell", &spec, 2);
    spec.recording = Recording::LastSample;
    holds("dumbbell without series", &spec, 5);
}

#[test]
fn congestion_under_flow_control() {
    let net = star(65);
    let flows = incast(&net, &Traffic::Backlogged);
    holds("incast", &Spec { flow_control: pfc(), ..spec(net, flows, SHORT) }, 4);
}

#[test]
fn fabrics_where_little_waits() {
    let net = FatTree { k: 8, rate: LINE, delay: TimeDelta::from_micros(1) }.build();
    let flows = shifted(&net, 64);
    holds("fat tree", &Spec { control: qcn_control(), ..spec(net, flows, SHORT) }, 6);
    let net = LeafSpine {
        leaves: 8,
        spines: 4,
        stations_per_leaf: 8,
        access_rate: LINE,
        fabric_rate: Rate::from_gbps(40),
        access_delay: TimeDelta::from_micros(1),
        fabric_delay: TimeDelta::from_micros(1),
    }
    .build();
    let flows = shifted(&net, 8);
    holds("leaf-spine", &Spec { flow_control: pfc(), ..spec(net, flows, SHORT) }, 6);
}

#[test]
fn many_flows() {
    let net = star(60);
    let flows = (1..60).flat_map(|by| shifted(&net, by)).collect();
    holds("all to all", &spec(net, flows, TimeDelta::from_millis(2)), 4);
}

#[test]
fn many_messages() {
    let net = star(9);
    let sizes = SizeDistribution::Fixed(Bytes::new(1_000));
    let flows = incast(&net, &Traffic::Poisson { mean_gap: TimeDelta::from_micros(8), sizes });
    let mut spec = spec(net, flows, TimeDelta::from_millis(40));
    holds("messages in order", &spec, 4);
    for flow in &mut spec.flows {
        flow.messages = MessageOrder::Independent;
    }
    holds("independent messages", &spec, 8);
}

/// An input buffer of 100 MB does not fill in 5 ms, and its culprit array grows only as the buffer fills.
#[test]
fn large_input_buffers() {
    let net = star(9);
    let flows = incast(&net, &Traffic::Backlogged);
    let control = ControlSpec {
        placement: Placement::Inputs,
        marking: Marking::RandomOccupancy(Search::default()),
        ..qcn_control()
    };
    let bridges = Bridges::Cioq(Cioq { input_buffer: Bytes::new(100_000_000), ..cioq() });
    let spec = Spec { bridges, control, ..spec(net, flows, SHORT) };
    assert!(memory_of(&spec).unwrap().total() < Bytes::new(40_000_000));
    holds("input buffers", &spec, 100);
    let uncontrolled = Spec {
        control: ControlSpec {
            congestion_point: crate::support::no_control().congestion_point,
            ..spec.control
        },
        ..spec
    };
    holds("input buffers without control", &uncontrolled, 6);
}
