//! `run --capture` and `[capture]`.

use crate::support::{Place, SHORT};

fn run(place: &Place, more: &[&str]) -> crate::support::Ended {
    place.setpoint(&[&["run", "--no-report"], &SHORT[..], more].concat())
}

#[test]
fn a_capture_does_not_change_the_run() {
    let place = Place::new();
    let plain = run(&place, &["-o", "plain", "--json"]);
    let captured = run(&place, &["-o", "captured", "--json", "--capture", "frames.pcapng"]);
    assert_eq!(plain.printed(), captured.printed());
    let first = std::fs::read(place.path("frames.pcapng")).unwrap();
    assert!(first.len() > 100_000, "{}", first.len());
    // A second run writes the same octets again, in place of the old ones.
    run(&place, &["-o", "captured", "--quiet", "--capture", "frames.pcapng"]).printed();
    assert!(first == std::fs::read(place.path("frames.pcapng")).unwrap());
    assert_eq!(crate::support::names(place.folder()), ["captured", "frames.pcapng", "plain"]);
}

#[test]
fn a_scenario_may_ask_for_a_capture() {
    let place = Place::new();
    let window = ["--set", "capture.until=100 us", "-o", "here"];
    let ended = run(&place, &window);
    assert!(ended.printed().contains("here/capture.pcapng"), "{}", ended.stdout);
    assert!(place.path("here/capture.pcapng").is_file());
    // The capture belongs to the result, which can be read and replaced.
    place.setpoint(&["report", "here"]).printed();
    run(&place, &["-o", "here", "--quiet"]).printed();
    assert!(!place.path("here/capture.pcapng").exists());
    place
        .setpoint(&[&["run", "--no-report", "--seeds", "2", "-o", "two"], &SHORT[..], &window[..2]].concat())
        .printed();
    assert!(
        place
            .path("two")
            .read_dir()
            .unwrap()
            .flatten()
            .any(|run| run.path().join("capture.pcapng").is_file())
    );
}

#[test]
fn foreign_files_and_wrong_windows_are_refused_before_the_run() {
    let place = Place::new();
    place.write("notes.txt", "mine");
    let ended = run(&place, &["--capture", "notes.txt"]);
    assert_eq!(ended.code, Some(1));
    insta::assert_snapshot!(ended.stderr, @"error: cannot write a capture to notes.txt: it was not written by this program; move it away, or choose another name");
    assert_eq!(std::fs::read_to_string(place.path("notes.txt")).unwrap(), "mine");
    assert!(!place.path("results").exists());
    for (setting, problem) in [
        ("capture.from=20 ms", "the capture begins at 20 ms, but the run ends at 20 ms"),
        ("capture.until=0 s", "the capture ends at 0 s, but begins at 0 s"),
        ("capture.ports=s1->r1", "there is no port \"s1->r1\""),
        ("capture.snap_length=59 B", "`snap_length` is 59 B, but must be 60 B to 65535 B"),
        ("wire.queue_unit=bits", "\"bits\" is not a queue_unit"),
    ] {
        let ended = run(&place, &["--set", setting]);
        assert_eq!(ended.code, Some(2), "{setting}");
        assert!(ended.stderr.contains(problem), "{}", ended.stderr);
    }
    let several = run(&place, &["--seeds", "2", "--capture", "x.pcapng"]);
    assert_eq!(several.code, Some(2));
}

/// The frames captured before a loss explain the loss.
#[test]
fn a_run_that_fails_leaves_its_capture() {
    let place = Place::new();
    let lossy =
        ["--set", "flow_control=pfc", "--set", "flow_control.pfc.headroom=1 kB", "--set", "control=none"];
    let ended = run(&place, &[&lossy[..], &["--capture", "loss.pcapng"]].concat());
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.contains("loss.pcapng contains the frames up to that time"), "{}", ended.stderr);
    assert!(std::fs::metadata(place.path("loss.pcapng")).unwrap().len() > 1_000);
}

#[test]
fn a_capture_inside_a_result_is_refused_before_the_run() {
    let place = Place::new();
    for file in ["here/capture.pcapng", "./here/frames/all.pcapng"] {
        let said = run(&place, &["-o", "here", "--capture", file]).complained(1).to_owned();
        assert!(said.contains("it would be inside the result"), "{file}: {said}");
        assert!(crate::support::names(place.folder()).is_empty(), "{file}");
    }
    run(&place, &["-o", "other", "--quiet"]).printed();
    let said = run(&place, &["-o", "here", "--capture", "other/capture.pcapng"]).complained(1).to_owned();
    assert!(said.contains("it would be inside the result"), "{said}");
    run(&place, &["-o", "other", "--quiet"]).printed();
}
