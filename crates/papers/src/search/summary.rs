//! A summary of the outcome of a search, as JSON.

use serde::{Deserialize, Serialize};
use setpoint_lab::build;
use sha2::{Digest, Sha256};

use super::{Scores, Search};
use crate::setup::Setup;

/// A summary of the outcome of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchSummary {
    /// The paper's id.
    pub paper: String,
    /// Fingerprint of all scenarios, settings, seeds and rules of the search.
    pub inputs: String,
    /// Commit of the program, as in the records of claims.
    #[serde(default)]
    pub commit: Option<String>,
    /// Number of set-ups: combinations of the options that matter.
    pub setups: usize,
    /// Number of combinations of all options.
    #[serde(default)]
    pub possible: usize,
    /// The leading set-up.
    pub leading: SetupSummary,
    /// The best set-up.
    pub best: SetupSummary,
    /// The claims, in the order of the paper.
    pub claims: Vec<ClaimSummary>,
}

/// The score of a set-up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetupSummary {
    /// The set-up, as `choice=option` for every choice.
    pub setup: String,
    /// The options other than the leading ones, in words.
    pub words: String,
    /// Number of claims that hold with the scoring seeds.
    pub holds: usize,
    /// Number of claims that hold with the confirming seeds.
    pub confirmed: Option<usize>,
}

/// The results for a claim over all set-ups.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClaimSummary {
    /// The experiment's id.
    pub experiment: String,
    /// The claim's name.
    pub claim: String,
    /// Number of set-ups in which it holds.
    pub holds_in: usize,
    /// The smallest and the largest figure over all set-ups.
    pub range: Option<(f64, f64)>,
}

impl SearchSummary {
    fn new(search: &Search<'_>, scores: &Scores<'_>) -> Self {
        let of_setup = |setup: &Setup| SetupSummary {
            setup: setup.to_string(),
            words: setup.words(),
            holds: scores.holds(setup).iter().filter(|holds| **holds).count(),
            confirmed: scores.confirmed(setup),
        };
        let claims = scores.by_claim().into_iter().map(|one| ClaimSummary {
            experiment: one.experiment.id.to_owned(),
            claim: one.claim.name.clone(),
            holds_in: one.holds_in,
            range: one.range,
        });
        Self {
            paper: search.paper().id.to_owned(),
            inputs: search.fingerprint(),
            commit: build::current().commit,
            setups: scores.count(),
            possible: search.possible(),
            leading: of_setup(&Setup::leading(search.choices())),
            best: of_setup(scores.best()),
            claims: claims.collect(),
        }
    }

    /// The summary as one line of JSON, without a line feed.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("numbers are finite and keys are text")
    }
}

impl Search<'_> {
    /// A fingerprint of all scenarios, settings, seeds and rules of the search.
    pub fn fingerprint(&self) -> String {
        let mut hasher = Sha256::new();
        self.tasks().iter().for_each(|task| hasher.update(self.inputs(task)));
        hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }

    /// The summary, once every set-up has been scored and the best one confirmed.
    pub fn summary(&self) -> Option<SearchSummary> {
        Some(SearchSummary::new(self, &self.confirmed()?.scores))
    }
}
