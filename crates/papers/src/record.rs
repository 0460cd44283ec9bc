//! The outcome of a claim, as a line of JSON.

use serde::{Deserialize, Serialize};
use setpoint_lab::sweep::Spread;
use setpoint_units::quantity::Unit;

use crate::claim::{Claim, Judgement, shown};
use crate::fingerprint::fingerprint;
use crate::reproduce::Finished;

/// The outcome of one claim. `unit` gives the unit of the quantities.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClaimRecord {
    /// The experiment's id.
    pub experiment: String,
    /// The claim's name.
    pub claim: String,
    /// Fingerprint of the scenarios, settings, seeds and rule that were judged.
    pub inputs: String,
    /// `holds`, `differs` or `cannot be judged`; for a quick run, `quick run` or `not judged in a quick run`.
    pub verdict: String,
    /// Mean over seeds; none if nothing was measured.
    pub measured: Option<f64>,
    /// The rule in words.
    pub expected: String,
    /// Spread over seeds.
    pub spread: Option<SeedSpread>,
    /// The figure for each seed, in the order of the seeds.
    pub values: Vec<f64>,
    /// Number of seeds that were measured.
    pub seeds: usize,
    /// Number of seeds for which the rule holds.
    pub seeds_following: usize,
    /// Unit of the figures: `b/s`, `B`, `s`, `1/s`, `share` (from 0 to 1), `count` or `ratio`.
    pub unit: String,
    /// Why the claim differs or cannot be judged; empty if it holds.
    pub why: String,
    /// `full` or `quick`.
    pub depth: String,
}

/// The spread of a figure over seeds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeedSpread {
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// Sample standard deviation; none for a single seed.
    pub deviation: Option<f64>,
}

impl ClaimRecord {
    /// The record of a claim.
    #[must_use]
    pub fn new(finished: &Finished<'_>, claim: &Claim, judgement: &Judgement) -> Self {
        let spread = judgement.spread();
        let of_spread = |Spread { min, max, deviation, .. }| SeedSpread { min, max, deviation };
        Self {
            experiment: finished.experiment.id.to_owned(),
            claim: claim.name.clone(),
            inputs: fingerprint(finished.experiment, claim),
            verdict: judgement.verdict.name().to_owned(),
            measured: spread.map(|spread| spread.mean),
            expected: plain(&claim.expected()),
            spread: spread.map(of_spread),
            values: judgement.values.clone(),
            seeds: judgement.values.len(),
            seeds_following: judgement.followers(),
            unit: symbol(judgement.unit).to_owned(),
            why: judgement.verdict.why(),
            depth: finished.depth.name().to_owned(),
        }
    }

    /// The records of all claims of an experiment.
    pub fn all(finished: &Finished<'_>) -> Vec<Self> {
        let pairs = finished.experiment.claims.iter().zip(&finished.judgements);
        pairs.map(|(claim, judgement)| Self::new(finished, claim, judgement)).collect()
    }

    /// The verdict; for a quick run, with the number of seeds for which the rule holds.
    #[must_use]
    pub fn shown_verdict(&self) -> String {
        shown(&self.verdict, self.seeds_following, self.seeds)
    }

    /// The unit of the figures.
    #[must_use]
    pub fn quantity(&self) -> Unit {
        unit(&self.unit)
    }

    /// The record as one line of JSON, without a line feed.
    #[must_use]
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("numbers are finite and keys are text")
    }
}

/// The unit with a symbol.
#[must_use]
pub fn unit(name: &str) -> Unit {
    let units = [Unit::BitsPerSecond, Unit::Bytes, Unit::Seconds, Unit::PerSecond, Unit::Share, Unit::Count];
    units.into_iter().find(|unit| symbol(*unit) == name).unwrap_or(Unit::Ratio)
}

/// The symbol of a unit; figures are in base units.
fn symbol(unit: Unit) -> &'static str {
    match unit {
        Unit::BitsPerSecond => "b/s",
        Unit::Bytes => "B",
        Unit::Seconds => "s",
        Unit::PerSecond => "1/s",
        Unit::Share => "share",
        Unit::Count => "count",
        Unit::Ratio => "ratio",
        Unit::RadiansPerSecond => "rad/s",
        Unit::Decibels => "dB",
        Unit::Degrees => "deg",
    }
}

/// Text with plain spaces, for programs.
fn plain(text: &str) -> String {
    text.replace(['\u{a0}', '\u{202f}'], " ")
}
