//! Stored results: reading returns exactly what was written, and foreign files are not lost.

use std::fs;
use std::path::Path;

use crate::support::Synthetic;
use setpoint_lab::store::{self, Derived, StoreError};
use setpoint_record::results::{
    CulpritSummary, DeadlockSummary, Manifest, RunRecord, Side, Summary, digest, queue_name,
};

fn record(run: Synthetic) -> RunRecord {
    let mut record = run.record();
    record.manifest.digest = digest(&record.summary, &record.series, &record.messages);
    record
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_result_is_read_back_to_the_bit() {
    let place = tempfile::tempdir().unwrap();
    for (index, run) in [
        Synthetic::default(),
        Synthetic { senders: 1, samples: 3, messages: 1, seed: 9 },
        Synthetic { senders: 7, samples: 120, messages: 40, seed: 77 },
        Synthetic { samples: 0, ..Synthetic::default() },
    ]
    .into_iter()
    .enumerate()
    {
        let (record, folder) = (record(run), place.path().join(index.to_string()));
        store::write(&record, &folder).unwrap();
        assert_eq!(store::read(&folder).unwrap(), record, "{run:?}");
        assert_eq!(folder.join("messages.csv").exists(), run.messages > 0);
        for name in names(&folder).into_iter().filter(|name| name != store::INDEX) {
            assert_eq!(store::content(&record, &name), Some(fs::read(folder.join(&name)).unwrap()), "{name}");
        }
        assert_eq!(store::content(&record, "../secret"), None);
    }
}

#[test]
fn trees_and_deadlocks_are_read_back_and_older_results_have_none() {
    let mut record = record(Synthetic::default());
    assert_eq!(record.summary.congestion_trees.pauses.len(), 1);
    let cycle = vec!["a->b".to_owned(), "b->a#2".to_owned()];
    record.summary.deadlock = Some(DeadlockSummary { at_s: 0.1, cycle, priority: Some(3), stuck_ports: 5 });
    record.summary.flows[0].victim_s = 1.0 / 3.0;
    record.manifest.digest = digest(&record.summary, &record.series, &record.messages);
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    store::write(&record, &folder).unwrap();
    assert_eq!(store::read(&folder).unwrap(), record);
    let mut older = serde_json::to_value(&record.summary).unwrap();
    older.as_object_mut().unwrap().retain(|key, _| !["congestion_trees", "deadlock"].contains(&key.as_str()));
    let older: Summary = serde_json::from_value(older).unwrap();
    assert!(older.congestion_trees.pauses.is_empty() && older.deadlock.is_none());
}

#[test]
fn input_buffers_and_spines_survive() {
    let mut record = record(Synthetic { senders: 2, samples: 4, messages: 0, seed: 5 });
    let queue = &mut record.summary.queues[0];
    queue.side = Side::Input;
    queue.name = queue_name(&queue.port, queue.priority, Side::Input);
    queue.culprits = Some(CulpritSummary {
        searches: 3,
        reads: 10,
        reads_per_search: 10.0 / 3.0,
        fallbacks: 1,
        fallback_reads: 2,
    });
    record.series.queues[0].name = queue.name.clone();
    record.topology.nodes[0].spine = true;
    record.manifest.digest = digest(&record.summary, &record.series, &record.messages);
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    store::write(&record, &folder).unwrap();
    assert_eq!(store::read(&folder).unwrap(), record);
    let curves = fs::read_to_string(folder.join(store::QUEUES)).unwrap();
    assert!(curves.contains(",left->right/3 (input),"), "{curves}");
}

#[test]
fn awkward_names_and_floats_survive() {
    let mut record = record(Synthetic { senders: 2, samples: 4, messages: 2, seed: 5 });
    for name in [&mut record.summary.flows[0].name, &mut record.series.flows[0].name] {
        *name = "a \"quoted\", long\nname; µ".to_owned();
    }
    record.series.flows[0].rate_bps = vec![0.1 + 0.2, 5e-324, f64::MAX, -0.0];
    record.summary.total.throughput_bps = 1.0 / 3.0 * 1e10;
    record.manifest.digest = digest(&record.summary, &record.series, &record.messages);
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    store::write(&record, &folder).unwrap();
    let read = store::read(&folder).unwrap();
    assert_eq!(read, record);
    let bits = |record: &RunRecord| {
        record.series.flows[0].rate_bps.iter().map(|rate| rate.to_bits()).collect::<Vec<_>>()
    };
    assert_eq!(bits(&read), bits(&record));
}

#[test]
fn only_documented_files_are_written_and_nothing_else_is_left() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("deep/run");
    store::write(&record(Synthetic { messages: 1, ..Synthetic::default() }), &folder).unwrap();
    let expected = [
        "files.json",
        "flows.csv",
        "manifest.json",
        "messages.csv",
        "ports.csv",
        "queues.csv",
        "samples.csv",
        "summary.json",
        "topology.json",
    ];
    assert_eq!(names(&folder), expected);
    assert_eq!(names(&place.path().join("deep")), ["run"]);
    let first_lines = |name: &str| {
        fs::read_to_string(folder.join(name)).unwrap().lines().take(2).collect::<Vec<_>>().join("\n")
    };
    assert!(first_lines("flows.csv").starts_with("time_s,flow,rate_bps,limit_bps,notifications\n0.001,f1,"));
    assert!(first_lines("queues.csv").starts_with(
        "time_s,queue,length_bytes,largest_bytes,notifications,marked_frames\n0.001,left->right/3,"
    ));
    assert!(
        first_lines("ports.csv")
            .starts_with("time_s,port,utilisation_share,paused_share\n0.001,left->right,")
    );
}

#[test]
fn an_older_result_is_replaced_completely() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    let older = record(Synthetic { messages: 3, ..Synthetic::default() });
    store::write_with(&older, &folder, &[Derived::report("<p>old</p>".to_owned())]).unwrap();
    let newer = record(Synthetic { seed: 2, ..Synthetic::default() });
    store::write(&newer, &folder).unwrap();
    assert_eq!(store::read(&folder).unwrap(), newer);
    assert!(!folder.join("messages.csv").exists() && !folder.join("report.html").exists());
    assert_eq!(names(place.path()), ["run"]);
}

#[test]
fn what_is_not_ours_is_left_alone() {
    let place = tempfile::tempdir().unwrap();
    let record = record(Synthetic::default());
    let refused = |folder: &Path| {
        let error = store::write(&record, folder).unwrap_err().to_string();
        error.replace(&place.path().display().to_string(), "")
    };
    let mut messages = Vec::new();
    let photos = place.path().join("photos");
    fs::create_dir(&photos).unwrap();
    fs::write(photos.join("cat.png"), "meow").unwrap();
    messages.push(refused(&photos));
    let other = place.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("manifest.json"), "{\"name\": \"some extension\"}").unwrap();
    messages.push(refused(&other));
    let mixed = place.path().join("mixed");
    store::write(&record, &mixed).unwrap();
    fs::write(mixed.join("notes.txt"), "mine").unwrap();
    messages.push(refused(&mixed));
    let file = place.path().join("file");
    fs::write(&file, "mine").unwrap();
    messages.push(refused(&file));
    insta::assert_snapshot!(messages.join("\n"));
    assert_eq!(fs::read_to_string(photos.join("cat.png")).unwrap(), "meow");
    assert_eq!(fs::read_to_string(mixed.join("notes.txt")).unwrap(), "mine");
    assert_eq!(names(place.path()), ["file", "mixed", "other", "photos"]);
}

#[test]
fn an_empty_folder_is_taken() {
    let place = tempfile::tempdir().unwrap();
    let record = record(Synthetic::default());
    store::write(&record, place.path()).unwrap();
    assert_eq!(store::read(place.path()).unwrap(), record);
}

#[test]
fn a_failure_leaves_nothing_behind() {
    let place = tempfile::tempdir().unwrap();
    let mut broken = record(Synthetic::default());
    broken.series.flows[0].rate_bps.pop();
    let error = store::write(&broken, &place.path().join("run")).unwrap_err();
    assert!(matches!(error, StoreError::Inconsistent { .. }), "{error}");
    assert!(names(place.path()).is_empty());
}

#[test]
fn changed_files_are_noticed() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    store::write(&record(Synthetic::default()), &folder).unwrap();
    // Without the index, as in results of older versions, only the digest reveals the change.
    fs::remove_file(folder.join(store::INDEX)).unwrap();
    let change = |file: &str, from: &str, to: &str| {
        let path = folder.join(file);
        let old = fs::read_to_string(&path).unwrap();
        assert!(old.contains(from));
        fs::write(&path, old.replacen(from, to, 1)).unwrap();
        let message = store::read(&folder).unwrap_err().to_string();
        fs::write(&path, old).unwrap();
        message.replace(&place.path().display().to_string(), "")
    };
    let messages = [
        change("queues.csv", "0.005,left->right/3,", "0.005,left->right/3,1"),
        change("queues.csv", "0.005,left->right/3,", "0.005,left->right/3,x"),
        change("flows.csv", "f2", "f3"),
        change("flows.csv", "rate_bps", "rate"),
        change("summary.json", "\"duration_s\"", "\"duration\""),
    ];
    insta::assert_snapshot!(messages.join("\n"));
    fs::remove_file(folder.join("ports.csv")).unwrap();
    let missing = store::read(&folder).unwrap_err().to_string();
    assert!(missing.contains("ports.csv"), "{missing}");
    let nothing = store::read(&place.path().join("nothing")).unwrap_err();
    assert!(matches!(nothing, StoreError::NoResult { .. }), "{nothing}");
}

#[test]
fn derived_files_are_stored_and_replaced_with_the_result() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    let record = record(Synthetic::default());
    let picture = vec![0x89, b'P', b'N', b'G', 0xff, 0];
    let derived = [
        Derived::report("<p>".to_owned()),
        Derived::svg("queue: a/b", "<svg/>".to_owned()),
        Derived::png("queue: a/b", picture.clone()),
    ];
    store::write_with(&record, &folder, &derived).unwrap();
    assert_eq!(fs::read_to_string(folder.join("report.html")).unwrap(), "<p>");
    assert_eq!(names(&folder.join("plots")), ["queue--a-b.png", "queue--a-b.svg"]);
    assert_eq!(fs::read(folder.join("plots/queue--a-b.png")).unwrap(), picture);
    store::add(&[Derived::report("<p>new".to_owned())], &record.manifest, &folder).unwrap();
    assert_eq!(fs::read_to_string(folder.join("report.html")).unwrap(), "<p>new");
    assert_eq!(store::read(&folder).unwrap(), record);

    store::write(&record, &folder).unwrap();
    assert!(!folder.join("plots").exists() && !folder.join("report.html").exists());

    fs::create_dir(folder.join("plots")).unwrap();
    fs::write(folder.join("plots/thesis.tex"), "years of work").unwrap();
    assert!(matches!(store::write(&record, &folder), Err(StoreError::Foreign { .. })));
    assert!(matches!(store::add(&derived, &record.manifest, place.path()), Err(StoreError::NoResult { .. })));
}

#[test]
fn warnings_are_read_back_and_older_results_have_none() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    let written = record(Synthetic::default());
    store::write(&written, &folder).unwrap();
    let manifest = store::read(&folder).unwrap().manifest;
    assert_eq!(manifest.warnings, written.manifest.warnings);
    let mut older = serde_json::to_value(&manifest).unwrap();
    older.as_object_mut().unwrap().remove("warnings");
    let older: Manifest = serde_json::from_value(older).unwrap();
    assert_eq!(older, Manifest { warnings: Vec::new(), ..manifest });
}
