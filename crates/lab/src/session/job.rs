//! A run that has been admitted.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use setpoint_record::results::RunRecord;
use setpoint_record::run::RunError;
use setpoint_scenario::{Capture, Prepared};
use setpoint_sim::{Monitor, SpecError, Threads};
use setpoint_units::Bytes;

use super::limited::Limited;
use crate::memory::Estimate;
use crate::run::{run, run_captured};
use crate::store::{self, CaptureFile, Derived, Destination, StoreError};

/// A run: a prepared scenario, its limits, and the destination of its result.
#[derive(Debug)]
pub struct Job {
    /// The scenario, prepared for its seed.
    pub prepared: Prepared,
    /// The memory that the run may use; `None` for no limit.
    pub memory: Option<Bytes>,
    /// The threads that the run may use. The result does not depend on their number.
    pub threads: Threads,
    /// The destination of the result; `None` if it is not stored.
    pub output: Option<Output>,
}

/// The destination of a result.
#[derive(Debug)]
pub struct Output {
    /// The folder.
    pub folder: Destination,
    /// A file for the captured frames. Without it, frames are captured only if the scenario requests a capture, and
    /// become part of the result.
    pub capture: Option<PathBuf>,
}

impl From<Destination> for Output {
    /// A folder without a separate capture.
    fn from(folder: Destination) -> Self {
        Self { folder, capture: None }
    }
}

/// A run that has reached its end.
#[derive(Debug)]
pub struct Ended {
    /// The result.
    pub record: RunRecord,
    /// The time that the run took.
    pub took: Duration,
    /// The number of captured frames, if there is a capture.
    pub frames: Option<u64>,
}

/// The reason why a job has no result.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The spec is invalid.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The run may need more memory than it is allowed to use.
    #[error("{0}")]
    Refused(String),
    /// A file cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The run failed or was stopped.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl Job {
    /// Admits a run that needs no more memory than the limit. It uses one thread and is not stored unless the caller
    /// changes that. Also returns the estimate of its memory.
    ///
    /// # Errors
    /// If the run may exceed the limit, or a flow has no path.
    pub fn admit(prepared: Prepared, limit: Bytes) -> Result<(Self, Estimate), JobError> {
        let estimate = Estimate::of(&prepared.spec)?;
        match estimate.refusal(limit) {
            Some(refusal) => Err(JobError::Refused(refusal)),
            None => {
                Ok((Self { prepared, memory: Some(limit), threads: Threads::ONE, output: None }, estimate))
            }
        }
    }

    /// Runs to the end.
    ///
    /// # Errors
    /// If the capture cannot be written, or the run fails or is stopped.
    pub fn run(&self, monitor: &mut dyn Monitor) -> Result<Ended, JobError> {
        let capture = self.capture()?;
        let mut monitor = Limited { monitor, memory: self.memory, threads: self.threads };
        let began = Instant::now();
        let (record, frames) = match capture {
            Some((capture, file)) => {
                let (ended, frames) = run_captured(&self.prepared, &capture, file, &mut monitor);
                (ended, Some(frames?))
            }
            None => (run(&self.prepared, &mut monitor), None),
        };
        let took = began.elapsed();
        Ok(Ended { record: record?, took, frames })
    }

    /// The frames to capture, and the file for them.
    fn capture(&self) -> Result<Option<(Capture, CaptureFile)>, StoreError> {
        let Some(Output { folder, capture: file }) = &self.output else { return Ok(None) };
        let Prepared { spec, conventions, capture, .. } = &self.prepared;
        let file = match (file, capture) {
            (Some(path), _) => CaptureFile::at(path, folder)?,
            (None, Some(_)) => CaptureFile::inside(folder)?,
            (None, None) => return Ok(None),
        };
        let everything = || Capture::everything(spec, *conventions);
        Ok(Some((capture.clone().unwrap_or_else(everything), file)))
    }

    /// Stores a result with its derived files, if there is a destination for it.
    ///
    /// # Errors
    /// As [`store::write()`].
    pub fn store(self, record: &RunRecord, derived: &[Derived]) -> Result<(), StoreError> {
        match self.output {
            Some(output) => store::write_to(record, output.folder, derived),
            None => Ok(()),
        }
    }
}
