//! Invalid scenarios and their messages.
//!
//! Each file in `tests/errors` has one mistake (a few have several); its message is a snapshot. Read these
//! messages as someone who has just made that mistake.

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

#[test]
fn every_error_has_its_message() {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    assert!(files.len() >= 100, "only {} invalid files", files.len());
    for path in files {
        let name = path.file_stem().unwrap().to_str().unwrap();
        insta::with_settings!({ snapshot_path => "../errors/messages", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, complaint(&path));
        });
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

fn override_complaint(setting: &str) -> String {
    complaint_of_settings("default", &[setting])
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

fn snapshot(name: &str, message: &str) {
    insta::with_settings!({ snapshot_path => "../errors/messages", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, message);
    });
}

#[test]
fn a_key_of_another_algorithm_is_refused_in_any_order() {
    let (choice, key) = ("control=smcc", "control.qcn.cp.set_point=20kB");
    let message = complaint_of_settings("league-few", &[choice, key]);
    assert_eq!(message, complaint_of_settings("league-few", &[key, choice]));
    snapshot("set-key-of-another-algorithm", &message);
    snapshot(
        "set-key-without-counterpart",
        &complaint_of_settings("league-few", &[choice, "control.qcn.rp.byte_reset=30kB"]),
    );
    // The algorithm chosen by the file or by a sweep counts as well.
    snapshot(
        "set-key-of-another-algorithm-than-the-file",
        &complaint_of_settings("league-few", &["control.smcc.cp.set_point=20kB"]),
    );
    snapshot(
        "set-key-of-another-algorithm-than-a-variant",
        &complaint_of_settings("leaf-spine-web-search", &[key]),
    );
    snapshot("set-key-of-another-topology", &override_complaint("topology.star.stations=4"));
    snapshot(
        "set-key-of-another-flow-control",
        &complaint_of_settings("incast-pfc", &["flow_control.pause.xoff=60kB"]),
    );
}

#[test]
fn overrides() {
    for (name, setting) in [
        ("set-without-value", "duration"),
        ("set-unknown-key", "topology.dumbbell.sender=4"),
        ("set-last-part-of-a-key", "set_point=33kB"),
        ("set-missing-unit", "topology.dumbbell.rtt=50"),
        ("set-wrong-kind", "topology.dumbbell.senders=many"),
        ("set-out-of-range", "network.priority=9"),
        ("set-no-such-entry", "at.3.rate=1Gb/s"),
        ("set-entry-zero", "at.0.rate=1Gb/s"),
        ("set-makes-no-sense", "network.buffer=10kB"),
        ("set-extends", "extends=mixed"),
        ("set-key-below-a-value", "duration.seconds=1"),
        ("set-several-values", "topology.dumbbell.senders=1,2,3"),
        ("set-several-values-of-an-unknown-key", "senders=1,2,3"),
        ("set-several-algorithms", "control=qcn,smcc"),
        ("set-decimal-comma", "topology.dumbbell.rate=1,5 Gb/s"),
    ] {
        insta::with_settings!({ snapshot_path => "../errors/messages", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, override_complaint(setting));
        });
    }
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
