//! Experiments and searches that are divided among several processes.
//!
//! A shard stores its results in the folder with the pages: an entry for each experiment, or the records of a search.
//! The process that owns the whole folder generates the pages from them.

use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use setpoint_lab::shard::Shard;
use setpoint_lab::store::{Kind, Workplace};
use setpoint_plot::Style;
use setpoint_record::json;

use crate::case::Depth;
use crate::entry::{Entry, Listing};
use crate::experiment::{Experiment, Paper};
use crate::folder::{Folder, FolderError, read_records, read_search_records};
use crate::reproduce::Finished;
use crate::search::SetupRecord;

/// One shard's part of a folder with pages.
#[derive(Debug)]
pub struct ShardFolder<'a> {
    place: Workplace,
    shard: Shard,
    listing: Listing<'a>,
}

/// An entry, with the inputs that determined it.
#[derive(Debug, Serialize, Deserialize)]
struct Noted {
    inputs: Vec<String>,
    entry: Entry,
}

impl<'a> ShardFolder<'a> {
    /// Reserves a part of a folder; `chosen` are the experiments of all shards.
    ///
    /// # Errors
    /// If another process owns the same part or the whole folder, or if the folder cannot be read or written.
    pub fn join(
        path: &Path,
        papers: &'a [Paper],
        chosen: &[&'a Experiment],
        shard: Shard,
    ) -> Result<Self, FolderError> {
        let place = Workplace::join(path, Kind::Papers, shard)?;
        let is_chosen = |experiment: &Experiment| chosen.iter().any(|one| one.id == experiment.id);
        let listing = Listing::new(papers, &read_records(path)?, is_chosen);
        Ok(Self { place, shard, listing })
    }

    /// The folder, as given.
    pub fn path(&self) -> &Path {
        self.place.path()
    }

    /// Whether there already is a note on an experiment.
    pub fn has(&self, experiment: &Experiment, depth: Depth) -> bool {
        entry(&self.place, &self.listing, experiment, depth).is_some()
    }

    /// Leaves a note on an experiment for the process that generates the pages; returns its entry.
    ///
    /// # Errors
    /// If the note cannot be written.
    pub fn add(&self, finished: &Finished<'_>) -> Result<Entry, FolderError> {
        let page = self.listing.page(finished);
        let entry = Entry::new(finished, &page).with_plots(&page, Style::SCREEN);
        let inputs = self.listing.inputs(finished.experiment, finished.depth);
        let noted = Noted { inputs, entry };
        self.place.leave_note(&entry_note(finished.experiment), json::text(&noted).as_bytes())?;
        Ok(noted.entry)
    }

    /// The records of a search over a paper: those in the folder, and those in the notes of shards.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn search_records(&self, paper: &Paper) -> Result<Vec<SetupRecord>, FolderError> {
        let mut records = read_search_records(self.path(), paper)?;
        records.extend(search_notes(&self.place, paper).flat_map(|name| search_records(&self.place, &name)));
        Ok(records)
    }

    /// Leaves a note with records of a search, which replaces an earlier note of this shard.
    ///
    /// # Errors
    /// If the note cannot be written.
    pub fn put_search_records(&self, paper: &Paper, records: &[SetupRecord]) -> Result<(), FolderError> {
        let name = format!("{}{}", search_note(paper), self.shard.file_name());
        Ok(self.place.leave_note(&name, json::text(&records).as_bytes())?)
    }
}

impl Folder<'_> {
    /// The entry in a shard's note on an experiment, if there is one for the same inputs.
    pub fn noted(&self, experiment: &Experiment, depth: Depth) -> Option<Entry> {
        entry(self.place(), self.listing(), experiment, depth)
    }

    /// The records of a search in the notes of shards.
    pub fn noted_search_records(&self, paper: &Paper) -> Vec<SetupRecord> {
        search_notes(self.place(), paper).flat_map(|name| search_records(self.place(), &name)).collect()
    }

    /// Removes the note about an experiment once its page has been written.
    pub fn forget(&self, experiment: &Experiment) {
        self.place().remove_note(&entry_note(experiment));
    }

    /// Removes the notes about a search once its records have been written.
    pub fn forget_search(&self, paper: &Paper) {
        search_notes(self.place(), paper).for_each(|name| self.place().remove_note(&name));
    }
}

fn entry(place: &Workplace, listing: &Listing<'_>, experiment: &Experiment, depth: Depth) -> Option<Entry> {
    let noted: Noted = parsed(place, &entry_note(experiment))?;
    (noted.inputs == listing.inputs(experiment, depth)).then_some(noted.entry)
}

/// The name of the note about an experiment.
fn entry_note(experiment: &Experiment) -> String {
    format!("experiment.{}", experiment.id.replace('/', "."))
}

/// The prefix of the names of notes about a search.
fn search_note(paper: &Paper) -> String {
    format!("search.{}.", paper.id)
}

fn search_notes<'p>(place: &'p Workplace, paper: &Paper) -> impl Iterator<Item = String> + use<'p> {
    let beginning = search_note(paper);
    place.notes().into_iter().filter(move |name| name.starts_with(&beginning))
}

fn search_records(place: &Workplace, name: &str) -> Vec<SetupRecord> {
    parsed(place, name).unwrap_or_default()
}

/// A note; none if it does not exist, or if another version wrote it.
fn parsed<T: DeserializeOwned>(place: &Workplace, name: &str) -> Option<T> {
    serde_json::from_slice(&place.note(name)?).ok()
}
