//! `sweep` and `run --seeds`.

use std::path::Path;

use serde_json::Value;

use crate::support::{Place, SHORT, json, names, words};

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
fn a_sweep_resumes() {
    let place = Place::new();
    let sweep = |options: &[&str]| place.setpoint(&[&SWEEP[..], options].concat());
    assert!(sweep(&[]).printed().contains("2, all run in"));
    let again = sweep(&[]);
    assert!(again.printed().contains("2, all were already stored, nothing was run"), "{}", again.stdout);
    let more = sweep(&["--seeds", "2"]);
    assert!(more.printed().contains("4, 2 were already stored, the others run in"), "{}", more.stdout);
    let folder = place.result();
    assert!(folder.join("sweep.csv").exists());

    // Reports are written for all runs, and the page that compares them is regenerated.
    let page = page(&folder);
    std::fs::remove_file(folder.join("sweep.html")).unwrap();
    let reports = place.setpoint(&["report", folder.to_str().unwrap()]);
    assert_eq!(reports.printed().matches("report.html").count(), 4);
    assert_eq!(self::page(&folder), page);
}

fn page(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("sweep.html")).unwrap()
}

#[test]
fn a_resumed_sweep_has_the_same_page() {
    let place = Place::new();
    let sweep = |options: &[&str]| place.setpoint(&[&SWEEP[..], &["--seeds", "2"], options].concat());
    let told = sweep(&["--out", "whole"]);
    assert!(told.printed().contains("report   whole/sweep.html"), "{}", told.stdout);
    let whole = page(&place.path("whole"));
    assert!(whole.contains("<h1>Sweep of qcn-senders</h1>") && whole.contains("<span>2 seeds</span>"));
    assert!(whole.contains("over senders (1, 3) and access rate (10\u{a0}Gb/s)"));
    assert!(whole.contains("id=\"figure-queue_mean_bytes\""));

    // An interrupted sweep leaves some of its runs behind, but no combined figures.
    sweep(&["--out", "resumed", "--threads", "1"]).printed();
    for name in ["sweep.json", "sweep.csv", "sweep.html"] {
        std::fs::remove_file(place.path("resumed").join(name)).unwrap();
    }
    let run = names(&place.path("resumed")).into_iter().find(|name| name.ends_with("seed=2")).unwrap();
    std::fs::remove_dir_all(place.path("resumed").join(run)).unwrap();
    let again = sweep(&["--out", "resumed"]);
    assert!(again.printed().contains("3 were already stored"), "{}", again.stdout);
    assert!(page(&place.path("resumed")) == whole, "the pages differ");
}

#[test]
fn a_page_can_be_left_out_and_an_old_one_is_removed() {
    let place = Place::new();
    place.setpoint(&SWEEP).printed();
    let without = place.setpoint(&[&SWEEP[..], &["--no-report"]].concat());
    assert!(!without.printed().contains("sweep.html"));
    assert!(!place.result().join("sweep.html").exists());

    // A page that this program did not write is left alone.
    std::fs::create_dir_all(place.path("other")).unwrap();
    place.write("other/sweep.html", "mine");
    let refused = place.setpoint(&[&SWEEP[..], &["--out", "other"]].concat());
    assert!(
        refused.complained(1).contains("contains sweep.html, which this program did not write"),
        "{}",
        refused.stderr
    );
    assert_eq!(page(&place.path("other")), "mine");
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
    assert!(place.result().join("seed=7/summary.json").exists());
    assert!(page(&place.result()).contains("<h1>Seeds of qcn-dumbbell</h1>"));
}

#[test]
fn a_failed_run_fails_the_sweep_but_not_the_other_runs() {
    let place = Place::new();
    let ended = place.setpoint(&words(r#"sweep incast-pfc --set 'duration=5 ms' --set 'measure_from=1 ms' --set 'sweep={"flow_control.pfc.headroom"=["1 kB", "50 kB"]}'"#));
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("\nerror: run 0_flow_control.pfc.headroom=1kB_seed=1: "),
        "{}",
        ended.stderr
    );
    assert!(ended.stderr.starts_with("warning[headroom-too-small]"), "{}", ended.stderr);
    assert!(ended.stderr.contains("in 1 of 2 variants of the sweep"), "{}", ended.stderr);
    assert!(ended.stdout.contains("failed"), "{}", ended.stdout);
    assert!(place.result().join("1_flow_control.pfc.headroom=50kB_seed=1").exists());
}

#[test]
fn axes_can_be_given_on_the_command_line() {
    let place = Place::new();
    let short = ["--set", "duration=2 ms", "--set", "measure_from=1 ms", "--set", "at=[]"];
    let axes = ["--axis", "topology.dumbbell.senders=1..2", "--axis", "control=qcn,none"];
    let sweep = place.setpoint(&[&["sweep", "default", "--json"], &short[..], &axes].concat());
    let printed: Value = serde_json::from_str(sweep.printed()).unwrap();
    assert_eq!(printed["variants"].as_array().unwrap().len(), 4);
    let names = names(&place.result());
    assert!(
        names.iter().any(|name| name.contains("senders=2") && name.contains("control=none")),
        "{names:?}"
    );

    let check = place.setpoint(&[&["check", "default"], &short[..], &axes].concat());
    let axes = "4 variants of topology.dumbbell.senders × control";
    assert!(check.printed().contains(axes), "{}", check.stdout);

    let wrong = place.setpoint(&["check", "default", "--axis", "network.bufer=1kB,2kB"]);
    assert!(wrong.complained(2).contains("did you mean `network.buffer`?"), "{}", wrong.stderr);
}

#[test]
fn another_sweep_in_the_same_folder_says_that_it_replaces_the_page() {
    let place = Place::new();
    let sweep = |axis: &str| {
        let arguments = ["sweep", "qcn-dumbbell", "-o", "out", "--axis", axis];
        let ended = place.setpoint(&[&arguments[..], &SHORT].concat());
        ended.printed().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let first = sweep("topology.dumbbell.senders=2,3");
    assert!(!first.contains("replaced"), "{first}");
    assert!(!sweep("topology.dumbbell.senders=2,3").contains("replaced"));
    let other = sweep("network.buffer=100kB,200kB");
    assert!(
        other.contains("the page and tables of an earlier sweep in this folder; its runs are kept"),
        "{other}"
    );
    assert!(other.contains("2 results of other runs, kept"), "{other}");
}
