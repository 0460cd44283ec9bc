//! Ctrl-C and other signals that end a program.
#![cfg(unix)]

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{Place, names, words};

/// A run that takes longer than any test may take.
const LONG: [&str; 4] = ["--set", "duration=1000 s", "--set", "sample_interval=50 ms"];

/// Starts the program with the usual effect of a hang-up, even if the tests run under `nohup`, which ignores it.
fn start(place: &Place, arguments: &[&str]) -> Child {
    Command::new("env")
        .args(["--default-signal=HUP", env!("CARGO_BIN_EXE_setpoint")])
        .current_dir(place.folder())
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

fn interrupt(child: &Child) {
    send("-INT", child);
}

/// Waits for a condition, for at most a minute.
fn wait_until(is_true: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_true() {
        assert!(began.elapsed() < Duration::from_secs(60), "the condition was never met");
        sleep(Duration::from_millis(10));
    }
}

/// Waits until a run has its temporary folder: from then on it handles signals.
fn wait_for_the_run(place: &Place) {
    let folder = place.path("results");
    let is_partial = |name: &String| name.contains(".partial-");
    wait_until(|| folder.exists() && names(&folder).iter().any(is_partial));
}

/// Waits for the program to end, for at most a minute.
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
    wait_for_the_run(&place);
    interrupt(&child);
    let (code, said) = end(child);
    assert_eq!(code, Some(130), "{said}");
    assert!(said.starts_with("stopped at ") && said.ends_with(" of 1000 s; nothing was stored\n"), "{said}");
    assert!(names(place.folder()).is_empty(), "{:?}", names(place.folder()));
}

/// A run that samples so rarely that it does not reach the next sample during the test.
const RARE: [&str; 5] = ["run", "--set", "duration=1000 s", "--set", "sample_interval=500 s"];

#[test]
fn the_first_signal_does_not_wait_for_the_next_sample() {
    for (signal, expected) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let place = Place::new();
        let child = start(&place, &RARE);
        wait_for_the_run(&place);
        send(signal, &child);
        assert_eq!(end(child), (Some(expected), "stopped; nothing was stored\n".to_owned()), "{signal}");
        assert!(names(place.folder()).is_empty(), "{signal}: {:?}", names(place.folder()));
    }
}

#[test]
fn a_second_press_ends_the_program_too() {
    let place = Place::new();
    let child = start(&place, &RARE);
    wait_for_the_run(&place);
    interrupt(&child);
    interrupt(&child);
    assert_eq!(end(child), (Some(130), "stopped; nothing was stored\n".to_owned()));
    assert!(names(place.folder()).is_empty());
}

#[test]
fn a_run_outlives_its_terminal_under_nohup() {
    let place = Place::new();
    let child = Command::new("nohup")
        .arg(env!("CARGO_BIN_EXE_setpoint"))
        .args(RARE)
        .current_dir(place.folder())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for_the_run(&place);
    send("-HUP", &child);
    interrupt(&child);
    let (code, said) = end(child);
    assert_eq!(code, Some(130), "{said}");
}

#[test]
fn an_interrupted_sweep_keeps_finished_runs() {
    let place = Place::new();
    let sweep = ["sweep", "default", "--threads", "1", "--out", "sweep", "--set", "measure_from=1 ms"];
    let axis =
        words(r#"--set 'sweep={duration=["50 ms", "1000 s"]}' --set 'sample_interval=50 ms' --set at=[]"#);
    let child = start(&place, &[&sweep[..], &axis].concat());
    wait_until(|| place.path("sweep/0_duration=50ms_seed=1").exists());
    interrupt(&child);
    let (code, said) = end(child);
    assert_eq!(code, Some(130), "{said}");
    let kept = "finished runs are kept in sweep, and the same command resumes from there";
    assert_eq!(said, format!("stopped after 1 of 2 runs; {kept}\n"));
    assert_eq!(names(&place.path("sweep")), ["0_duration=50ms_seed=1"]);

    let child = start(&place, &[&sweep[..], &axis].concat());
    let under_way = place.path("sweep/.setpoint/1_duration=1000s_seed=1");
    wait_until(|| under_way.exists());
    send("-TERM", &child);
    assert_eq!(end(child).0, Some(143));
    assert_eq!(names(&place.path("sweep")), ["0_duration=50ms_seed=1"]);
}

#[test]
fn interrupted_experiments_keep_finished_pages() {
    let place = Place::new();
    let child = start(&place, &["reproduce", "--threads", "1", "--out", "pages"]);
    wait_until(|| place.path("pages/.setpoint").exists());
    interrupt(&child);
    let (code, said) = end(child);
    assert_eq!(code, Some(130), "{said}");
    assert!(
        said.starts_with("stopped") && said.ends_with("; the pages of finished experiments are kept\n"),
        "{said}"
    );
    assert!(!place.path("pages/.setpoint").exists());
}

#[test]
fn an_interrupted_map_leaves_nothing() {
    let place = Place::new();
    let axes = words("--x topology.dumbbell.rtt=50us..400us --y topology.dumbbell.senders=1..4 --size 3x3");
    let child = start(&place, &[&["stability", "qcn-loop", "--packets", "all"], &axes[..], &LONG].concat());
    wait_for_the_run(&place);
    interrupt(&child);
    let (code, said) = end(child);
    assert_eq!(code, Some(130), "{said}");
    assert!(said.starts_with("stopped") && said.ends_with("; nothing was stored\n"), "{said}");
    assert!(names(place.folder()).is_empty(), "{:?}", names(place.folder()));
}
