//! Concurrent processes on one folder, some of them killed.
//!
//! `ATTACK_ROUNDS=200 cargo test -p setpoint --test cli concurrency -- --nocapture` runs any number of rounds.
#![cfg(unix)]

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::support::{Numbers, Place, json, names, rounds};

const SCENARIO: &str = r#"
    name = "attacked"
    duration = "10 ms"
    measure_from = "2 ms"
    sample_interval = "100 us"
    topology.dumbbell = { senders = 4, rate = "10 Gb/s", rtt = "50 us" }
    control.qcn.preset = "10G"

    [sweep]
    "topology.dumbbell.senders" = [2, 3]
"#;

/// Seeds of the concurrent runs.
const SEEDS: [u64; 4] = [1, 2, 3, 4];
/// The latest time at which a process is killed: about when it would have ended.
const LATEST_KILL_MS: u64 = 250;

/// Foreign files next to the results.
const FOREIGN: [&str; 6] = [
    "results/notes.html",
    "results/.run.partial-notes/note.txt",
    "results/.run.partial-1-0/note.txt",
    "results/sweep/mine.html",
    "results/sweep/plots/mine.svg",
    "results/sweep/.mine.partial-7-1/mine.svg",
];

/// The task of a process.
#[derive(Clone, Copy, Debug)]
enum Task {
    Run(u64),
    Sweep,
}

/// The figures that each task must print.
struct Expected {
    runs: Vec<Value>,
    sweep: Value,
}

impl Expected {
    fn new() -> Self {
        let place = Place::new();
        place.write("lab.toml", SCENARIO);
        let printed = |task: Task| parsed(&start(&place, task).wait_with_output().unwrap()).unwrap();
        Self { runs: SEEDS.map(|seed| printed(Task::Run(seed))).to_vec(), sweep: printed(Task::Sweep) }
    }

    fn of(&self, task: Task) -> &Value {
        match task {
            Task::Run(seed) => &self.runs[SEEDS.iter().position(|other| *other == seed).unwrap()],
            Task::Sweep => &self.sweep,
        }
    }
}

/// How processes ended.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    right: usize,
    refused: usize,
    killed: usize,
}

fn start(place: &Place, task: Task) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_setpoint"));
    match task {
        Task::Run(seed) => {
            command.args(["run", "lab.toml", "--out", "results/run", "--seed", &seed.to_string()])
        }
        Task::Sweep => command.args(["sweep", "lab.toml", "--out", "results/sweep", "--threads", "1"]),
    };
    command.args(["--json", "--quiet"]).current_dir(place.folder());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn parsed(output: &Output) -> Option<Value> {
    output.status.success().then(|| serde_json::from_slice(&output.stdout).unwrap())
}

/// Starts four runs and two sweeps, kills about half of them, and counts how they end.
fn round(place: &Place, expected: &Expected, numbers: &mut Numbers, counts: &mut Counts) {
    let tasks = SEEDS.map(Task::Run).into_iter().chain([Task::Sweep, Task::Sweep]);
    let mut processes: Vec<(Task, Child)> = tasks.map(|task| (task, start(place, task))).collect();
    let condemned: Vec<usize> = (0..processes.len()).filter(|_| numbers.below(2) == 0).collect();
    let mut kills: Vec<(u64, usize)> =
        condemned.into_iter().map(|index| (numbers.below(LATEST_KILL_MS), index)).collect();
    kills.sort_unstable();
    let mut now = 0;
    for (at, index) in kills {
        sleep(Duration::from_millis(at - now));
        now = at;
        processes[index].1.kill().unwrap();
    }
    for (task, process) in processes {
        judge(task, &process.wait_with_output().unwrap(), expected, counts);
    }
}

fn judge(task: Task, output: &Output, expected: &Expected, counts: &mut Counts) {
    let said = String::from_utf8_lossy(&output.stderr);
    match (output.status.code(), task) {
        (Some(0), _) => {
            assert!(parsed(output).as_ref() == Some(expected.of(task)), "{task:?} printed other figures");
            counts.right += 1;
        }
        (None, _) => counts.killed += 1,
        (Some(1), Task::Sweep) if said.contains("results/sweep is in use by") => {
            counts.refused += 1;
        }
        (code, _) => panic!("{task:?} ended with {code:?}: {said}"),
    }
}

/// Checks that the folder of the runs contains the complete result of one of them.
fn check_run(place: &Place, expected: &Expected) {
    let folder = place.path("results/run");
    if !folder.exists() {
        return;
    }
    let seed = json(folder.join("manifest.json"))["seed"].as_u64().unwrap();
    let mut printed = expected.of(Task::Run(seed)).clone();
    printed.as_object_mut().unwrap().remove("run");
    assert!(json(folder.join("summary.json")) == printed, "not the result of seed {seed}");
    let files = json(folder.join("files.json"));
    for name in files["files"].as_object().unwrap().keys() {
        assert!(folder.join(name).exists(), "{name} is missing");
    }
}

/// A foreign file inside the folder prevents a run from replacing it.
fn check_refused(place: &Place) {
    if !place.path("results/run").exists() {
        return;
    }
    place.write("results/run/mine.svg", "mine");
    let output = start(place, Task::Run(1)).wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains("it contains mine.svg"), "{said}");
    assert_eq!(std::fs::read_to_string(place.path("results/run/mine.svg")).unwrap(), "mine");
    std::fs::remove_file(place.path("results/run/mine.svg")).unwrap();
}

#[test]
fn every_process_prints_its_own_figures_or_an_error() {
    let rounds = rounds(3);
    let (place, expected) = (Place::new(), Expected::new());
    place.write("lab.toml", SCENARIO);
    for name in FOREIGN {
        std::fs::create_dir_all(place.path(name).parent().unwrap()).unwrap();
        place.write(name, "mine");
    }
    let (mut numbers, mut counts) = (Numbers(1), Counts::default());
    for _ in 0..rounds {
        round(&place, &expected, &mut numbers, &mut counts);
        check_run(&place, &expected);
        check_refused(&place);
    }
    println!("{rounds} rounds: {counts:?}");
    assert_eq!(counts.right + counts.refused + counts.killed, rounds * 6);

    let mut clean = Counts::default();
    for task in [Task::Run(2), Task::Sweep] {
        judge(task, &start(&place, task).wait_with_output().unwrap(), &expected, &mut clean);
    }
    assert_eq!(clean, Counts { right: 2, ..Counts::default() });
    check_run(&place, &expected);
    for name in FOREIGN {
        assert_eq!(std::fs::read_to_string(place.path(name)).unwrap(), "mine", "{name}");
    }
    check_nothing_is_left(&place.path("results"));
}

fn check_nothing_is_left(results: &Path) {
    assert_eq!(names(results), [".run.partial-1-0", ".run.partial-notes", "notes.html", "run", "sweep"]);
    let sweep = [
        ".mine.partial-7-1",
        "0_topology.dumbbell.senders=2_seed=1",
        "1_topology.dumbbell.senders=3_seed=1",
        "files.json",
        "mine.html",
        "plots",
        "sweep.csv",
        "sweep.html",
        "sweep.json",
    ];
    assert_eq!(names(&results.join("sweep")), sweep);
}
