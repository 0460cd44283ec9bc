//! The runs of a sweep.

use setpoint_record::results::{RunRecord, WarningRecord};
use setpoint_scenario::Variant;

use super::figures::Kept;
use super::monitor::RunId;

/// One run of a sweep.
#[derive(Clone, Debug)]
pub(super) struct Job<'a> {
    pub(super) variant: &'a Variant,
    pub(super) id: RunId,
}

/// A stored run.
#[derive(Clone, Debug)]
pub(super) struct Finished {
    pub(super) digest: String,
    pub(super) kept: Kept,
    /// The warnings about the finished run.
    pub(super) warnings: Vec<WarningRecord>,
}

impl Finished {
    pub(super) fn of(record: RunRecord) -> Self {
        let warnings = record.manifest.warnings_of_run().cloned().collect();
        Self { kept: Kept::of(&record.summary), warnings, digest: record.manifest.digest }
    }
}
