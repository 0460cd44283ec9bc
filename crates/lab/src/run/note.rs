//! Notes on how runs ended, for the process that collects shards.

use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use setpoint_record::json;

use super::Inputs;
use crate::store::{StoreError, Workplace, read_note};

/// How a run ended, with the inputs that determined it.
#[derive(Debug, Serialize, Deserialize)]
struct Note<T> {
    #[serde(flatten)]
    inputs: Inputs,
    end: T,
}

/// Leaves a note on how a run ended.
pub(crate) fn leave<T: Serialize>(
    place: &Workplace,
    run: &str,
    inputs: Inputs,
    end: T,
) -> Result<(), StoreError> {
    place.leave_note(run, json::text(&Note { inputs, end }).as_bytes())
}

/// How a run with these inputs ended, if there is a note on it.
pub(crate) fn read<T: DeserializeOwned>(folder: &Path, run: &str, inputs: &Inputs) -> Option<T> {
    let note: Note<T> = serde_json::from_slice(&read_note(folder, run)?).ok()?;
    (note.inputs == *inputs).then_some(note.end)
}
