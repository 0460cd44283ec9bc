//! `explain` and `list`.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use setpoint_control::qcn::PARAMETERS;
use setpoint_record::catalogue;
use setpoint_scenario::{builtin, keys};

use crate::support::{Place, words};

#[test]
fn every_parameter_is_explained_in_full() {
    let place = Place::new();
    for parameter in PARAMETERS {
        let by_key = place.setpoint(&["explain", parameter.key]);
        let text = by_key.printed().split_whitespace().collect::<Vec<_>>().join(" ");
        let origin = parameter.origin.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(&origin), "{text}");
        assert!(text.contains(&format!("default {}", parameter.default_value())), "{text}");
        let by_end = place.setpoint(&["explain", parameter.key.rsplit('.').next().unwrap()]);
        assert!(by_end.printed().contains(parameter.key));
        if let Some(object) = parameter.managed_object {
            assert_eq!(place.setpoint(&["explain", &object.to_uppercase()]).printed(), by_key.stdout);
        }
    }
}

#[test]
fn every_scenario_and_every_tenth_key_is_explained() {
    let place = Place::new();
    for builtin in builtin() {
        assert!(place.setpoint(&["explain", builtin.name]).printed().contains(builtin.name));
    }
    // A unit test looks up all keys; starting a process for each key would take too long here.
    for key in keys().iter().step_by(10) {
        place.setpoint(&["explain", &key.key]).printed();
    }
}

#[test]
fn explanations() {
    let place = Place::new();
    let mut page = String::new();
    for name in
        words("qcn set_point qcn.cp.sampling 40g topology.star weight '' Qeq XOFF ecmp clock_tolerance")
    {
        let command = if name.is_empty() { vec!["explain"] } else { vec!["explain", name] };
        let ended = place.setpoint(&command);
        page += &format!("==== setpoint {}\n\n{}\n", command.join(" "), ended.printed());
    }
    insta::assert_snapshot!(page);
    let ended = place.setpoint(&["explain", "setpiont"]);
    insta::assert_snapshot!("explain_unknown", ended.complained(2));
}

#[test]
fn lists() {
    let place = Place::new();
    let ended = place.setpoint(&["list"]);
    let first_words: Vec<&str> = ended.printed().lines().filter_map(|line| line.split(' ').next()).collect();
    let scenarios = builtin().iter().map(|builtin| builtin.name);
    let others = ["qcn", "pfc", "100G", "dumbbell", "graph", "poisson", "web-search"];
    for name in scenarios.chain(others) {
        assert!(first_words.contains(&name), "{name}: {}", ended.stdout);
    }
    let league = ended.stdout.find("scenarios of the league").expect("a heading");
    assert!(ended.stdout[..league].contains("default") && !ended.stdout[..league].contains("league-few"));
    let metrics = place.setpoint(&["list", "metrics"]);
    let shown = metrics.printed();
    assert!(catalogue::all().all(|metric| shown.contains(metric.name)), "{shown}");
    assert!(shown.contains("(bytes, lower is better)"), "{shown}");
    let narrow = place.setpoint_at_width(40, &["list", "presets"]);
    insta::assert_snapshot!("list_presets_at_40", narrow.printed());
    let listed = place.setpoint(&["list", "keys"]);
    let names: Vec<&str> = listed.printed().lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(keys().iter().all(|key| names.contains(&key.key.as_str())), "{names:?}");
}

/// The reader closes the pipe after the first line: no panic, no error message.
#[test]
fn a_reader_may_close_the_pipe() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_setpoint"))
        .args(["list", "keys"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let complaints: Vec<_> = BufReader::new(child.stderr.take().unwrap()).lines().collect();
    assert!(complaints.is_empty(), "{complaints:?}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
