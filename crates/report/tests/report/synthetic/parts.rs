//! Parts of records: rows, empty records, and some statistics.

use setpoint_record::results::Build;
use setpoint_record::results::*;
use setpoint_scenario::ParameterRow;
use setpoint_sim::Topology;
use setpoint_sim::topology::NodeKind;

use super::fluid::LINE;

pub(super) fn quantiles(mut values: Vec<f64>) -> Vec<(f64, f64)> {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values[((values.len() - 1) as f64 * share) as usize];
    (0..=200).map(|step| f64::from(step) / 200.0).map(|share| (share, at(share))).collect()
}

pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

pub(super) fn deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len().max(1) as f64).sqrt()
}

pub(super) fn jain(rates: &[f64]) -> f64 {
    let (sum, squares) = (rates.iter().sum::<f64>(), rates.iter().map(|rate| rate * rate).sum::<f64>());
    sum * sum / (squares * rates.len() as f64)
}

pub(super) fn flow(source: &str, destination: &str, rate: f64, frames: u64) -> FlowSummary {
    FlowSummary {
        name: source.into(),
        source: source.into(),
        destination: destination.into(),
        rate_bps: rate,
        rate_deviation_bps: rate * 0.1,
        sent_frames: frames,
        delivered_frames: frames,
        delay_mean_s: Some(41e-6),
        delay_max_s: Some(212e-6),
        ..FlowSummary::default()
    }
}

pub(super) fn queue(port: &str, priority: u8) -> QueueSummary {
    QueueSummary {
        name: format!("{port}/{priority}"),
        port: port.into(),
        side: Side::Output,
        priority,
        ..QueueSummary::default()
    }
}

pub(super) fn port(name: &str, utilisation: f64, paused: f64) -> PortSummary {
    PortSummary {
        name: name.into(),
        sent_bytes: (utilisation * LINE * 3.0 / 8.0) as u64,
        utilisation_share: utilisation,
        paused_share: paused,
        pauses: (paused * 2000.0) as u64,
    }
}

pub(super) fn idle_port(name: &str, samples: usize) -> PortSeries {
    PortSeries { name: name.into(), utilisation_share: vec![0.0; samples], paused_share: vec![0.0; samples] }
}

/// A record with a network and parameters, but without any activity.
pub(super) fn blank(scenario: &str, net: &Topology, load: impl Fn(&str, &str) -> (f64, f64)) -> RunRecord {
    let nodes = net.nodes().iter().map(|node| NodeView {
        name: node.name.clone(),
        bridge: node.kind != NodeKind::Station,
        spine: node.kind == NodeKind::Spine,
        layer: node.layer,
    });
    let is_spine = |node| net.node_at(node).kind == NodeKind::Spine;
    let links = net.links().iter().map(|link| {
        let (utilisation_share, paused_share) =
            load(&net.node_at(link.first).name, &net.node_at(link.second).name);
        LinkView {
            first: link.first.index(),
            second: link.second.index(),
            rate: link.rate.to_string(),
            delay: link.delay.to_string(),
            utilisation_share: (!is_spine(link.first) && !is_spine(link.second)).then_some(utilisation_share),
            paused_share,
        }
    });
    RunRecord {
        manifest: manifest(scenario),
        summary: Summary {
            duration_s: 3.0,
            measure_from_s: 0.0,
            measure_messages_until_s: None,
            events: 61_234_567,
            packet_hops: 11_239_441,
            total: TotalSummary { jain_window_s: 0.1, ..TotalSummary::default() },
            flows: Vec::new(),
            queues: Vec::new(),
            ports: Vec::new(),
            messages: None,
            events_at: Vec::new(),
            congestion_trees: TreesSummary::default(),
            deadlock: None,
            flow_control: None,
            shared_buffers: Vec::new(),
            failed_links: Vec::new(),
            fabric: None,
            groups: Vec::new(),
            entries: Vec::new(),
            jobs: Vec::new(),
            size_classes: Vec::new(),
            slowdown_by_size: Vec::new(),
            hpcc_slowdowns: Vec::new(),
        },
        series: Series::default(),
        topology: TopologyView { nodes: nodes.collect(), links: links.collect() },
        messages: Vec::new(),
        pauses: None,
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
        build: Build::default(),
        scenario: scenario.into(),
        description: "A run to inspect reports with.".into(),
        scenario_text: "name = \"rate drop\"\nduration = \"3 s\"\n\n[topology.dumbbell]\nsenders = 10\nrate = \"10 Gb/s\"\n\n[control.qcn.cp]\nset_point = \"26 kB\"\n\n[[at]]\ntime = \"1 s\"\nport = \"left->right\"\nrate = \"1 Gb/s\"\n".into(),
        overrides: vec![("qcn.rp.time_reset".into(), "10 ms".into())],
        seed: 1,
        frames: Frames::Simulated,
        controllers: None,
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
        warnings: Vec::new(),
    }
}

/// A link under PFC with 5 kB of headroom, part of which was used.
pub(super) fn link(port: &str, used: u64) -> LinkSummary {
    LinkSummary {
        port: port.to_owned(),
        priorities: vec![3],
        xoff_bytes: 8_000,
        headroom_given_bytes: 5_000,
        headroom_parts: HeadroomPartsSummary::default(),
        headroom_needed_bytes: 5_000,
        headroom_used_bytes: used,
        lapses_bytes: 0,
        buffer_bytes: 13_000,
    }
}
