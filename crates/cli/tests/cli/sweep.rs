//! `sweep` and `run --seeds`.

use serde_json::Value;

use crate::support::{Place, SHORT, json};

const SWEEP: [&str; 8] = [
    "sweep",
    "qcn-senders",
    "--set",
    "duration=20 ms",
    "--set",
    "measure_from=10 ms",
    "--set",
    "sweep={\"topology.dumbbell.senders\"=[1, 3], \"topology.dumbbell.access_rate\"=[\"10 Gb/s\"]}",
];

fn digests(sweep: &Value) -> Vec<&str> {
    let runs =
        sweep["variants"].as_array().unwrap().iter().flat_map(|variant| variant["runs"].as_array().unwrap());
    runs.map(|run| run["digest"].as_str().unwrap()).collect()
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let place = Place::new();
    let sweep = |threads: &str| {
        let options = ["--seeds", "2", "--json", "--threads", threads, "--out", threads];
        let ended = place.setpoint(&[&SWEEP[..], &options].concat());
        let printed: Value = serde_json::from_str(ended.printed()).unwrap();
        assert_eq!(printed, json(place.path(threads).join("sweep.json")));
        printed
    };
    let (one, two) = (sweep("1"), sweep("2"));
    assert_eq!(digests(&one).len(), 4);
    assert_eq!(digests(&one), digests(&two));
    assert_ne!(digests(&one)[0], digests(&one)[1], "seeds differ");
}

#[test]
fn a_sweep_goes_on_where_it_was() {
    let place = Place::new();
    let sweep = |options: &[&str]| place.setpoint(&[&SWEEP[..], options].concat());
    assert!(sweep(&[]).printed().contains("2, all run in"));
    let again = sweep(&[]);
    assert!(again.printed().contains("2, all were there already, nothing was run"), "{}", again.stdout);
    let more = sweep(&["--seeds", "2"]);
    assert!(more.printed().contains("4, 2 were there already, the others run in"), "{}", more.stdout);
    assert!(place.path("results/qcn-senders-sweep/sweep.csv").exists());

    // Reports are made of all runs.
    let reports = place.setpoint(&["report", "results/qcn-senders-sweep"]);
    assert_eq!(reports.printed().matches("report.html").count(), 4);
}

#[test]
fn a_table_has_a_line_per_variant() {
    let place = Place::new();
    for columns in [40, 200] {
        let ended = place.setpoint_at_width(columns, &[&SWEEP[..], &["--seeds", "2"]].concat());
        let table: Vec<&str> = ended.printed().lines().take_while(|line| !line.starts_with("runs")).collect();
        insta::assert_snapshot!(format!("sweep_at_{columns}"), table.join("\n"));
    }
}

#[test]
fn seeds_are_averaged() {
    let place = Place::new();
    let arguments = [&["run", "--seeds", "3", "--seed", "5"], &SHORT[..]].concat();
    let ended = place.setpoint(&arguments);
    let table: Vec<&str> = ended.printed().lines().take_while(|line| !line.is_empty()).collect();
    insta::assert_snapshot!(table.join("\n"));
    assert!(place.path("results/qcn-dumbbell-seeds/seed=7/summary.json").exists());
}

#[test]
fn a_run_that_fails_fails_the_sweep_and_not_the_others() {
    let place = Place::new();
    let ended = place.setpoint(&[
        "sweep",
        "incast-pfc",
        "--set",
        "duration=5 ms",
        "--set",
        "measure_from=1 ms",
        "--set",
        "sweep={\"flow_control.pfc.headroom\"=[\"1 kB\", \"50 kB\"]}",
    ]);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(
        ended.stderr.starts_with("error: run 0_flow_control.pfc.headroom=1kB_seed=1: "),
        "{}",
        ended.stderr
    );
    assert!(ended.stdout.contains("failed"), "{}", ended.stdout);
    assert!(place.path("results/incast-pfc-sweep/1_flow_control.pfc.headroom=50kB_seed=1").exists());
}
