//! Destinations are checked before a run.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::support::Synthetic;
use setpoint_lab::store::{self, Destination};
use setpoint_record::results::{RunRecord, digest};

fn record() -> RunRecord {
    let mut record = Synthetic::default().record();
    record.manifest.digest = digest(&record.summary, &record.series, &record.messages);
    record
}

#[test]
fn a_place_that_cannot_take_a_result_is_refused() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("file"), "mine").unwrap();
    symlink("nowhere", place.path().join("dangling")).unwrap();
    symlink("file", place.path().join("link to a file")).unwrap();
    let refused = |folder: &Path| {
        let error = Destination::open(folder).unwrap_err().to_string();
        error.replace(&place.path().display().to_string(), "")
    };
    let messages: Vec<String> =
        ["file", "file/run", "dangling", "dangling/run", "link to a file", "a/../../b", "missing/.."]
            .iter()
            .map(|name| refused(&place.path().join(name)))
            .chain([refused(Path::new("/")), refused(Path::new("/proc/run"))])
            .collect();
    insta::assert_snapshot!(messages.join("\n"));
    let here = Destination::open(Path::new(".")).unwrap_err().to_string();
    assert!(here.contains("it is the current folder, which would be replaced"), "{here}");
    let above = Destination::open(Path::new("../..")).unwrap_err().to_string();
    assert!(above.contains("it is the current folder, which would be replaced"), "{above}");
    let mount = Destination::open(Path::new("/proc")).unwrap_err().to_string();
    assert!(mount.contains("it is a mount point, which cannot be replaced"), "{mount}");
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 3, "nothing was created");
}

#[test]
fn a_link_to_a_folder_is_kept() {
    let place = tempfile::tempdir().unwrap();
    let (disk, link) = (place.path().join("disk"), place.path().join("link"));
    fs::create_dir(&disk).unwrap();
    symlink("disk", &link).unwrap();
    for folder in [&link, &link, &link.join("inside").join("run")] {
        if folder.ends_with("run") {
            fs::remove_dir_all(&disk).unwrap();
            fs::create_dir(&disk).unwrap();
        }
        store::write(&record(), folder).unwrap();
        assert_eq!(store::read_listed(folder).unwrap(), record());
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }
    assert!(disk.join("inside/run/files.json").exists());
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 2);
}

#[test]
fn an_abandoned_destination_leaves_nothing() {
    let place = tempfile::tempdir().unwrap();
    let opened = Destination::open(&place.path().join("a/b/run")).unwrap();
    assert!(place.path().join("a/b").exists());
    drop(opened);
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
}
