//! `GET /api/gallery`: a list of everything that can be opened.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::UNIX_EPOCH;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};
use setpoint_control::Algorithm;
use setpoint_lab::session::Request;
use setpoint_lab::store::{MANIFEST, REPORT, SWEEP, SWEEP_PAGE, read_manifest};
use setpoint_papers::{papers, stored_verdicts};
use setpoint_record::results::TopologyView;
use setpoint_scenario::{Purpose, Source, builtin};

use crate::lecture::Lecture;

/// Maximum number of listed results: more than anyone would look through.
const MOST_RESULTS: usize = 200;

/// Built-in scenarios, experiments and results.
pub(crate) async fn gallery(
    State(results): State<Arc<Path>>,
    State(lectures): State<Arc<[Lecture]>>,
) -> Json<Value> {
    let shown = lectures.clone();
    let collected = tokio::task::spawn_blocking(move || with_results(&json!(listed(&results)), &shown)).await;
    Json(collected.unwrap_or_else(|_| with_results(&json!([]), &lectures)))
}

/// Built-in scenarios and experiments, and lectures, with the given results, which are null if the engine stores none.
pub(crate) fn with_results(results: &Value, lectures: &[Lecture]) -> Value {
    let (scenarios, experiments) = built_in();
    let algorithms: Vec<&str> = Algorithm::ALL.iter().map(|algorithm| algorithm.name()).collect();
    json!({
        "scenarios": scenarios,
        "groups": groups(),
        "experiments": experiments,
        "results": results,
        "algorithms": algorithms,
        "lectures": lectures,
    })
}

/// The built-in scenarios and experiments, which never change.
fn built_in() -> &'static (Value, Value) {
    static BUILT_IN: OnceLock<(Value, Value)> = OnceLock::new();
    BUILT_IN.get_or_init(|| (scenarios(), experiments()))
}

fn scenarios() -> Value {
    let scenario = |scenario: &setpoint_scenario::Builtin| {
        let source = Source::new(format!("{}.toml", scenario.name), scenario.text);
        json!({
            "name": scenario.name,
            "title": scenario.title,
            "text": scenario.text,
            "network": network(&source, &[]),
        })
    };
    builtin().iter().map(scenario).collect()
}

/// Groups of the scenarios for experiments, in teaching order: title, topic, and names of the scenarios.
const GROUPS: &[(&str, &str, &[&str])] = &[
    (
        "One queue",
        "Start here: sources share one link, and a congestion point holds its queue at a set point.",
        &["default", "qcn-senders", "qcn-loop", "port-100g"],
    ),
    (
        "Lossless networks",
        "Flow control prevents losses, at the price of pauses that spread and may never end.",
        &["incast-pfc", "ets-classes", "pfc-victim", "pfc-deadlock"],
    ),
    (
        "Several links",
        "Flows that cross several congested links, and fabrics with many paths.",
        &["parking-lot", "mixed", "fat-tree", "link-failure"],
    ),
    (
        "Messages",
        "Completion times of messages on a fabric, and of jobs whose messages wait for each other.",
        &["leaf-spine-web-search", "fabric-incast", "all-reduce"],
    ),
    (
        "Inputs of switches",
        "Bridges with input buffers, where culprits and victims share a queue.",
        &["cioq-fan-in", "rack-fabric", "rack-fabric-640"],
    ),
    (
        "Multicast",
        "Groups of receivers, and the notifications that they cause.",
        &["multicast-dumbbell", "multicast-multi-link", "multicast-implosion"],
    ),
];

/// The scenarios by group, in teaching order.
fn groups() -> Value {
    let of_purpose = |purpose: Purpose| -> Vec<&str> {
        let chosen = builtin().iter().filter(|scenario| scenario.purpose() == purpose);
        chosen.map(|scenario| scenario.name).collect()
    };
    let teaching = GROUPS.iter().map(|(title, sentence, names)| (*title, *sentence, names.to_vec()));
    let others = [
        ("League", "The scenarios with which `setpoint league` compares algorithms.", Purpose::League),
        ("Live", "Scenarios for `setpoint live`, which sends real frames.", Purpose::Live),
        ("Speed", "Scenarios with which `setpoint bench` measures the simulator.", Purpose::Bench),
    ];
    let others = others.map(|(title, sentence, purpose)| (title, sentence, of_purpose(purpose)));
    let group = |(title, sentence, names): (&str, &str, Vec<&str>)| json!({ "title": title, "sentence": sentence, "scenarios": names });
    teaching.chain(others).map(group).collect()
}

/// The number of claims that papers make, and how many of them hold, by experiment, according
/// to the stored verdicts.
fn verdicts() -> BTreeMap<String, Value> {
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for record in stored_verdicts().filter(|record| record.is_of_paper() && record.kind().is_some()) {
        let (claims, holding) = counts.entry(record.experiment.clone()).or_default();
        *claims += 1;
        *holding += usize::from(record.holds());
    }
    let value = |(experiment, (claims, holding))| (experiment, json!({ "claims": claims, "hold": holding }));
    counts.into_iter().map(value).collect()
}

fn experiments() -> Value {
    let (papers, verdicts) = (papers(), verdicts());
    let experiments =
        papers.iter().flat_map(|paper| paper.experiments.iter().map(move |experiment| (paper, experiment)));
    let entry = |(paper, experiment): (&setpoint_papers::Paper, &setpoint_papers::Experiment)| {
        let case = |case: &setpoint_papers::Case| json!({ "name": case.name, "label": case.label, "text": case.scenario, "settings": case.settings });
        let first = experiment.cases.first();
        let drawn = first.and_then(|case| network(&Source::new("case.toml", case.scenario), &case.settings));
        json!({
            "id": experiment.id,
            "paper": paper.title,
            "title": experiment.title,
            "sentence": experiment.paper_says,
            "setup": experiment.setup,
            "cases": experiment.cases.iter().map(case).collect::<Vec<_>>(),
            "network": drawn,
            "verdicts": verdicts.get(experiment.id),
        })
    };
    experiments.map(entry).collect()
}

/// The network of a scenario, for a small drawing: nodes with their columns, and links.
fn network(source: &Source, settings: &[String]) -> Option<Value> {
    let (_, prepared) =
        Request::new(source.clone(), settings, None).and_then(|request| request.prepare()).ok()?;
    let TopologyView { nodes, links } = TopologyView::of(&prepared.spec.topology);
    let node = |node: &setpoint_record::results::NodeView| json!([u8::from(node.bridge), node.layer]);
    let link = |link: &setpoint_record::results::LinkView| json!([link.first, link.second]);
    Some(json!({
        "nodes": nodes.iter().map(node).collect::<Vec<_>>(),
        "links": links.iter().map(link).collect::<Vec<_>>(),
    }))
}

/// Results in the output folder, the newest first.
fn listed(folder: &Path) -> Vec<Value> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<(u64, Value)> = entries.filter_map(|entry| result(&entry.path())).collect();
    found.sort_by_key(|entry| std::cmp::Reverse(entry.0));
    found.into_iter().take(MOST_RESULTS).map(|(_, result)| result).collect()
}

/// A result: its folder, its name and its page.
fn result(folder: &Path) -> Option<(u64, Value)> {
    let name = folder.file_name()?.to_str()?;
    let (page, kind) =
        [(REPORT, "run"), (SWEEP_PAGE, "sweep"), ("index.html", "pages"), ("league.html", "league")]
            .into_iter()
            .find(|(page, _)| folder.join(page).is_file())?;
    let written =
        folder.join(page).metadata().ok()?.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_secs();
    let manifest = folder.join(MANIFEST).is_file().then(|| read_manifest(folder).ok()).flatten();
    let is_hidden = name.starts_with('.');
    let value = json!({
        "folder": name,
        "kind": kind,
        "page": format!("/results/{name}/{page}"),
        "written": written,
        "scenario": manifest.as_ref().map(|manifest| manifest.scenario.clone()),
        "description": manifest.as_ref().map(|manifest| manifest.description.clone()),
        "text": manifest.as_ref().map(|manifest| manifest.scenario_text.clone()),
        "is_sweep": folder.join(SWEEP).is_file(),
    });
    (!is_hidden).then_some((written, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scenario_is_in_one_group() {
        let value = groups();
        let named = value.as_array().unwrap().iter().flat_map(|group| group["scenarios"].as_array().unwrap());
        let mut found: Vec<&str> = named.map(|name| name.as_str().unwrap()).collect();
        let mut all: Vec<&str> = builtin().iter().map(|scenario| scenario.name).collect();
        found.sort_unstable();
        all.sort_unstable();
        assert_eq!(found, all);
    }

    #[test]
    fn experiments_have_verdicts() {
        let verdicts = verdicts();
        let judged = |id: &str| verdicts.get(id).map(|value| value["claims"].as_u64().unwrap());
        assert!(judged("af-qcn/fig06").is_some_and(|claims| claims > 0));
        assert!(verdicts.values().all(|value| value["hold"].as_u64() <= value["claims"].as_u64()));
    }
}
