//! `tune`.

use crate::support::{Place, assert_same, words};

const SCENARIO: &str = r#"
    name = "small"
    duration = "20 ms"
    measure_from = "5 ms"
    sample_interval = "100 us"
    topology.dumbbell = { senders = 4, rate = "10 Gb/s", rtt = "50 us" }
    control.qcn.preset = "10G"
    at = [{ time = "10 ms", port = "left->right", rate = "5 Gb/s" }]
"#;

const PARAMETERS: [&str; 4] =
    ["--parameter", "control.qcn.rp.gain=2^-9..2^-6", "--parameter", "control.qcn.cp.set_point=10kB..60kB"];
const SMALL: &str =
    "--candidates 12 --seeds 2 --unseen 5 --objective queue_error_bytes --objective utilisation_share";

fn tune(place: &Place, out: &str, more: &[&str]) -> crate::support::Ended {
    place.setpoint(&[&["tune", "lab.toml", "--out", out], &PARAMETERS[..], &words(SMALL), more].concat())
}

#[test]
fn shards_of_all_stages_make_the_bytes_of_one_process() {
    let place = Place::new();
    place.write("lab.toml", SCENARIO);
    let alone = tune(&place, "alone", &["--svg"]);
    assert!(alone.printed().contains("own values"), "{}", alone.stdout);
    let early = tune(&place, "shared", &["--collect"]);
    assert!(early.complained(1).contains("runs of stage 1 of 4 are missing"), "{}", early.stderr);
    for stage in 1..=4 {
        for shard in ["1/2", "2/2"] {
            let ended = tune(&place, "shared", &["--shard", shard]);
            assert!(ended.printed().contains(&format!("stage {stage} of 4")), "{}", ended.stdout);
        }
    }
    assert!(tune(&place, "shared", &["--shard", "1/2"]).printed().contains("All stages are complete"));
    tune(&place, "shared", &["--svg", "--quiet", "--collect"]).printed();
    assert_same(&place.path("alone"), &place.path("shared"));
}

#[test]
fn a_tuning_continues_and_has_the_same_figures_again() {
    let place = Place::new();
    place.write("lab.toml", SCENARIO);
    let first = tune(&place, "here", &["--json", "--quiet"]);
    let again = tune(&place, "here", &["--json", "--quiet", "--threads", "1"]);
    assert_eq!(first.printed(), again.printed());
    let record: serde_json::Value = serde_json::from_str(&first.stdout).unwrap();
    let rungs = record["rungs"].as_array().unwrap();
    let counts: Vec<usize> = rungs.iter().map(|rung| rung["candidates"].as_array().unwrap().len()).collect();
    assert_eq!(counts[0], 13, "twelve and the scenario's own values");
    assert!(counts[1] < counts[0] && counts[2] <= counts[1], "{counts:?}");
    let checked = record["check"]["candidates"].as_array().unwrap();
    assert!(checked.iter().any(|one| one["number"] == 0), "the scenario's own values are checked too");
    let seeds: Vec<u64> = rungs.iter().map(|rung| rung["seeds"].as_u64().unwrap()).collect();
    assert_eq!(record["check"]["first_seed"].as_u64().unwrap(), 1 + seeds[2], "unseen seeds follow");
}

#[test]
fn nonsense_is_refused() {
    let place = Place::new();
    place.write("lab.toml", SCENARIO);
    let complaint = |arguments: &[&str]| {
        place.setpoint(&[&["tune", "lab.toml"], arguments].concat()).complained(2).to_owned()
    };
    assert!(complaint(&[]).contains("--parameter"));
    assert!(complaint(&["-p", "control.qcn.rp.gian=1..2"]).contains("control.qcn.rp.gain"));
    let gain = ["-p", "control.qcn.rp.gain=2^-9..2^-6"];
    assert!(complaint(&[&gain[..], &gain].concat()).contains("given twice"));
    assert!(complaint(&[&gain[..], &["--objective", "setling_s"]].concat()).contains("settling_s"));
    assert!(complaint(&[&gain[..], &["--objective", "queue_mean_bytes"]].concat()).contains(":min"));
    assert!(complaint(&[&gain[..], &["--unseen", "3"]].concat()).contains("at least 5"));
    assert!(complaint(&["-p", "duration=10ms..20ms"]).contains("same for all candidates"));
    let twice = ["--objective", "settling_s", "--objective", "settling_s:max"];
    assert!(complaint(&[&gain[..], &twice].concat()).contains("given twice"));
    let three = ["--objective", "settling_s", "--objective", "loss_share", "--objective", "jain_index"];
    assert!(complaint(&[&gain[..], &three].concat()).contains("one or two"));
}

/// A tuning in which nothing can be compared reports why, and fails.
#[test]
fn nothing_to_compare_is_an_error() {
    let place = Place::new();
    place.write("lab.toml", SCENARIO);
    let tuned = |parameter: &str, objective: &str| {
        let few =
            ["--candidates", "3", "--seeds", "1", "--unseen", "5", "-p", parameter, "--objective", objective];
        place.setpoint(&[&["tune", "lab.toml", "--quiet"], &few[..]].concat())
    };
    let messages = tuned("control.qcn.rp.gain=2^-9,2^-7", "fct_p99_s");
    assert!(messages.complained(1).contains("no messages"), "{}", messages.stderr);
    let refused = tuned("control.qcn.cp.set_point=1GB,2GB", "utilisation_share");
    assert!(refused.complained(1).contains("do not fit together"), "{}", refused.stderr);
}

/// Long parameter names are truncated in folder names, which must nevertheless differ between stages.
#[test]
fn stages_with_many_parameters_do_not_overwrite_each_other() {
    let place = Place::new();
    place.write("lab.toml", SCENARIO);
    let more =
        ["-p", "control.qcn.rp.active_increase=1Mb/s..50Mb/s:log", "-p", "control.qcn.cp.weight=2^-2..2^3"];
    let first = tune(&place, "here", &[&more[..], &["--json"]].concat());
    let again = tune(&place, "here", &[&more[..], &["--json"]].concat());
    assert_eq!(first.printed(), again.printed(), "nothing is repeated");
}
