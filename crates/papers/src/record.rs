//! The outcome of a claim, as a line of JSON.

use serde::{Deserialize, Serialize};
use setpoint_lab::build;
use setpoint_record::confidence::Spread;
use setpoint_units::quantity::Unit;

use crate::claim::{Claim, Judgement, Measured, VerdictKind, share_of_samples};
use crate::fingerprint::Fingerprint;
use crate::reproduce::Finished;
use crate::runs::RUN_FAILED;
use crate::setup::Setup;

/// The outcome of one claim. `unit` gives the unit of the quantities.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClaimRecord {
    /// The experiment's id.
    pub experiment: String,
    /// The claim's name.
    pub claim: String,
    /// `paper`, or `ours` for a check of our own.
    pub origin: String,
    /// The place in the paper; empty for a check of our own.
    pub place: String,
    /// Fingerprint of the scenarios, settings, seeds and rule that were judged.
    pub inputs: String,
    /// Digest of the runs and of the figure in a very short version, which changes with the simulator and with the
    /// measure; none if the experiment runs no simulations, or if its runs are costly.
    #[serde(default)]
    pub probe: Option<String>,
    /// Commit of the program, followed by `-dirty` if its sources had been modified; none if it is not known.
    #[serde(default)]
    pub commit: Option<String>,
    /// `holds (robust)`, `holds (depends on the reading)`, `within spread`, `holds if`, `differs` or `cannot be judged`;
    /// for a quick run, `quick run` or `too short to judge`.
    pub verdict: String,
    /// Mean over seeds, or the figure for all seeds together if the claim pools them; none if nothing was measured.
    pub measured: Option<f64>,
    /// The paper's single value, if it gives one.
    pub published: Option<f64>,
    /// The rule in words.
    pub expected: String,
    /// Spread over seeds.
    pub spread: Option<SeedSpread>,
    /// The 95 % bootstrap interval of a pooled figure.
    pub interval: Option<[f64; 2]>,
    /// The figure for each seed, in the order of the seeds.
    pub values: Vec<f64>,
    /// Number of seeds that were measured.
    pub seeds: usize,
    /// Number of seeds for which the rule holds.
    pub seeds_following: usize,
    /// The share of the bootstrap samples for which the rule holds, for a pooled figure.
    pub samples_following: Option<f64>,
    /// Unit of the figures: `b/s`, `B`, `s`, `1/s`, `share` (from 0 to 1), `count` or `ratio`.
    pub unit: String,
    /// The reason why the claim does not hold or cannot be judged; empty if it holds.
    pub why: String,
    /// The outcome in other set-ups.
    pub beside: Vec<BesideRecord>,
    /// `full` or `quick`.
    pub depth: String,
}

/// The outcome of a claim in a set-up other than the leading one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BesideRecord {
    /// The set-up, as `choice=option` for every choice.
    pub setup: String,
    /// The options other than the leading ones, in words.
    pub words: String,
    /// The figure; none if nothing was measured.
    pub measured: Option<f64>,
    /// Number of seeds that were measured.
    pub seeds: usize,
    /// Number of seeds for which the rule holds.
    pub seeds_following: usize,
    /// Whether the claim holds in this set-up.
    pub holds: bool,
    /// Whether it holds in this set-up but not, with the same seeds, in the leading one, and the difference is larger
    /// than chance would explain.
    pub turns: bool,
    /// The reason why nothing was measured; empty otherwise.
    pub why: String,
}

/// The spread of a figure over seeds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeedSpread {
    /// The smallest figure.
    pub min: f64,
    /// The largest figure.
    pub max: f64,
    /// Sample standard deviation; none for a single seed.
    pub deviation: Option<f64>,
}

impl ClaimRecord {
    fn new(finished: &Finished<'_>, fingerprint: &Fingerprint, claim: &Claim, judgement: &Judgement) -> Self {
        let spread = judgement.spread();
        let of_spread = |Spread { min, max, deviation, .. }| SeedSpread { min, max, deviation };
        let pooled = judgement.measured.pooled.as_ref();
        let others = judgement.beside.iter();
        let tried = judgement.beside.len();
        let others = others.map(|(setup, other)| beside(claim, &judgement.measured, setup, other, tried));
        Self {
            experiment: finished.experiment.id.to_owned(),
            claim: claim.name.clone(),
            origin: claim.origin.name().to_owned(),
            place: claim.origin.place().to_owned(),
            inputs: fingerprint.of(claim),
            probe: None,
            commit: build::current().commit,
            verdict: judgement.verdict.kind().name().to_owned(),
            measured: judgement.measured.figure(),
            published: claim.published,
            expected: plain(&claim.expected()),
            spread: spread.map(of_spread),
            interval: pooled.map(|pooled| pooled.interval().into()),
            values: judgement.measured.values.clone(),
            seeds: judgement.measured.values.len(),
            seeds_following: judgement.followers(),
            samples_following: pooled.zip(judgement.rule).map(|(pooled, rule)| pooled.support(rule)),
            unit: symbol(judgement.unit).to_owned(),
            why: judgement.verdict.why(),
            beside: others.collect(),
            depth: finished.depth.name().to_owned(),
        }
    }

    /// The records of all claims of an experiment.
    pub fn all(finished: &Finished<'_>) -> Vec<Self> {
        let fingerprint = Fingerprint::new(finished.experiment);
        let pairs = finished.experiment.claims.iter().zip(&finished.judgements);
        let records = pairs.map(|(claim, judgement)| Self::new(finished, &fingerprint, claim, judgement));
        let probes = finished.experiment.probe_digests();
        let probed = |(place, record): (usize, Self)| {
            let probe = probes.as_ref().map(|probes| probes[place].clone());
            Self { probe, ..record }
        };
        records.enumerate().map(probed).collect()
    }

    /// The kind of the verdict; none if a later version wrote the record.
    pub fn kind(&self) -> Option<VerdictKind> {
        VerdictKind::named(&self.verdict)
    }

    /// Whether the claim holds in the leading set-up.
    pub fn holds(&self) -> bool {
        self.kind().is_some_and(VerdictKind::holds)
    }

    /// Whether the paper makes the claim.
    pub fn is_of_paper(&self) -> bool {
        self.origin == "paper"
    }

    /// The number of seeds, or of bootstrap samples for a pooled figure, for which the rule holds; empty for a single
    /// seed.
    pub fn support(&self) -> String {
        match (self.samples_following, self.seeds) {
            (Some(share), _) => share_of_samples(share),
            (None, 0 | 1) => String::new(),
            (None, seeds) => format!("{} of {seeds} seeds", self.seeds_following),
        }
    }

    /// If a claim does not hold in the leading set-up, the set-ups in which it holds, each with its number of seeds.
    pub fn holds_with(&self) -> Vec<String> {
        let turning =
            self.beside.iter().filter(|other| other.turns && self.kind() == Some(VerdictKind::HoldsIf));
        turning
            .map(|other| format!("{} ({} of {} seeds)", other.words, other.seeds_following, other.seeds))
            .collect()
    }

    /// Whether a run of the claim's experiment failed.
    pub fn has_failed_run(&self) -> bool {
        let reasons = self.beside.iter().map(|other| &other.why).chain([&self.why]);
        reasons.into_iter().any(|why| why.starts_with(RUN_FAILED))
    }

    /// The unit of the figures.
    pub fn quantity(&self) -> Unit {
        unit(&self.unit)
    }

    /// The record as one line of JSON, without a line feed.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("numbers are finite and keys are text")
    }
}

fn beside(
    claim: &Claim,
    leading: &Measured,
    setup: &Setup,
    measured: &Measured,
    tried: usize,
) -> BesideRecord {
    let rule = claim.rule();
    BesideRecord {
        setup: setup.to_string(),
        words: setup.words(),
        measured: measured.figure(),
        seeds: measured.values.len(),
        seeds_following: rule.map_or(0, |rule| rule.followers(&measured.values)),
        holds: claim.follows(measured),
        turns: rule.is_some_and(|rule| measured.turns(leading, rule, tried)),
        why: measured.why_not.clone().unwrap_or_default(),
    }
}

/// The unit with the given symbol.
pub fn unit(name: &str) -> Unit {
    let units = [
        Unit::BitsPerSecond,
        Unit::Bytes,
        Unit::Seconds,
        Unit::PerSecond,
        Unit::Share,
        Unit::Count,
        Unit::Degrees,
    ];
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
