//! The runs of a sweep.

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
}
