//! Fingerprints of the inputs on which a verdict depends.

use sha2::{Digest, Sha256};

use crate::claim::Claim;
use crate::experiment::Experiment;
use crate::setup::Setup;

/// A fingerprint of the scenarios, set-ups, settings and seeds of an experiment. A stored verdict with another
/// fingerprint is out of date.
#[derive(Clone, Debug)]
pub struct Fingerprint(Sha256);

impl Fingerprint {
    /// The fingerprint of an experiment, including all set-ups in which it is run.
    pub fn new(experiment: &Experiment) -> Self {
        let mut fingerprint = Self(Sha256::new());
        let leading = Setup::leading(&experiment.choices);
        for setup in [&leading].into_iter().chain(&leading.neighbours()) {
            fingerprint.part(&setup.to_string());
            for case in &experiment.cases {
                setup.apply(case).parts().for_each(|part| fingerprint.part(part));
            }
        }
        fingerprint.part(&format!("{:?}", experiment.repeats));
        fingerprint
    }

    /// The fingerprint of a claim, which covers its experiment, its premise, its rule, its origin and the paper's
    /// value.
    pub fn of(&self, claim: &Claim) -> String {
        let mut fingerprint = self.clone();
        fingerprint.part(&format!("{:?} {:?} {:?}", claim.rule(), claim.published, claim.origin.name()));
        fingerprint.part(&claim.premise_text());
        fingerprint.0.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }

    fn part(&mut self, text: &str) {
        self.0.update(text.as_bytes());
        self.0.update([0]);
    }
}
