//! Sweeps and leagues as Slurm jobs: on a real cluster of one node, and with scripts in place of Slurm's commands.

mod cluster;
mod scripted;

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use self::cluster::Cluster;
use crate::skip::{Reason, skip};
use crate::support::assert_same;
use crate::support::{Place, json, names};

/// Sixteen variants.
const SCENARIO: &str = r#"
    name = "shared"
    duration = "60 ms"
    measure_from = "2 ms"
    sample_interval = "1 ms"
    topology.dumbbell = { senders = 4, rate = "10 Gb/s", rtt = "50 us" }
    control.qcn.preset = "10G"

    [sweep]
    "topology.dumbbell.senders" = [2, 3, 4, 5, 6, 7, 8, 9]
    "network.buffer" = ["100 kB", "200 kB"]
"#;

/// Names that must be quoted in a script.
const FILE: &str = "Ada's lab.toml";
const FOLDER: &str = "100% of \"it\"";

const TASKS: usize = 8;
/// The time allowed for a sweep on a busy machine.
const LONG: Duration = Duration::from_secs(300);

fn place() -> Place {
    let place = Place::new();
    place.write(FILE, SCENARIO);
    place
}

/// A cluster; `None` if the test is skipped.
fn cluster() -> Option<Cluster> {
    Cluster::start().inspect_err(|error| skip(Reason::NoSlurm, error)).ok()
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_setpoint");

fn sweep(place: &Place, options: &[&str]) -> Command {
    sweep_by(Command::new(PROGRAM), place, options)
}

fn sweep_by(mut program: Command, place: &Place, options: &[&str]) -> Command {
    program.args(["sweep", FILE, "--seeds", "4"]).args(options).current_dir(place.folder());
    program.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    program
}

/// Starts a sweep through Slurm. It ends with this thread at the latest.
fn by_slurm(place: &Place, cluster: &Cluster) -> Child {
    let mut program = Command::new("setpriv");
    program.args(["--pdeathsig", "KILL", PROGRAM]);
    let comment = "--comment=it's a \"lab\"";
    let options = ["--slurm", "--tasks", "8", "--partition", "lab", "--sbatch", comment, "--out", FOLDER];
    let mut command = sweep_by(program, place, &options);
    command.env("SLURM_CONF", cluster.configuration()).spawn().unwrap()
}

/// Runs the sweep without Slurm.
fn alone(place: &Place) {
    let output = sweep(place, &["--out", "alone", "--quiet"]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn wait_until(mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < LONG, "waited too long");
        sleep(Duration::from_millis(10));
    }
}

/// The digests of all runs of a sweep.
fn digests(folder: &Path) -> Vec<String> {
    let runs = names(folder).into_iter().filter(|name| name.contains("seed="));
    runs.map(|run| json(folder.join(run).join("manifest.json"))["digest"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_killed_task_is_submitted_again() {
    let Some(cluster) = cluster() else { return };
    let place = place();
    alone(&place);
    let runs: Vec<String> =
        names(&place.path("alone")).into_iter().filter(|name| name.contains("seed=")).collect();
    assert_eq!(runs.len(), 64);
    let began = Instant::now();
    let setpoint = by_slurm(&place, &cluster);
    let jobs = place.path(FOLDER).join(".setpoint-slurm/jobs.json");
    wait_until(|| jobs.exists());
    let comments = cluster.call("squeue", &["--noheader", "--format=%k"]);
    assert!(comments.stdout.starts_with(b"it's a \"lab\"\n"), "{comments:?}");
    let of_third = runs.iter().skip(2).step_by(TASKS);
    let stored = || of_third.clone().filter(|run| place.path(FOLDER).join(run).exists()).count();
    wait_until(|| stored() > 0);
    let task = format!("{}_3", json(&jobs)["array"]);
    cluster.call("scancel", &["--batch", "--signal=KILL", &task]);
    let output = setpoint.wait_with_output().unwrap();
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("results of shard 3 of 8 are missing; submission 2 of at most 4"), "{said}");
    assert!(said.contains("submitted 8 tasks") && said.contains("submitted 1 task "), "{said}");
    assert_eq!(digests(&place.path("alone")), digests(&place.path(FOLDER)));
    assert_same(&place.path("alone"), &place.path(FOLDER));
    println!("64 runs in {} tasks with one killed: {:.1} s", TASKS, began.elapsed().as_secs_f64());
}

#[test]
fn an_interrupted_process_waits_again() {
    let Some(cluster) = cluster() else { return };
    let place = place();
    alone(&place);
    let setpoint = by_slurm(&place, &cluster);
    let jobs = place.path(FOLDER).join(".setpoint-slurm/jobs.json");
    wait_until(|| jobs.exists());
    let array = json(&jobs)["array"].to_string();
    let second = by_slurm(&place, &cluster).wait_with_output().unwrap();
    assert!(stderr(&second).contains("another process is waiting for the jobs"), "{}", stderr(&second));
    Command::new("kill").args(["-INT", &setpoint.id().to_string()]).status().unwrap();
    let stopped = setpoint.wait_with_output().unwrap();
    assert_eq!(stopped.status.code(), Some(130));
    assert!(stderr(&stopped).contains(&format!("`scancel {array} ")), "{}", stderr(&stopped));
    let ended = by_slurm(&place, &cluster).wait_with_output().unwrap();
    assert!(ended.status.success(), "{}", stderr(&ended));
    assert!(stderr(&ended).contains("submitted earlier"), "{}", stderr(&ended));
    assert_same(&place.path("alone"), &place.path(FOLDER));
}

#[test]
fn the_league_runs_by_slurm() {
    let Some(cluster) = cluster() else { return };
    let place = Place::new();
    let league = |options: &[&str]| {
        let mut command = Command::new(PROGRAM);
        command
            .args(["league", "incast", "--control", "qcn,afd", "--seeds", "1", "--quiet"])
            .args(options)
            .current_dir(place.folder());
        let output = command.env("SLURM_CONF", cluster.configuration()).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{}", stderr(&output));
    };
    league(&["--out", "alone"]);
    league(&["--out", "shared", "--slurm", "--tasks", "3"]);
    assert_same(&place.path("alone"), &place.path("shared"));
}
