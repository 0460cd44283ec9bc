//! Every key of every file of a result is documented, and nothing else is.

mod support;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use setpoint_lab::results::{
    CulpritSummary, DeadlockSummary, FabricSummary, FlowControlSummary, GroupSummary, LinkSummary,
    MessageClass, ReceiverSummary, RunRecord, Settling, Side, Unsettled,
};
use setpoint_lab::store;
use setpoint_lab::sweep::{FIGURES, RunSummary, Spread, SweepSummary, VariantSummary, WatchedQueue};
use support::Synthetic;

const DOCUMENT: &str = include_str!("../../../docs/results.md");

/// The first column of the tables under a heading, as far as it is code.
fn documented(heading: &str) -> BTreeSet<String> {
    let section = DOCUMENT.split("\n## ").find(|section| section.starts_with(&format!("{heading}\n")));
    let rows = section.unwrap_or_else(|| panic!("no section {heading:?}")).lines();
    rows.filter_map(|row| Some(row.strip_prefix("| `")?.split_once('`')?.0.to_owned())).collect()
}

/// The paths of all values: `flows[].name`. Lists of plain values and of pairs are values.
fn paths(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (key, inner) in object {
                // The keys of figures are data, and have a table of their own.
                let key = if path.ends_with("figures") { "*" } else { key };
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

/// A record with everything in it that only some runs have.
fn record() -> RunRecord {
    let mut record = Synthetic { messages: 5, ..Synthetic::default() }.record();
    let culprits =
        CulpritSummary { searches: 4, reads: 10, reads_per_search: 2.5, fallbacks: 1, fallback_reads: 3 };
    let queue = &mut record.summary.queues[0];
    (queue.side, queue.culprits) = (Side::Input, Some(culprits));
    record.topology.nodes[0].spine = true;
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
    summary.events_at[0].settling = Settling::NotSettled(Unsettled::NoSetPoint);
    let messages = summary.messages.as_mut().unwrap();
    messages.classes[0] = MessageClass {
        fct_mean_at_least_s: Some(0.1),
        fct_at_least_quantiles: vec![(1.0, 0.1)],
        slowdown_at_least_quantiles: vec![(1.0, 2.0)],
        ..messages.classes[0].clone()
    };
    messages.offered_before = messages.classes.first().cloned();
    let link = LinkSummary {
        port: "h1->bridge".to_owned(),
        priorities: vec![3],
        xoff_bytes: 8_000,
        headroom_given_bytes: 5_000,
        headroom_needed_bytes: 5_000,
        headroom_used_bytes: 4_000,
        lapses_bytes: 1,
        buffer_bytes: 13_000,
    };
    summary.flow_control = Some(FlowControlSummary { kind: "pfc".to_owned(), links: vec![link] });
    let mut expected = keys(&summary);
    // Only there where flows send messages, and where flow control locked up.
    expected.extend(["messages", "deadlock"].map(str::to_owned));
    assert_eq!(documented("summary.json"), expected);
}

#[test]
fn every_key_of_the_manifest_and_the_topology() {
    assert_eq!(documented("manifest.json"), keys(&record().manifest));
    assert_eq!(documented("topology.json"), keys(&record().topology));
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
    };
    let spread = Spread { is_lower_bound: true, ..Spread::of(&[0.0]).unwrap() };
    let variant = VariantSummary {
        index: 0,
        values: Vec::new(),
        figures: BTreeMap::from([("loss_share".to_owned(), spread)]),
        runs: vec![run],
    };
    let text = String::new;
    let summary = SweepSummary {
        version: text(),
        scenario: text(),
        axes: Vec::new(),
        watched: vec![WatchedQueue::default()],
        variants: vec![variant],
    };
    assert_eq!(documented("sweep.json"), keys(&summary));
    let figures = FIGURES.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(documented("Figures of a sweep"), figures);
}

#[test]
fn every_key_of_the_index() {
    let mut record = record();
    record.manifest.digest = setpoint_lab::results::digest(&record.summary, &record.series, &record.messages);
    let place = tempfile::tempdir().unwrap();
    store::write(&record, &place.path().join("run")).unwrap();
    let text = std::fs::read_to_string(place.path().join("run").join(store::INDEX)).unwrap();
    let index: Value = serde_json::from_str(&text).unwrap();
    let entries = index["files"].as_object().unwrap().values().map(keys);
    let mut found: BTreeSet<String> = entries.flatten().map(|key| format!("files.*.{key}")).collect();
    // Only there while a file is replaced.
    found.extend(["kind", "files.*.replaces"].map(str::to_owned));
    assert_eq!(documented("files.json"), found);
}

#[test]
fn every_column() {
    let mut record = record();
    record.manifest.digest = setpoint_lab::results::digest(&record.summary, &record.series, &record.messages);
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    store::write(&record, &folder).unwrap();
    let files = [store::SAMPLES, store::FLOWS, store::QUEUES, store::PORTS, store::MESSAGES];
    assert_eq!(documented("Curves"), files.map(str::to_owned).into());
    for file in files {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        let header = text.lines().next().unwrap();
        assert!(DOCUMENT.contains(&format!("| `{file}`: `{header}` |")), "{file}: {header}");
    }
}

#[test]
fn every_key_with_a_quantity_ends_in_its_unit() {
    let section = DOCUMENT.split("\n## ").find(|section| section.starts_with("summary.json\n")).unwrap();
    for row in section.lines().filter(|row| row.starts_with("| `")) {
        let cells: Vec<&str> = row.split(" | ").collect();
        let (key, unit) = (cells[0].trim_matches(['|', ' ', '`']), cells[1].trim());
        let ending = match unit {
            "s" => "_s",
            "bit/s" => "_bps",
            "bytes" => "_bytes",
            "frames" => "_frames",
            "share" => "_share",
            _ => "",
        };
        assert!(key.ends_with(ending) || key.ends_with("quantiles"), "{key} is in {unit}");
    }
}
