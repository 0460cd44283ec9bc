//! The outcome of an experiment in one set-up, as a line of JSON.

use serde::{Deserialize, Serialize};
use setpoint_lab::build::SOURCES;
use sha2::{Digest, Sha256};

use super::is_of_paper;
use crate::case::Depth;
use crate::claim::Claim;
use crate::plan::Task;
use crate::runs::Runs;

/// The claims of an experiment in one set-up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetupRecord {
    /// The experiment's id.
    pub experiment: String,
    /// The set-up, as `choice=option` for every choice of the experiment.
    pub setup: String,
    /// Fingerprint of the scenarios, settings, seeds and rules, and of a very short version of the experiment.
    pub inputs: String,
    /// Digest of the sources of the program that ran it.
    #[serde(default)]
    pub sources: String,
    /// The seeds.
    pub seeds: Vec<u64>,
    /// The claims of the paper, in the order of the experiment.
    pub claims: Vec<ClaimInSetup>,
}

/// The outcome of a claim in one set-up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClaimInSetup {
    /// The claim's name.
    pub claim: String,
    /// The figure; none if nothing was measured.
    pub measured: Option<f64>,
    /// Number of seeds for which the rule holds.
    pub seeds_following: usize,
    /// Whether the claim holds.
    pub holds: bool,
}

impl SetupRecord {
    pub(super) fn new(task: &Task<'_>, runs: &Runs, inputs: String) -> Self {
        let claim = |claim: &Claim| {
            let (measured, rule) = (claim.measured(runs), claim.rule());
            ClaimInSetup {
                claim: claim.name.clone(),
                measured: measured.figure(),
                seeds_following: rule.map_or(0, |rule| rule.followers(&measured.values)),
                holds: claim.follows(&measured),
            }
        };
        Self {
            experiment: task.experiment.id.to_owned(),
            setup: task.setup.to_string(),
            inputs,
            sources: SOURCES.to_owned(),
            seeds: task.seeds.clone(),
            claims: task.experiment.claims.iter().filter(|one| is_of_paper(one)).map(claim).collect(),
        }
    }

    /// The record as one line of JSON, without a line feed.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("numbers are finite and keys are text")
    }
}

/// A fingerprint of a task, of the rules by which it is judged, and of a very short version of its experiment.
pub(super) fn fingerprint(task: &Task<'_>, depth: Depth, probe: &str) -> String {
    let mut hasher = Sha256::new();
    let mut part = |text: &str| {
        hasher.update(text.as_bytes());
        hasher.update([0]);
    };
    part(task.experiment.id);
    part(probe);
    part(depth.name());
    part(&task.setup.to_string());
    part(&format!("{:?}", task.seeds));
    for case in task.cases() {
        case.parts().for_each(&mut part);
        case.unaffected.iter().for_each(|choice| part(choice));
    }
    task.setup.options().flat_map(|(_, option)| option.settings).for_each(|setting| part(setting));
    for claim in task.experiment.claims.iter().filter(|claim| is_of_paper(claim)) {
        part(&claim.name);
        part(&format!("{:?}", claim.rule()));
        part(&claim.premise_text());
    }
    hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
