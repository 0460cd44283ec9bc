//! `bench`.

use setpoint_scenario::{Purpose, builtin};

use crate::support::Place;

const KEYS: [&str; 7] = [
    "scenario",
    "threads",
    "packet_hops",
    "events",
    "seconds",
    "packet_hops_per_second",
    "peak_memory_bytes",
];

#[test]
fn one_line_of_json_per_scenario() {
    let place = Place::new();
    let short = ["--set", "duration=20us", "--set", "sample_interval=20us"];
    let ended = place.setpoint(&[&["bench", "--json", "--repeat", "2"], &short[..]].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let lines: Vec<serde_json::Value> =
        ended.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected: Vec<_> = builtin().iter().filter(|builtin| builtin.purpose() == Purpose::Bench).collect();
    assert_eq!(lines.len(), expected.len());
    for (line, builtin) in lines.iter().zip(expected) {
        assert_eq!(line.as_object().unwrap().keys().collect::<Vec<_>>(), KEYS);
        assert_eq!(line["scenario"], builtin.name);
        let (hops, seconds) = (line["packet_hops"].as_f64().unwrap(), line["seconds"].as_f64().unwrap());
        assert!((line["packet_hops_per_second"].as_f64().unwrap() / (hops / seconds) - 1.0).abs() < 1e-9);
        if cfg!(target_os = "linux") {
            assert!(line["peak_memory_bytes"].as_u64().unwrap() > 1_000_000, "{line}");
        }
    }
}

#[test]
fn several_threads_process_the_same_events() {
    let place = Place::new();
    let events = |threads: &str| {
        let simulated = [
            "bench",
            "bench-fat-tree-16",
            "--json",
            "--set",
            "duration=5us",
            "--set",
            "sample_interval=5us",
            "--threads",
            threads,
        ];
        let ended = place.setpoint(&simulated);
        let line: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!(line["threads"].to_string(), threads);
        (line["events"].clone(), line["packet_hops"].clone())
    };
    assert_eq!(events("1"), events("2"));
}

#[test]
fn one_scenario_as_a_table() {
    let place = Place::new();
    let ended = place.setpoint(&["bench", "bench-dumbbell-10", "--set", "duration=1ms"]);
    assert_eq!(ended.stdout.lines().count(), 2, "{}", ended.stdout);
    assert!(ended.stdout.lines().nth(1).unwrap().starts_with("bench-dumbbell-10 "));
}
