//! Ctrl-C.
#![cfg(unix)]

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{Place, names};

/// Longer than anyone waits for.
const LONG: [&str; 4] = ["--set", "duration=1000 s", "--set", "sample_interval=50 ms"];

fn start(place: &Place, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_setpoint"))
        .current_dir(place.folder())
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Waits for the end, for a minute at most.
fn end(mut child: Child) -> (Option<i32>, String) {
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("the program did not end");
        }
        sleep(Duration::from_millis(10));
    }
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    (child.wait().unwrap().code(), said)
}

#[test]
fn an_interrupted_run_leaves_nothing() {
    let place = Place::new();
    let child = start(&place, &[&["run"], &LONG[..]].concat());
    sleep(Duration::from_millis(700));
    interrupt(&child);
    let (code, said) = end(child);
    assert_eq!(code, Some(130), "{said}");
    assert!(said.starts_with("stopped at ") && said.ends_with(" of 1000 s; nothing was stored\n"), "{said}");
    assert!(names(place.folder()).is_empty(), "{:?}", names(place.folder()));
}

#[test]
fn an_interrupted_sweep_keeps_what_is_done() {
    let place = Place::new();
    let sweep = ["sweep", "default", "--threads", "1", "--set", "measure_from=1 ms"];
    let axis = [
        "--set",
        "sweep={duration=[\"50 ms\", \"1000 s\"]}",
        "--set",
        "sample_interval=50 ms",
        "--set",
        "at=[]",
    ];
    let child = start(&place, &[&sweep[..], &axis].concat());
    let first = place.path("results/qcn-dumbbell-sweep/0_duration=50ms_seed=1");
    let began = Instant::now();
    while !first.exists() && began.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(10));
    }
    interrupt(&child);
    let (code, said) = end(child);
    assert_eq!(code, Some(130), "{said}");
    assert_eq!(said, "stopped after 1 of 2 runs; the same command goes on from here\n");
    assert_eq!(names(&place.path("results/qcn-dumbbell-sweep")), ["0_duration=50ms_seed=1"]);
}

#[test]
fn a_second_press_does_not_wait_for_the_next_sample() {
    let place = Place::new();
    let rare = ["--set", "duration=1000 s", "--set", "sample_interval=500 s"];
    let mut child = start(&place, &[&["run"], &rare[..]].concat());
    sleep(Duration::from_millis(700));
    interrupt(&child);
    sleep(Duration::from_millis(300));
    assert_eq!(child.try_wait().unwrap(), None, "the first press waits");
    interrupt(&child);
    assert_eq!(end(child), (Some(130), String::new()));
    assert!(names(place.folder()).is_empty());
}

#[test]
fn interrupted_experiments_keep_the_pages_of_those_that_were_finished() {
    let place = Place::new();
    let child = start(&place, &["reproduce", "--threads", "1", "--out", "pages"]);
    sleep(Duration::from_millis(700));
    interrupt(&child);
    let (code, said) = end(child);
    assert_eq!(code, Some(130), "{said}");
    assert!(
        said.starts_with("stopped after ") && said.ends_with("; the pages of those are kept\n"),
        "{said}"
    );
}

#[test]
fn an_interrupted_map_leaves_nothing() {
    let place = Place::new();
    let axes = [
        "--x",
        "topology.dumbbell.rtt=50us..400us",
        "--y",
        "topology.dumbbell.senders=1..4",
        "--size",
        "3x3",
    ];
    let child = start(&place, &[&["stability", "qcn-loop", "--packets", "all"], &axes[..], &LONG].concat());
    sleep(Duration::from_millis(1_500));
    interrupt(&child);
    let (code, said) = end(child);
    assert_eq!(code, Some(130), "{said}");
    assert_eq!(said, "stopped after 0 of 9 packet runs; nothing was stored\n");
    assert!(names(place.folder()).is_empty(), "{:?}", names(place.folder()));
}
