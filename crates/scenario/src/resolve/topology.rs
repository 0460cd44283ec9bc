//! The network of a scenario.

use setpoint_sim::topology as sim;
use setpoint_sim::{Topology, largest_interface_delay};

use super::graph;
use crate::diagnostics::{Problem, Problems};
use crate::format::{self, Dumbbell, FatTree, LeafSpine, ParkingLot, Placed, RackFabric, Root, Star};
use crate::limits::{MAX_LINKS, MAX_NODES};

/// Builds the network, or reports why it cannot be built.
pub(super) fn topology(root: &Root, problems: &mut Problems) -> Option<Topology> {
    let mut topology = cabled(&root.topology, problems)?;
    let interface = &root.network.interface_delay;
    topology.add_interface_delays(|rate| interface.quantity.unwrap_or_else(|| largest_interface_delay(rate)));
    Some(topology)
}

/// The network with cable delays only, before interface delays are added.
fn cabled(kind: &format::Topology, problems: &mut Problems) -> Option<Topology> {
    let built = match kind {
        format::Topology::Dumbbell(keys) => dumbbell(keys),
        format::Topology::Star(keys) => star(keys),
        format::Topology::ParkingLot(keys) => parking_lot(keys),
        format::Topology::LeafSpine(keys) => leaf_spine(keys),
        format::Topology::RackFabric(keys) => rack_fabric(keys),
        format::Topology::FatTree(keys) => fat_tree(keys),
        format::Topology::Graph(keys) => return graph::graph(keys, problems),
    };
    problems.take(built)
}

/// Checks the size of a network before it is built.
fn bounded<T>(kind: &Placed<T>, nodes: u64, links: u64) -> Result<(), Problem> {
    let excess = |count, what: &str, most| {
        let message = format!("this {} has {count} {what}; at most {most} are supported", kind.name());
        Err(Problem::at(kind.place(), message, "too large"))
    };
    if nodes > MAX_NODES {
        return excess(nodes, "nodes", MAX_NODES);
    }
    if links > MAX_LINKS {
        return excess(links, "links", MAX_LINKS);
    }
    Ok(())
}

fn dumbbell(keys: &Placed<Dumbbell>) -> Result<Topology, Problem> {
    let senders = *keys.senders;
    let receivers = keys.receivers.unwrap_or(senders);
    let nodes = u64::from(senders) + u64::from(receivers) + 2;
    bounded(keys, nodes, nodes - 1)?;
    let (rtt, access_delay) = (&keys.rtt, &keys.access_delay);
    if rtt.is_given() && access_delay.is_given() {
        return Err(Problem::at(
            access_delay.place(),
            "both `rtt` and `access_delay` are given",
            "redundant",
        )
        .context(rtt.place(), "twice the delay of an access link")
        .help("keep one of them: `access_delay` is half of `rtt`"));
    }
    let dumbbell = sim::Dumbbell {
        senders,
        receivers,
        access_rate: keys.access_rate.unwrap_or(*keys.rate).0,
        access_delay: access_delay.map_or(**rtt / 2, |delay| delay.0),
        bottleneck_rate: keys.bottleneck_rate.unwrap_or(*keys.rate).0,
        bottleneck_delay: keys.bottleneck_delay.0,
    };
    Ok(dumbbell.build())
}

fn star(keys: &Placed<Star>) -> Result<Topology, Problem> {
    let stations = *keys.stations;
    bounded(keys, u64::from(stations) + 1, u64::from(stations))?;
    Ok(sim::Star { stations, rate: keys.rate.0, delay: keys.delay.0 }.build())
}

fn parking_lot(keys: &Placed<ParkingLot>) -> Result<Topology, Problem> {
    let nodes = (u64::from(*keys.hops) + 1) * (u64::from(*keys.stations_per_bridge) + 1);
    bounded(keys, nodes, nodes)?;
    let parking_lot = sim::ParkingLot {
        hops: *keys.hops,
        stations_per_bridge: *keys.stations_per_bridge,
        access_rate: keys.access_rate.unwrap_or(*keys.rate).0,
        rate: keys.rate.0,
        delay: keys.delay.0,
    };
    Ok(parking_lot.build())
}

fn leaf_spine(keys: &Placed<LeafSpine>) -> Result<Topology, Problem> {
    let [leaves, spines, stations_per_leaf] =
        [*keys.leaves, *keys.spines, *keys.stations_per_leaf].map(u64::from);
    let stations = leaves * stations_per_leaf;
    bounded(keys, stations + leaves + spines, stations + leaves * spines)?;
    let leaf_spine = sim::LeafSpine {
        leaves: *keys.leaves,
        spines: *keys.spines,
        stations_per_leaf: *keys.stations_per_leaf,
        access_rate: keys.access_rate.unwrap_or(*keys.rate).0,
        fabric_rate: keys.fabric_rate.unwrap_or(*keys.rate).0,
        access_delay: keys.delay.0,
        fabric_delay: keys.fabric_delay.unwrap_or(*keys.delay).0,
    };
    Ok(leaf_spine.build())
}

fn rack_fabric(keys: &Placed<RackFabric>) -> Result<Topology, Problem> {
    let [racks, leaves_per_rack, stations_per_leaf, spines] =
        [*keys.racks, *keys.leaves_per_rack, *keys.stations_per_leaf, *keys.spines].map(u64::from);
    let leaves = racks * leaves_per_rack;
    let stations = leaves.saturating_mul(stations_per_leaf);
    let links = leaves.saturating_mul(spines).saturating_add(stations);
    bounded(keys, stations.saturating_add(leaves + spines), links)?;
    let fabric = sim::RackFabric {
        racks: *keys.racks,
        leaves_per_rack: *keys.leaves_per_rack,
        stations_per_leaf: *keys.stations_per_leaf,
        spines: *keys.spines,
        access_rate: keys.access_rate.0,
        access_delay: keys.access_delay.0,
        fabric_rate: keys.fabric_rate.0,
        fabric_delay: keys.fabric_delay.0,
    };
    Ok(fabric.build())
}

fn fat_tree(keys: &Placed<FatTree>) -> Result<Topology, Problem> {
    let k = *keys.k;
    if !k.is_multiple_of(2) {
        let message = format!("`k` is {k}; a fat tree must have an even number of ports per bridge");
        let problem = Problem::at(keys.k.place(), message, "odd");
        return Err(problem.help(format!("{} or {}", k - 1, k + 1)));
    }
    let pods = u64::from(k);
    bounded(keys, pods * pods * pods / 4 + pods * pods * 5 / 4, pods * pods * pods * 3 / 4)?;
    Ok(sim::FatTree { k, rate: keys.rate.0, delay: keys.delay.0 }.build())
}
