//! Records of networks as large as users are expected to run.

use std::sync::LazyLock;

use setpoint_record::results::*;
use setpoint_sim::Topology;
use setpoint_sim::topology::{FatTree, LeafSpine, RackFabric, Star};
use setpoint_units::{Rate, TimeDelta};

use super::fluid::Numbers;
use super::parts::{blank, flow, idle_port, port, quantiles, queue};
use super::trees::{pause, trees};

const DELAY: TimeDelta = TimeDelta::from_picos(1_000_000);

/// Every large record, with its file name.
pub(crate) fn large() -> &'static [(&'static str, RunRecord)] {
    static RECORDS: LazyLock<[(&str, RunRecord); 6]> = LazyLock::new(records);
    &*RECORDS
}

fn records() -> [(&'static str, RunRecord); 6] {
    [
        ("rack-fabric-640", congested("Rack fabric", &rack_fabric(4, 32), 15, 25)),
        ("rack-fabric-20", congested("Many racks", &rack_fabric(20, 32), 1, 0)),
        ("spines-32", congested("Leaf and spine", &leaf_spine(), 8, 1)),
        ("fat-tree-16", congested("Fat tree", &fat_tree(), 4, 3)),
        ("star-1000", congested("Star", &star(), 3, 1)),
        ("star-1000-idle", congested("Star without congestion", &star(), 1, 0)),
    ]
}

fn rack_fabric(racks: u32, leaves_per_rack: u32) -> Topology {
    let (access_rate, fabric_rate) = (Rate::from_gbps(100), Rate::from_gbps(25));
    let (access_delay, fabric_delay) = (DELAY, DELAY);
    let fabric = RackFabric {
        racks,
        leaves_per_rack,
        stations_per_leaf: 5,
        spines: 32,
        access_rate,
        access_delay,
        fabric_rate,
        fabric_delay,
    };
    fabric.build()
}

fn leaf_spine() -> Topology {
    let (access_rate, fabric_rate) = (Rate::from_gbps(10), Rate::from_gbps(40));
    let net = LeafSpine {
        leaves: 64,
        spines: 32,
        stations_per_leaf: 16,
        access_rate,
        fabric_rate,
        access_delay: DELAY,
        fabric_delay: DELAY,
    };
    net.build()
}

fn fat_tree() -> Topology {
    FatTree { k: 16, rate: Rate::from_gbps(10), delay: DELAY }.build()
}

fn star() -> Topology {
    Star { stations: 1000, rate: Rate::from_gbps(10), delay: DELAY }.build()
}

/// Every station sends to `fan_out` others; the ports to `hot` stations are roots of congestion trees. Every node has
/// a queue, a port and series.
fn congested(scenario: &str, net: &Topology, fan_out: usize, hot: usize) -> RunRecord {
    const SAMPLES: usize = 1000;
    let mut numbers = Numbers(7);
    let mut record = blank(scenario, net, |_, _| (0.6, 0.0));
    let nodes = record.topology.nodes.clone();
    let stations: Vec<&str> =
        nodes.iter().filter(|node| !node.bridge).map(|node| node.name.as_str()).collect();
    let summary = &mut record.summary;
    for from in 0..stations.len() {
        for step in 1..=fan_out {
            let to = (from + 41 * step) % stations.len();
            let rate = 1e9 * (0.5 + numbers.uniform());
            let victim_s = numbers.uniform();
            summary.flows.push(FlowSummary { victim_s, ..flow(stations[from], stations[to], rate, 12_345) });
        }
    }
    let mut pauses = Vec::new();
    for (place, link) in record.topology.links.iter_mut().enumerate() {
        let (first, second) = (nodes[link.first].name.as_str(), nodes[link.second].name.as_str());
        let (up, down) = (format!("{first}->{second}"), format!("{second}->{first}"));
        let drawn = 0.5 + 0.2 * numbers.uniform();
        let share = if place < hot { 1.0 } else { drawn };
        link.utilisation_share = link.utilisation_share.map(|_| share);
        if place < hot {
            pauses.push(pause([&up, &down, &down], 1, 10 + place as u64, 0.3 + 0.01 * place as f64));
            pauses.push(pause([&format!("{}->{second}", stations[40]), &down, &down], 1, 3, 0.1));
        }
        for name in [up, down] {
            summary.ports.push(port(&name, share, 0.1 * numbers.uniform()));
            let lengths = (0..100).map(|_| 3e4 * numbers.uniform()).collect();
            summary.queues.push(QueueSummary { quantiles: quantiles(lengths), ..queue(&name, 3) });
        }
    }
    summary.congestion_trees = trees(hot as u32, pauses);
    summary.total.jain_index = Some(0.97);
    let series = &mut record.series;
    series.time_s = (1..=SAMPLES).map(|sample| sample as f64 * 3e-3).collect();
    let mut noise = |scale: f64| (0..SAMPLES).map(|_| scale * numbers.uniform()).collect::<Vec<f64>>();
    // Enough series for the figures.
    for name in summary.flows.iter().take(200).map(|flow| flow.name.clone()) {
        let (rate_bps, limit_bps) = (noise(2e9), vec![Some(2e9); SAMPLES]);
        series.flows.push(FlowSeries { name, rate_bps, limit_bps, notifications: vec![1; SAMPLES] });
    }
    for name in summary.queues.iter().take(50).map(|queue| queue.name.clone()) {
        let (length_bytes, largest_bytes) = (noise(3e4), noise(6e4));
        series.queues.push(QueueSeries {
            name,
            length_bytes,
            largest_bytes,
            notifications: vec![2; SAMPLES],
            marked_frames: vec![None; SAMPLES],
        });
    }
    for name in summary.ports.iter().take(50).map(|port| port.name.clone()) {
        series.ports.push(PortSeries { paused_share: noise(1.0), ..idle_port(&name, SAMPLES) });
    }
    record
}
