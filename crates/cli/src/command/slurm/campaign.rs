//! A batch, from its first submission until all results exist.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::num::NonZeroU32;

use setpoint_lab::shard::Shard;
use setpoint_lab::sweep::{Roster, open};

use super::Work;
use super::jobs::{Jobs, ranges};
use super::messages::{SUBMISSIONS, WHILE_SUBMITTING, again, given_up, submitted};
use super::place::Place;
use super::quote;
use super::request::Request;
use super::scheduler::{self, JobId};
use super::script::{COLLECT, Script};
use super::watch::Watch;
use crate::command::stopping::stopped;
use crate::failure::{self, Failure};
use crate::interrupt;

/// A batch, its folder, and the script that runs it.
pub(super) struct Campaign<'a> {
    work: &'a Work<'a>,
    request: &'a Request,
    script: &'a Script,
    roster: Roster<'a>,
    place: Place,
}

impl<'a> Campaign<'a> {
    /// Prepares the folder. Nothing is submitted yet.
    pub(super) fn begin(
        work: &'a Work<'a>,
        request: &'a Request,
        script: &'a Script,
    ) -> Result<Self, Failure> {
        let place = Place::open(work.folder)?;
        if place.jobs().is_none() {
            // Refused if the folder contains other files, or if another process is working there.
            if let Err(error) = open(work.folder) {
                place.remove();
                return Err(error.into());
            }
        }
        let roster = Roster::new(work.variants, work.seeds, work.folder)
            .map_err(|error| stopped(error, work.folder))?;
        Ok(Self { work, request, script, roster, place })
    }

    /// Submits shards until no result is missing.
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut missing = self.missing()?;
        let mut last = self.resumed()?;
        if let Some(jobs) = &last {
            missing = self.wait(jobs, &missing)?;
        }
        while !missing.is_empty() {
            let jobs = self.submit(&missing, last.as_ref())?;
            missing = self.wait(&jobs, &missing)?;
            last = Some(jobs);
        }
        self.place.remove();
        Ok(())
    }

    /// The runs without a result.
    fn missing(&self) -> Result<Vec<usize>, Failure> {
        self.roster.missing().map_err(|error| stopped(error, self.work.folder))
    }

    /// Waits for jobs, and returns the runs that are still missing.
    fn wait(&self, jobs: &Jobs, missing: &[usize]) -> Result<Vec<usize>, Failure> {
        let watch = Watch::new(jobs, &self.roster, missing, self.work.quiet);
        watch.wait_for(jobs.array)?;
        let missing = self.missing()?;
        if !missing.is_empty() {
            // The collecting job could only report the missing results.
            watch.cancel(jobs.collecting);
        }
        watch.wait_for(jobs.collecting)?;
        Ok(missing)
    }

    /// The jobs that an earlier process has submitted for the same command.
    fn resumed(&self) -> Result<Option<Jobs>, Failure> {
        let Some(jobs) = self.place.jobs() else { return Ok(None) };
        if jobs.arguments == self.work.arguments {
            self.note(&format!(
                "waiting for the jobs {} and {}, submitted earlier",
                jobs.array, jobs.collecting
            ));
            return Ok(Some(jobs));
        }
        let active = scheduler::active().map_err(|said| Failure::Run(format!("`squeue` failed: {said}")))?;
        match active.iter().any(|job| jobs.contain(job)) {
            false => Ok(None),
            true => Err(self.occupied(&jobs)),
        }
    }

    fn occupied(&self, jobs: &Jobs) -> Failure {
        Failure::Run(format!(
            "jobs of another command use {}: setpoint {}\n{}",
            self.work.folder.display(),
            quote::line(&jobs.arguments),
            jobs.commands()
        ))
    }

    /// Submits the shards of the missing runs.
    fn submit(&self, missing: &[usize], last: Option<&Jobs>) -> Result<Jobs, Failure> {
        if let Some(jobs) = last {
            self.allow_again(jobs, &shards(missing, jobs.tasks))?;
        }
        let tasks = self.request.tasks;
        let shards = shards(missing, tasks);
        let (array, collecting) = self.submit_shards(&shards).inspect_err(|_| {
            if last.is_none() {
                self.place.remove();
            }
        })?;
        let (arguments, submission) =
            (self.work.arguments.clone(), last.map_or(1, |jobs| jobs.submission + 1));
        let script = self.place.script().to_string_lossy().into_owned();
        let jobs = Jobs { arguments, submission, tasks, shards, array, collecting, script };
        self.place.remember(&jobs)?;
        self.note(&submitted(&jobs));
        Ok(jobs)
    }

    /// Fails if the shards with missing results have already been submitted too often.
    fn allow_again(&self, jobs: &Jobs, failed: &[u32]) -> Result<(), Failure> {
        if jobs.submission >= SUBMISSIONS {
            self.place.forget();
            return Err(Failure::Run(given_up(jobs, failed, &self.place)));
        }
        self.note(&again(jobs, failed, &self.place));
        Ok(())
    }

    /// Submits an array, and a job that collects the results.
    fn submit_shards(&self, shards: &[u32]) -> Result<(JobId, JobId), Failure> {
        interrupt::set_stop_message(WHILE_SUBMITTING.to_owned());
        self.place.write_script(self.script.text())?;
        let script = self.place.script().into_os_string();
        let option = |option: String| OsString::from(option);
        let (array, log) = (format!("--array={}", ranges(shards)), self.place.log_pattern());
        let array = scheduler::submit([option(array), option(format!("--output={log}")), script.clone()])?;
        let (after, log) = (format!("--dependency=afterany:{array}"), self.place.collecting_log_pattern());
        let collecting = [option(after), option(format!("--output={log}")), script, COLLECT.into()];
        match scheduler::submit(collecting) {
            Ok(collecting) => Ok((array, collecting)),
            Err(failure) => {
                scheduler::cancel(array);
                Err(failure)
            }
        }
    }

    fn note(&self, text: &str) {
        if !self.work.quiet {
            failure::print_line(text);
        }
    }
}

/// The numbers of the shards that contain any of the runs, in ascending order.
fn shards(runs: &[usize], tasks: NonZeroU32) -> Vec<u32> {
    let shards: BTreeSet<u32> = runs.iter().map(|run| Shard::taking(*run, tasks).number().get()).collect();
    shards.into_iter().collect()
}
