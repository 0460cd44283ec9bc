//! The hidden folder with the script, the job numbers and the logs.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::jobs::Jobs;
use super::scheduler::JobId;
use crate::failure::Failure;

/// The name of the folder among the results. Hidden folders are not results.
const NAME: &str = ".setpoint-slurm";
/// The process that has locked this file waits for the jobs.
const LOCK: &str = "lock";
const SCRIPT: &str = "job.sh";
const JOBS: &str = "jobs.json";
const LOGS: &str = "logs";

/// The folder, which is managed by one process at a time.
#[derive(Debug)]
pub(super) struct Place {
    path: PathBuf,
    _lock: File,
}

impl Place {
    /// Creates or opens the folder inside a results folder.
    pub(super) fn open(results: &Path) -> Result<Self, Failure> {
        // Jobs may start in another folder.
        let results = std::path::absolute(results).map_err(cannot("find", results))?;
        let path = results.join(NAME);
        fs::create_dir_all(path.join(LOGS)).map_err(cannot("create", &path))?;
        let lock = File::create(path.join(LOCK)).map_err(cannot("create", &path.join(LOCK)))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path, _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(Failure::Run(format!(
                "another process is waiting for the jobs of {}; stop it first (the jobs continue)",
                results.display()
            ))),
            Err(TryLockError::Error(error)) => Err(cannot("lock", &path)(error)),
        }
    }

    pub(super) fn script(&self) -> PathBuf {
        self.path.join(SCRIPT)
    }

    pub(super) fn write_script(&self, text: &str) -> Result<(), Failure> {
        self.write(SCRIPT, text)
    }

    /// The jobs that an earlier process has submitted.
    pub(super) fn jobs(&self) -> Option<Jobs> {
        serde_json::from_slice(&fs::read(self.path.join(JOBS)).ok()?).ok()
    }

    pub(super) fn remember(&self, jobs: &Jobs) -> Result<(), Failure> {
        self.write(JOBS, &serde_json::to_string_pretty(jobs).expect("jobs are plain data"))
    }

    /// Forgets the jobs. The logs are kept.
    pub(super) fn forget(&self) {
        let _ = fs::remove_file(self.path.join(JOBS));
    }

    /// The path of an array's logs as a Slurm file name pattern. A percent sign in the path is doubled.
    pub(super) fn log_pattern(&self) -> String {
        format!("{}/%A_%a.log", self.logs().display().to_string().replace('%', "%%"))
    }

    /// The path of a collecting job's log as a Slurm file name pattern.
    pub(super) fn collecting_log_pattern(&self) -> String {
        format!("{}/collect-%j.log", self.logs().display().to_string().replace('%', "%%"))
    }

    pub(super) fn log(&self, array: JobId, shard: u32) -> PathBuf {
        self.logs().join(format!("{array}_{shard}.log"))
    }

    fn logs(&self) -> PathBuf {
        self.path.join(LOGS)
    }

    /// Removes the folder, and the results folder if nothing else is in it.
    pub(super) fn remove(&self) {
        let _ = fs::remove_dir_all(&self.path);
        let _ = self.path.parent().map(fs::remove_dir);
    }

    fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let (path, new) = (self.path.join(name), self.path.join(format!("{name}.new")));
        fs::write(&new, text).and_then(|()| fs::rename(&new, &path)).map_err(cannot("write", &path))
    }
}

fn cannot<'a>(verb: &'a str, path: &'a Path) -> impl FnOnce(io::Error) -> Failure + 'a {
    move |error| Failure::Run(format!("cannot {verb} {}: {error}", path.display()))
}
