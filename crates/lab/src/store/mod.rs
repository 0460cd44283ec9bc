//! Stored results.
//!
//! A result is a folder: `manifest.json`, `summary.json`, `topology.json`, the curves as `samples.csv`, `flows.csv`,
//! `queues.csv` and `ports.csv`, `sources.csv` if there are acknowledgements, `messages.csv` if there are messages, `pauses.csv` and
//! `capture.pcapng` if the scenario requests them, and the index `files.json`. `docs/results.md` describes their content.
//!
//! * A folder is either complete or absent: it is written into a temporary folder next to its destination, synced,
//!   and exchanged with the older result once it is complete ([`Destination`]).
//! * Foreign files are never lost: a folder is replaced only if its index lists everything in it and nobody has
//!   edited its reports.
//! * Several processes can write to the same destination. Single results are stored one after another; a growing
//!   folder ([`Collection`]) belongs to one process at a time. Locks and temporary folders of a dead process are
//!   recognised as such and removed by the next process with the same destination.
//! * [`read()`] returns exactly what was passed to [`write()`], to the last bit of every float, and checks it
//!   against the hashes of the index and the digest of the manifest.

mod capture_file;
mod collection;
mod curves;
mod derived;
mod destination;
mod error;
mod export;
mod file;
mod folder;
mod gate;
mod index;
mod json;
mod lock;
mod messages;
mod new_file;
mod parts;
mod paths;
mod pauses;
mod scratch;
mod site;
mod swap;
mod workplace;

use std::fs;
use std::path::Path;

use serde::de::DeserializeOwned;

use index::Index;
use setpoint_record::results::{Manifest, RunRecord, Series, Summary, digest};

pub use capture_file::CaptureFile;
pub use collection::Collection;
pub use derived::{Derived, PLOTS, REPORT, TABLES};
pub use destination::Destination;
pub use error::StoreError;
pub use export::{Format, export, export_files, export_tables};
pub use file::write_file;
pub use folder::check_replaceable;
pub use gate::abandon;
pub use index::{INDEX, Kind, kind_of};
pub(crate) use new_file::write_new;
use parts::Part;
pub use parts::content;
pub use site::{open_site, write_site};
pub use workplace::Workplace;
pub(crate) use workplace::read_note;

/// The origin of a result. This file identifies a folder as a result.
pub const MANIFEST: &str = "manifest.json";
/// The results of a sweep, stored next to the folders of its runs.
pub const SWEEP: &str = "sweep.json";
/// The page that compares the variants of a sweep, derived from [`SWEEP`].
pub const SWEEP_PAGE: &str = "sweep.html";
/// The figures for a result.
pub const SUMMARY: &str = "summary.json";
/// The network, for drawing.
pub const TOPOLOGY: &str = "topology.json";
/// The captured frames of a run.
pub const CAPTURE: &str = "capture.pcapng";
/// The time axis of the curves.
pub const SAMPLES: &str = "samples.csv";
/// Curves of flows.
pub const FLOWS: &str = "flows.csv";
/// Curves of the sources that received acknowledgements.
pub const SOURCES: &str = "sources.csv";
/// Curves of queues.
pub const QUEUES: &str = "queues.csv";
/// Curves of ports.
pub const PORTS: &str = "ports.csv";
/// Messages.
pub const MESSAGES: &str = "messages.csv";
/// Pauses of ports.
pub const PAUSES: &str = "pauses.csv";

/// Stores a result as a folder, replacing an older result.
///
/// # Errors
/// If the folder exists and is not a result, the record is inconsistent, or a file cannot be written. The previous
/// content is then unchanged.
pub fn write(record: &RunRecord, folder: &Path) -> Result<(), StoreError> {
    write_with(record, folder, &[])
}

/// Stores a result together with its derived files, all or nothing.
///
/// # Errors
/// As [`write()`].
pub fn write_with(record: &RunRecord, folder: &Path, derived: &[Derived]) -> Result<(), StoreError> {
    write_to(record, Destination::open(folder)?, derived)
}

/// Like [`write_with()`], at a destination that is already open.
///
/// # Errors
/// As [`write()`].
pub fn write_to(record: &RunRecord, place: Destination, derived: &[Derived]) -> Result<(), StoreError> {
    check_consistent(record)?;
    for part in Part::of(record) {
        new_file::write_with(&place.path().join(part.name), |file| (part.write)(record, file))?;
    }
    derived.iter().try_for_each(|derived| derived.write(&place.path()))?;
    place.put_in_place(|name| derived.iter().any(|derived| derived.name() == name))
}

/// Adds derived files to a stored result, replacing older ones. `manifest` belongs to the result that they were derived
/// from.
///
/// # Errors
/// If the folder now contains another result, an older file with the same name is foreign or has
/// been edited, or a file cannot be written.
pub fn add(derived: &[Derived], manifest: &Manifest, folder: &Path) -> Result<(), StoreError> {
    let target = paths::resolve(folder)?;
    let scratch = lock::beside(&target, |made| {
        scratch::clean_beside(&target)?;
        scratch::Scratch::beside(&target, made)
    })?;
    let staged = scratch.path().join(scratch::NEW);
    fs::create_dir(&staged).map_err(StoreError::io("create", &staged))?;
    derived.iter().try_for_each(|derived| derived.write(&staged))?;
    let names: Vec<String> = derived.iter().map(|derived| derived.name().to_owned()).collect();
    let added = lock::exclusively(&target, || {
        if read_manifest(&target)? != *manifest {
            return Err(StoreError::Replaced { folder: folder.to_owned() });
        }
        let index = Index::read(&target)?.map_or_else(|| folder::index_of_data(&target), Ok)?;
        folder::install(&target, index, &staged, &names)
    });
    added.map_err(|error| error.named(folder, &target))
}

/// Reads a result.
///
/// # Errors
/// If the folder is not a result, or a file is missing, unreadable or changed.
pub fn read(folder: &Path) -> Result<RunRecord, StoreError> {
    let manifest = read_manifest(folder)?;
    // Results of older versions have no index.
    if let Some(index) = Index::read(folder)? {
        index.verify(folder)?;
    }
    let summary = read_summary(folder)?;
    let topology = json::read(&folder.join(TOPOLOGY))?;
    let series = read_series(folder, &summary)?;
    let messages = match folder.join(MESSAGES) {
        path if path.exists() => messages::read(&path, &summary.flows)?,
        _ => Vec::new(),
    };
    if digest(&summary, &series, &messages) != manifest.digest {
        return Err(StoreError::Digest { folder: folder.to_owned() });
    }
    let pauses = match folder.join(PAUSES) {
        path if path.exists() => Some(pauses::read(&path, &summary.ports)?),
        _ => None,
    };
    Ok(RunRecord { manifest, summary, series, topology, messages, pauses })
}

/// Reads a result that has an index, as every result of this version does.
///
/// # Errors
/// As [`read()`], and if there is no index.
pub fn read_listed(folder: &Path) -> Result<RunRecord, StoreError> {
    match folder.join(INDEX) {
        path if path.is_file() => read(folder),
        path => Err(StoreError::Damaged { path, problem: "is missing" }),
    }
}

/// Checks the files of a result that has an index against their hashes, and reads only its origin.
///
/// # Errors
/// If the folder is not a result, there is no index, or a file is missing or changed.
pub(crate) fn verify(folder: &Path) -> Result<Manifest, StoreError> {
    let absent = || StoreError::Damaged { path: folder.join(INDEX), problem: "is missing" };
    Index::read(folder)?.ok_or_else(absent)?.verify(folder)?;
    read_manifest(folder)
}

/// Reads a JSON file of a growing folder, and checks it against its hash. Folders of older versions have no index.
pub(crate) fn read_unchanged<T: DeserializeOwned>(folder: &Path, name: &str) -> Result<T, StoreError> {
    if let Some(index) = Index::read(folder)? {
        index.verify_file(folder, name)?;
    }
    json::read(&folder.join(name))
}

/// Reads only the origin of a result.
///
/// # Errors
/// If the folder is not a result, or its manifest is unreadable.
pub fn read_manifest(folder: &Path) -> Result<Manifest, StoreError> {
    let path = folder.join(MANIFEST);
    if !path.is_file() {
        return Err(StoreError::NoResult { folder: folder.to_owned() });
    }
    json::read(&path)
}

/// Reads only the figures for a result.
///
/// # Errors
/// If the file is missing or unreadable.
pub fn read_summary(folder: &Path) -> Result<Summary, StoreError> {
    json::read(&folder.join(SUMMARY))
}

fn read_series(folder: &Path, summary: &Summary) -> Result<Series, StoreError> {
    let flows: Vec<&str> = summary.flows.iter().map(|flow| flow.name.as_str()).collect();
    let queues: Vec<&str> = summary.queues.iter().map(|queue| queue.name.as_str()).collect();
    let ports: Vec<&str> = summary.ports.iter().map(|port| port.name.as_str()).collect();
    let sources: Vec<&str> = of_sources(summary).map(String::as_str).collect();
    let time_s = curves::read_axis(&folder.join(SAMPLES))?;
    Ok(Series {
        flows: curves::read(&folder.join(FLOWS), &flows, &time_s)?,
        sources: match sources[..] {
            [] => Vec::new(),
            _ => curves::read(&folder.join(SOURCES), &sources, &time_s)?,
        },
        queues: curves::read(&folder.join(QUEUES), &queues, &time_s)?,
        ports: curves::read(&folder.join(PORTS), &ports, &time_s)?,
        time_s,
    })
}

/// The names of the flows whose sources received acknowledgements.
fn of_sources(summary: &Summary) -> impl Iterator<Item = &String> {
    summary.flows.iter().filter(|flow| flow.acknowledgements.is_some()).map(|flow| &flow.name)
}

/// Checks the assumptions that the file format makes: the curves match the summary and have equal lengths, and the
/// digest is correct.
fn check_consistent(record: &RunRecord) -> Result<(), StoreError> {
    let RunRecord { manifest, summary, series, messages, pauses, .. } = record;
    let problem = |what: &str| Err(StoreError::Inconsistent { what: what.to_owned() });
    let samples = series.time_s.len();
    let curves = curves::matches(&series.flows, summary.flows.iter().map(|flow| &flow.name), samples)
        && curves::matches(&series.sources, of_sources(summary), samples)
        && curves::matches(&series.queues, summary.queues.iter().map(|queue| &queue.name), samples)
        && curves::matches(&series.ports, summary.ports.iter().map(|port| &port.name), samples);
    if !curves {
        return problem("its curves do not match its summary, or differ in length");
    }
    if messages.iter().any(|message| message.flow >= summary.flows.len()) {
        return problem("a message belongs to a flow that does not exist");
    }
    if pauses.iter().flatten().any(|change| change.port >= summary.ports.len()) {
        return problem("a pause belongs to a port that does not exist");
    }
    if !messages.is_empty() && messages::ambiguous(&summary.flows) {
        return problem("two flows have the same name");
    }
    if manifest.digest != digest(summary, series, messages) {
        return problem("its digest does not match its figures");
    }
    Ok(())
}
