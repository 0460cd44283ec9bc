//! Records of runs made without the simulator: a fluid queue with QCN sources, near enough to the
//! real thing to judge a report by, and runs of every other shape.

use std::sync::LazyLock;

use setpoint_lab::results::*;
use setpoint_sim::Topology;
use setpoint_sim::topology::{Dumbbell, FatTree, LeafSpine, NodeKind, ParkingLot, Star};
use setpoint_units::{Rate, TimeDelta};

/// Every record, with a name for its file.
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
        ("leaf-spine", shaped("Leaf and spine", leaf_spine_net())),
        ("parking-lot", shaped("Parking lot", parking_lot_net())),
        ("empty", empty()),
    ]
}

/// Numbers that look random and are always the same.
struct Numbers(u64);

impl Numbers {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / (1u64 << 31) as f64
    }
}

struct Source {
    rate: f64,
    target: f64,
    sent: f64,
    timer: f64,
    cycles: u32,
    limited: bool,
}

const SET_POINT: f64 = 26_000.0;
const LINE: f64 = 10e9;

/// What a fluid run leaves behind.
struct Fluid {
    time: Vec<f64>,
    rates: Vec<Vec<f64>>,
    limits: Vec<Vec<Option<f64>>>,
    notified: Vec<Vec<u32>>,
    queue: Vec<f64>,
    sent: Vec<u32>,
    lengths: Vec<f64>,
}

/// QCN sources at one queue; the capacity falls to a tenth at 1 s and returns at 2 s.
fn fluid(count: usize, samples: usize, duration: f64) -> Fluid {
    let mut numbers = Numbers(7);
    // Many sources are moved in coarser steps: it is their picture that counts.
    let pace = 10e-6 * (count as f64 / 40.0).ceil();
    let mut sources: Vec<Source> = (0..count)
        .map(|_| Source {
            rate: LINE / count as f64,
            target: LINE,
            sent: 0.0,
            timer: 0.0,
            cycles: 5,
            limited: true,
        })
        .collect();
    let (mut queue, mut old, mut to_mark) = (0.0f64, 0.0f64, 150e3);
    let steps_per_sample = (duration / pace / samples as f64).round() as usize;
    let empty = || vec![Vec::with_capacity(samples); count];
    let mut run = Fluid {
        time: Vec::new(),
        rates: empty(),
        limits: vec![Vec::new(); count],
        notified: vec![Vec::new(); count],
        queue: Vec::new(),
        sent: Vec::new(),
        lengths: Vec::new(),
    };
    for sample in 0..samples {
        let mut bytes = vec![0.0; count];
        let mut heard = vec![0u32; count];
        for step in 0..steps_per_sample {
            let now = (sample * steps_per_sample + step) as f64 * pace;
            let capacity = if (1.0..2.0).contains(&now) { 1e9 } else { LINE };
            let total: f64 = sources.iter().map(|source| source.rate).sum();
            let arrived = total * pace / 8.0;
            let served = (queue + arrived).min(capacity * pace / 8.0);
            queue = (queue + arrived - served).min(1.5e6);
            to_mark -= arrived;
            for (source, bytes) in sources.iter_mut().zip(&mut bytes) {
                *bytes += served * source.rate / total;
                recover(source, pace, &mut numbers);
            }
            if to_mark < 0.0 {
                let feedback = (queue - SET_POINT) + 2.0 * (queue - old);
                let quantised = (feedback.clamp(0.0, 5.0 * SET_POINT) * 63.0 / (5.0 * SET_POINT)).floor();
                old = queue;
                to_mark = 150e3 / ((quantised / 8.0).floor() + 1.0) * (0.85 + 0.3 * numbers.uniform());
                if quantised > 0.0 {
                    let mut chosen = numbers.uniform() * total;
                    let index = sources.iter().position(|source| {
                        chosen -= source.rate;
                        chosen <= 0.0
                    });
                    let index = index.unwrap_or(0);
                    let source = &mut sources[index];
                    source.target = source.rate;
                    source.rate = (source.rate * (1.0 - quantised / 128.0)).max(5e6);
                    (source.sent, source.timer, source.cycles, source.limited) = (0.0, 0.0, 0, true);
                    heard[index] += 1;
                }
            }
            run.lengths.push(queue);
        }
        let span = steps_per_sample as f64 * pace;
        run.time.push((sample + 1) as f64 * span);
        run.queue.push(queue);
        run.sent.push(heard.iter().sum());
        for index in 0..count {
            run.rates[index].push(bytes[index] * 8.0 / span);
            run.limits[index].push(sources[index].limited.then_some(sources[index].rate));
            run.notified[index].push(heard[index]);
        }
    }
    run
}

/// Byte counter and timer: fast recovery, then active increase.
fn recover(source: &mut Source, pace: f64, numbers: &mut Numbers) {
    source.sent += source.rate * pace / 8.0;
    source.timer += pace;
    let expired = u32::from(source.sent > 150e3 * (0.85 + 0.3 * numbers.uniform()))
        + u32::from(source.timer > 15e-3 * (0.85 + 0.3 * numbers.uniform()));
    if expired > 0 {
        source.cycles += expired;
        if source.sent > 150e3 {
            source.sent = 0.0;
        }
        if source.timer > 13e-3 {
            source.timer = 0.0;
        }
        if source.cycles > 5 {
            source.target = (source.target + 5e6 * f64::from(expired)).min(LINE);
        }
        source.rate = f64::midpoint(source.rate, source.target).min(LINE);
    }
}

fn quantiles(mut values: Vec<f64>) -> Vec<(f64, f64)> {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values[((values.len() - 1) as f64 * share) as usize];
    (0..=200).map(|step| f64::from(step) / 200.0).map(|share| (share, at(share))).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len().max(1) as f64).sqrt()
}

fn jain(rates: &[f64]) -> f64 {
    let (sum, squares) = (rates.iter().sum::<f64>(), rates.iter().map(|rate| rate * rate).sum::<f64>());
    sum * sum / (squares * rates.len() as f64)
}

/// A dumbbell with a drop of the bottleneck's rate at 1 s and its return at 2 s.
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
        notifications: vec![0; samples],
    };
    record.series.queues = vec![
        QueueSeries { name: "left->right/3".into(), length_bytes: run.queue, notifications: run.sent },
        flat("right->r1/3"),
    ];
    record.series.ports = ports.iter().map(|port| idle_port(&port.name, samples)).collect();
    record.series.time_s = run.time;
    let summary = &mut record.summary;
    summary.measure_from_s = 0.5;
    summary.total.throughput_bps = total;
    summary.total.notifications = notifications;
    summary.total.notification_overhead_share = notifications as f64 / (total * 3.0 / 8000.0);
    summary.total.jain_index = Some(jain(&rates));
    summary.total.jain_index_windowed_mean = Some(0.97);
    summary.total.jain_index_windowed_min = Some(0.912);
    summary.flows = flows;
    summary.queues = vec![left, right];
    summary.ports = ports;
    summary.events_at = vec![
        EventSummary { at_s: 1.0, label: "left->right at 1 Gb/s".into(), settling_s: Some(0.0412) },
        EventSummary { at_s: 2.0, label: "left->right at 10 Gb/s".into(), settling_s: Some(0.2301) },
    ];
    record
}

fn flow(source: &str, destination: &str, rate: f64, frames: u64) -> FlowSummary {
    FlowSummary {
        name: source.into(),
        source: source.into(),
        destination: destination.into(),
        rate_bps: rate,
        rate_deviation_bps: rate * 0.1,
        sent_frames: frames,
        delivered_frames: frames,
        dropped_frames: 0,
        notifications: 0,
        delay_mean_s: Some(41e-6),
        delay_max_s: Some(212e-6),
        fast_recovery_cycles: 0,
        active_increase_cycles: 0,
        hyper_increase_cycles: 0,
    }
}

fn queue(port: &str, priority: u8) -> QueueSummary {
    QueueSummary {
        name: format!("{port}/{priority}"),
        port: port.into(),
        priority,
        set_point_bytes: None,
        mean_bytes: 0.0,
        deviation_bytes: 0.0,
        empty_share: 0.0,
        peak_bytes: 0,
        quantiles: Vec::new(),
        dropped_frames: 0,
        samples: 0,
        notifications: 0,
    }
}

fn port(name: &str, utilisation: f64, paused: f64) -> PortSummary {
    PortSummary {
        name: name.into(),
        sent_bytes: (utilisation * LINE * 3.0 / 8.0) as u64,
        utilisation_share: utilisation,
        paused_share: paused,
        pauses: (paused * 2000.0) as u64,
    }
}

fn idle_port(name: &str, samples: usize) -> PortSeries {
    PortSeries { name: name.into(), utilisation_share: vec![0.0; samples], paused_share: vec![0.0; samples] }
}

/// A record with a network, parameters, and nothing that happened.
pub(crate) fn blank(scenario: &str, net: &Topology, load: impl Fn(&str, &str) -> (f64, f64)) -> RunRecord {
    let nodes = net.nodes().iter().map(|node| NodeView {
        name: node.name.clone(),
        bridge: node.kind == NodeKind::Bridge,
        layer: node.layer,
    });
    let links = net.links().iter().map(|link| {
        let (utilisation_share, paused_share) =
            load(&net.node_at(link.first).name, &net.node_at(link.second).name);
        LinkView {
            first: link.first.index(),
            second: link.second.index(),
            rate: link.rate.to_string(),
            delay: link.delay.to_string(),
            utilisation_share,
            paused_share,
        }
    });
    RunRecord {
        manifest: manifest(scenario),
        summary: Summary {
            duration_s: 3.0,
            measure_from_s: 0.0,
            events: 61_234_567,
            packet_hops: 11_239_441,
            total: TotalSummary {
                throughput_bps: 0.0,
                dropped_frames: 0,
                loss_share: 0.0,
                notifications: 0,
                notification_overhead_share: 0.0,
                paused_s: 0.0,
                lossless: false,
                jain_index: None,
                jain_index_windowed_mean: None,
                jain_index_windowed_min: None,
                jain_window_s: 0.1,
            },
            flows: Vec::new(),
            queues: Vec::new(),
            ports: Vec::new(),
            messages: None,
            events_at: Vec::new(),
        },
        series: Series::default(),
        topology: TopologyView { nodes: nodes.collect(), links: links.collect() },
    }
}

fn manifest(scenario: &str) -> Manifest {
    let row = |key: &str, object: Option<&str>, value: &str, default: &str, origin: &str| ParameterRow {
        key: key.into(),
        managed_object: object.map(Into::into),
        value: value.into(),
        default: default.into(),
        origin: origin.into(),
        changed: value != default,
    };
    Manifest {
        version: "0.1.0".into(),
        scenario: scenario.into(),
        description: "A run made for looking at reports.".into(),
        scenario_text: "name = \"rate drop\"\nduration = \"3 s\"\n\n[topology.dumbbell]\nsenders = 10\nrate = \"10 Gb/s\"\n\n[control.qcn.cp]\nset_point = \"26 kB\"\n\n[[at]]\ntime = \"1 s\"\nport = \"left->right\"\nrate = \"1 Gb/s\"\n".into(),
        overrides: vec![("qcn.rp.time_reset".into(), "10 ms".into())],
        seed: 1,
        digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08".into(),
        parameters: vec![
            row("duration", None, "3 s", "1 s", "chosen so that the default run takes a second"),
            row("qcn.cp.set_point", Some("ieee8021CnCpQueueSizeSetPoint"), "26 kB", "26 kB", "IEEE 802.1Q, 30.2 and 32.8.3"),
            row("qcn.cp.weight", Some("ieee8021CnCpFeedbackWeight"), "2", "2", "IEEE 802.1Q, 32.8.6"),
            row("qcn.cp.sample_base", Some("ieee8021CnCpMinSampleBase"), "150 kB", "150 kB", "IEEE 802.1Q, 32.8.11"),
            row("qcn.cp.quantiser", None, "floor63", "floor63", "clause 32.9.4 as paraphrased in vendors’ manuals"),
            row("qcn.rp.time_reset", Some("ieee8021CnRpgTimeReset"), "10 ms", "15 ms", "IEEE 802.1Q, 32.11.2; pseudo-code 2.2"),
            row("qcn.rp.byte_reset", Some("ieee8021CnRpgByteReset"), "150 kB", "150 kB", "IEEE 802.1Q, 32.11.3"),
            row("qcn.rp.gain", Some("ieee8021CnRpgGd"), "1/128", "1/128", "IEEE 802.1Q, 32.11.9"),
        ],
    }
}

/// Steady figures for a network, for looking at its drawing.
fn shaped(scenario: &str, net: Topology) -> RunRecord {
    let mut numbers = Numbers(11);
    let shares: Vec<f64> = net.links().iter().map(|_| numbers.uniform()).collect();
    let mut record = blank(scenario, &net, |_, _| (0.0, 0.0));
    for (link, share) in record.topology.links.iter_mut().zip(&shares) {
        link.utilisation_share = *share;
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

pub(crate) fn leaf_spine_net() -> Topology {
    let net = LeafSpine {
        leaves: 4,
        spines: 2,
        stations_per_leaf: 8,
        access_rate: Rate::from_gbps(10),
        fabric_rate: Rate::from_gbps(40),
        delay: TimeDelta::from_picos(1_000_000),
    };
    net.build()
}

pub(crate) fn parking_lot_net() -> Topology {
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
    let mut record = shaped("Web search on a fat tree", net);
    let mut numbers = Numbers(5);
    let mut class = |bounds: (Option<u64>, Option<u64>), count: u64, scale: f64| {
        let times: Vec<f64> = (0..500)
            .map(|_| scale * (0.4 + 3.0 * numbers.uniform().powi(6)) / (1.02 - numbers.uniform()))
            .collect();
        let slowdowns = times.iter().map(|time| 1.0 + 0.9 * time / scale).collect();
        MessageClass {
            from_bytes: bounds.0,
            to_bytes: bounds.1,
            count,
            fct_mean_s: mean(&times),
            fct_quantiles: quantiles(times),
            slowdown_quantiles: quantiles(slowdowns),
        }
    };
    let classes = vec![
        class((None, None), 12_345, 150e-6),
        class((None, Some(10_000)), 5_123, 14e-6),
        class((Some(10_000), Some(100_000)), 4_001, 90e-6),
        class((Some(100_000), Some(1_000_000)), 2_200, 900e-6),
        class((Some(1_000_000), None), 1_021, 9e-3),
    ];
    record.summary.messages = Some(MessageSummary { completed: 12_345, unfinished: 87, damaged: 0, classes });
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
            notifications: vec![0; samples as usize],
        })
        .collect();
    record.summary.total.jain_index = Some(0.871);
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
        length_bytes: lengths,
        notifications: vec![0; samples as usize],
    }];
    record.summary.total.throughput_bps = 9.87e9;
    record.summary.total.paused_s = 64.0 * 0.02 * 0.978;
    record.summary.total.lossless = true;
    record.summary.total.jain_index = Some(0.999_98);
    record
}

/// A dumbbell without any control, which drops.
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
            settling_s: None,
        })
        .collect();
    record
}

/// Nothing at all.
pub(crate) fn empty() -> RunRecord {
    let mut record = blank("Nothing", &Topology::new(), |_, _| (0.0, 0.0));
    record.manifest.parameters.clear();
    record.manifest.overrides.clear();
    record
}
