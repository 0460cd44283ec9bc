//! The inputs that determine the result of a run.

use serde::{Deserialize, Serialize};
use setpoint_record::VERSION;
use setpoint_record::results::Manifest;
use setpoint_scenario::Prepared;

use crate::build::SOURCES;

/// The inputs that determine the result of a run: equal inputs give equal bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Inputs {
    version: String,
    /// Digest of the program's sources.
    sources: String,
    seed: u64,
    scenario_text: String,
    overrides: Vec<(String, String)>,
    /// Whether external controllers took part. Only their names are known, so such a result cannot be reproduced.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    external: bool,
}

impl Inputs {
    /// The inputs of a run with this build.
    pub(crate) fn of(prepared: &Prepared) -> Self {
        Self {
            version: VERSION.to_owned(),
            sources: SOURCES.to_owned(),
            seed: prepared.spec.seed,
            scenario_text: prepared.text.clone(),
            overrides: prepared.overrides.clone(),
            external: false,
        }
    }

    /// The inputs of a stored result.
    pub(crate) fn stored(manifest: &Manifest) -> Self {
        Self {
            version: manifest.version.clone(),
            sources: manifest.build.sources.clone(),
            seed: manifest.seed,
            scenario_text: manifest.scenario_text.clone(),
            overrides: manifest.overrides.clone(),
            external: manifest.controllers.is_some(),
        }
    }

    /// How the inputs of a stored result differ from these, worded to follow "it is"; none if they are the same.
    pub(crate) fn difference(&self, stored: &Self) -> Option<String> {
        if stored.version != self.version {
            return Some(format!("from version {}", stored.version));
        }
        if stored.sources != self.sources {
            return Some(format!("from a build of version {} with other sources", stored.version));
        }
        if stored.seed != self.seed {
            return Some(format!("for seed {}", stored.seed));
        }
        if stored.external != self.external {
            return Some("of controllers from outside the program".to_owned());
        }
        (stored != self).then(|| "for another scenario".to_owned())
    }
}
