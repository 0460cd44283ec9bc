//! The folder with the generated pages: `PAPER/NAME.html` for each experiment, `PAPER/search.html`, `PAPER/search.json`
//! and `PAPER/search.jsonl` for a search, `index.html` and `verdicts.jsonl`.
//!
//! The index and the records cover all experiments that were ever reproduced in the folder, each with its
//! latest outcome. Only one process at a time can write to the folder, and pages that were written or edited by
//! anyone else are not overwritten.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::de::DeserializeOwned;
use setpoint_lab::store::{Collection, Derived, Kind, PLOTS, StoreError, Workplace};
use setpoint_report::document::Document;

use crate::entry::{Entry, Listing};
use crate::experiment::{Experiment, Paper};
use crate::index;
use crate::record::ClaimRecord;
use crate::reproduce::Finished;
use crate::search::{Search, SearchSummary, SetupRecord};

/// The records of all claims, as lines of JSON.
const RECORDS: &str = "verdicts.jsonl";
/// The page that lists all others.
const INDEX: &str = "index.html";
/// The page of a search, in the folder of its paper.
const SEARCH: &str = "search.html";
/// A summary of the outcome of a search, as JSON.
const SEARCH_SUMMARY: &str = "search.json";
/// The records of a search, as lines of JSON.
const SEARCH_RECORDS: &str = "search.jsonl";

/// A folder with the pages of experiments and searches.
#[derive(Debug)]
pub struct Folder<'a> {
    files: Collection,
    records: Mutex<Vec<ClaimRecord>>,
    listing: Listing<'a>,
}

/// A file could not be read or written.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages show the fields")]
pub enum FolderError {
    /// A file cannot be read.
    #[error("cannot {action} {}: {error}", path.display())]
    Io { action: &'static str, path: PathBuf, error: io::Error },
    /// A page or the verdicts cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl<'a> Folder<'a> {
    /// Opens or creates a folder for the experiments that are going to be run.
    ///
    /// # Errors
    /// If the folder cannot be created, if another process is writing there, if a page written by anyone else would
    /// be overwritten, or if its records cannot be read.
    pub fn open(path: &Path, papers: &'a [Paper], chosen: &[&'a Experiment]) -> Result<Self, FolderError> {
        let pages: Vec<String> = chosen.iter().map(|experiment| page_file(experiment.id)).collect();
        let is_chosen = |experiment: &Experiment| chosen.iter().any(|one| one.id == experiment.id);
        Self::with_pages(path, papers, &pages, is_chosen)
    }

    /// Opens or creates a folder for a search over a paper.
    ///
    /// # Errors
    /// As for [`Folder::open`].
    pub fn open_for_search(path: &Path, papers: &'a [Paper], paper: &Paper) -> Result<Self, FolderError> {
        Self::with_pages(
            path,
            papers,
            &[SEARCH, SEARCH_SUMMARY, SEARCH_RECORDS].map(|name| of_paper(paper, name)),
            |_| false,
        )
    }

    fn with_pages(
        path: &Path,
        papers: &'a [Paper],
        pages: &[String],
        is_chosen: impl Fn(&Experiment) -> bool,
    ) -> Result<Self, FolderError> {
        let names: Vec<&str> = pages.iter().map(String::as_str).chain([RECORDS, INDEX]).collect();
        let files = Collection::open(path, Kind::Papers, &names)?;
        let records = read_records(path)?;
        let listing = Listing::new(papers, &records, is_chosen);
        Ok(Self { files, records: records.into(), listing })
    }

    pub(crate) fn place(&self) -> &Workplace {
        self.files.place()
    }

    pub(crate) fn listing(&self) -> &Listing<'a> {
        &self.listing
    }

    /// The page that lists all others.
    pub fn index(&self) -> PathBuf {
        self.files.path().join(INDEX)
    }

    /// The page of an experiment.
    pub fn page(&self, experiment: &Experiment) -> PathBuf {
        self.files.path().join(page_file(experiment.id))
    }

    /// Writes the page of an experiment and the index; returns the page.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn add(&self, finished: &Finished<'_>) -> Result<Document, FolderError> {
        let document = self.listing.page(finished);
        self.put(&Entry::new(finished, &document))?;
        Ok(document)
    }

    /// Writes the page of an experiment and the index, without its plots.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn put(&self, entry: &Entry) -> Result<(), FolderError> {
        self.files.put(&page_file(&entry.experiment), entry.page.as_bytes())?;
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        records.retain(|record| record.experiment != entry.experiment);
        records.extend(entry.records.iter().cloned());
        let ordered = ordered(self.listing.papers, &records);
        let text: String = ordered.iter().map(|record| record.json() + "\n").collect();
        self.files.put(RECORDS, text.as_bytes())?;
        self.put_index(&ordered)
    }

    fn put_index(&self, records: &[ClaimRecord]) -> Result<(), FolderError> {
        let is_there = |paper: &&Paper| self.search_page(paper).exists();
        let papers = self.listing.papers;
        let searched: Vec<&str> = papers.iter().filter(is_there).map(|paper| paper.id).collect();
        Ok(self.files.put(INDEX, index::document(papers, records, &searched).html().as_bytes())?)
    }

    /// The ids of the experiments that have a page, or will have one.
    pub fn listed(&self) -> &[&'a str] {
        &self.listing.listed
    }

    /// The page of a search over a paper.
    pub fn search_page(&self, paper: &Paper) -> PathBuf {
        self.files.path().join(of_paper(paper, SEARCH))
    }

    /// The records of an earlier search over a paper.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn search_records(&self, paper: &Paper) -> Result<Vec<SetupRecord>, FolderError> {
        read_search_records(self.files.path(), paper)
    }

    /// Writes the records of a search, so that it can be continued.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn put_search_records(&self, search: &Search<'_>) -> Result<(), FolderError> {
        let text: String = search.records().iter().map(|record| record.json() + "\n").collect();
        Ok(self.files.put(&of_paper(search.paper(), SEARCH_RECORDS), text.as_bytes())?)
    }

    /// Writes the page of a search, its summary, and the index, which links to the page.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn put_search(
        &self,
        paper: &Paper,
        page: &Document,
        summary: &SearchSummary,
    ) -> Result<(), FolderError> {
        self.files.put(&of_paper(paper, SEARCH), page.html().as_bytes())?;
        self.files.put(&of_paper(paper, SEARCH_SUMMARY), (summary.json() + "\n").as_bytes())?;
        let records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        self.put_index(&ordered(self.listing.papers, &records))
    }

    /// Writes the plots of an experiment next to its page and removes older ones.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn add_plots(&self, experiment: &Experiment, plots: &[Derived]) -> Result<(), FolderError> {
        let folder = experiment.paper();
        let names = format!("{folder}/{PLOTS}/{}-", experiment.name());
        self.files.clear(&names)?;
        let put = |plot: &Derived| self.files.put(&format!("{folder}/{}", plot.name()), plot.content());
        Ok(plots.iter().try_for_each(put)?)
    }
}

/// The name of a file that belongs to a paper.
fn of_paper(paper: &Paper, name: &str) -> String {
    format!("{}/{name}", paper.id)
}

/// The name of an experiment's page, by its id.
fn page_file(id: &str) -> String {
    format!("{id}.html")
}

pub(crate) fn read_records(folder: &Path) -> Result<Vec<ClaimRecord>, FolderError> {
    read(&folder.join(RECORDS))
}

pub(crate) fn read_search_records(folder: &Path, paper: &Paper) -> Result<Vec<SetupRecord>, FolderError> {
    read(&folder.join(of_paper(paper, SEARCH_RECORDS)))
}

/// The records of existing claims, in the order of the papers.
fn ordered(papers: &[Paper], records: &[ClaimRecord]) -> Vec<ClaimRecord> {
    let all = papers.iter().flat_map(|paper| &paper.experiments);
    let of_experiment = |experiment: &Experiment| {
        let of_claim = |name: &str| {
            records.iter().find(|record| record.experiment == experiment.id && record.claim == name).cloned()
        };
        experiment.claims.iter().filter_map(|claim| of_claim(&claim.name)).collect::<Vec<_>>()
    };
    all.flat_map(of_experiment).collect()
}

/// The records in a file; none if it does not exist. Lines that are not records are skipped: an older version may have
/// written them.
fn read<R: DeserializeOwned>(path: &Path) -> Result<Vec<R>, FolderError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(failed("read", path)(error)),
    }
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    let path = path.to_owned();
    move |error| FolderError::Io { action, path, error }
}
