//! The documentation lists exactly the keys in the files of a result.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::support::Synthetic;
use serde_json::Value;
use setpoint_lab::compare::Comparison;
use setpoint_lab::league::Standing;
use setpoint_lab::store;
use setpoint_lab::sweep::{
    RunSummary, SlowdownSpread, SweepSummary, SweptWarning, VariantSummary, WatchedQueue,
};
use setpoint_record::catalogue;
use setpoint_record::confidence::{Difference, Spread};
use setpoint_record::results::{
    BridgeSummary, ControllerRecord, CriticalMessage, CulpritSummary, CurveColumn, Curves, DeadlockSummary,
    EntrySummary, FabricSummary, FailedLinkSummary, FlowControlSummary, FlowSeries, GroupSummary,
    HeadroomPartsSummary, HpccSlowdown, JobSummary, Key, Keyed, LinkSummary, Manifest, MessageClass,
    MessageSize, MissingMessage, PortDelay, PortLosses, PortSeries, QueueSeries, ReceiverSummary, RunRecord,
    Settling, SharedBufferSummary, Side, SizeClass, SlowdownBin, SourceSeries, StepSummary, Summary,
    TopologyView, Unfinished, Unsettled, WarningRecord, column_table, key_table, keys_of,
};
use setpoint_units::quantity::{Bounded, Unit};

fn document(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)
}

fn text_of(name: &str) -> String {
    std::fs::read_to_string(document(name)).unwrap()
}

/// Compares a table with the one between its markers; with `UPDATE_DOCS=1` it replaces the table in the document.
fn check(file: &str, table: &str, expected: &str) {
    let text = text_of(file);
    let (begin, end) = (format!("<!-- {table}: begin -->\n"), format!("<!-- {table}: end -->\n"));
    let parts =
        text.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(end.as_str())?)));
    let (before, (found, after)) = parts.unwrap_or_else(|| panic!("docs/{file} has no markers for {table}"));
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(document(file), format!("{before}{begin}{expected}{end}{after}")).unwrap();
    } else {
        let remedy = "UPDATE_DOCS=1 cargo test -p setpoint-lab --test lab documented";
        assert!(found == expected, "{table} in docs/{file} is out of date; run {remedy}");
    }
}

/// The files of curves, the kinds of their objects, and the columns of the curves.
const CURVES: [(&str, &str, &[CurveColumn]); 4] = [
    (store::FLOWS, FlowSeries::KIND, FlowSeries::COLUMNS),
    (store::SOURCES, SourceSeries::KIND, SourceSeries::COLUMNS),
    (store::QUEUES, QueueSeries::KIND, QueueSeries::COLUMNS),
    (store::PORTS, PortSeries::KIND, PortSeries::COLUMNS),
];

#[test]
fn the_tables_are_up_to_date() {
    check("results.md", "summary.json", &key_table::<Summary>());
    check("results.md", "manifest.json", &key_table::<Manifest>());
    check("results.md", "topology.json", &key_table::<TopologyView>());
    check("results.md", "sweep.json", &key_table::<SweepSummary>());
    check("results.md", "league.json", &key_table::<Vec<Standing>>());
    check("results.md", "compare.json", &key_table::<Comparison>());
    check("results.md", "metrics", &catalogue::metric_table());
    check("results.md", "curves", &column_table(&CURVES.map(|(file, _, columns)| (file, columns))));
    check("league.md", "columns", &catalogue::league_table());
}

/// The entries in the first column of the tables under a heading that are formatted as code.
fn documented(heading: &str) -> BTreeSet<String> {
    let text = text_of("results.md");
    let section = text.split("\n## ").find(|section| section.starts_with(&format!("{heading}\n")));
    let rows = section.unwrap_or_else(|| panic!("no section {heading:?}")).lines();
    rows.filter_map(|row| Some(row.strip_prefix("| `")?.split_once('`')?.0.to_owned())).collect()
}

/// The keys that a type declares.
fn declared<T: Keyed>() -> BTreeSet<String> {
    keys_of::<T>().into_iter().map(|key| key.path).collect()
}

/// The paths of all values and objects: `flows[]`, `flows[].name`. Lists of plain values and of pairs are values.
fn paths(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            // The names of metrics are data, and have their own table.
            let are_metrics = path.ends_with("figures") || path.ends_with("differences");
            if !path.is_empty() && !are_metrics {
                found.insert(path.to_owned());
            }
            for (key, inner) in object {
                let key = if are_metrics { "*" } else { key };
                let separator = if path.is_empty() { "" } else { "." };
                paths(inner, &format!("{path}{separator}{key}"), found);
            }
        }
        Value::Array(items) if items.first().is_some_and(Value::is_object) => {
            items.iter().for_each(|item| paths(item, &format!("{path}[]"), found));
        }
        _ => {
            found.insert(path.to_owned());
        }
    }
}

fn keys(value: &impl serde::Serialize) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    paths(&serde_json::to_value(value).unwrap(), "", &mut found);
    found
}

/// A record that includes every item that only some runs have.
fn record() -> RunRecord {
    let mut record = Synthetic { messages: 5, ..Synthetic::default() }.record();
    let culprits =
        CulpritSummary { searches: 4, reads: 10, reads_per_search: 2.5, fallbacks: 1, fallback_reads: 3 };
    let queue = &mut record.summary.queues[0];
    (queue.side, queue.culprits) = (Side::Input, Some(culprits));
    (queue.marked_frames, record.summary.total.marked_frames) = (Some(1), Some(1));
    record.summary.flows[0].acknowledgements = Some(9);
    let samples = record.series.time_s.len();
    record.series.sources = vec![SourceSeries {
        name: record.summary.flows[0].name.clone(),
        round_trip_s: vec![None; samples],
        window_bytes: vec![None; samples],
        in_flight_bytes: vec![0.0; samples],
        marked_acknowledgements: vec![None; samples],
        load: vec![None; samples],
    }];
    record.topology.nodes[0].spine = true;
    record.manifest.controllers = Some(ControllerRecord::default());
    record
}

#[test]
fn every_key_of_the_summary() {
    let mut summary = record().summary;
    let deadlock = DeadlockSummary { at_s: 0.0, cycle: Vec::new(), priority: None, stuck_ports: 0 };
    summary.deadlock = Some(deadlock);
    summary.fabric =
        Some(FabricSummary { cells: 1, waited_at_leaves: 0, waited_at_spines: 0, resequenced_frames: 0 });
    let receivers = vec![ReceiverSummary::default()];
    summary.groups = vec![GroupSummary { receivers: receivers.clone(), ..GroupSummary::default() }];
    let flow = &mut summary.flows[0];
    (flow.group, flow.receivers, flow.first_notified_s) = (Some("g1".to_owned()), receivers, Some(0.1));
    (flow.round_trip_mean_s, flow.round_trip_max_s) = (Some(1e-5), Some(2e-5));
    (flow.window_mean_bytes, flow.load_mean) = (Some(9e4), Some(0.95));
    let total = &mut summary.total;
    (total.round_trip_mean_s, total.acknowledgements) = (Some(1e-5), Some(9));
    total.acknowledgement_share = Some(0.06);
    (total.window_mean_bytes, total.load_mean) = (Some(9e4), Some(0.95));
    summary.events_at[0].settling = Settling::NotSettled(Unsettled::NoSetPoint);
    let messages = summary.messages.as_mut().unwrap();
    messages.classes[0] = MessageClass {
        fct_mean_at_least_s: Some(0.1),
        fct_at_least_quantiles: vec![(1.0, 0.1)],
        slowdown_at_least_quantiles: vec![(1.0, 2.0)],
        ..messages.classes[0].clone()
    };
    messages.offered_before = messages.classes.first().cloned();
    messages.offered_after = Some(1);
    summary.measure_messages_until_s = Some(0.1);
    let left_out = vec!["network.interface_delay".to_owned()];
    let bridge = BridgeSummary { name: "bridge".to_owned(), links: 1, buffer_bytes: 13_000 };
    let link = LinkSummary {
        port: "h1->bridge".to_owned(),
        priorities: vec![3],
        xoff_bytes: 8_000,
        headroom_given_bytes: 5_000,
        headroom_parts: HeadroomPartsSummary::default(),
        headroom_needed_bytes: 5_000,
        headroom_used_bytes: 4_000,
        lapses_bytes: 1,
        buffer_bytes: 13_000,
    };
    summary.flow_control = Some(FlowControlSummary {
        kind: "pfc".to_owned(),
        links: vec![link],
        bridges: vec![bridge],
        left_out,
    });
    summary.shared_buffers = vec![SharedBufferSummary {
        name: "bridge".to_owned(),
        size_bytes: 1_000_000,
        reserves_bytes: 4_096,
        shared_bytes: 900_000,
        shared_peak_bytes: 50_000,
        headroom_bytes: 95_904,
        headroom_needed_bytes: 95_904,
        headroom_peak_bytes: 1_000,
        pauses: 2,
        headroom_frames: 1,
        dropped_above_threshold_frames: 0,
        dropped_by_full_pool_frames: 0,
    }];
    summary.failed_links = vec![FailedLinkSummary {
        link: "h1->bridge".to_owned(),
        down_s: 0.1,
        lost_in_flight_frames: 2,
        lost_sent_frames: 15,
        lost_bytes: 17_000,
        lost_control_frames: 1,
    }];
    summary.total.lost_on_links_frames = 17;
    let flow = &mut summary.flows[0];
    (flow.lost_on_links_frames, flow.unreachable_frames) = (17, 2);
    let entry = EntrySummary {
        messages: Some(messages.classes[0].clone()),
        query_completion_s: Some(0.1),
        query_completion_at_least_s: Some(0.1),
        ..EntrySummary::default()
    };
    let class = SizeClass { size: MessageSize::Short, messages: messages.classes[0].clone() };
    (summary.entries, summary.size_classes) = (vec![entry], vec![class]);
    let message = CriticalMessage {
        id: Some("a".to_owned()),
        ports: vec![PortDelay::default()],
        ..CriticalMessage::default()
    };
    summary.jobs = vec![JobSummary {
        time_s: Some(0.1),
        steps: vec![StepSummary::default()],
        slowest_rank: Some("h1".to_owned()),
        fastest_rank: Some("h2".to_owned()),
        rank_spread_s: Some(0.1),
        critical_path: vec![message],
        final_compute_s: Some(0.1),
        unfinished: Some(Unfinished {
            losses: vec![PortLosses::default()],
            message: Some(MissingMessage { id: Some("a".to_owned()), ..MissingMessage::default() }),
            ..Unfinished::default()
        }),
        delays: vec![PortDelay::default()],
        ..JobSummary::default()
    }];
    summary.slowdown_by_size = vec![SlowdownBin { p99: Some(1.0), ..SlowdownBin::default() }];
    summary.hpcc_slowdowns =
        vec![HpccSlowdown { at_least_quantiles: vec![(0.5, 1.0)], ..HpccSlowdown::default() }];
    assert_eq!(declared::<Summary>(), keys(&summary));
}

#[test]
fn every_key_of_the_manifest_and_the_topology() {
    assert_eq!(declared::<Manifest>(), keys(&record().manifest));
    assert_eq!(declared::<TopologyView>(), keys(&record().topology));
}

#[test]
fn every_key_of_a_sweep() {
    let run = RunSummary {
        seed: 1,
        folder: "seed=1".to_owned(),
        digest: None,
        error: None,
        queue: None,
        figures: BTreeMap::from([("loss_share".to_owned(), 0.0)]),
        lower_bounds: BTreeSet::from(["fct_mean_s".to_owned()]),
        slowdown_by_size: vec![SlowdownBin { p99: Some(1.0), ..SlowdownBin::default() }],
        warnings: vec![WarningRecord::default()],
    };
    let spread = Spread { is_lower_bound: true, ..Spread::of(&[0.0; 3]).unwrap() };
    let pairs = [(Bounded::exact(1.0), Bounded::exact(0.0)); 3];
    let variant = VariantSummary {
        index: 0,
        values: Vec::new(),
        figures: BTreeMap::from([("loss_share".to_owned(), spread)]),
        differences: BTreeMap::from([("loss_share".to_owned(), Difference::of(&pairs, 1).unwrap())]),
        slowdown_by_size: vec![SlowdownSpread {
            from_bytes: 1,
            to_bytes: 2,
            messages: 1.0,
            p50: spread,
            p99: Some(spread),
        }],
        runs: vec![run],
    };
    let text = String::new;
    let summary = SweepSummary {
        version: text(),
        scenario: text(),
        axes: Vec::new(),
        watched: vec![WatchedQueue::default()],
        warnings: vec![SweptWarning::default()],
        variants: vec![variant],
    };
    assert_eq!(declared::<SweepSummary>(), keys(&summary));
}

#[test]
fn every_key_of_the_index() {
    let mut record = record();
    record.manifest.digest =
        setpoint_record::results::digest(&record.summary, &record.series, &record.messages);
    let place = tempfile::tempdir().unwrap();
    store::write(&record, &place.path().join("run")).unwrap();
    let text = std::fs::read_to_string(place.path().join("run").join(store::INDEX)).unwrap();
    let index: Value = serde_json::from_str(&text).unwrap();
    let entries = index["files"].as_object().unwrap().values().map(keys);
    let mut found: BTreeSet<String> = entries.flatten().map(|key| format!("files.*.{key}")).collect();
    // Present only while a file is being replaced.
    found.extend(["kind", "files.*.replaces"].map(str::to_owned));
    assert_eq!(documented("files.json"), found);
}

#[test]
fn every_column() {
    let mut record = record();
    record.manifest.digest =
        setpoint_record::results::digest(&record.summary, &record.series, &record.messages);
    record.pauses = Some(Vec::new());
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    store::write(&record, &folder).unwrap();
    let header = |file: &str| {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        text.lines().next().unwrap().to_owned()
    };
    let others = [store::SAMPLES, store::MESSAGES, store::PAUSES];
    let files = others.into_iter().chain(CURVES.map(|(file, ..)| file));
    assert_eq!(documented("Curves"), files.map(str::to_owned).collect());
    for file in others {
        let row = format!("| `{file}`: `{}` |", header(file));
        assert!(text_of("results.md").contains(&row), "{row}");
    }
    for (file, kind, columns) in CURVES {
        let names = ["time_s", kind].into_iter().chain(columns.iter().map(|column| column.name));
        assert_eq!(header(file), names.collect::<Vec<_>>().join(","));
    }
}

#[test]
fn every_key_with_a_quantity_ends_in_its_unit() {
    let all = [keys_of::<Summary>(), keys_of::<TopologyView>()].concat();
    let ending = |unit| match unit {
        Some(Unit::Seconds) => "_s",
        Some(Unit::BitsPerSecond) => "_bps",
        Some(Unit::Bytes) => "_bytes",
        Some(Unit::Share) => "_share",
        _ => "",
    };
    for Key { path, unit, .. } in all {
        assert!(path.ends_with(ending(unit)) || path.ends_with("quantiles"), "{path} is in {unit:?}");
        let endings = ["_s", "_bps", "_bytes", "_share"];
        let has_ending = endings.iter().find(|ending| path.ends_with(**ending));
        assert!(has_ending.is_none_or(|found| *found == ending(unit)), "{path} declares {unit:?}");
    }
}

#[test]
fn meanings_are_sentences() {
    for Key { path, meaning, .. } in [keys_of::<Summary>(), keys_of::<Vec<Standing>>()].concat() {
        assert!(
            meaning.ends_with('.') && !meaning.contains("  ") && !meaning.contains('|'),
            "{path}: {meaning}"
        );
    }
}
