//! Shapes for measuring the simulator's speed: `setpoint bench`.
//!
//! Most shapes have 1000-byte frames, 10 Gb/s links and backlogged senders, and sample queues and rates every 10
//! ms. They are compared with a bare event loop, so they exercise the whole product: limiters with byte counters
//! and timers, notifications as frames, pauses and refreshes. Two are for comparisons with other simulators: constant rates
//! without control, and a large fat tree at 100 Gb/s. The last shape is the fabric of Chrysos et al. (2014) under load, with 640
//! ports of 100 Gb/s.

use setpoint_control::culprit::Search;
use setpoint_control::parameter::Percent;
use setpoint_control::{Algorithm, Audience, GroupParams, Marking, Params, Preset};
use setpoint_sim::topology::{Dumbbell, FatTree, RackFabric, Star};
use setpoint_sim::traffic::{Silence, Traffic, matrix};
use setpoint_sim::{
    Bridges, Cells, Cioq, ControlSpec, Delivery, FlowControl, FlowSpec, Headroom, MessageOrder, NodeId,
    PauseParams, PauseResponse, Placement, Priority, PrioritySet, Purpose, RandomStream, Reaction, Recording,
    SampledFrames, Spec, Spraying, Topology,
};
use setpoint_units::{Bytes, PartsPerMillion, Rate, Time, TimeDelta};

/// A network for measuring speed.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The name on the command line.
    pub name: &'static str,
    /// A short description.
    pub title: &'static str,
    /// The default simulated time.
    pub simulated: TimeDelta,
    build: fn() -> Plan,
}

/// The contents of a shape.
struct Plan {
    topology: Topology,
    flows: Vec<FlowSpec>,
    kind: Kind,
}

/// The mechanism that limits the senders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Congestion control: QCN, or the requested algorithm.
    Control,
    /// PFC only.
    Pfc,
    /// Congestion control and PFC.
    ControlAndPfc,
    /// Nothing: the senders are slower than their links.
    Nothing,
    /// Congestion control at the inputs of a rack fabric, with random-occupancy marking and PAUSE.
    Fabric,
}

const LINE: Rate = Rate::from_gbps(10);
const DATA: Priority = Priority::new(3).unwrap();

const SHAPES: &[Shape] = &[
    Shape {
        name: "dumbbell-10",
        title: "10 senders to one receiver over one link, QCN",
        simulated: TimeDelta::from_secs(4),
        build: || dumbbell(10, TimeDelta::ZERO),
    },
    Shape {
        name: "dumbbell-10-cbr",
        title: "10 senders at a constant 0.99 Gb/s each to one receiver over one link of 10 Gb/s",
        simulated: TimeDelta::from_secs(4),
        build: constant_rates,
    },
    Shape {
        name: "dumbbell-400",
        title: "400 senders to one receiver over one link, QCN; one more joins every millisecond",
        simulated: TimeDelta::from_secs(4),
        build: || dumbbell(400, TimeDelta::from_millis(1)),
    },
    Shape {
        name: "fat-tree-8",
        title: "fat tree with k = 8, host i to host i + 64, QCN",
        simulated: TimeDelta::from_millis(100),
        build: fat_tree,
    },
    Shape {
        name: "fat-tree-16",
        title: "fat tree with k = 16, 1024 hosts at 100 Gb/s, each to one other at random, QCN and PFC",
        simulated: TimeDelta::from_millis(1),
        build: large_fat_tree,
    },
    Shape {
        name: "incast-pfc",
        title: "64 senders to one receiver, PFC only",
        simulated: TimeDelta::from_secs(4),
        build: incast,
    },
    Shape {
        name: "fabric-640",
        title: "640 ports of 100 Gb/s, 128 leaves, 32 spines: 25 hot spots of 5 senders over 60 % uniform load, QCN at \
                inputs by random occupancy, PAUSE",
        simulated: TimeDelta::from_millis(10),
        build: fabric,
    },
];

/// All shapes.
#[must_use]
pub fn shapes() -> &'static [Shape] {
    SHAPES
}

impl Shape {
    /// The spec of the shape, with its default duration. The algorithm replaces QCN in shapes with congestion
    /// control.
    #[must_use]
    pub fn spec(&self, algorithm: Algorithm) -> Spec {
        let Plan { topology, flows, kind } = (self.build)();
        let algorithm = match kind {
            Kind::Pfc | Kind::Nothing => Algorithm::None,
            Kind::Control | Kind::ControlAndPfc | Kind::Fabric => algorithm,
        };
        let plain = Spec {
            topology,
            flows,
            groups: Vec::new(),
            control: control(algorithm),
            flow_control: flow_control(kind),
            bridges: Bridges::OutputQueued,
            buffer: Bytes::new(150_000),
            overhead: Bytes::ZERO,
            clock_tolerance: PartsPerMillion::ZERO,
            changes: Vec::new(),
            sample_interval: TimeDelta::from_millis(10),
            recording: Recording::LastSample,
            measure_from: Time::ZERO,
            measure_messages_until: None,
            duration: self.simulated,
            seed: 1,
        };
        match kind {
            Kind::Fabric => in_fabric(plain, algorithm),
            Kind::ControlAndPfc => at_hundred_gigabits(plain, algorithm),
            Kind::Control | Kind::Pfc | Kind::Nothing => plain,
        }
    }
}

/// Large numbers of senders join one after another: if they all started at once at line rate, they would flood the link
/// for tens of milliseconds, and the shape would measure drops.
fn dumbbell(senders: u32, join_every: TimeDelta) -> Plan {
    let net = Dumbbell {
        senders,
        receivers: 1,
        access_rate: LINE,
        access_delay: TimeDelta::from_nanos(12_500),
        bottleneck_rate: LINE,
        bottleneck_delay: TimeDelta::from_micros(1),
    };
    let topology = net.build();
    let stations: Vec<NodeId> = topology.stations().collect();
    let receiver = stations[senders as usize];
    let mut flows = backlogged(matrix::incast(&stations, receiver).into_iter());
    for (index, flow) in flows.iter_mut().enumerate() {
        flow.start = Time::ZERO + join_every * index as u64;
    }
    Plan { topology, flows, kind: Kind::Control }
}

/// Constant rates of 99 % of the link in total, as other simulators are often compared.
fn constant_rates() -> Plan {
    let mut plan = dumbbell(10, TimeDelta::ZERO);
    for flow in &mut plan.flows {
        flow.traffic = Traffic::Constant { rate: Rate::from_bits_per_second(990_000_000) };
    }
    Plan { kind: Kind::Nothing, ..plan }
}

fn large_fat_tree() -> Plan {
    let topology = FatTree { k: 16, rate: Rate::from_gbps(100), delay: TimeDelta::from_micros(1) }.build();
    let stations: Vec<NodeId> = topology.stations().collect();
    let flows =
        backlogged(matrix::permutation(&stations, &mut RandomStream::new(1, Purpose::Matrix, 0)).into_iter());
    Plan { topology, flows, kind: Kind::ControlAndPfc }
}

fn fat_tree() -> Plan {
    let topology = FatTree { k: 8, rate: LINE, delay: TimeDelta::from_micros(1) }.build();
    let stations: Vec<NodeId> = topology.stations().collect();
    let flows = backlogged(matrix::shifted(&stations, 64).into_iter());
    Plan { topology, flows, kind: Kind::Control }
}

fn incast() -> Plan {
    let topology = Star { stations: 65, rate: LINE, delay: TimeDelta::from_micros(1) }.build();
    let stations: Vec<NodeId> = topology.stations().collect();
    let flows = backlogged(matrix::incast(&stations, stations[64]).into_iter());
    Plan { topology, flows, kind: Kind::Pfc }
}

/// Every station loads its link to 60 % with individual frames, sent at random times to all other
/// stations equally; in addition, 25 groups of 5 stations on different leaves are backlogged towards one station each.
fn fabric() -> Plan {
    let net = RackFabric {
        racks: 4,
        leaves_per_rack: 32,
        stations_per_leaf: 5,
        spines: 32,
        access_rate: Rate::from_gbps(100),
        access_delay: TimeDelta::from_nanos(100),
        fabric_rate: Rate::from_gbps(25),
        fabric_delay: TimeDelta::from_nanos(100),
    };
    let topology = net.build();
    let stations: Vec<NodeId> = topology.stations().collect();
    const HOT_SENDERS: usize = 125;
    let hot = (0..HOT_SENDERS).map(|sender| (stations[sender * 5 + 1], stations[sender / 5 * 25]));
    let mut flows = backlogged(hot.chain(matrix::all_to_all(&stations)));
    let others = stations.len() as u64 - 1;
    let offered = Rate::from_bits_per_second(60_000_000_000 / others);
    let background = Traffic::OnOff { burst: FABRIC_FRAME, offered, silence: Silence::Exponential };
    let mean_gap = offered.time_to_send(FABRIC_FRAME);
    for (index, flow) in flows.iter_mut().enumerate() {
        flow.frame = FABRIC_FRAME;
        if index >= HOT_SENDERS {
            flow.traffic = background.clone();
            // Starts are spread over the mean time between two frames.
            flow.start = Time::ZERO + mean_gap * (index as u64 * 7_919 % others) / others;
        }
    }
    Plan { topology, flows, kind: Kind::Fabric }
}

const FABRIC_FRAME: Bytes = Bytes::new(1_522);

/// The preset of the algorithm for 100 Gb/s.
fn at_hundred_gigabits(plain: Spec, algorithm: Algorithm) -> Spec {
    let (congestion_point, reaction_point) = algorithm.points(&Params::preset(Preset::HundredG));
    Spec { control: ControlSpec { congestion_point, reaction_point, ..plain.control }, ..plain }
}

/// The bridges and thresholds from Table I of the paper, and QCN for 100 Gb/s.
fn in_fabric(plain: Spec, algorithm: Algorithm) -> Spec {
    let (congestion_point, reaction_point) = algorithm.points(&Params::preset(Preset::HundredG));
    let pause = PauseParams {
        xoff: Bytes::new(110_000),
        xon: Bytes::new(44_000),
        headroom: Headroom::Automatic,
        quanta: u16::MAX,
        response: PauseResponse::IMMEDIATE,
    };
    let cells = Cells {
        payload: Bytes::new(256),
        header: Bytes::new(16),
        spine_input: 16,
        spine_output: 16,
        spraying: Spraying::RoundRobin,
    };
    Spec {
        control: ControlSpec {
            congestion_point,
            reaction_point,
            placement: Placement::Inputs,
            marking: Marking::RandomOccupancy(Search::default()),
            reaction_delay: TimeDelta::from_nanos(2_400),
            ..plain.control
        },
        flow_control: FlowControl::Pause(pause),
        bridges: Bridges::Cioq(Cioq {
            input_buffer: plain.buffer,
            unit: Bytes::new(256),
            speedup: Percent::new(160),
            control_delay: TimeDelta::from_nanos(300),
            delivery: Delivery::Plain,
            cells,
        }),
        overhead: Bytes::new(20),
        clock_tolerance: PartsPerMillion::ZERO,
        sample_interval: TimeDelta::from_micros(100),
        ..plain
    }
}

fn backlogged(pairs: impl Iterator<Item = (NodeId, NodeId)>) -> Vec<FlowSpec> {
    let flow = |(index, (source, destination)): (usize, (NodeId, NodeId))| FlowSpec {
        name: format!("f{}", index + 1),
        source,
        destination: destination.into(),
        priority: DATA,
        frame: Bytes::new(1_000),
        traffic: Traffic::Backlogged,
        messages: MessageOrder::InOrder,
        start: Time::ZERO,
        stop: None,
        weight: 1,
        tenant: index as u32,
        max: None,
        cap: None,
        reaction: Reaction::Controlled,
    };
    pairs.enumerate().map(flow).collect()
}

fn control(algorithm: Algorithm) -> ControlSpec {
    let (congestion_point, reaction_point) = algorithm.points(&Params::default());
    ControlSpec {
        congestion_point,
        reaction_point,
        placement: Placement::Outputs,
        marking: Marking::Arrival,
        keep_alive: None,
        group: GroupParams::default(),
        priorities: PrioritySet::only(DATA),
        sampled: SampledFrames::Enqueued,
        audience: Audience::Sampled,
        limiters_per_station: 100,
        notification_priority: Priority::new(6).unwrap(),
        notification_size: Bytes::new(64),
        reaction_delay: TimeDelta::ZERO,
    }
}

fn flow_control(kind: Kind) -> FlowControl {
    let params = PauseParams {
        xoff: Bytes::new(60_000),
        xon: Bytes::new(40_000),
        headroom: Headroom::Automatic,
        quanta: u16::MAX,
        response: PauseResponse::IMMEDIATE,
    };
    match kind {
        Kind::Control | Kind::Fabric | Kind::Nothing => FlowControl::None,
        Kind::Pfc | Kind::ControlAndPfc => FlowControl::Pfc(params, PrioritySet::only(DATA)),
    }
}

#[cfg(test)]
mod tests {
    use setpoint_sim::{Unwatched, simulate};

    use super::*;

    /// Each shape matches its title: frames flow, and congestion or flow control limits them.
    #[test]
    fn every_shape_is_at_work() {
        for shape in shapes() {
            // With many senders of 100 Gb/s, a short time is enough.
            let micros = match shape.name {
                "fabric-640" => 50,
                "fat-tree-16" => 100,
                _ => 3_000,
            };
            let spec = Spec { duration: TimeDelta::from_micros(micros), ..shape.spec(Algorithm::Qcn) };
            let outcome = simulate(&spec, &mut Unwatched).unwrap();
            assert!(outcome.packet_hops > 1_000, "{}: {} hops", shape.name, outcome.packet_hops);
            let notified: u64 = outcome.flows.iter().map(|flow| flow.notifications).sum();
            let paused: u64 = outcome.ports.iter().map(|port| port.pauses).sum();
            let limited = notified > 0 || paused > 0;
            assert_eq!(limited, shape.name != "dumbbell-10-cbr", "{}: notifications or pauses", shape.name);
        }
    }
}
