//! Scenario files, and files that they extend.

use std::fs;
use std::path::Path;

use setpoint_lab::files;
use setpoint_scenario::{Diagnostics, Source};
use setpoint_units::{Bytes, TimeDelta};

/// The message reported on loading a file and creating its variants, with paths relative to the tests folder.
fn complaint(path: &Path) -> String {
    let load = |source: Source| files::load(&source, &[])?.variants();
    match files::read(path).and_then(load) {
        Ok(_) => panic!("{} should be invalid", path.display()),
        Err(errors) => shown(&errors, path),
    }
}

fn shown(errors: &Diagnostics, path: &Path) -> String {
    let folder = path.parent().map(|folder| format!("{}/", folder.display())).unwrap_or_default();
    let text = errors.to_string().replace(&folder, "");
    // Trailing spaces that anstyle adds to fill a frame do not matter here.
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// The message reported on loading a file that a test writes.
fn complaint_about(name: &str, write: impl FnOnce(&Path)) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    write(&path);
    complaint(&path)
}

#[test]
fn a_file_of_100_megabytes() {
    let message =
        complaint_about("huge.toml", |path| fs::File::create(path).unwrap().set_len(100_000_000).unwrap());
    insta::assert_snapshot!(message);
}

#[test]
fn a_file_that_is_not_utf8() {
    let message = complaint_about("latin1.toml", |path| {
        fs::write(path, b"name = \"ok\"\ndescription = \"caf\xe9\"\n").unwrap();
    });
    insta::assert_snapshot!(message);
}

#[test]
fn a_file_that_is_not_there() {
    insta::assert_snapshot!(complaint_about("nowhere.toml", |_| ()));
}

#[test]
fn a_folder() {
    insta::assert_snapshot!(complaint_about("folder.toml", |path| fs::create_dir(path).unwrap()));
}

#[test]
fn a_chain_of_extends_that_is_too_long() {
    let message = complaint_about("0.toml", |path| {
        for number in 0..40 {
            let text = format!("extends = \"{}.toml\"\n", number + 1);
            fs::write(path.with_file_name(format!("{number}.toml")), text).unwrap();
        }
    });
    insta::assert_snapshot!(message);
}

#[test]
fn extends() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write(
        "base.toml",
        "extends = \"default\"\nseed = 5\nduration = \"3 s\"\n[network]\nbuffer = \"200 kB\"\n",
    );
    write(
        "child.toml",
        "extends = \"base.toml\"\nname = \"child\"\n[network]\nframe = \"500 B\"\n[topology.star]\nstations = 3\n[[at]]\ntime = \"1 s\"\nport = \"bridge->h3\"\nrate = \"1 Gb/s\"\n[[flows]]\nfrom = \"h{1..2}\"\nto = \"h3\"\n",
    );
    let scenario = files::load(&files::read(folder.path().join("child.toml")).unwrap(), &[]);
    let scenario = scenario.unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!((scenario.name(), scenario.seed()), ("child", 5));
    assert_eq!(scenario.description(), "");
    let prepared = scenario.prepare(5).unwrap();
    assert_eq!(prepared.spec.duration, TimeDelta::from_secs(3));
    assert_eq!((prepared.spec.buffer, prepared.spec.flows[0].frame), (Bytes::new(200_000), Bytes::new(500)));
    // Lists are replaced as a whole, and so is the topology.
    assert_eq!(prepared.event_labels.len(), 1);
    assert_eq!(prepared.spec.topology.nodes().len(), 4);
}
