//! A key that ends in `_share` is a fraction from 0 to 1 in every run; values that can exceed 1 have other names.

use proptest::prelude::*;
use serde_json::Value;
use setpoint_record::results::{Build, RunRecord};
use setpoint_record::run::run;
use setpoint_scenario::{Scenario, Source};
use setpoint_sim::Unwatched;

/// Runs the scenario in the given text with a seed.
fn record(text: &str, seed: u64) -> RunRecord {
    let scenario = Scenario::load(&Source::new("random.toml", text), &[]);
    let prepared = scenario.and_then(|scenario| scenario.prepare(seed));
    let prepared = prepared.unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    run(&prepared, Build::default(), &mut Unwatched).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Every number under a key that ends in `_share`, with its key.
fn shares(value: &Value, key: &str, found: &mut Vec<(String, f64)>) {
    match value {
        Value::Object(entries) => entries.iter().for_each(|(key, value)| shares(value, key, found)),
        Value::Array(items) => items.iter().for_each(|item| shares(item, key, found)),
        Value::Number(number) if key.ends_with("_share") => {
            found.push((key.to_owned(), number.as_f64().unwrap()));
        }
        _ => {}
    }
}

fn all_shares(record: &RunRecord) -> Vec<(String, f64)> {
    let mut found = Vec::new();
    shares(&serde_json::to_value(record).unwrap(), "", &mut found);
    found
}

/// A small network with any algorithm, flow control and traffic; `sampling` applies to algorithms that send
/// notifications.
fn scenario() -> impl Strategy<Value = String> {
    let control = prop::sample::select(vec![
        "none = {}",
        "qcn = {}",
        "qcn.cp = { sampling = \"fixed\", fixed_probability = \"100 %\", set_point = \"3 kB\" }",
        "fqcn.cp = { set_point = \"3 kB\" }",
        "af-qcn = {}",
        "smcc = {}",
        "bcn = {}",
        "aimd = {}",
    ]);
    let flow_control = prop::sample::select(vec!["none", "pause", "pfc"]);
    let traffic = prop::sample::select(vec![
        "traffic = \"backlogged\"",
        "traffic = { constant = { rate = \"4 Gb/s\" } }",
        "traffic = { message = { size = \"40 kB\" } }",
        "traffic = { poisson = { rate = \"3 Gb/s\", sizes = { fixed = { size = \"20 kB\" } } } }",
    ]);
    let senders = 1u32..6;
    (control, flow_control, traffic, senders, 0u32..900, any::<bool>()).prop_map(
        |(control, flow_control, traffic, senders, from, group)| {
            let sink = senders + 1;
            let stations = senders + 3;
            let to = if group && traffic.contains("backlogged") {
                "group = \"all\"".to_owned()
            } else {
                format!("to = \"h{sink}\"\npattern = \"incast\"")
            };
            format!(
                "duration = \"1 ms\"\nmeasure_from = \"{from} us\"\nflow_control = \"{flow_control}\"\n\
                 [control]\n{control}\n[topology.star]\nstations = {stations}\n\
                 [[groups]]\nname = \"all\"\nmembers = \"h{{{sink}..{stations}}}\"\n\
                 [[flows]]\nfrom = \"h{{1..{senders}}}\"\n{to}\n{traffic}\n"
            )
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_share_is_from_0_to_1(text in scenario(), seed in 0u64..1_000) {
        let found = all_shares(&record(&text, seed));
        prop_assert!(!found.is_empty());
        for (key, share) in found {
            prop_assert!((0.0..=1.0).contains(&share), "{} is {}\n{}", key, share, text);
        }
    }
}

/// If every frame is sampled and several bridges notify for it, there are more notifications than frames.
#[test]
fn notifications_per_frame_can_be_more_than_one() {
    let mut text = String::from(
        "duration = \"2 ms\"\nmeasure_from = \"0 s\"\n[network]\nbuffer = \"30 kB\"\n\
         [control.qcn.cp]\nsampling = \"fixed\"\nfixed_probability = \"100 %\"\nset_point = \"1500 B\"\n\
         [topology.star]\nstations = 12\n[[groups]]\nname = \"all\"\nmembers = \"h{9..12}\"\n",
    );
    text += "[[flows]]\nfrom = \"h{1..8}\"\ngroup = \"all\"\n";
    let record = record(&text, 1);
    assert!(record.summary.total.notifications_per_frame > 1.0, "{:?}", record.summary.total);
}
