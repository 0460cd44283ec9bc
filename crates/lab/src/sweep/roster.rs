//! The runs of a batch, as seen by a process that executes none of them.

use std::fs;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rayon::prelude::*;

use super::execute::{collected, jobs, pool};
use super::job::Job;
use super::{SweepError, Variant};
use crate::store::INDEX;

/// The runs of a batch, which other processes store in a folder.
#[derive(Debug)]
pub struct Roster<'a> {
    jobs: Vec<Job<'a>>,
    folder: &'a Path,
}

/// Runs whose results are still to come.
#[derive(Debug)]
pub struct Awaited {
    /// The index of each result, and the time at which an older one was written.
    results: Vec<(PathBuf, Option<SystemTime>)>,
}

impl<'a> Roster<'a> {
    /// All runs, with one folder each inside the given one.
    ///
    /// # Errors
    /// As [`check_seeds`](super::check_seeds).
    pub fn new(variants: &'a [Variant], seeds: NonZeroU32, folder: &'a Path) -> Result<Self, SweepError> {
        Ok(Self { jobs: jobs(variants, seeds)?, folder })
    }

    /// The number of runs.
    pub fn runs(&self) -> usize {
        self.jobs.len()
    }

    /// The positions, counted from 0, of the runs that [`super::collect_into`] would report as missing. Reads all
    /// results.
    ///
    /// # Errors
    /// If the system refuses to start threads.
    pub fn missing(&self) -> Result<Vec<usize>, SweepError> {
        let is_missing = |job: &&Job<'_>| collected(job, self.folder).is_err();
        let missing = || self.jobs.par_iter().filter(is_missing).map(|job| job.id.index).collect();
        Ok(pool(None)?.install(missing))
    }

    /// Begins to wait for the runs at these positions.
    pub fn awaited(&self, positions: &[usize]) -> Awaited {
        let index = |position: &usize| self.folder.join(&self.jobs[*position].id.folder).join(INDEX);
        let results = positions.iter().map(index).map(|index| (index.clone(), written(&index)));
        Awaited { results: results.collect() }
    }
}

impl Awaited {
    /// The number of results that have been stored since the wait began. Does not read them.
    pub fn stored(&self) -> usize {
        let is_new = |(index, before): &&(PathBuf, Option<SystemTime>)| {
            let now = written(index);
            now.is_some() && now != *before
        };
        self.results.iter().filter(is_new).count()
    }
}

fn written(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).ok()?.modified().ok()
}
