//! Folders of results: foreign files are not lost, files of dead processes are removed, and concurrent writers do
//! not interfere.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::support::Synthetic;
use setpoint_lab::store::{self, Collection, Derived, Destination, Kind, StoreError};
use setpoint_record::results::{RunRecord, digest};
use tempfile::TempDir;

fn record(seed: u64) -> RunRecord {
    let mut record = Synthetic { seed, messages: 2, ..Synthetic::default() }.record();
    record.manifest.digest = digest(&record.summary, &record.series, &record.messages);
    record
}

/// A folder of results, and one destination in it.
struct Place {
    around: TempDir,
}

impl Place {
    fn new() -> Self {
        Self { around: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.around.path().join(name)
    }

    /// A stored result with a report and a plot.
    fn stored() -> Self {
        let place = Self::new();
        let derived = [Derived::report("<p>ours".to_owned()), Derived::svg("queue", "<svg/>".to_owned())];
        store::write_with(&record(1), &place.path("run"), &derived).unwrap();
        place
    }

    fn refused(&self) -> String {
        let error = store::write(&record(2), &self.path("run")).unwrap_err();
        assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
        error.to_string().replace(&self.around.path().display().to_string(), "")
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn files_that_the_program_did_not_write_are_not_lost() {
    let mut messages = Vec::new();
    for name in ["notes.html", "sketch.svg", "photo.png", "plots/thesis.svg", "empty folder/"] {
        let place = Place::stored();
        let path = place.path("run").join(name);
        match name.ends_with('/') {
            true => fs::create_dir(&path).unwrap(),
            false => fs::write(&path, "mine").unwrap(),
        }
        messages.push(place.refused());
        assert!(path.is_dir() || fs::read_to_string(&path).unwrap() == "mine");
        assert_eq!(store::read(&place.path("run")).unwrap(), record(1));
        assert_eq!(names(place.around.path()), ["run"]);
    }
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn a_report_that_was_edited_is_not_lost() {
    for name in ["report.html", "plots/queue.svg"] {
        let place = Place::stored();
        fs::write(place.path("run").join(name), "edited").unwrap();
        let message = place.refused();
        assert!(message.contains(&format!("it contains {name}, which has been edited")), "{message}");
        let derived = [Derived::report(String::new()), Derived::svg("queue", String::new())];
        let error = store::add(&derived, &record(1).manifest, &place.path("run")).unwrap_err();
        assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
        assert_eq!(fs::read_to_string(place.path("run").join(name)).unwrap(), "edited");
        assert_eq!(names(place.around.path()), ["run"]);
    }
}

#[test]
fn a_link_in_the_place_of_a_report_is_not_followed() {
    let place = Place::stored();
    fs::write(place.path("page"), "<p>ours").unwrap();
    fs::remove_file(place.path("run/report.html")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(place.path("page"), place.path("run/report.html")).unwrap();
    #[cfg(unix)]
    assert!(place.refused().contains("report.html"));
}

#[test]
fn own_files_are_replaced_completely() {
    let place = Place::stored();
    fs::remove_file(place.path("run/report.html")).unwrap();
    store::write(&record(2), &place.path("run")).unwrap();
    assert_eq!(store::read(&place.path("run")).unwrap(), record(2));
    assert!(!place.path("run/plots").exists());
    assert_eq!(names(place.around.path()), ["run"]);
}

#[test]
fn damaged_data_is_noticed_and_can_be_replaced() {
    let files = [
        "manifest.json",
        "summary.json",
        "topology.json",
        "flows.csv",
        "queues.csv",
        "ports.csv",
        "messages.csv",
    ];
    for name in files {
        for damage in ["missing", "emptied", "changed"] {
            let place = Place::stored();
            let path = place.path("run").join(name);
            match damage {
                "missing" => fs::remove_file(&path).unwrap(),
                "emptied" => fs::write(&path, "").unwrap(),
                _ => File::options().append(true).open(&path).unwrap().write_all(b" ").unwrap(),
            }
            let error = store::read_listed(&place.path("run")).unwrap_err().to_string();
            assert!(error.contains(name), "{damage}: {error}");
            store::write(&record(2), &place.path("run")).unwrap();
            assert_eq!(store::read_listed(&place.path("run")).unwrap(), record(2));
        }
    }
}

#[test]
fn a_result_without_an_index_is_replaced_only_if_it_contains_only_data() {
    let place = Place::stored();
    fs::write(place.path("run/files.json"), "{ \"kind\": \"ru").unwrap();
    assert!(matches!(store::read_listed(&place.path("run")), Err(StoreError::Json { .. })));
    assert!(place.refused().contains("it contains plots, but no files.json that lists it"));
    fs::remove_file(place.path("run/report.html")).unwrap();
    fs::remove_dir_all(place.path("run/plots")).unwrap();
    store::write(&record(2), &place.path("run")).unwrap();

    fs::remove_file(place.path("run/files.json")).unwrap();
    let error = store::read_listed(&place.path("run")).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { problem: "is missing", .. }), "{error}");
    assert_eq!(store::read(&place.path("run")).unwrap(), record(2), "older versions wrote no index");
    store::add(&[Derived::report("<p>".to_owned())], &record(2).manifest, &place.path("run")).unwrap();
    store::write(&record(1), &place.path("run")).unwrap();
    assert_eq!(store::read_listed(&place.path("run")).unwrap(), record(1));
}

#[test]
fn a_report_that_was_being_replaced_when_the_process_died_is_still_ours() {
    let place = Place::stored();
    let index = place.path("run/files.json");
    let mut text: serde_json::Value = serde_json::from_slice(&fs::read(&index).unwrap()).unwrap();
    let entry = &mut text["files"]["report.html"];
    entry["replaces"] = entry["sha256"].take();
    entry["sha256"] = "of a file that does not exist yet".into();
    fs::write(&index, text.to_string()).unwrap();
    store::write(&record(2), &place.path("run")).unwrap();
    assert_eq!(store::read_listed(&place.path("run")).unwrap(), record(2));
}

#[test]
fn only_folders_of_dead_processes_are_removed() {
    let place = Place::new();
    // Foreign folders, by name or because they have no owner file.
    for (name, file) in
        [(".run.partial-notes", "a"), (".run.partial-12-0-b", "b"), (".run.partial-12-0", "c")]
    {
        fs::create_dir(place.path(name)).unwrap();
        fs::write(place.path(name).join(file), "mine").unwrap();
    }
    fs::write(place.path(".run.partial-14-0"), "a file").unwrap();
    // Folders of dead processes, with or without an owner file.
    fs::create_dir_all(place.path(".run.partial-12-1/new")).unwrap();
    fs::write(place.path(".run.partial-12-1/setpoint.owner"), "setpoint 12\n").unwrap();
    fs::write(place.path(".run.partial-12-1/new/summary.json"), "{ \"durat").unwrap();
    fs::create_dir(place.path(".run.partial-13-0")).unwrap();
    fs::write(place.path(".run.lock"), "setpoint 12\n").unwrap();
    // A folder of a live process, and a folder of another target.
    fs::create_dir_all(place.path(".run.partial-15-0")).unwrap();
    let owner = File::create(place.path(".run.partial-15-0/setpoint.owner")).unwrap();
    owner.try_lock().unwrap();
    fs::create_dir(place.path(".other.partial-12-0")).unwrap();

    store::write(&record(1), &place.path("run")).unwrap();
    let left = [
        ".other.partial-12-0",
        ".run.partial-12-0",
        ".run.partial-12-0-b",
        ".run.partial-14-0",
        ".run.partial-15-0",
        ".run.partial-notes",
        "run",
    ];
    assert_eq!(names(place.around.path()), left);
    drop(owner);
    store::write(&record(2), &place.path("run")).unwrap();
    assert!(!place.path(".run.partial-15-0").exists(), "its process has ended");
}

#[test]
fn an_old_result_that_was_moved_aside_is_restored() {
    let place = Place::stored();
    fs::create_dir(place.path(".run.partial-12-0")).unwrap();
    fs::write(place.path(".run.partial-12-0/setpoint.owner"), "").unwrap();
    fs::rename(place.path("run"), place.path(".run.partial-12-0/old")).unwrap();
    drop(Destination::open(&place.path("run")).unwrap());
    assert_eq!(store::read_listed(&place.path("run")).unwrap(), record(1));
    assert_eq!(names(place.around.path()), ["run"]);
}

#[test]
fn a_file_in_the_place_of_the_lock_is_not_lost() {
    let place = Place::new();
    fs::write(place.path(".run.lock"), "combination: 1234").unwrap();
    let error = store::write(&record(1), &place.path("run")).unwrap_err().to_string();
    assert!(error.contains(".run.lock") && error.contains("is not a lock of this program"), "{error}");
    assert_eq!(fs::read_to_string(place.path(".run.lock")).unwrap(), "combination: 1234");
    assert_eq!(names(place.around.path()), [".run.lock"]);

    #[cfg(unix)]
    {
        fs::rename(place.path(".run.lock"), place.path("safe")).unwrap();
        std::os::unix::fs::symlink("safe", place.path(".run.lock")).unwrap();
        let error = store::write(&record(1), &place.path("run")).unwrap_err().to_string();
        assert!(error.contains("is not a lock of this program"), "{error}");
        assert_eq!(fs::read_to_string(place.path("safe")).unwrap(), "combination: 1234");
    }
}

#[test]
fn several_writers_do_not_mix() {
    let place = Place::new();
    let folder = place.path("run");
    std::thread::scope(|scope| {
        for seed in 1..=4 {
            let folder = &folder;
            scope.spawn(move || {
                for _ in 0..10 {
                    store::write_with(&record(seed), folder, &[Derived::report(seed.to_string())]).unwrap();
                }
            });
        }
    });
    let last = store::read_listed(&folder).unwrap();
    assert_eq!(last, record(last.manifest.seed));
    let report = fs::read_to_string(folder.join("report.html")).unwrap();
    assert_eq!(report, last.manifest.seed.to_string());
    assert_eq!(names(place.around.path()), ["run"]);
}

#[test]
fn an_opened_destination_is_checked_again() {
    let place = Place::stored();
    let opened = Destination::open(&place.path("run")).unwrap();
    fs::write(place.path("run/notes.html"), "mine").unwrap();
    fs::write(place.path("run-2"), "mine too").unwrap();
    let error = store::write_to(&record(2), opened, &[]).unwrap_err().to_string();
    assert!(error.contains("it contains notes.html, which this program did not write"), "{error}");
    assert!(error.ends_with("/run-3"), "{error}");
    assert_eq!(fs::read_to_string(place.path("run/notes.html")).unwrap(), "mine");
    assert_eq!(store::read_listed(&place.path("run")).unwrap(), record(1));
    assert_eq!(store::read_listed(&place.path("run-3")).unwrap(), record(2), "hours of work are not lost");
    assert_eq!(names(place.around.path()), ["run", "run-2", "run-3"]);
}

#[test]
fn a_report_is_not_added_to_another_result() {
    let place = Place::stored();
    store::write(&record(2), &place.path("run")).unwrap();
    let error =
        store::add(&[Derived::report(String::new())], &record(1).manifest, &place.path("run")).unwrap_err();
    assert!(matches!(error, StoreError::Replaced { .. }), "{error}");
    assert_eq!(names(place.around.path()), ["run"]);
}

#[test]
fn one_process_at_a_time_writes_into_a_growing_folder() {
    let place = Place::new();
    let sweep = place.path("deep/sweep");
    let first = Collection::open(&sweep, Kind::Sweep, &["sweep.csv"]).unwrap();
    let busy = Collection::open(&sweep, Kind::Sweep, &[]).unwrap_err().to_string();
    let process = format!("is in use by process {}", std::process::id());
    assert!(busy.contains(&process), "{busy}");
    let inside = Destination::open(&sweep.join("0_seed=1")).unwrap_err();
    assert!(matches!(inside, StoreError::Inside { .. }), "{inside}");
    assert!(inside.to_string().contains(&process), "{inside}");
    drop(first);
    assert!(names(place.around.path()).is_empty(), "an empty folder is removed");
    drop(Collection::open(&sweep, Kind::Sweep, &[]).unwrap());
    drop(Destination::open(&sweep.join("0_seed=1")).unwrap());
}

#[test]
fn files_of_a_growing_folder_are_replaced_only_if_they_are_ours() {
    let place = Place::new();
    let sweep = Collection::open(place.around.path(), Kind::Sweep, &["sweep.csv"]).unwrap();
    sweep.put("sweep.csv", b"1").unwrap();
    sweep.put("sweep.csv", b"2").unwrap();
    sweep.put("deep/page.html", b"<p>").unwrap();
    sweep.remove("deep/page.html").unwrap();
    sweep.remove("never.html").unwrap();
    fs::write(place.path("sweep.html"), "mine").unwrap();
    assert!(sweep.put("sweep.html", b"ours").is_err() && sweep.remove("sweep.html").is_err());
    assert_eq!(fs::read_to_string(place.path("sweep.html")).unwrap(), "mine");
    drop(sweep);
    assert_eq!(names(place.around.path()), ["files.json", "sweep.csv", "sweep.html"]);
    let papers = Collection::open(place.around.path(), Kind::Papers, &[]).unwrap_err().to_string();
    assert!(papers.contains("it contains a sweep"), "{papers}");
    fs::write(place.path("sweep.csv"), "2, in a spreadsheet").unwrap();
    let edited = Collection::open(place.around.path(), Kind::Sweep, &["sweep.csv"]).unwrap_err().to_string();
    assert!(edited.contains("sweep.csv, which has been edited"), "{edited}");
}

#[test]
fn files_of_a_dead_process_in_a_growing_folder_are_removed() {
    let place = Place::stored();
    fs::create_dir_all(place.path(".setpoint/run")).unwrap();
    fs::create_dir_all(place.path(".setpoint/staged")).unwrap();
    fs::write(place.path(".setpoint/setpoint.owner"), "setpoint 12\n").unwrap();
    fs::rename(place.path("run"), place.path(".setpoint/run/old")).unwrap();
    drop(Collection::open(place.around.path(), Kind::Sweep, &[]).unwrap());
    assert_eq!(names(place.around.path()), ["run"]);
    assert_eq!(store::read_listed(&place.path("run")).unwrap(), record(1));

    fs::create_dir(place.path(".setpoint")).unwrap();
    fs::write(place.path(".setpoint/mine"), "mine").unwrap();
    let error = Collection::open(place.around.path(), Kind::Sweep, &[]).unwrap_err();
    assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
    assert_eq!(names(&place.path(".setpoint")), ["mine"]);
}
