//! Invalid scenarios and their messages.
//!
//! Each file in `tests/errors` has one mistake (a few have several). Each subject has one snapshot with its
//! messages; the subject is the first word of their names. Read them as someone who has just made that
//! mistake.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use setpoint_scenario::{Diagnostics, Files, Override, Scenario, Source};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors")
}

/// The files of a folder.
struct Folder;

impl Files for Folder {
    fn open(&self, folder: &Path, target: &str) -> Result<Source, String> {
        let path = folder.join(target);
        let text = fs::read_to_string(&path).map_err(|_| "there is no such file")?;
        Ok(Source::of_file(path.display().to_string(), text, folder.to_owned()))
    }

    fn canonical(&self, path: PathBuf) -> PathBuf {
        path
    }
}

/// The message reported on loading a file and creating its variants, with paths relative to the tests folder.
fn complaint(path: &Path) -> String {
    let name = path.file_name().unwrap().to_str().unwrap();
    let source = Folder.open(&folder(), name).unwrap();
    match Scenario::load_with(&source, &[], &Folder).and_then(|scenario| scenario.variants()) {
        Ok(_) => panic!("{name} should be invalid"),
        Err(errors) => shown(&errors, path),
    }
}

fn shown(errors: &Diagnostics, path: &Path) -> String {
    let folder = path.parent().map(|folder| format!("{}/", folder.display())).unwrap_or_default();
    let text = errors.to_string().replace(&folder, "");
    // Trailing spaces that anstyle adds to fill a frame do not matter here.
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// Minimum number of files for a word to be a separate subject.
const SHARED: usize = 3;

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}

#[test]
fn every_error_has_its_message() {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    assert!(files.len() >= 100, "only {} invalid files", files.len());
    let messages = files.iter().map(|path| (stem(path), complaint(path)));
    let subject = |name: &str| {
        let first = |name: &str| name.split('-').next().unwrap().to_owned();
        let is_shared = files.iter().filter(|path| first(name) == first(&stem(path))).count() >= SHARED;
        if is_shared { first(name) } else { "other".to_owned() }
    };
    let mut subjects: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for (name, message) in messages {
        subjects.entry(subject(&name)).or_default().push((name, message));
    }
    for (subject, messages) in subjects {
        snapshot(&subject, &messages);
    }
}

#[test]
fn an_unknown_builtin() {
    insta::assert_snapshot!(Source::builtin("defualt").unwrap_err());
}

#[test]
fn a_text_from_nowhere_extends_no_file() {
    let source = Source::new("pasted", "extends = \"/etc/passwd\"\n");
    insta::assert_snapshot!(Scenario::load(&source, &[]).unwrap_err());
}

/// The message about a built-in scenario, or one of its variants, with some keys set.
fn complaint_of_settings(builtin: &str, settings: &[&str]) -> String {
    let source = Source::builtin(builtin).unwrap();
    let settings: Result<Vec<Override>, _> = settings.iter().map(|setting| setting.parse()).collect();
    match settings.and_then(|settings| Scenario::load(&source, &settings)?.variants()) {
        Ok(_) => panic!("{builtin} should be invalid"),
        Err(errors) => shown(&errors, Path::new("")),
    }
}

/// Compares messages with their snapshot, in which each has its name as a heading.
fn snapshot(subject: &str, messages: &[(String, String)]) {
    let text: String = messages.iter().map(|(name, message)| format!("## {name}\n{message}\n")).collect();
    insta::with_settings!({ snapshot_path => "../errors/messages", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(subject, text);
    });
}

#[test]
fn settings() {
    let (choice, key) = ("control=smcc", "control.qcn.cp.set_point=20kB");
    assert_eq!(
        complaint_of_settings("league-few", &[choice, key]),
        complaint_of_settings("league-few", &[key, choice])
    );
    let cases: &[(&str, &str, &[&str])] = &[
        ("without-value", "default", &["duration"]),
        ("unknown-key", "default", &["topology.dumbbell.sender=4"]),
        ("last-part-of-a-key", "default", &["set_point=33kB"]),
        ("missing-unit", "default", &["topology.dumbbell.rtt=50"]),
        ("wrong-kind", "default", &["topology.dumbbell.senders=many"]),
        ("out-of-range", "default", &["network.priority=9"]),
        ("no-such-entry", "default", &["at.3.rate=1Gb/s"]),
        ("entry-zero", "default", &["at.0.rate=1Gb/s"]),
        ("makes-no-sense", "default", &["network.buffer=10kB"]),
        ("extends", "default", &["extends=mixed"]),
        ("key-below-a-value", "default", &["duration.seconds=1"]),
        ("several-values", "default", &["topology.dumbbell.senders=1,2,3"]),
        ("several-values-of-an-unknown-key", "default", &["senders=1,2,3"]),
        ("several-algorithms", "default", &["control=qcn,smcc"]),
        ("decimal-comma", "default", &["topology.dumbbell.rate=1,5 Gb/s"]),
        ("key-of-another-algorithm", "league-few", &[choice, key]),
        ("key-without-counterpart", "league-few", &[choice, "control.qcn.rp.byte_reset=30kB"]),
        // The algorithm chosen by the file or by a sweep counts as well.
        ("key-of-another-algorithm-than-the-file", "league-few", &["control.smcc.cp.set_point=20kB"]),
        ("key-of-another-algorithm-than-a-variant", "leaf-spine-web-search", &[key]),
        ("key-of-another-topology", "default", &["topology.star.stations=4"]),
        ("key-of-another-flow-control", "incast-pfc", &["flow_control.pause.xoff=60kB"]),
    ];
    let message = |&(name, builtin, settings): &(&str, &str, &[&str])| {
        (name.to_owned(), complaint_of_settings(builtin, settings))
    };
    snapshot("settings", &cases.iter().map(message).collect::<Vec<_>>());
}

#[test]
fn a_suggested_key_of_an_entry_has_its_number() {
    let text = "name = \"lab\"\n[topology.star]\nstations = 3\nrate = \"10 Gb/s\"\ndelay = \"1 us\"\n\
                [[flows]]\nname = \"rest\"\nfrom = \"h1\"\nto = \"h2\"\n\
                [[flows]]\nname = \"web\"\nfrom = \"h1\"\nto = \"h3\"\n\
                traffic = { poisson = { load = \"40 %\", sizes = \"web-search\" } }\n";
    let source = Source::new("lab.toml", text);
    for (key, suggested) in [
        ("flows.web.traffic.poisson.load", "flows.2.traffic.poisson.load"),
        ("flows.2.load", "flows.2.traffic.poisson.load"),
        ("flows.2.traffic.poison.load", "flows.2.traffic.poisson.load"),
    ] {
        let set = |key: &str| -> Vec<Override> { vec![format!("{key}=20 %").parse().unwrap()] };
        let message = Scenario::load(&source, &set(key)).unwrap_err().to_string();
        assert!(message.contains(&format!("did you mean `{suggested}`?")), "{message}");
        Scenario::load(&source, &set(suggested)).unwrap_or_else(|errors| panic!("{errors}"));
    }
}
