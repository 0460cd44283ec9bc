//! Sweeps: the same results on any number of threads, resumed where they were interrupted.

use std::collections::BTreeMap;
use std::fs;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use setpoint_lab::sweep::{
    RunEnd, RunId, SweepError, SweepMonitor, SweepOptions, SweepSummary, Unwatched, other_results, sweep,
};
use setpoint_lab::{files, store};
use setpoint_record::VERSION;
use setpoint_record::results::Build;
use setpoint_scenario::{Scenario, Source, Variant};
use setpoint_sim::Decision;

const SWEEP: &str = r#"
    name = "two by two"
    duration = "20 ms"
    measure_from = "5 ms"
    sample_interval = "1 ms"
    topology.dumbbell = { senders = 2, rate = "10 Gb/s", rtt = "50 us" }
    control.qcn.preset = "10G"

    [sweep]
    "topology.dumbbell.senders" = [2, 3]
    "control.qcn.cp.set_point" = ["26 kB", "33 kB"]
"#;

/// The second variant has too little headroom and loses a frame.
const FAILING: &str = r#"
    duration = "5 ms"
    sample_interval = "1 ms"
    topology.dumbbell = { senders = 4, rate = "10 Gb/s", rtt = "50 us" }
    flow_control.pfc = { xoff = "20 kB", xon = "10 kB" }

    [sweep]
    "flow_control.pfc.headroom" = ["auto", "1 kB", "100 kB"]
"#;

fn variants(text: &str) -> Vec<Variant> {
    let scenario =
        Scenario::load(&Source::new("test.toml", text), &[]).unwrap_or_else(|errors| panic!("{errors}"));
    scenario.variants().unwrap_or_else(|errors| panic!("{errors}"))
}

fn options(folder: &Path, seeds: u32, threads: usize) -> SweepOptions<'_> {
    SweepOptions { folder, seeds: NonZeroU32::new(seeds).unwrap(), threads: NonZeroUsize::new(threads) }
}

/// Every file under a folder, by its relative path.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}

/// Records how runs end, and stops the sweep after a given number of runs.
#[derive(Default)]
struct Notes {
    started: AtomicUsize,
    ends: Mutex<Vec<(usize, RunEnd)>>,
    repeated: Mutex<Vec<String>>,
    stop_after: Option<usize>,
}

impl Notes {
    fn count(&self, wanted: &RunEnd) -> usize {
        self.ends.lock().unwrap().iter().filter(|(_, end)| end == wanted).count()
    }
}

impl SweepMonitor for Notes {
    fn started(&self, _: &RunId) {
        self.started.fetch_add(1, Ordering::Relaxed);
    }

    fn repeated(&self, run: &RunId, reason: &str) {
        self.repeated.lock().unwrap().push(format!("{}: {reason}", run.folder));
    }

    fn finished(&self, run: &RunId, end: &RunEnd) {
        self.ends.lock().unwrap().push((run.index, end.clone()));
    }

    fn verdict(&self) -> Decision {
        match self.stop_after {
            Some(limit) if self.count(&RunEnd::Stored) >= limit => Decision::Stop,
            _ => Decision::Continue,
        }
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let place = tempfile::tempdir().unwrap();
    let (one, two) = (place.path().join("one"), place.path().join("two"));
    let variants = variants(SWEEP);
    let first = sweep(&variants, &options(&one, 2, 1), &Unwatched).unwrap();
    let second = sweep(&variants, &options(&two, 2, 2), &Unwatched).unwrap();
    assert_eq!(first, second);
    let (one, two) = (files(&one), files(&two));
    assert_eq!(one.keys().collect::<Vec<_>>(), two.keys().collect::<Vec<_>>());
    assert!(one == two, "files differ");
    assert_eq!(one.keys().filter(|name| name.ends_with("manifest.json")).count(), 8);
    assert!(one.contains_key("0_topology.dumbbell.senders=2_control.qcn.cp.set_point=26kB_seed=1/flows.csv"));
    assert!(one.contains_key("3_topology.dumbbell.senders=3_control.qcn.cp.set_point=33kB_seed=2/flows.csv"));
}

#[test]
fn the_figures_are_means_over_seeds() {
    let place = tempfile::tempdir().unwrap();
    let summary = sweep(&variants(SWEEP), &options(place.path(), 3, 2), &Unwatched).unwrap();
    assert_eq!(summary.axes, ["topology.dumbbell.senders", "control.qcn.cp.set_point"]);
    assert_eq!(summary.variants.len(), 4);
    for variant in &summary.variants {
        assert_eq!(variant.runs.iter().map(|run| run.seed).collect::<Vec<_>>(), [1, 2, 3]);
        let queues: Vec<f64> = variant.runs.iter().map(|run| run.figures["queue_mean_bytes"]).collect();
        let spread = variant.figures["queue_mean_bytes"];
        assert_eq!(spread.count, 3);
        assert!((spread.mean - queues.iter().sum::<f64>() / 3.0).abs() < 1e-6);
        assert!(spread.min < spread.mean && spread.mean < spread.max && spread.deviation.unwrap() > 0.0);
        assert!(!variant.figures.contains_key("fct_mean_s"), "there are no messages");
    }
    let stored: SweepSummary =
        serde_json::from_slice(&fs::read(place.path().join("sweep.json")).unwrap()).unwrap();
    assert_eq!(stored, summary);
    let table = fs::read_to_string(place.path().join("sweep.csv")).unwrap();
    let mut lines = table.lines();
    let header = "variant,topology.dumbbell.senders,control.qcn.cp.set_point,runs,failed,error,queue,mean_throughput_bps,deviation_throughput_bps,";
    assert!(lines.next().unwrap().starts_with(header));
    assert!(lines.next().unwrap().starts_with("0,2,26 kB,3,0,,left->right/3,"));
    assert_eq!(lines.count(), 3);
}

#[test]
fn an_interrupted_sweep_resumes() {
    let place = tempfile::tempdir().unwrap();
    let (cut, whole) = (place.path().join("cut"), place.path().join("whole"));
    let variants = variants(SWEEP);
    sweep(&variants, &options(&whole, 2, 2), &Unwatched).unwrap();

    let stopping = Notes { stop_after: Some(3), ..Notes::default() };
    let error = sweep(&variants, &options(&cut, 2, 1), &stopping).unwrap_err();
    let SweepError::Stopped { done, runs: 8 } = error else { panic!("{error}") };
    // While the third was being stored, the fourth may have finished.
    assert!((3..=4).contains(&done), "{error}");
    assert_eq!(
        error.to_string(),
        format!("stopped after {done} of 8 runs; the same command resumes the sweep")
    );
    let left = files(&cut);
    assert_eq!(left.keys().filter(|name| name.ends_with("manifest.json")).count(), done);
    assert!(
        !left.contains_key("sweep.json")
            && left.keys().all(|name| !name.contains("partial") && !name.starts_with('.'))
    );

    let resuming = Notes::default();
    sweep(&variants, &options(&cut, 2, 2), &resuming).unwrap();
    assert_eq!((resuming.started.load(Ordering::Relaxed), resuming.count(&RunEnd::Found)), (8 - done, done));
    assert!(files(&cut) == files(&whole), "a resumed sweep leaves the same files");

    let again = Notes::default();
    sweep(&variants, &options(&cut, 2, 2), &again).unwrap();
    assert_eq!((again.started.load(Ordering::Relaxed), again.count(&RunEnd::Found)), (0, 8));
}

#[test]
fn runs_that_do_not_match_are_repeated() {
    let place = tempfile::tempdir().unwrap();
    sweep(&variants(SWEEP), &options(place.path(), 1, 2), &Unwatched).unwrap();
    let changed = variants(&SWEEP.replace("rtt = \"50 us\"", "rtt = \"60 us\""));
    let notes = Notes::default();
    sweep(&changed, &options(place.path(), 1, 2), &notes).unwrap();
    assert_eq!((notes.count(&RunEnd::Stored), notes.count(&RunEnd::Found)), (4, 0));

    let folder = place.path().join("0_topology.dumbbell.senders=2_control.qcn.cp.set_point=26kB_seed=1");
    let manifest = fs::read_to_string(folder.join("manifest.json")).unwrap();
    let version = store::read_manifest(&folder).unwrap().version;
    fs::write(folder.join("manifest.json"), manifest.replace(&version, "0.0.1")).unwrap();
    let notes = Notes::default();
    sweep(&changed, &options(place.path(), 1, 2), &notes).unwrap();
    assert_eq!((notes.count(&RunEnd::Stored), notes.count(&RunEnd::Found)), (1, 3));
}

/// Stores a run again as if another build had computed it.
fn built_otherwise(run: &Path, change: impl FnOnce(&mut Build)) {
    let mut record = store::read(run).unwrap();
    change(&mut record.manifest.build);
    store::write(&record, run).unwrap();
}

#[test]
fn runs_of_other_sources_are_repeated_and_those_of_another_build_are_not() {
    let place = tempfile::tempdir().unwrap();
    let variants = variants(&SWEEP[..SWEEP.find("[sweep]").unwrap()]);
    sweep(&variants, &options(place.path(), 3, 1), &Unwatched).unwrap();
    built_otherwise(&place.path().join("seed=1"), |build| build.sources = "0123456789abcdef".to_owned());
    built_otherwise(&place.path().join("seed=2"), |build| {
        build.commit = Some("0123456789abcdef0123456789abcdef01234567".to_owned());
        build.profile = "release".to_owned();
    });
    let notes = Notes::default();
    sweep(&variants, &options(place.path(), 3, 1), &notes).unwrap();
    assert_eq!((notes.count(&RunEnd::Stored), notes.count(&RunEnd::Found)), (1, 2));
    let told = notes.repeated.lock().unwrap().join("\n");
    assert_eq!(told, format!("seed=1: it is from a build of version {VERSION} with other sources"));
}

#[test]
fn seeds_do_not_wrap() {
    let place = tempfile::tempdir().unwrap();
    let text = format!("seed = {}\n{}", u64::MAX - 1, &SWEEP[..SWEEP.find("[sweep]").unwrap()]);
    let variants = variants(&text);
    assert!(sweep(&variants, &options(place.path(), 2, 1), &Unwatched).is_ok());
    let refused = sweep(&variants, &options(place.path(), 3, 1), &Unwatched).unwrap_err().to_string();
    insta::assert_snapshot!(refused, @"3 seeds starting at 18446744073709551614 would exceed the largest seed, 18446744073709551615; begin with a seed of at most 18446744073709551613");
}

#[test]
fn damaged_runs_are_repeated_and_the_reason_is_reported() {
    let place = tempfile::tempdir().unwrap();
    let single = &SWEEP[..SWEEP.find("[sweep]").unwrap()];
    let variants = variants(single);
    let options = options(place.path(), 2, 1);
    let whole = sweep(&variants, &options, &Unwatched).unwrap();
    let before = files(place.path());
    let damaged = |file: &str, text: &str| match text {
        "" => None,
        " " => Some(fs::read_to_string(place.path().join("seed=2").join(file)).unwrap() + " "),
        text => Some(text.to_owned()),
    };
    for (file, text) in [
        ("summary.json", " "),
        ("flows.csv", "time_s,flow,rate_bps,limit_bps,notifications\n"),
        ("topology.json", ""),
        ("manifest.json", "{ \"version\": \"0."),
        ("manifest.json", ""),
        ("files.json", ""),
    ] {
        let path = place.path().join("seed=2").join(file);
        match damaged(file, text) {
            Some(text) => fs::write(&path, text).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        let notes = Notes::default();
        assert_eq!(sweep(&variants, &options, &notes).unwrap(), whole, "{file}");
        let told = notes.repeated.lock().unwrap().join("\n");
        assert!(told.starts_with("seed=2: ") && told.contains(file) && told.lines().count() == 1, "{told}");
        assert_eq!((notes.count(&RunEnd::Stored), notes.count(&RunEnd::Found)), (1, 1), "{file}");
        assert!(files(place.path()) == before, "{file}");
    }
}

/// A file system may keep the names of files but not their content.
#[test]
fn runs_that_a_power_failure_emptied_are_repeated() {
    let place = tempfile::tempdir().unwrap();
    let (variants, options) = (variants(SWEEP), options(place.path(), 1, 2));
    let whole = sweep(&variants, &options, &Unwatched).unwrap();
    let before = files(place.path());
    let run = place.path().join(before.keys().find_map(|name| name.strip_suffix("/manifest.json")).unwrap());
    let empty = |name: &str| fs::write(run.join(name), "").unwrap();
    for entry in fs::read_dir(&run).unwrap() {
        empty(entry.unwrap().file_name().to_str().unwrap());
    }
    assert_eq!(sweep(&variants, &options, &Unwatched).unwrap(), whole);
    assert!(files(place.path()) == before);
    let manifest = fs::read(run.join("manifest.json")).unwrap();
    fs::write(run.join("manifest.json"), &manifest[..1_000]).unwrap();
    fs::write(run.join("files.json"), [0; 500]).unwrap();
    assert_eq!(sweep(&variants, &options, &Unwatched).unwrap(), whole, "cut off, and filled with zeros");
    ["files.json", "manifest.json"].into_iter().for_each(empty);
    fs::write(run.join("notes.txt"), "mine").unwrap();
    let told = sweep(&variants, &options, &Unwatched).unwrap();
    assert_ne!(told, whole, "a run whose folder holds a foreign file fails");
    assert_eq!(fs::read_to_string(run.join("notes.txt")).unwrap(), "mine");
}

/// A process that was killed may leave its lock next to a run that another process has completed.
#[test]
fn leftovers_beside_stored_runs_are_removed() {
    let place = tempfile::tempdir().unwrap();
    let variants = variants(SWEEP);
    sweep(&variants, &options(place.path(), 1, 2), &Unwatched).unwrap();
    let before = files(place.path());
    let run =
        before.keys().find_map(|name| name.split('/').next().filter(|name| name.contains("seed=1"))).unwrap();
    fs::write(place.path().join(format!(".{run}.lock")), "setpoint 1\n").unwrap();
    fs::create_dir(place.path().join(format!(".{run}.partial-1-0"))).unwrap();
    sweep(&variants, &options(place.path(), 1, 2), &Unwatched).unwrap();
    let names =
        fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let hidden: Vec<String> = names.filter(|name| name.starts_with('.') && name.contains("seed")).collect();
    assert!(hidden.is_empty(), "{hidden:?}");
    assert_eq!(files(place.path()), before);
}

#[test]
fn results_of_other_runs_are_replaced_and_the_reason_is_reported() {
    let place = tempfile::tempdir().unwrap();
    let single = &SWEEP[..SWEEP.find("[sweep]").unwrap()];
    sweep(&variants(single), &options(place.path(), 1, 1), &Unwatched).unwrap();
    let notes = Notes::default();
    sweep(&variants(&single.replace("50 us", "60 us")), &options(place.path(), 1, 1), &notes).unwrap();
    assert_eq!(*notes.repeated.lock().unwrap(), ["seed=1: it is for another scenario"]);
    fs::rename(place.path().join("seed=1"), place.path().join("seed=2")).unwrap();
    let notes = Notes::default();
    sweep(&variants(&single.replace("50 us", "60 us")), &options(place.path(), 2, 1), &notes).unwrap();
    assert_eq!(*notes.repeated.lock().unwrap(), ["seed=2: it is for seed 1"]);
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_a_run_is_kept() {
    let place = tempfile::tempdir().unwrap();
    let single = variants(&SWEEP[..SWEEP.find("[sweep]").unwrap()]);
    let folder = place.path().join("sweep");
    sweep(&single, &options(&folder, 1, 1), &Unwatched).unwrap();
    fs::rename(folder.join("seed=1"), place.path().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", folder.join("seed=1")).unwrap();
    assert_eq!(
        sweep(&single, &options(&folder, 1, 1), &Unwatched).unwrap().failures().count(),
        0,
        "reading follows it"
    );
    fs::write(place.path().join("elsewhere/flows.csv"), "").unwrap();
    let summary = sweep(&single, &options(&folder, 1, 1), &Unwatched).unwrap();
    assert!(summary.failures().all(|(_, error)| error.contains("it is a symbolic link")));
    assert_eq!(summary.failures().count(), 1);
    assert!(fs::symlink_metadata(folder.join("seed=1")).unwrap().is_symlink());
}

#[test]
fn a_second_sweep_in_the_same_folder_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let folder = setpoint_lab::sweep::open(place.path()).unwrap();
    let notes = Notes::default();
    let error = sweep(&variants(SWEEP), &options(place.path(), 1, 1), &notes).unwrap_err().to_string();
    assert!(error.contains("is in use by process"), "{error}");
    assert_eq!(notes.started.load(Ordering::Relaxed), 0);
    drop(folder);
    sweep(&variants(SWEEP), &options(place.path(), 1, 1), &notes).unwrap();
}

#[test]
fn a_change_in_an_extended_file_is_noticed() {
    let place = tempfile::tempdir().unwrap();
    let (base, child) = (place.path().join("base.toml"), place.path().join("child.toml"));
    fs::write(&base, SWEEP).unwrap();
    fs::write(&child, "extends = \"base.toml\"\nduration = \"10 ms\"\n").unwrap();
    let again = || {
        let scenario = files::load(&files::read(&child).unwrap(), &[]).unwrap();
        let notes = Notes::default();
        let variants = scenario.variants().unwrap();
        let summary = sweep(&variants, &options(&place.path().join("out"), 1, 2), &notes).unwrap();
        (summary, notes.count(&RunEnd::Stored), notes.count(&RunEnd::Found))
    };
    let (first, stored, found) = again();
    assert_eq!((stored, found), (4, 0));
    assert_eq!(again().1, 0);

    // The manifest alone is enough to reproduce a run.
    let run = &first.variants[1].runs[0];
    let manifest = store::read_manifest(&place.path().join("out").join(&run.folder)).unwrap();
    assert_eq!(manifest.scenario, "child");
    let alone = Scenario::load(&Source::new("elsewhere.toml", manifest.scenario_text), &[]).unwrap();
    let other = sweep(&alone.variants().unwrap(), &options(&place.path().join("alone"), 1, 2), &Unwatched);
    assert_eq!(other.unwrap(), first);

    fs::write(&base, SWEEP.replace("50 us", "60 us")).unwrap();
    let (changed, stored, _) = again();
    assert_eq!(stored, 4);
    assert_ne!(changed.variants[0].runs[0].digest, first.variants[0].runs[0].digest);
}

#[test]
fn a_failing_variant_does_not_lose_the_others() {
    let place = tempfile::tempdir().unwrap();
    let summary = sweep(&variants(FAILING), &options(place.path(), 1, 2), &Unwatched).unwrap();
    let failures: Vec<&str> = summary.failures().map(|(_, error)| error).collect();
    assert_eq!(failures.len(), 1);
    assert!(failures[0].starts_with("a frame of flow ") && failures[0].contains("→left"), "{failures:?}");
    assert!(summary.variants[1].figures.is_empty() && summary.variants[1].runs[0].digest.is_none());
    for good in [0, 2] {
        let run = &summary.variants[good].runs[0];
        let record = store::read(&place.path().join(&run.folder)).unwrap();
        assert_eq!(Some(record.manifest.digest), run.digest);
    }
    assert!(!place.path().join(&summary.variants[1].runs[0].folder).exists());
    let table = fs::read_to_string(place.path().join("sweep.csv")).unwrap();
    assert!(table.lines().nth(2).unwrap().starts_with("1,1 kB,1,1,\"a frame of flow "), "{table}");
}

#[test]
fn several_seeds_of_one_scenario_are_a_sweep_too() {
    let place = tempfile::tempdir().unwrap();
    let text = &SWEEP[..SWEEP.find("[sweep]").unwrap()];
    let summary = sweep(&variants(text), &options(place.path(), 2, 2), &Unwatched).unwrap();
    assert!(summary.axes.is_empty());
    let folders: Vec<&str> = summary.variants[0].runs.iter().map(|run| run.folder.as_str()).collect();
    assert_eq!(folders, ["seed=1", "seed=2"]);
    assert!(other_results(place.path(), &summary).unwrap().is_empty());
    let fewer = sweep(&variants(text), &options(place.path(), 1, 2), &Unwatched).unwrap();
    assert_eq!(other_results(place.path(), &fewer).unwrap(), ["seed=2"]);
    assert_ne!(summary.variants[0].runs[0].digest, summary.variants[0].runs[1].digest);
}

#[test]
fn what_is_not_ours_is_left_alone() {
    let place = tempfile::tempdir().unwrap();
    let single = &SWEEP[..SWEEP.find("[sweep]").unwrap()];
    let variants = variants(single);
    let other = place.path().join("other");
    fs::create_dir_all(&other).unwrap();
    fs::write(other.join("sweep.json"), "[]").unwrap();
    let error = sweep(&variants, &options(&other, 1, 1), &Unwatched).unwrap_err().to_string();
    assert!(error.contains("contains sweep.json, which this program did not write"), "{error}");

    let result = place.path().join("sweep/seed=1");
    sweep(&variants, &options(&place.path().join("sweep"), 1, 1), &Unwatched).unwrap();
    let error = sweep(&variants, &options(&result, 1, 1), &Unwatched).unwrap_err().to_string();
    assert!(error.contains("the result of a single run"), "{error}");

    let error = store::check_replaceable(&place.path().join("sweep")).unwrap_err().to_string();
    assert!(error.contains("it contains a sweep;"), "{error}");

    // If the folder of a run holds other content, only that run fails.
    let taken = place.path().join("taken");
    fs::create_dir_all(taken.join("seed=1")).unwrap();
    fs::write(taken.join("seed=1/thesis.tex"), "years of work").unwrap();
    let summary = sweep(&variants, &options(&taken, 2, 1), &Unwatched).unwrap();
    assert_eq!(summary.failures().count(), 1);
    assert_eq!(fs::read_to_string(taken.join("seed=1/thesis.tex")).unwrap(), "years of work");
    assert!(taken.join("seed=2/summary.json").exists());
}

#[test]
fn progress_is_reported_in_fractions() {
    struct Fractions(Mutex<Vec<f64>>);
    impl SweepMonitor for Fractions {
        fn progress(&self, run: &RunId, fraction: f64) -> Decision {
            assert_eq!((run.index, run.runs), (0, 1));
            self.0.lock().unwrap().push(fraction);
            Decision::Continue
        }
    }
    let place = tempfile::tempdir().unwrap();
    let heard = Fractions(Mutex::default());
    let single = &SWEEP[..SWEEP.find("[sweep]").unwrap()];
    sweep(&variants(single), &options(place.path(), 1, 1), &heard).unwrap();
    let fractions = heard.0.into_inner().unwrap();
    // Progress is reported once per sample interval; the simulator may or may not report the last one.
    assert!((19..=20).contains(&fractions.len()), "{fractions:?}");
    assert!(
        fractions.iter().zip(1..).all(|(fraction, step)| (fraction - 0.05 * f64::from(step)).abs() < 1e-12)
    );
}

/// The first variant needs no congestion control, and PFC pauses no port in any variant.
const IDLE: &str = r#"
    duration = "5 ms"
    sample_interval = "1 ms"
    topology.dumbbell = { senders = 2, rate = "10 Gb/s", rtt = "50 us" }
    control.qcn.preset = "10G"
    flow_control.pfc = { xoff = "1 MB", xon = "900 kB" }
    flows = [{ from = "s{1..2}", to = "r{1..2}", pattern = "pairs", traffic.constant.rate = "1 Gb/s" }]

    [sweep]
    "flows.1.traffic.constant.rate" = ["1 Gb/s", "8 Gb/s"]
"#;

#[test]
fn warnings_about_runs_are_counted_by_variant() {
    let place = tempfile::tempdir().unwrap();
    let variants = variants(IDLE);
    let first = sweep(&variants, &options(place.path(), 2, 1), &Unwatched).unwrap();
    let text = |summary: &SweepSummary| -> Vec<String> {
        summary.warnings_of_runs().map(|one| one.text(2, "variants")).collect()
    };
    let expected = [
        "1 of 2 variants: qcn did nothing: no notification was sent",
        "all 2 variants: flow control did nothing: no port was paused",
    ];
    assert_eq!(text(&first), expected);
    let counts = first.variants.iter().map(|one| one.runs.iter().map(|run| run.warnings.len()).sum());
    assert_eq!(counts.collect::<Vec<usize>>(), [4, 2]);
    let resumed = sweep(&variants, &options(place.path(), 2, 1), &Unwatched).unwrap();
    assert_eq!(resumed, first, "stored runs keep their warnings");
}
