//! The network of a scenario.

use setpoint_sim::Topology;
use setpoint_sim::topology::{Dumbbell, FatTree, LeafSpine, ParkingLot, RackFabric, Star};
use setpoint_units::{Rate, TimeDelta};

use super::graph;
use crate::scenario::diagnostics::{Problem, Problems};
use crate::scenario::format::{MAX_LINKS, MAX_NODES};
use crate::scenario::view::View;

/// Slower than any link, and slow enough for a pause of 65535 quanta to be far below the range of time.
pub(super) const MIN_LINK_RATE: Rate = Rate::from_bits_per_second(1_000);

/// Builds the network, or says why it cannot be.
pub(super) fn topology(root: &View<'_>, problems: &mut Problems) -> Option<Topology> {
    let kind = root.key("topology").kind()?;
    for name in ["rate", "access_rate", "bottleneck_rate", "fabric_rate"] {
        if kind.field().find(name).is_some() {
            problems.take(link_rate(&kind.key(name)));
        }
    }
    let built = match kind.name() {
        "dumbbell" => dumbbell(&kind),
        "star" => star(&kind),
        "parking_lot" => parking_lot(&kind),
        "leaf_spine" => leaf_spine(&kind),
        "rack_fabric" => rack_fabric(&kind),
        "fat_tree" => fat_tree(&kind),
        _ => return graph::graph(&kind, problems),
    };
    problems.take(built)
}

/// Refuses a rate at which not even a control frame would pass.
pub(super) fn link_rate(key: &View<'_>) -> Result<(), Problem> {
    match key.rate() {
        Some(rate) if rate < MIN_LINK_RATE => {
            let message = format!("`{}` is {rate}; a link has at least {MIN_LINK_RATE}", key.name());
            Err(Problem::at(key.place(), message, "too slow for a link"))
        }
        _ => Ok(()),
    }
}

fn count(kind: &View<'_>, name: &str) -> u32 {
    kind.key(name).integer().and_then(|count| u32::try_from(count).ok()).unwrap_or(1)
}

fn rate(kind: &View<'_>, name: &str) -> Rate {
    let usual = || kind.key("rate").rate();
    kind.key(name).rate().or_else(usual).unwrap_or(Rate::from_gbps(10))
}

fn delay(kind: &View<'_>, name: &str) -> TimeDelta {
    kind.key(name).time().unwrap_or_default()
}

/// Checks the size before anything of that size is built.
fn bounded(kind: &View<'_>, nodes: u64, links: u64) -> Result<(), Problem> {
    let excess = |count, what: &str, most| {
        let message = format!("this {} has {count} {what}; at most {most} can be simulated", kind.name());
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

fn dumbbell(kind: &View<'_>) -> Result<Topology, Problem> {
    let senders = count(kind, "senders");
    let receivers = if kind.key("receivers").is_given() { count(kind, "receivers") } else { senders };
    let nodes = u64::from(senders) + u64::from(receivers) + 2;
    bounded(kind, nodes, nodes - 1)?;
    let (rtt, access_delay) = (kind.key("rtt"), kind.key("access_delay"));
    if rtt.is_given() && access_delay.is_given() {
        return Err(Problem::at(
            access_delay.place(),
            "both `rtt` and `access_delay` are given",
            "says it again",
        )
        .context(rtt.place(), "twice the delay of an access link")
        .help("keep one of them: `access_delay` is half of `rtt`"));
    }
    let dumbbell = Dumbbell {
        senders,
        receivers,
        access_rate: rate(kind, "access_rate"),
        access_delay: access_delay.time().unwrap_or_else(|| delay(kind, "rtt") / 2),
        bottleneck_rate: rate(kind, "bottleneck_rate"),
        bottleneck_delay: delay(kind, "bottleneck_delay"),
    };
    Ok(dumbbell.build())
}

fn star(kind: &View<'_>) -> Result<Topology, Problem> {
    let stations = count(kind, "stations");
    bounded(kind, u64::from(stations) + 1, u64::from(stations))?;
    Ok(Star { stations, rate: rate(kind, "rate"), delay: delay(kind, "delay") }.build())
}

fn parking_lot(kind: &View<'_>) -> Result<Topology, Problem> {
    let (hops, stations_per_bridge) = (count(kind, "hops"), count(kind, "stations_per_bridge"));
    let nodes = (u64::from(hops) + 1) * (u64::from(stations_per_bridge) + 1);
    bounded(kind, nodes, nodes)?;
    let (rate, access_rate) = (rate(kind, "rate"), rate(kind, "access_rate"));
    Ok(ParkingLot { hops, stations_per_bridge, access_rate, rate, delay: delay(kind, "delay") }.build())
}

fn leaf_spine(kind: &View<'_>) -> Result<Topology, Problem> {
    let (leaves, spines) = (count(kind, "leaves"), count(kind, "spines"));
    let stations_per_leaf = count(kind, "stations_per_leaf");
    let stations = u64::from(leaves) * u64::from(stations_per_leaf);
    let fabric = u64::from(leaves) * u64::from(spines);
    bounded(kind, stations + u64::from(leaves) + u64::from(spines), stations + fabric)?;
    let leaf_spine = LeafSpine {
        leaves,
        spines,
        stations_per_leaf,
        access_rate: rate(kind, "access_rate"),
        fabric_rate: rate(kind, "fabric_rate"),
        delay: delay(kind, "delay"),
    };
    Ok(leaf_spine.build())
}

fn rack_fabric(kind: &View<'_>) -> Result<Topology, Problem> {
    let fabric = RackFabric {
        racks: count(kind, "racks"),
        leaves_per_rack: count(kind, "leaves_per_rack"),
        stations_per_leaf: count(kind, "stations_per_leaf"),
        spines: count(kind, "spines"),
        access_rate: kind.key("access_rate").rate().unwrap_or(Rate::MIN),
        access_delay: delay(kind, "access_delay"),
        fabric_rate: kind.key("fabric_rate").rate().unwrap_or(Rate::MIN),
        fabric_delay: delay(kind, "fabric_delay"),
    };
    let leaves = u64::from(fabric.racks) * u64::from(fabric.leaves_per_rack);
    let stations = leaves.saturating_mul(u64::from(fabric.stations_per_leaf));
    let links = leaves.saturating_mul(u64::from(fabric.spines)).saturating_add(stations);
    bounded(kind, stations.saturating_add(leaves + u64::from(fabric.spines)), links)?;
    Ok(fabric.build())
}

fn fat_tree(kind: &View<'_>) -> Result<Topology, Problem> {
    let k = count(kind, "k");
    if !k.is_multiple_of(2) {
        let message = format!("`k` is {k}; a fat tree has an even number of ports per bridge");
        let problem = Problem::at(kind.key("k").place(), message, "odd");
        return Err(problem.help(format!("{} or {}", k - 1, k + 1)));
    }
    let pods = u64::from(k);
    bounded(kind, pods * pods * pods / 4 + pods * pods * 5 / 4, pods * pods * pods * 3 / 4)?;
    Ok(FatTree { k, rate: rate(kind, "rate"), delay: delay(kind, "delay") }.build())
}
