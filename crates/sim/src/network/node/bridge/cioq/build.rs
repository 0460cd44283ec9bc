//! Construction of bridges with input buffers from a spec.

use std::ops::Range;

use setpoint_control::{CulpritArray, Marking};
use setpoint_random::{Purpose, RandomStream};
use setpoint_units::{Rate, Time};

use super::super::{Numbers, QueueNumbers};
use super::control::Inbox;
use super::expected::{Expected, Records};
use super::interior::Interior;
use super::slots::{Slots, Voq};
use super::{Arbiter, Cioq, DataClasses, Edge, Rules};
use crate::ids::{NodeId, PortId};
use crate::index::{BridgeNo, Number, PortNo, Stretch, Table, VoqNo};
use crate::network::node::context::Classes;
use crate::outcome::FabricOutcome;
use crate::ring::Ring;
use crate::routing::ports_by_node;
use crate::spec::{self, Side, Spec};
use crate::topology::{NodeKind, Topology};

impl Cioq {
    /// The buffers of a range of a spec's bridges.
    pub(in super::super) fn new(
        spec: &Spec,
        cioq: &spec::Cioq,
        numbers: &Numbers,
        queues: &QueueNumbers,
        classes: &Classes,
        range: &Range<BridgeNo>,
    ) -> Self {
        let (rules, data) = (rules(spec, cioq), data_classes(spec, classes));
        let own = numbers.ports_of(range);
        let (ranks, rows) = (ranks(spec, numbers), rows(spec, numbers));
        let words = keeps_culprits(spec).then(|| rules.input_units * data.count);
        let input = |number: PortNo| {
            let feeding = numbers.ids()[number].peer();
            let words = words.filter(|_| is_edge(&spec.topology, feeding));
            Edge::new(spec, cioq, feeding, rows[number.place()], words)
        };
        let first_pair = VoqNo(rows[own.start.place()] * data.count);
        let pairs = (rows[own.end.place()] - rows[own.start.place()]) * data.count;
        let (first_queue, end) = (queues.from(own.start), queues.from(own.end));
        let own_ports = (own.start.place()..own.end.place()).map(PortNo::of_place);
        Self {
            data,
            own: range.clone(),
            bridge_of: numbers.bridge_of().clone(),
            ranks,
            slots: numbers.bridges().iter().map(|_| Slots::new()).collect(),
            records: numbers.bridges().iter().map(|_| Records::new()).collect(),
            inboxes: numbers.bridges().iter().map(|_| Inbox::default()).collect(),
            inputs: Stretch::new(own.start, own_ports.map(input)),
            voqs: Stretch::new(first_pair, (0..pairs).map(|_| Voq::EMPTY)),
            expected: Stretch::new(first_pair, (0..pairs).map(|_| Expected::NOTHING)),
            arbiters: Stretch::new(
                first_queue,
                (first_queue.0..end.0).map(|_| Arbiter::new(rules.output_units)),
            ),
            asking: Vec::new(),
            interior: Interior::new(spec, cioq.cells, numbers, &own),
            counters: FabricOutcome::default(),
            rules,
        }
    }
}

/// For each port, its number among the outputs of its bridge; zero for ports inside a distributed bridge.
fn ranks(spec: &Spec, numbers: &Numbers) -> Table<PortNo, u32> {
    let mut ranks: Table<PortNo, u32> = numbers.ids().iter().map(|_| 0).collect();
    for outputs in switches(&spec.topology) {
        for (rank, output) in outputs.iter().enumerate() {
            ranks[numbers.of(*output)] = rank as u32;
        }
    }
    ranks
}

/// For each port, the number of port pairs that precede its own pairs (one pair for each output of its bridge), followed by
/// the total.
fn rows(spec: &Spec, numbers: &Numbers) -> Vec<u32> {
    let mut counts = vec![0; numbers.ids().len()];
    for outputs in switches(&spec.topology) {
        for output in &outputs {
            counts[numbers.of(*output).place()] = outputs.len() as u32;
        }
    }
    let mut rows = vec![0];
    let mut total = 0;
    rows.extend(counts.into_iter().map(|count: u32| {
        total += count;
        total
    }));
    rows
}

fn rules(spec: &Spec, cioq: &spec::Cioq) -> Rules {
    let whole_units = |room: setpoint_units::Bytes| (room.get() / cioq.unit.get()) as u32;
    Rules {
        unit: cioq.unit.get(),
        input_units: whole_units(cioq.input_buffer),
        output_units: whole_units(spec.buffer),
        control_delay: cioq.control_delay,
        delivery: cioq.delivery,
        marking: spec.control.marking,
        keep_alive: spec.control.keep_alive,
    }
}

/// Whether inputs record the owners of their units.
pub(in crate::network) fn keeps_culprits(spec: &Spec) -> bool {
    spec.control.placement.includes(Side::Input) && spec.control.marking != Marking::Arrival
}

/// The output ports of every bridge. Bridges joined by spines count as one.
pub(super) fn switches(topology: &Topology) -> Vec<Vec<PortId>> {
    let leaving = ports_by_node(topology);
    let inside = |port: &PortId| topology.node_at(topology.target(*port)).kind == NodeKind::Spine;
    let (mut fabric, mut switches) = (Vec::new(), Vec::new());
    for (node, ports) in topology.nodes().iter().zip(leaving) {
        if node.kind != NodeKind::Bridge {
            continue;
        }
        let edges = ports.iter().filter(|port| !inside(port)).copied();
        if ports.iter().any(inside) { fabric.extend(edges) } else { switches.push(edges.collect()) }
    }
    switches.push(fabric);
    switches
}

/// The classes that flows use.
fn data_classes(spec: &Spec, classes: &Classes) -> DataClasses {
    let set = spec.flows.iter().fold(0, |set, flow| set | 1 << classes.of(flow.priority));
    DataClasses { set, count: set.count_ones() }
}

impl Edge {
    /// An empty input fed by the given port. If it needs a culprit array, the array has one word per unit.
    fn new(spec: &Spec, cioq: &spec::Cioq, port: PortId, voqs: u32, words: Option<u32>) -> Self {
        let rate = spec.topology.link_at(port.link()).rate;
        let bits = u128::from(rate.bits_per_second()) * u128::from(cioq.speedup.hundredths()) / 10_000;
        Self {
            voqs,
            used: [0; 8],
            culprits: words.map(|words| Box::new(CulpritArray::new(words))),
            entropy: RandomStream::new(spec.seed, Purpose::Culprit, port.0),
            crossbar_rate: Rate::new(u64::try_from(bits).unwrap_or(u64::MAX)).unwrap_or(rate),
            crossbar_free: Time::ZERO,
            crossing: Ring::default(),
            feeding_rate: rate,
            clock: [Time::ZERO; 8],
        }
    }
}

/// Whether a port feeds a bridge from outside.
fn is_edge(topology: &Topology, port: PortId) -> bool {
    let kind = |node: NodeId| topology.node_at(node).kind;
    kind(topology.target(port)) == NodeKind::Bridge && kind(topology.source(port)) != NodeKind::Spine
}
