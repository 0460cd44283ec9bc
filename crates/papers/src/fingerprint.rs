//! Fingerprints of what a verdict depends on.

use sha2::{Digest, Sha256};

use crate::claim::Claim;
use crate::experiment::Experiment;

/// A fingerprint of the scenarios, settings and seeds of an experiment and of a claim's rule. A stored verdict with
/// another fingerprint is out of date.
#[must_use]
pub fn fingerprint(experiment: &Experiment, claim: &Claim) -> String {
    let mut hasher = Sha256::new();
    let mut part = |text: &str| {
        hasher.update(text.as_bytes());
        hasher.update([0]);
    };
    for case in &experiment.cases {
        part(&case.name);
        part(case.scenario);
        case.settings.iter().for_each(|setting| part(setting));
    }
    part(&format!("{:?}", experiment.repeats));
    part(&claim.expected());
    hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
