//! How a network is divided into partitions.
//!
//! A partition contains a range of bridges, in the order of their numbers, and the stations on their links, so that only
//! links between bridges lead from one partition to another. Ranges are chosen to have about the same load, measured as the
//! number of flows summed over all ports.

use std::ops::Range;
use std::sync::Arc;

use setpoint_units::TimeDelta;

use crate::ids::{NodeId, PortId};
use crate::index::{BridgeNo, Number, PartNo, StationNo, Table};
use crate::load::offered_bps;
use crate::monitor::Threads;
use crate::network::node::bridge::Numbers;
use crate::network::node::places::{Owner, Owners, Place};
use crate::routing::Route;
use crate::spec::{self, Destination, FlowSpec, Spec};
use crate::topology::{NodeKind, Topology};

/// The number of partitions per thread. With several, work can be balanced between threads even if partitions differ in
/// load.
const PER_THREAD: usize = 4;

/// The number of partitions per thread in a fabric of leaves and spines. There, the load is more even, and every cell
/// crosses two links, more of which lead from one partition to another as the number of partitions grows.
const PER_THREAD_IN_FABRIC: usize = 1;

/// The number of partitions into which a large network is divided on one thread. A window then touches one part of the
/// state after another, and more of the state stays in the caches: a fat tree of 1024 hosts runs a quarter to a third
/// faster. Not used in a fabric.
const ALONE: usize = 8;

/// The minimum number of frames per window and thread for which dividing a network pays off: processing them takes about ten
/// times as long as a barrier.
const WORTHWHILE: f64 = 300.0;

/// The shortest lookahead for which a network is divided at all: shorter windows contain hardly any events, and windows of
/// zero length would make no progress.
const SHORTEST: TimeDelta = TimeDelta::from_nanos(50);

/// The largest number of partitions.
const MOST: usize = 1024;

/// The partitions of a network.
#[derive(Clone, Debug)]
pub(in crate::network) struct Plan {
    ranges: Vec<Range<BridgeNo>>,
    /// For each node, its partition.
    nodes: Vec<PartNo>,
    /// For each bridge, its partition.
    bridges: Arc<[PartNo]>,
    lookahead: TimeDelta,
}

impl Plan {
    /// Divides a network for the given threads.
    pub(in crate::network) fn new(
        spec: &Spec,
        routes: &[Route],
        numbers: &Numbers,
        threads: Threads,
    ) -> Self {
        let fabric = has_spines(&spec.topology);
        let per_thread = if fabric { PER_THREAD_IN_FABRIC } else { PER_THREAD };
        let most = match threads.most.get() {
            1 if threads.adapt() && can_be_divided(spec) && !fabric => ALONE,
            several @ 2.. if can_be_divided(spec) => several.saturating_mul(per_thread),
            _ => 1,
        };
        let most = most.clamp(1, numbers.bridges().len().clamp(1, MOST));
        let plan = Self::of(spec, numbers, ranges(&loads(spec, routes, numbers), most));
        let whole = plan.lookahead < SHORTEST
            || threads.adapt() && plan.len() > 1 && plan.is_idle(spec, routes, threads);
        if whole { Self::of(spec, numbers, ranges(&[], 1)) } else { plan }
    }

    /// Whether so little happens in a window that threads would wait for each other for longer than they work.
    fn is_idle(&self, spec: &Spec, routes: &[Route], threads: Threads) -> bool {
        let per_window = hops_per_second(spec, routes) * self.lookahead.as_secs_f64();
        let shares = if threads == Threads::ONE { self.len() } else { self.len().min(threads.most.get()) };
        per_window < WORTHWHILE * shares as f64
    }

    fn of(spec: &Spec, numbers: &Numbers, mut ranges: Vec<Range<BridgeNo>>) -> Self {
        if let [only] = &mut ranges[..] {
            only.end = BridgeNo(numbers.bridges().len() as u32);
        }
        let part_of = |bridge: BridgeNo| {
            let place = ranges.iter().position(|range| range.contains(&bridge));
            PartNo::of_place(place.expect("every bridge is in a partition"))
        };
        let bridges: Arc<[PartNo]> = numbers.bridges().numbers().map(part_of).collect();
        let topology = &spec.topology;
        let mut nodes = vec![PartNo(0); topology.nodes().len()];
        for (bridge, node) in numbers.bridges().numbered() {
            nodes[node.index()] = bridges[bridge.place()];
        }
        for port in topology.ports() {
            let (from, to) = (topology.source(port), topology.target(port));
            if topology.node_at(from).kind == NodeKind::Station
                && topology.node_at(to).kind != NodeKind::Station
            {
                nodes[from.index()] = nodes[to.index()];
            }
        }
        let lookahead = lookahead(spec, &nodes);
        Self { ranges, nodes, bridges, lookahead }
    }

    /// The number of partitions.
    pub(in crate::network) fn len(&self) -> usize {
        self.ranges.len()
    }

    /// The bridges of every partition.
    pub(in crate::network) fn ranges(&self) -> impl Iterator<Item = (PartNo, &Range<BridgeNo>)> {
        self.ranges.iter().enumerate().map(|(part, range)| (PartNo::of_place(part), range))
    }

    /// The partition of every bridge.
    pub(in crate::network) fn bridges(&self) -> Arc<[PartNo]> {
        self.bridges.clone()
    }

    /// The shortest time in which a frame or message can travel from one partition to another.
    pub(in crate::network) fn lookahead(&self) -> TimeDelta {
        self.lookahead
    }

    /// The partition of a node.
    pub(in crate::network) fn part_of(&self, node: NodeId) -> PartNo {
        self.nodes[node.index()]
    }

    /// The partition of a flow's destination. Networks with groups have one partition.
    pub(in crate::network) fn destination(&self, flow: &FlowSpec) -> PartNo {
        match flow.destination {
            Destination::Station(node) => self.part_of(node),
            Destination::Group(_) => PartNo(0),
        }
    }

    /// The stations of a partition.
    pub(in crate::network) fn stations(&self, spec: &Spec, part: PartNo) -> Vec<NodeId> {
        spec.topology.stations().filter(|node| self.part_of(*node) == part).collect()
    }

    /// The owners of all ports.
    pub(in crate::network) fn owners(&self, spec: &Spec, numbers: &Numbers) -> Owners {
        let topology = &spec.topology;
        let mut stations: Vec<Option<StationNo>> = vec![None; topology.nodes().len()];
        let mut counts = vec![0; self.len()];
        for node in topology.stations() {
            let count = &mut counts[self.part_of(node).place()];
            stations[node.index()] = Some(StationNo(*count));
            *count += 1;
        }
        let owner = |port: PortId| {
            let node = topology.source(port);
            let place = match stations[node.index()] {
                Some(station) => Place::Station(station),
                None => Place::Bridge(numbers.of(port)),
            };
            Owner { part: self.part_of(node), place }
        };
        topology.ports().map(owner).collect()
    }
}

/// Whether a network can have several partitions. Networks with groups cannot, because membership changes take effect
/// everywhere at once. Messages inside a distributed bridge must have a delay.
fn can_be_divided(spec: &Spec) -> bool {
    let immediate = match spec.bridges {
        spec::Bridges::OutputQueued | spec::Bridges::SharedBuffer(_) => false,
        spec::Bridges::Cioq(cioq) => cioq.control_delay.is_zero(),
    };
    let has_groups = spec.flows.iter().any(|flow| matches!(flow.destination, Destination::Group(_)));
    let crosses_at_once = immediate && has_spines(&spec.topology);
    !(has_groups || crosses_at_once)
}

fn has_spines(topology: &Topology) -> bool {
    topology.nodes().iter().any(|node| node.kind == NodeKind::Spine)
}

/// The shortest time in which information can travel from one partition to another: over a link, or as a message
/// inside a distributed bridge.
fn lookahead(spec: &Spec, nodes: &[PartNo]) -> TimeDelta {
    let topology = &spec.topology;
    let crossing =
        topology.links().iter().filter(|link| nodes[link.first.index()] != nodes[link.second.index()]);
    let links = crossing.map(|link| link.delay).min().unwrap_or(TimeDelta::MAX);
    match spec.bridges {
        spec::Bridges::Cioq(cioq) if has_spines(topology) => links.min(cioq.control_delay),
        _ => links,
    }
}

/// An estimate of the frames that cross links each second: every flow gets an equal share of each port on its path, or its
/// offered rate if that is less.
fn hops_per_second(spec: &Spec, routes: &[Route]) -> f64 {
    let mut flows: Table<PortId, u32> = spec.topology.ports().map(|_| 0).collect();
    for &port in routes.iter().flat_map(Route::paths).flatten() {
        flows[port] += 1;
    }
    let share = |port: &PortId| {
        spec.topology.link_at(port.link()).rate.bits_per_second() as f64 / f64::from(flows[*port])
    };
    let hops = |(flow, route): (&FlowSpec, &Route)| {
        let offered = offered_bps(spec, flow).unwrap_or(f64::INFINITY);
        let bits = route.paths().flatten().map(share).fold(offered, f64::min);
        bits / (flow.frame.get() * 8) as f64 * route.hops() as f64
    };
    spec.flows.iter().zip(routes).map(hops).sum()
}

/// The load of every bridge: the number of flows plus one, summed over its ports.
fn loads(spec: &Spec, routes: &[Route], numbers: &Numbers) -> Vec<u64> {
    let mut ports: Table<PortId, u64> = spec.topology.ports().map(|_| 1).collect();
    for &port in routes.iter().flat_map(Route::paths).flatten() {
        ports[port] += 1;
    }
    let mut loads = vec![0; numbers.bridges().len()];
    for (number, id) in numbers.ids().numbered() {
        loads[numbers.bridge_of()[number].place()] += ports[*id] + ports[id.peer()];
    }
    loads
}

/// Divides the bridges into ranges of about the same load; `most` limits the number of ranges.
fn ranges(loads: &[u64], most: usize) -> Vec<Range<BridgeNo>> {
    let total: u64 = loads.iter().sum();
    let mut ranges = Vec::with_capacity(most);
    let (mut begin, mut sum) = (0, 0);
    for (bridge, load) in loads.iter().enumerate() {
        sum += load;
        let (done, left) = (ranges.len() as u64 + 1, loads.len() - bridge - 1);
        let full = sum * most as u64 >= total * done || left < most - ranges.len();
        if full && (done as usize) < most && left > 0 {
            ranges.push(BridgeNo(begin)..BridgeNo(bridge as u32 + 1));
            begin = bridge as u32 + 1;
        }
    }
    ranges.push(BridgeNo(begin)..BridgeNo(loads.len() as u32));
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cuts(loads: &[u64], most: usize) -> Vec<(u32, u32)> {
        ranges(loads, most).iter().map(|range| (range.start.0, range.end.0)).collect()
    }

    #[test]
    fn ranges_have_about_the_same_load() {
        assert_eq!(cuts(&[1; 6], 3), [(0, 2), (2, 4), (4, 6)]);
        assert_eq!(cuts(&[8, 1, 1, 1, 1, 4], 2), [(0, 1), (1, 6)]);
        assert_eq!(cuts(&[1, 1, 1], 3), [(0, 1), (1, 2), (2, 3)]);
        assert_eq!(cuts(&[5, 5], 1), [(0, 2)]);
        assert_eq!(cuts(&[0, 0, 9], 3), [(0, 1), (1, 2), (2, 3)]);
    }
}
