//! Destinations of results, and conditions that prevent writing there.

use std::path::Path;

use crate::support::{Place, SHORT, json, names};

/// A run that would take far too long.
const LONG: [&str; 5] = ["run", "default", "--set", "duration=1000 s", "--quiet"];

#[test]
fn variants_do_not_replace_each_other() {
    let place = Place::new();
    place.write("lab.toml", &scenario("lab"));
    for options in
        [&[][..], &["--set", "control=smcc"], &["--seed", "7"], &["--seed", "7", "--set", "control=smcc"]]
    {
        place.setpoint(&[&["run", "lab.toml", "--quiet", "--no-report"], options].concat()).printed();
    }
    let folders = ["lab", "lab_control=smcc", "lab_control=smcc_seed=7", "lab_seed=7"];
    assert_eq!(names(&place.path("results")), folders);
    let manifest = |folder: &str| json(place.path("results").join(folder).join("manifest.json"));
    assert_eq!(manifest("lab_control=smcc")["overrides"][0][1], "smcc");
    assert_eq!(manifest("lab_seed=7")["seed"], 7);
}

#[test]
fn names_in_any_script_get_separate_folders() {
    let place = Place::new();
    for name in ["輻輳制御", "перегрузка", "…", "?"] {
        place.write("lab.toml", &scenario(name));
        place.setpoint(&["run", "lab.toml", "--quiet", "--no-report"]).printed();
    }
    let folders = names(&place.path("results"));
    assert_eq!(folders.len(), 4, "{folders:?}");
    assert!(folders.contains(&"輻輳制御".to_owned()) && folders.contains(&"перегрузка".to_owned()));
}

fn scenario(name: &str) -> String {
    let head = format!("name = {name:?}\nduration = \"2 ms\"\nmeasure_from = \"1 ms\"\ncontrol = \"qcn\"\n");
    head + "[topology.dumbbell]\nsenders = 2\nrate = \"10 Gb/s\"\nrtt = \"50 us\"\n"
}

#[test]
fn destinations_are_checked_before_the_run() {
    let place = Place::new();
    place.write("file", "mine");
    for (folder, problem) in [
        (".", "it is the current folder, which would be replaced"),
        ("file", "it is a file"),
        ("file/run", "which is a file"),
    ] {
        let ended = place.setpoint(&[&LONG[..], &["--out", folder]].concat());
        assert!(ended.complained(1).contains(problem), "{}", ended.stderr);
        let ended = place.setpoint(&["fluid", "--quiet", "--out", folder]);
        assert!(ended.complained(1).contains(problem), "{}", ended.stderr);
    }
    assert_eq!(names(place.folder()), ["file"]);
}

#[cfg(unix)]
#[test]
fn a_report_that_could_not_be_written_does_not_block_the_folder() {
    let place = Place::new();
    let run = [&["run", "--quiet", "--out", "results/run"], &SHORT[..]].concat();
    place.setpoint(&[&run[..], &["--no-report"]].concat()).printed();
    // Files are limited to a few kilobytes: the system ends the program, as a full disk might.
    let limited = format!("ulimit -f 8; exec {} report results/run", env!("CARGO_BIN_EXE_setpoint"));
    let ended =
        std::process::Command::new("sh").args(["-c", &limited]).current_dir(place.folder()).output().unwrap();
    assert!(!ended.status.success());
    assert!(!place.path("results/run/report.html").exists());
    place.setpoint(&run).printed();
    assert_eq!(names(&place.path("results")), ["run"]);
    assert!(place.path("results/run/report.html").exists());
}

#[test]
fn damaged_runs_of_a_sweep_are_repeated_with_a_note() {
    let place = Place::new();
    let sweep = || {
        let set = "sweep={\"topology.dumbbell.senders\"=[1, 2]}";
        place
            .setpoint(&[&["sweep", "default", "--out", "sweep", "--json", "--set", set], &SHORT[..]].concat())
    };
    let whole = sweep().printed().to_owned();
    let folder = "0_topology.dumbbell.senders=1_seed=1";
    let damaged = place.path("sweep").join(folder);
    edit(&damaged.join("summary.json"), "\"duration_s\": 0.02", "\"duration_s\": 0.03");
    let again = sweep();
    assert_eq!((again.code, &again.stdout), (Some(0), &whole));
    let note = format!("note: run {folder} cannot be reused: the result is damaged: ");
    assert!(again.stderr.starts_with(&note) && again.stderr.contains("summary.json"), "{}", again.stderr);
    assert!(again.stderr.ends_with("; running it again\n"), "{}", again.stderr);
    assert_eq!(sweep().printed(), whole);
}

fn edit(file: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "{text}");
    std::fs::write(file, text.replacen(from, to, 1)).unwrap();
}

/// In a folder with the sticky bit, users cannot replace each other's results. Only root can become another user here.
#[cfg(target_os = "linux")]
#[test]
fn a_result_of_another_user_is_refused_before_the_run() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    let place = Place::new();
    if std::fs::metadata(place.folder()).unwrap().uid() != 0 {
        return;
    }
    place.setpoint(&[&["run", "--no-report", "--quiet", "-o", "here"], &SHORT[..]].concat()).printed();
    std::fs::set_permissions(place.folder(), std::fs::Permissions::from_mode(0o1777)).unwrap();
    let mut other = std::process::Command::new("setpriv");
    other.args(["--reuid=65534", "--regid=65534", "--clear-groups", env!("CARGO_BIN_EXE_setpoint")]);
    other.args(["run", "--no-report", "-o", "here"]).args(SHORT).current_dir(place.folder());
    let output = other.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("failed to execute") {
        return;
    }
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("here: it belongs to another user and cannot be replaced"), "{said}");
    assert_eq!(names(place.folder()), ["here"]);
}
