//! Synthetic records of runs: a fluid queue with QCN sources, realistic enough to judge a report, and runs of every
//! other shape.

mod fluid;
mod large;
mod parts;
pub(crate) mod theory;
mod trees;

use std::sync::LazyLock;

use setpoint_record::results::*;
use setpoint_sim::Topology;
use setpoint_sim::topology::{Dumbbell, FatTree, LeafSpine, ParkingLot, Star};
use setpoint_units::{Rate, TimeDelta};

use self::fluid::{LINE, Numbers, fluid};
pub(crate) use self::large::large;
pub(crate) use self::trees::deadlock;

use self::parts::{blank, deviation, flow, idle_port, jain, link, mean, port, quantiles, queue};

/// Every record, with its file name.
pub(crate) fn all() -> Vec<(&'static str, RunRecord)> {
    static RECORDS: LazyLock<Vec<(&'static str, RunRecord)>> = LazyLock::new(made);
    RECORDS.clone()
}

fn made() -> Vec<(&'static str, RunRecord)> {
    vec![
        ("dumbbell-10", dumbbell(10, 3000)),
        ("dumbbell-2", dumbbell(2, 600)),
        ("dumbbell-400", dumbbell(400, 1500)),
        ("fat-tree", fat_tree()),
        ("incast-pfc", incast_pfc()),
        ("losses", losses()),
        ("leaf-spine", shaped("Leaf and spine", &leaf_spine_net())),
        ("parking-lot", shaped("Parking lot", &parking_lot_net())),
        ("deadlock", deadlock()),
        ("fat-tree-pfc", fat_tree_pfc()),
        ("empty", empty()),
    ]
}

/// A dumbbell whose bottleneck rate drops at 1 s and recovers at 2 s.
pub(crate) fn dumbbell(senders: u32, samples: usize) -> RunRecord {
    let run = fluid(senders as usize, samples, 3.0);
    let net = Dumbbell {
        senders,
        receivers: 1,
        access_rate: Rate::from_gbps(10),
        access_delay: TimeDelta::from_picos(1_000_000),
        bottleneck_rate: Rate::from_gbps(10),
        bottleneck_delay: TimeDelta::from_picos(12_000_000),
    };
    let net = net.build();
    let from = samples / 6;
    let rates: Vec<f64> = run.rates.iter().map(|rates| mean(&rates[from..])).collect();
    let notifications: u64 = run.sent.iter().map(|count| u64::from(*count)).sum();
    let total: f64 = rates.iter().sum();
    let flows = (0..senders as usize)
        .map(|index| {
            let frames = (rates[index] * 3.0 / 8.0 / 1000.0) as u64;
            FlowSummary {
                rate_deviation_bps: deviation(&run.rates[index][from..]),
                notifications: run.notified[index].iter().map(|count| u64::from(*count)).sum(),
                delay_mean_s: Some(48e-6),
                delay_max_s: Some(391e-6),
                fast_recovery_cycles: 5211,
                active_increase_cycles: 822,
                ..flow(&format!("s{}", index + 1), "r1", rates[index], frames)
            }
        })
        .collect();
    let lengths = run.lengths[run.lengths.len() / 6..].to_vec();
    let busy = 0.9978;
    let left = QueueSummary {
        set_point_bytes: Some(26_000),
        mean_bytes: mean(&lengths),
        deviation_bytes: deviation(&lengths),
        empty_share: lengths.iter().filter(|length| **length < 1.0).count() as f64 / lengths.len() as f64,
        peak_bytes: run.lengths.iter().copied().fold(0.0, f64::max) as u64,
        quantiles: quantiles(lengths),
        samples: notifications * 3,
        notifications,
        ..queue("left->right", 3)
    };
    let right = QueueSummary {
        mean_bytes: 510.0,
        peak_bytes: 2000,
        set_point_bytes: Some(26_000),
        ..queue("right->r1", 3)
    };
    let mut ports = vec![port("left->right", busy, 0.0), port("right->r1", busy, 0.0)];
    ports.extend(
        rates
            .iter()
            .enumerate()
            .map(|(index, rate)| port(&format!("s{}->left", index + 1), rate / LINE, 0.0)),
    );
    let mut record = blank("Rate drop on a dumbbell", &net, |first, second| match (first, second) {
        ("left", "right") | ("right", _) => (busy, 0.0),
        _ => (rates[0] / LINE, 0.0),
    });
    record.manifest.description = format!(
        "{senders} backlogged senders share one 10 Gb/s link whose rate falls to 1 Gb/s for a second."
    );
    record.series.flows = (0..senders as usize)
        .map(|index| FlowSeries {
            name: format!("s{}", index + 1),
            rate_bps: run.rates[index].clone(),
            limit_bps: run.limits[index].clone(),
            notifications: run.notified[index].clone(),
        })
        .collect();
    let flat = |name: &str| QueueSeries {
        name: name.into(),
        length_bytes: vec![500.0; samples],
        largest_bytes: vec![500.0; samples],
        notifications: vec![0; samples],
        marked_frames: vec![None; samples],
    };
    record.series.queues = vec![
        QueueSeries {
            name: "left->right/3".into(),
            largest_bytes: run.queue.clone(),
            length_bytes: run.queue,
            notifications: run.sent,
            marked_frames: vec![None; samples],
        },
        flat("right->r1/3"),
    ];
    record.series.ports = ports.iter().map(|port| idle_port(&port.name, samples)).collect();
    record.series.time_s = run.time;
    let summary = &mut record.summary;
    summary.measure_from_s = 0.5;
    summary.total.throughput_bps = total;
    summary.total.notifications = notifications;
    summary.total.notifications_per_frame = notifications as f64 / (total * 3.0 / 8000.0);
    summary.total.jain_index = Some(jain(&rates));
    summary.total.jain_index_windowed_mean = Some(0.97);
    summary.total.jain_index_windowed_min = Some(0.912);
    summary.flows = flows;
    summary.queues = vec![left, right];
    summary.ports = ports;
    summary.events_at = vec![
        EventSummary { at_s: 1.0, label: "left->right at 1 Gb/s".into(), settling: Settling::AfterS(0.0412) },
        EventSummary {
            at_s: 2.0,
            label: "left->right at 10 Gb/s".into(),
            settling: Settling::AfterS(0.2301),
        },
    ];
    record
}

/// Constant figures for a network, to inspect its drawing.
fn shaped(scenario: &str, net: &Topology) -> RunRecord {
    let mut numbers = Numbers(11);
    let shares: Vec<f64> = net.links().iter().map(|_| numbers.uniform()).collect();
    let mut record = blank(scenario, net, |_, _| (0.0, 0.0));
    for (link, share) in record.topology.links.iter_mut().zip(&shares) {
        link.utilisation_share = link.utilisation_share.map(|_| *share);
        link.paused_share = if *share > 0.9 { 0.1 } else { 0.0 };
    }
    let stations: Vec<String> =
        record.topology.nodes.iter().filter(|node| !node.bridge).map(|node| node.name.clone()).collect();
    let half = stations.len() / 2;
    record.summary.flows =
        (0..half).map(|index| flow(&stations[index], &stations[index + half], 6.1e9, 400_000)).collect();
    record.summary.total.throughput_bps = 6.1e9 * half as f64;
    let mut ports: Vec<PortSummary> = Vec::new();
    for (link, share) in record.topology.links.iter().zip(shares) {
        let names = (&record.topology.nodes[link.first].name, &record.topology.nodes[link.second].name);
        ports.push(port(&format!("{}->{}", names.0, names.1), share, 0.0));
    }
    record.summary.ports = ports;
    record
}

fn leaf_spine_net() -> Topology {
    let net = LeafSpine {
        leaves: 4,
        spines: 2,
        stations_per_leaf: 8,
        access_rate: Rate::from_gbps(10),
        fabric_rate: Rate::from_gbps(40),
        access_delay: TimeDelta::from_picos(1_000_000),
        fabric_delay: TimeDelta::from_picos(1_000_000),
    };
    net.build()
}

fn parking_lot_net() -> Topology {
    let net = ParkingLot {
        hops: 4,
        stations_per_bridge: 2,
        access_rate: Rate::from_gbps(10),
        rate: Rate::from_gbps(10),
        delay: TimeDelta::from_picos(1_000_000),
    };
    net.build()
}

/// A fat tree with messages of all sizes.
pub(crate) fn fat_tree() -> RunRecord {
    let net = FatTree { k: 8, rate: Rate::from_gbps(10), delay: TimeDelta::from_picos(1_000_000) }.build();
    let mut record = shaped("Web search on a fat tree", &net);
    let mut numbers = Numbers(5);
    let mut class = |bounds: (Option<u64>, Option<u64>), count: u64, scale: f64| {
        let times: Vec<f64> = (0..500)
            .map(|_| scale * (0.4 + 3.0 * numbers.uniform().powi(6)) / (1.02 - numbers.uniform()))
            .collect();
        let slowdowns = times.iter().map(|time| 1.0 + 0.9 * time / scale).collect();
        MessageClass {
            from_bytes: bounds.0,
            to_bytes: bounds.1,
            completed: count,
            fct_mean_s: Some(mean(&times)),
            fct_quantiles: quantiles(times),
            slowdown_quantiles: quantiles(slowdowns),
            ..MessageClass::default()
        }
    };
    let classes = vec![
        class((None, None), 12_345, 150e-6),
        class((None, Some(10_000)), 5_123, 14e-6),
        class((Some(10_000), Some(100_000)), 4_001, 90e-6),
        class((Some(100_000), Some(1_000_000)), 2_200, 900e-6),
        class((Some(1_000_000), None), 1_021, 9e-3),
    ];
    let mut classes = classes;
    classes[0].unfinished = 87;
    record.summary.messages =
        Some(MessageSummary { completed: 12_345, unfinished: 87, classes, ..MessageSummary::default() });
    let samples = 300;
    record.series.time_s = (1..=samples).map(|index| f64::from(index) * 0.01).collect();
    record.series.flows = (record.summary.flows.iter())
        .map(|flow| FlowSeries {
            name: flow.name.clone(),
            rate_bps: (0..samples).map(|_| 10e9 * numbers.uniform().powi(2)).collect(),
            ..FlowSeries::default()
        })
        .collect();
    let names = ["agg1.1->core1", "edge3.2->agg3.1", "core4->agg2.2", "agg5.4->core14", "edge1.1->h3"];
    record.summary.queues = names
        .iter()
        .enumerate()
        .map(|(index, name)| {
            let scale = 30e3 / (index + 1) as f64;
            let lengths: Vec<f64> = (0..400).map(|_| scale * 3.0 * numbers.uniform().powi(3)).collect();
            QueueSummary {
                mean_bytes: mean(&lengths),
                peak_bytes: (scale * 4.0) as u64,
                quantiles: quantiles(lengths),
                set_point_bytes: Some(26_000),
                empty_share: 0.2,
                ..queue(name, 3)
            }
        })
        .collect();
    record.series.queues = (record.summary.queues.iter())
        .map(|queue| QueueSeries {
            name: queue.name.clone(),
            length_bytes: (0..samples).map(|_| queue.mean_bytes * 3.0 * numbers.uniform().powi(2)).collect(),
            largest_bytes: Vec::new(),
            notifications: vec![0; samples as usize],
            marked_frames: vec![None; samples as usize],
        })
        .collect();
    record.summary.total.jain_index = Some(0.871);
    record
}

/// The same fat tree with pauses that spread over it.
pub(crate) fn fat_tree_pfc() -> RunRecord {
    let mut record = fat_tree();
    trees::in_a_fat_tree(&mut record);
    record
}

/// 64 stations send to one through a bridge with PFC.
pub(crate) fn incast_pfc() -> RunRecord {
    let net =
        Star { stations: 65, rate: Rate::from_gbps(10), delay: TimeDelta::from_picos(1_000_000) }.build();
    let mut record =
        blank("Incast with PFC", &net, |first, _| if first == "h65" { (1.0, 0.0) } else { (0.016, 0.981) });
    let samples = 400;
    let mut numbers = Numbers(3);
    record.summary.duration_s = 0.02;
    record.summary.flows =
        (1..=64).map(|n| flow(&format!("h{n}"), "h65", 154e6 + f64::from(n) * 2e4, 480)).collect();
    record.series.time_s = (1..=samples).map(|n| f64::from(n) * 50e-6).collect();
    let names: Vec<String> = (1..=64).map(|n| format!("h{n}->bridge")).collect();
    record.summary.ports =
        names.iter().enumerate().map(|(n, name)| port(name, 0.016, 0.98 - n as f64 * 1e-4)).collect();
    record.summary.ports.push(port("bridge->h65", 0.999_99, 0.0));
    record.series.ports = (record.summary.ports.iter())
        .map(|port| PortSeries {
            name: port.name.clone(),
            utilisation_share: vec![port.utilisation_share; samples as usize],
            paused_share: (0..samples)
                .map(|n| if n < 4 { 0.0 } else { port.paused_share * (0.94 + 0.06 * numbers.uniform()) })
                .collect(),
        })
        .collect();
    record.series.flows = (record.summary.flows.iter())
        .map(|flow| FlowSeries {
            name: flow.name.clone(),
            rate_bps: (0..samples).map(|_| flow.rate_bps * 2.0 * numbers.uniform()).collect(),
            ..FlowSeries::default()
        })
        .collect();
    let lengths: Vec<f64> =
        (0..samples).map(|n| (f64::from(n) * 4e5).min(6.1e6 + 2e5 * numbers.uniform())).collect();
    record.summary.queues = vec![QueueSummary {
        mean_bytes: mean(&lengths),
        peak_bytes: 6_310_000,
        quantiles: quantiles(lengths.clone()),
        ..queue("bridge->h65", 3)
    }];
    record.series.queues = vec![QueueSeries {
        name: "bridge->h65/3".into(),
        largest_bytes: lengths.clone(),
        length_bytes: lengths,
        notifications: vec![0; samples as usize],
        marked_frames: vec![None; samples as usize],
    }];
    let root = "bridge->h65";
    let pauses = names.iter().map(|name| trees::pause([name, root, root], 1, 190, 0.02 * 0.98)).collect();
    record.summary.congestion_trees = trees::trees(64, pauses);
    let links = names.iter().zip(1..).map(|(name, n)| link(name, n * 20)).collect();
    record.summary.flow_control =
        Some(FlowControlSummary { kind: "pfc".to_owned(), links, bridges: Vec::new(), left_out: Vec::new() });
    record.summary.total.throughput_bps = 9.87e9;
    record.summary.total.paused_s = 64.0 * 0.02 * 0.978;
    record.summary.total.lossless = true;
    record.summary.total.jain_index = Some(0.999_98);
    record
}

/// A dumbbell without congestion control, which drops frames.
pub(crate) fn losses() -> RunRecord {
    let mut record = dumbbell(4, 300);
    record.manifest.scenario = "Drop tail".into();
    record.summary.total.dropped_frames = 48_211;
    record.summary.total.loss_share = 0.0123;
    record.summary.total.notifications = 0;
    for (index, flow) in record.summary.flows.iter_mut().enumerate() {
        flow.dropped_frames = 12_000 + index as u64;
        flow.notifications = 0;
    }
    for queue in &mut record.summary.queues {
        (queue.set_point_bytes, queue.notifications, queue.samples) = (None, 0, 0);
    }
    record.summary.queues[0].dropped_frames = 48_211;
    record.summary.events_at = (0..12)
        .map(|n| EventSummary {
            at_s: 0.2 * f64::from(n + 1),
            label: format!("s{} capped at {} Mb/s for a while", n % 4 + 1, 100 * n),
            settling: Settling::NotSettled(Unsettled::NoSetPoint),
        })
        .collect();
    record
}

pub(crate) fn empty() -> RunRecord {
    let mut record = blank("Nothing", &Topology::new(), |_, _| (0.0, 0.0));
    record.manifest.parameters.clear();
    record.manifest.overrides.clear();
    record
}
