//! The output of `run --json`: the summary, and the identity of the run.

use serde::Serialize;

use super::{RunRecord, Summary};
use crate::json;

/// The summary, preceded by a key that identifies the run.
#[derive(Serialize)]
struct Printed<'a> {
    run: Identity<'a>,
    #[serde(flatten)]
    summary: &'a Summary,
}

/// The identity of a run, for comparing and repeating it.
#[derive(Serialize)]
struct Identity<'a> {
    scenario: &'a str,
    overrides: &'a [(String, String)],
    seed: u64,
    version: &'a str,
    digest: &'a str,
}

impl RunRecord {
    /// The summary as JSON. Its first key, `run`, holds the scenario, overrides, seed, version and digest.
    ///
    /// It is created from the record, not from a folder, which another process may have replaced.
    pub fn to_json(&self) -> String {
        let manifest = &self.manifest;
        let run = Identity {
            scenario: &manifest.scenario,
            overrides: &manifest.overrides,
            seed: manifest.seed,
            version: &manifest.version,
            digest: &manifest.digest,
        };
        json::text(&Printed { run, summary: &self.summary })
    }
}
