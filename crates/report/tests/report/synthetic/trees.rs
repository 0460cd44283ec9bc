//! Records of runs with spreading pauses.

use setpoint_record::results::*;
use setpoint_sim::Topology;
use setpoint_units::{Rate, TimeDelta};

use super::parts::{blank, flow, port};

/// The pauses of one port with the same cause and root.
pub(super) fn pause(names: [&str; 3], depth: u32, pauses: u64, time_s: f64) -> PauseSummary {
    let [port, cause, root] = names.map(str::to_owned);
    PauseSummary { port, cause, root, depth, pauses, time_s }
}

/// Congestion trees with the given pauses, the longest first.
pub(super) fn trees(widest: u32, mut pauses: Vec<PauseSummary>) -> TreesSummary {
    pauses.sort_by(|a, b| b.time_s.total_cmp(&a.time_s));
    let deepest = pauses.iter().map(|pause| pause.depth).max().unwrap_or(0);
    TreesSummary { widest, deepest, pauses }
}

/// A ring of five bridges filled by its flows, each of which crosses two bridges.
pub(crate) fn deadlock() -> RunRecord {
    const DELAY: TimeDelta = TimeDelta::from_nanos(500);
    let mut net = Topology::new();
    let bridges: Vec<_> = (1..=5).map(|n| net.bridge(format!("b{n}"), n)).collect();
    for n in 0..5 {
        net.connect(bridges[n], bridges[(n + 1) % 5], Rate::from_gbps(10), DELAY);
        let station = net.station(format!("h{}", n + 1), n as u16 + 1);
        net.connect(station, bridges[n], Rate::from_gbps(10), DELAY);
    }
    let mut record = blank("A ring that locks up", &net, |_, _| (0.08, 0.93));
    let summary = &mut record.summary;
    summary.duration_s = 4e-3;
    let name = |n: u32| format!("b{}->b{}", n % 5 + 1, (n + 1) % 5 + 1);
    summary.flows = (0..5)
        .map(|n| FlowSummary {
            victim_s: if n % 2 == 0 { 3.7e-3 + f64::from(n) * 1e-5 } else { 0.0 },
            ..flow(&format!("h{}", n + 1), &format!("h{}", (n + 2) % 5 + 1), 3.1e8, 310)
        })
        .collect();
    let mut pauses = Vec::new();
    for n in 0..5 {
        let root = name(0);
        pauses.push(pause([&name(n), &name(n + 1), &root], 1 + (4 - n) % 5, 1, 3.9e-3 - f64::from(n) * 1e-5));
        let station = format!("h{}->b{}", n + 1, n + 1);
        pauses.push(pause([&station, &name(n), &root], 1 + (5 - n) % 5, 2, 3.8e-3 - f64::from(n) * 1e-5));
        summary.ports.push(port(&name(n), 0.05, 0.95));
    }
    summary.congestion_trees = trees(10, pauses);
    summary.total.paused_s = 38e-3;
    summary.total.lossless = true;
    let cycle = (0..5).map(name).collect();
    summary.deadlock = Some(DeadlockSummary { at_s: 300e-6, cycle, priority: Some(3), stuck_ports: 10 });
    record
}

/// A congestion tree in a fat tree: from the port of one station back to stations of other pods.
pub(super) fn in_a_fat_tree(record: &mut RunRecord) {
    let root = "edge1.1->h1";
    let mut pauses: Vec<PauseSummary> = Vec::new();
    for n in 1..=4 {
        let down = format!("agg1.{n}->edge1.1");
        pauses.push(pause([&down, root, root], 1, 300, 1.1 / f64::from(n)));
        let core = format!("core{}->agg1.{n}", 4 * (n - 1) + 1);
        pauses.push(pause([&core, &down, root], 2, 120, 0.6 / f64::from(n)));
        let up = format!("agg{}.{n}->core{}", n + 1, 4 * (n - 1) + 1);
        pauses.push(pause([&up, &core, root], 3, 60, 0.2 / f64::from(n)));
        let edge = format!("edge{}.1->agg{}.{n}", n + 1, n + 1);
        pauses.push(pause([&edge, &up, root], 4, 40, 0.1));
        let station = format!("h{}->edge{}.1", 16 * n + 1, n + 1);
        pauses.push(pause([&station, &edge, root], 5, 20, 0.05));
    }
    record.summary.congestion_trees = trees(17, pauses);
    for (n, flow) in record.summary.flows.iter_mut().enumerate().filter(|(n, _)| n % 3 == 0) {
        flow.victim_s = 1e-3 * (n + 1) as f64;
    }
}
