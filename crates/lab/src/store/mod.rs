//! Results on disk.
//!
//! A result is a folder: `manifest.json`, `summary.json`, `topology.json`, the curves as
//! `samples.csv`, `flows.csv`, `queues.csv` and `ports.csv`, `messages.csv` where there are messages, and `files.json`,
//! which lists them all. What the files hold is written down in `docs/results.md`.
//!
//! * A folder is complete or not there: it is written into a temporary folder beside its place, synced, and exchanged with
//!   the older result when it is whole ([`Destination`]).
//! * Nothing that this program did not write is lost: a folder is replaced only if its index lists everything in it, and
//!   nobody edited its reports.
//! * Several processes can write into one place. Single results are put there one after the other; a folder that grows
//!   ([`Collection`]) belongs to one process at a time. Locks and temporary folders are recognised as dead when their
//!   process is, and are then removed by the next process that writes into the same place.
//! * [`read()`] gives back exactly what [`write()`] was given, to the last bit of every float, and
//!   checks it against the hashes of the index and the digest of the manifest.

mod collection;
mod curves;
mod derived;
mod destination;
mod error;
mod export;
mod folder;
mod gate;
mod index;
mod json;
mod lock;
mod messages;
mod paths;
mod scratch;
mod swap;

use std::fs;
use std::path::Path;

use crate::results::{Manifest, RunRecord, Series, Summary, digest};
use index::Index;

pub use collection::Collection;
pub use derived::{Derived, PLOTS, REPORT};
pub use destination::Destination;
pub use error::StoreError;
pub use export::export;
pub use folder::check_replaceable;
pub(crate) use folder::write_new;
pub use gate::abandon;
pub use index::{INDEX, Kind, kind_of};
pub use json::text as json_text;

/// Where the result comes from. This file makes a folder a result.
pub const MANIFEST: &str = "manifest.json";
/// What a sweep gave; it stands beside the folders of its runs.
pub const SWEEP: &str = "sweep.json";
/// The page that compares the variants of a sweep; it is made from [`SWEEP`].
pub const SWEEP_PAGE: &str = "sweep.html";
/// The figures.
pub const SUMMARY: &str = "summary.json";
/// The network, for drawing.
pub const TOPOLOGY: &str = "topology.json";
/// The time axis of the curves.
pub const SAMPLES: &str = "samples.csv";
/// Curves of flows.
pub const FLOWS: &str = "flows.csv";
/// Curves of queues.
pub const QUEUES: &str = "queues.csv";
/// Curves of ports.
pub const PORTS: &str = "ports.csv";
/// Messages.
pub const MESSAGES: &str = "messages.csv";

/// Stores a result as a folder, in the place of an older result if there is one.
///
/// # Errors
/// If the folder exists and is not a result, if the record contradicts itself, or if a file cannot
/// be written. What was there before is then still there.
pub fn write(record: &RunRecord, folder: &Path) -> Result<(), StoreError> {
    write_with(record, folder, &[])
}

/// Stores a result together with what was made from it, all or nothing.
///
/// # Errors
/// As [`write()`].
pub fn write_with(record: &RunRecord, folder: &Path, derived: &[Derived]) -> Result<(), StoreError> {
    write_to(record, Destination::open(folder)?, derived)
}

/// The same in a place that was opened before.
///
/// # Errors
/// As [`write()`].
pub fn write_to(record: &RunRecord, place: Destination, derived: &[Derived]) -> Result<(), StoreError> {
    check_consistent(record)?;
    let file = |name: &str| place.path().join(name);
    json::write(&file(SUMMARY), &record.summary)?;
    json::write(&file(TOPOLOGY), &record.topology)?;
    curves::write_axis(&file(SAMPLES), &record.series.time_s)?;
    curves::write(&file(FLOWS), &record.series.time_s, &record.series.flows)?;
    curves::write(&file(QUEUES), &record.series.time_s, &record.series.queues)?;
    curves::write(&file(PORTS), &record.series.time_s, &record.series.ports)?;
    if !record.messages.is_empty() {
        messages::write(&file(MESSAGES), &record.messages, &record.summary.flows)?;
    }
    derived.iter().try_for_each(|derived| derived.write(&place.path()))?;
    json::write(&file(MANIFEST), &record.manifest)?;
    place.put_in_place(|name| derived.iter().any(|derived| derived.name() == name))
}

/// Adds files made from a stored result to it, in the place of older ones. `manifest` is that of the result they were made
/// from.
///
/// # Errors
/// If the folder holds another result by now, if an older file of the same name is somebody else's or was edited, or if a
/// file cannot be written.
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
/// If the folder is no result, or if a file is missing, unreadable or was changed.
pub fn read(folder: &Path) -> Result<RunRecord, StoreError> {
    let manifest = read_manifest(folder)?;
    // Results of older versions have none.
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
    Ok(RunRecord { manifest, summary, series, topology, messages })
}

/// Reads a result that has an index, as every result of this version has.
///
/// # Errors
/// As [`read()`], and if there is no index.
pub fn read_listed(folder: &Path) -> Result<RunRecord, StoreError> {
    match folder.join(INDEX) {
        path if path.is_file() => read(folder),
        path => Err(StoreError::Damaged { path, problem: "is missing" }),
    }
}

/// Reads only where a result comes from.
///
/// # Errors
/// If the folder is no result or its manifest is unreadable.
pub fn read_manifest(folder: &Path) -> Result<Manifest, StoreError> {
    let path = folder.join(MANIFEST);
    if !path.is_file() {
        return Err(StoreError::NoResult { folder: folder.to_owned() });
    }
    json::read(&path)
}

/// Reads only the figures of a result.
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
    let time_s = curves::read_axis(&folder.join(SAMPLES))?;
    Ok(Series {
        flows: curves::read(&folder.join(FLOWS), &flows, &time_s)?,
        queues: curves::read(&folder.join(QUEUES), &queues, &time_s)?,
        ports: curves::read(&folder.join(PORTS), &ports, &time_s)?,
        time_s,
    })
}

/// What the files rely on: curves are those of the summary, are equally long, and the digest is theirs.
fn check_consistent(record: &RunRecord) -> Result<(), StoreError> {
    let RunRecord { manifest, summary, series, messages, .. } = record;
    let problem = |what: &str| Err(StoreError::Inconsistent { what: what.to_owned() });
    let samples = series.time_s.len();
    let curves = curves::matches(&series.flows, summary.flows.iter().map(|flow| &flow.name), samples)
        && curves::matches(&series.queues, summary.queues.iter().map(|queue| &queue.name), samples)
        && curves::matches(&series.ports, summary.ports.iter().map(|port| &port.name), samples);
    if !curves {
        return problem("its curves are not those of its summary, or not equally long");
    }
    if messages.iter().any(|message| message.flow >= summary.flows.len()) {
        return problem("a message belongs to a flow that does not exist");
    }
    if !messages.is_empty() && messages::ambiguous(&summary.flows) {
        return problem("two flows have the same name");
    }
    if manifest.digest != digest(summary, series, messages) {
        return problem("its digest is not that of its figures");
    }
    Ok(())
}
