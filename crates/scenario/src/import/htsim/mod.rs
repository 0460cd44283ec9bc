//! The files of htsim, as `connection_matrix.cpp` and `fat_tree_topology.cpp` read them: lines of words.

mod connections;
mod fat_tree;
mod topology;
mod triggers;

use setpoint_units::{Rate, TimeDelta};

pub(super) use connections::connections;
pub(super) use topology::topology;

use self::fat_tree::{FatTree, Tier};
use super::network::Network;
use super::workload::Workload;
use crate::diagnostics::Problem;

/// The fat tree that htsim builds if it is given no topology.
pub(super) fn default_topology(workload: &Workload) -> Result<Network, Problem> {
    let hosts = workload.hosts;
    let k = (1..=80).map(|half| 2 * half).find(|k| k * k * k / 4 >= hosts);
    let Some(k) = k.filter(|k| k * k * k / 4 == hosts) else {
        let message = format!(
            "the file describes no network for its {hosts} hosts, and htsim builds none for this number"
        );
        let problem = match &workload.declared {
            Some(place) => Problem::at(place, message, "not k³/4 for any even k"),
            None => Problem::of_file("connection matrix", message),
        };
        return Err(
            problem.help("give the topology as well, as in `setpoint import leaf_spine.topo incast.cm`")
        );
    };
    let half = k / 2;
    let tier = |down: u64, up: u64| Tier {
        rate: Network::USUAL_RATE,
        delay: Network::USUAL_DELAY,
        switch_delay: TimeDelta::ZERO,
        down,
        up,
        bundle: 1,
    };
    let tree =
        FatTree { hosts, pod: half * half, tiers: vec![tier(half, half), tier(half, half), tier(k, 0)] };
    let mut network = tree.network();
    network.notes.push(format!(
        "The file describes no network. This one is htsim's default: a fat tree of switches with {k} ports, {} and delays of {}.",
        Network::USUAL_RATE,
        Network::USUAL_DELAY
    ));
    Ok(network)
}

/// A rate in Gb/s.
fn gigabits(number: u64) -> Option<Rate> {
    Rate::new(number.checked_mul(1_000_000_000)?)
}
