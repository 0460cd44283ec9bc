//! Notes about runs, from which the process that collects shards learns how they ended.

use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::run::Inputs;
use crate::store::{StoreError, Workplace, json_text, read_note};

/// How a run ended, with what determined it.
#[derive(Debug, Serialize, Deserialize)]
struct Note<T> {
    #[serde(flatten)]
    inputs: Inputs,
    end: T,
}

/// Notes how a run ended.
pub(crate) fn leave<T: Serialize>(
    place: &Workplace,
    run: &str,
    inputs: Inputs,
    end: T,
) -> Result<(), StoreError> {
    place.leave_note(run, json_text(&Note { inputs, end }).as_bytes())
}

/// How a run with these inputs ended, if it is noted.
pub(crate) fn read<T: DeserializeOwned>(folder: &Path, run: &str, inputs: &Inputs) -> Option<T> {
    let note: Note<T> = serde_json::from_slice(&read_note(folder, run)?).ok()?;
    (note.inputs == *inputs).then_some(note.end)
}
