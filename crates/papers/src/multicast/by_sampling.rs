//! Claims that are judged with both kinds of sampling.

use super::variation::{Sampled, Sampling};
use crate::prelude::*;

/// The same claim with standard sampling and with every frame sampled.
pub(super) struct Pair {
    standard: Claim,
    every_frame: Claim,
}

/// Measures a figure on the runs of one seed and one kind of sampling.
pub(super) fn by_sampling(
    name: &str,
    statement: &str,
    (unit, rule): (Unit, Rule),
    measure: impl Fn(&Sampled<'_>) -> Option<f64> + Copy + Send + Sync + 'static,
) -> Pair {
    let claim = |sampling: Sampling, words: &str| {
        Claim::new(OURS, format!("{name}-{}", sampling.key()), format!("{words}: {statement}")).measure(
            unit,
            rule,
            move |seed| measure(&Sampled { seed: *seed, sampling }),
        )
    };
    Pair {
        standard: claim(Sampling::Standard, "Standard sampling"),
        every_frame: claim(Sampling::EveryFrame, "Every frame sampled"),
    }
}

impl Pair {
    pub(super) fn read_as(self, reading: &str) -> Self {
        Self { standard: self.standard.read_as(reading), every_frame: self.every_frame.read_as(reading) }
    }

    /// Sets the cause for both kinds of sampling.
    pub(super) fn cause(self, cause: &str) -> Self {
        self.standard_cause(cause).every_frame_cause(cause)
    }

    /// Sets the cause for standard sampling.
    pub(super) fn standard_cause(self, cause: &str) -> Self {
        Self { standard: self.standard.cause(cause), ..self }
    }

    /// Sets the cause for sampling of every frame.
    pub(super) fn every_frame_cause(self, cause: &str) -> Self {
        Self { every_frame: self.every_frame.cause(cause), ..self }
    }
}

impl IntoIterator for Pair {
    type Item = Claim;
    type IntoIter = std::array::IntoIter<Claim, 2>;

    fn into_iter(self) -> Self::IntoIter {
        [self.standard, self.every_frame].into_iter()
    }
}
