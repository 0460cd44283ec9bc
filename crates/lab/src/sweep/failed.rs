//! Notes about failed runs, from which the process that collects shards learns why a result is missing.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::inputs::Inputs;
use crate::store::{StoreError, Workplace, json_text, read_note};

/// A failed run.
#[derive(Debug, Serialize, Deserialize)]
struct Failed {
    #[serde(flatten)]
    inputs: Inputs,
    error: String,
}

/// Notes that a run has failed.
pub(super) fn note(place: &Workplace, run: &str, inputs: Inputs, error: &str) -> Result<(), StoreError> {
    let failed = Failed { inputs, error: error.to_owned() };
    place.leave_note(run, json_text(&failed).as_bytes())
}

/// Why a run has failed, if it is noted.
pub(super) fn noted(folder: &Path, run: &str, inputs: &Inputs) -> Option<String> {
    let failed: Failed = serde_json::from_slice(&read_note(folder, run)?).ok()?;
    (failed.inputs == *inputs).then_some(failed.error)
}
