//! Sweeps and leagues shared by several processes.
//!
//! `ATTACK_ROUNDS=50 cargo test -p setpoint --test cli shards -- --nocapture` kills shards in any number of rounds.

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::support::{Numbers, Place, assert_same, rounds};

/// Sixteen variants.
const SCENARIO: &str = r#"
    name = "shared"
    duration = "10 ms"
    measure_from = "2 ms"
    sample_interval = "100 us"
    topology.dumbbell = { senders = 4, rate = "10 Gb/s", rtt = "50 us" }
    control.qcn.preset = "10G"

    [sweep]
    "topology.dumbbell.senders" = [2, 3, 4, 5, 6, 7, 8, 9]
    "network.buffer" = ["100 kB", "200 kB"]
"#;

const SHARDS: usize = 8;

fn shard(place: &Place, number: usize) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_setpoint"));
    let shard = format!("{number}/{SHARDS}");
    command.args(["sweep", "lab.toml", "--out", "shared", "--threads", "1", "--quiet", "--shard", &shard]);
    command.current_dir(place.folder()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn shards_at_once_make_the_bytes_of_one_process() {
    let place = Place::new();
    place.write("lab.toml", SCENARIO);
    assert_eq!(place.setpoint(&["sweep", "lab.toml", "--out", "alone", "--quiet"]).code, Some(0));
    let mut numbers = Numbers(20_261_116);
    let mut killed = 0;
    for round in 0..rounds(2) {
        let shared = place.path("shared");
        if shared.exists() {
            std::fs::remove_dir_all(&shared).unwrap();
        }
        // Some shards are killed; then all are started again, one of them twice.
        let mut first: Vec<Child> = (1..=SHARDS).map(|number| shard(&place, number)).collect();
        for process in &mut first {
            if numbers.below(2) == 0 {
                sleep(Duration::from_millis(numbers.below(40)));
                process.kill().unwrap();
                killed += 1;
            }
        }
        for process in &mut first {
            process.wait().unwrap();
        }
        let twice = 1 + numbers.below(SHARDS as u64) as usize;
        let again: Vec<Child> = (1..=SHARDS).chain([twice]).map(|number| shard(&place, number)).collect();
        for process in again {
            let output = process.wait_with_output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success() || said.contains("in use by"), "round {round}: {said}");
        }
        let collected = place.setpoint(&["sweep", "lab.toml", "--out", "shared", "--quiet", "--collect"]);
        assert_eq!(collected.code, Some(0), "round {round}: {}", collected.stderr);
        assert_same(&place.path("alone"), &shared);
    }
    println!("{killed} processes were killed");
}

#[test]
fn what_is_missing_is_named() {
    let place = Place::new();
    place.write("lab.toml", SCENARIO);
    let part = |shard: &str| place.setpoint(&["sweep", "lab.toml", "--out", "shared", "--shard", shard]);
    let ended = part("1/2");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stdout.contains("8 of 16") && ended.stdout.contains("--collect"), "{}", ended.stdout);
    let early = place.setpoint(&["sweep", "lab.toml", "--out", "shared", "--collect"]);
    assert_eq!(early.code, Some(1));
    assert!(early.stderr.contains("8 of 16 runs are missing in shared"), "{}", early.stderr);
    assert!(early.stderr.contains("01_topology.dumbbell.senders=2"), "{}", early.stderr);
    assert!(!place.path("shared/sweep.json").exists());
    // A run of a different scenario text is not accepted.
    place.write("lab.toml", &SCENARIO.replace("rtt = \"50 us\"", "rtt = \"60 us\""));
    assert_eq!(part("2/2").code, Some(0));
    place.write("lab.toml", SCENARIO);
    let other = place.setpoint(&["sweep", "lab.toml", "--out", "shared", "--collect"]);
    assert!(other.stderr.contains("it is for another scenario"), "{}", other.stderr);
    let page = place.setpoint(&["sweep", "lab.toml", "--shard", "1/2", "--svg"]);
    assert!(page.complained(2).contains("with `--collect`"), "{}", page.stderr);
    let wrong = part("3/2");
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("as in 3/8"), "{}", wrong.stderr);
}

/// A run that fails in its shard is reported with the same message when the results are collected.
#[test]
fn failures_are_collected() {
    let place = Place::new();
    let sweep = |more: &[&str]| {
        let headroom = r#"sweep={"flow_control.pfc.headroom"=["1 kB", "50 kB"]}"#;
        let settings = ["--set", "duration=5 ms", "--set", "measure_from=1 ms", "--set", headroom];
        place.setpoint(&[&["sweep", "incast-pfc"], &settings[..], more].concat())
    };
    let alone = sweep(&["--out", "alone"]);
    let parts = ["1/2", "2/2"].map(|shard| sweep(&["--out", "shared", "--shard", shard]));
    let collected = sweep(&["--out", "shared", "--collect"]);
    assert_eq!(alone.code, Some(1), "{}", alone.stderr);
    assert_eq!(parts.map(|part| part.code), [Some(1), Some(0)]);
    assert_eq!(collected.code, Some(1), "{}", collected.stderr);
    let table = |folder: &str| std::fs::read_to_string(place.path(folder).join("sweep.json")).unwrap();
    assert_eq!(table("alone"), table("shared"));
    assert_eq!(sweep(&["--out", "shared", "--collect"]).code, Some(1), "also when they are collected again");
}

#[test]
fn leagues_are_shared_too() {
    let place = Place::new();
    let league = |more: &[&str]| {
        let ended = place.setpoint(
            &[&["league", "incast", "--control", "qcn,afd", "--seeds", "1", "--quiet"], more].concat(),
        );
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    };
    league(&["--out", "alone"]);
    for shard in ["1/3", "2/3", "3/3"] {
        league(&["--out", "shared", "--shard", shard]);
    }
    league(&["--out", "shared", "--collect"]);
    assert_same(&place.path("alone"), &place.path("shared"));
}

/// The points of a map, stored by shards next to the result.
#[test]
fn packet_runs_of_a_map_are_shared() {
    let place = Place::new();
    let map = |out: &str, more: &[&str]| {
        let axes = ["--x", "topology.dumbbell.rtt=50us..200us", "--y", "topology.dumbbell.senders=2..5"];
        let size =
            ["--size", "4x4", "--packets", "2x2", "--set", "duration=60ms", "--set", "measure_from=20ms"];
        place.setpoint(&[&["stability", "qcn-loop", "--out", out], &axes[..], &size, more].concat())
    };
    assert_eq!(map("alone", &["--svg"]).code, Some(0));
    let first = map("shared", &["--shard", "1/3"]);
    assert!(first.printed().contains("2 of 4"), "{}", first.stdout);
    assert!(map("shared", &["--shard", "1/3"]).printed().contains("2 were already stored"));
    let early = map("shared", &["--collect"]);
    assert!(early.complained(1).contains("2 of 4 points are missing in shared-shards"), "{}", early.stderr);
    assert!(early.stderr.contains("topology.dumbbell.senders=2"), "{}", early.stderr);
    for shard in ["2/3", "3/3"] {
        map("shared", &["--quiet", "--shard", shard]).printed();
    }
    map("shared", &["--svg", "--collect"]).printed();
    assert_same(&place.path("alone"), &place.path("shared"));
    assert!(!place.path("shared-shards").exists());
    let none = place.setpoint(&["stability", "--shard", "1/2"]);
    assert!(none.complained(2).contains("needs `--packets`"), "{}", none.stderr);
}

#[test]
fn experiments_are_shared() {
    let place = Place::new();
    let reproduce = |out: &str, more: &[&str]| {
        let names = ["reproduce", "smcc/fig05", "smcc/fig16", "smcc/fig19", "--quick", "--out", out];
        place.setpoint(&[&names[..], more].concat())
    };
    assert_eq!(reproduce("alone", &["--svg", "--quiet"]).code, Some(0));
    let first = reproduce("shared", &["--shard", "1/2"]);
    assert!(first.printed().contains("2 of 3"), "{}", first.stdout);
    assert!(reproduce("shared", &["--shard", "1/2"]).printed().contains("2 were already stored"));
    let early = reproduce("shared", &["--collect"]);
    assert!(early.complained(1).contains("1 of 3 experiments are missing in shared"), "{}", early.stderr);
    reproduce("shared", &["--shard", "2/2", "--quiet"]).printed();
    reproduce("shared", &["--svg", "--quiet", "--collect"]).printed();
    assert_same(&place.path("alone"), &place.path("shared"));
}
