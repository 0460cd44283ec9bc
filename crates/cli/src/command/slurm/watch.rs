//! Waiting for jobs.

use std::thread::sleep;
use std::time::{Duration, Instant};

use setpoint_lab::sweep::{Awaited, Roster};

use super::jobs::{Jobs, states};
use super::messages::left;
use super::scheduler::{self, Active, JobId};
use crate::failure::Failure;
use crate::interrupt;
use crate::progress::{JobsProgress, Visibility};

/// The shortest time between two checks of the queue.
const SHORTEST: Duration = Duration::from_secs(1);
/// The longest time between two checks. On a large cluster, `squeue` keeps the controller busy for some time.
const LONGEST: Duration = Duration::from_secs(30);
/// The time between two checks of the queue is the elapsed time divided by this number.
const PART: u32 = 20;
/// The time within which a signal is noticed.
const STEP: Duration = Duration::from_millis(100);

/// Waits for jobs, and shows their progress.
pub(super) struct Watch<'a> {
    jobs: &'a Jobs,
    awaited: Awaited,
    /// The number of runs that were stored before.
    stored: usize,
    progress: JobsProgress,
    began: Instant,
}

impl<'a> Watch<'a> {
    pub(super) fn new(jobs: &'a Jobs, roster: &Roster<'_>, missing: &[usize], quiet: bool) -> Self {
        interrupt::set_stop_message(left(jobs));
        Self {
            jobs,
            awaited: roster.awaited(missing),
            stored: roster.runs() - missing.len(),
            progress: JobsProgress::new(roster.runs(), Visibility::unless_quiet(quiet)),
            began: Instant::now(),
        }
    }

    /// Waits until a job, or all tasks of an array, have ended.
    pub(super) fn wait_for(&self, job: JobId) -> Result<(), Failure> {
        let mut silent = false;
        loop {
            match scheduler::active() {
                Ok(active) if !active.iter().any(|one| self.jobs.is(job, one)) => return Ok(()),
                Ok(active) => {
                    silent = false;
                    self.show(&active);
                }
                // The controller may be restarting; the jobs continue without it.
                Err(said) if !silent => {
                    silent = true;
                    self.progress.note(&format!("`squeue` failed and will be tried again: {said}"));
                }
                Err(_) => {}
            }
            self.pause()?;
        }
    }

    /// Cancels a job that has not ended. Any problem becomes visible in the queue.
    pub(super) fn cancel(&self, job: JobId) {
        if scheduler::active().is_ok_and(|active| active.iter().any(|one| self.jobs.is(job, one))) {
            scheduler::cancel(job);
        }
    }

    fn show(&self, active: &[Active]) {
        let ours: Vec<&Active> = active.iter().filter(|job| self.jobs.contain(job)).collect();
        let tasks: Vec<&Active> =
            ours.iter().copied().filter(|job| self.jobs.is(self.jobs.array, job)).collect();
        let states = if tasks.is_empty() { format!("collecting: {}", states(&ours)) } else { states(&tasks) };
        self.progress.show(self.stored + self.awaited.stored(), &states);
    }

    /// Waits before the next check of the queue.
    fn pause(&self) -> Result<(), Failure> {
        let until = Instant::now() + (self.began.elapsed() / PART).clamp(SHORTEST, LONGEST);
        while Instant::now() < until {
            if interrupt::requested() {
                return Err(Failure::Interrupted(left(self.jobs)));
            }
            sleep(STEP);
        }
        Ok(())
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.progress.clear();
    }
}
