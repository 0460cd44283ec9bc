//! Very short versions of experiments. Their figures are meaningless by themselves, but they are cheap to run: they
//! show whether the simulator or a measure has changed since verdicts were stored, and whether a rule can fail.

use std::collections::HashSet;
use std::sync::Arc;

use setpoint_record::results::digest;
use setpoint_record::run::outcome;
use setpoint_scenario::{Diagnostics, Prepared};
use setpoint_sim::topology::Link;
use setpoint_sim::{FlowSpec, NodeId, Spec, Unwatched};
use setpoint_units::{Rate, TimeDelta};
use sha2::{Digest, Sha256};

use crate::case::{Case, Depth};
use crate::experiment::{Experiment, Repeats};
use crate::runs::{Run, Runs};
use crate::setup::Setup;

/// Number of 1500-byte frames that the stations of a network could send during a probe.
const FRAMES: f64 = 8_000.0;
/// Maximum number of samples in a probe.
const SAMPLES: u64 = 100;
/// The time for which a silenced flow sends.
const INSTANT: TimeDelta = TimeDelta::from_micros(1);
/// The rate of a starved flow.
const TRICKLE: Rate = Rate::from_mbps(1);
/// The seed of a probe.
const SEED: u64 = 1;

/// A change to an experiment that shows whether its rules can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sabotage {
    /// No change.
    None,
    /// Sources react to notifications only after the end of the run.
    Deaf,
    /// All flows except the first send only for an instant.
    Alone,
    /// The first flow sends only for an instant.
    WithoutFirst,
    /// Every case gets the run of the case this many positions after it.
    Shifted(usize),
    /// QCN's sources slow down drastically and hardly recover.
    Drastic,
    /// The timers of QCN's sources expire every few microseconds.
    Hasty,
    /// Flows have little to send, in the case at this position or, if none is given, in all cases.
    Starved(Option<usize>),
}

/// The settings of [`Sabotage::Drastic`].
const DRASTIC: [&str; 4] = [
    "control.qcn.rp.gain=2^-2",
    "control.qcn.rp.min_decrease_factor=1 %",
    "control.qcn.rp.time_reset=1000 s",
    "control.qcn.rp.byte_reset=4 GB",
];

/// The setting of [`Sabotage::Hasty`].
const HASTY: [&str; 1] = ["control.qcn.rp.time_reset=10 us"];

/// The outcome of a claim in a probe.
#[derive(Clone, Debug, PartialEq)]
pub struct Probed {
    /// The figure, whether the premise holds or not; none if there was nothing to measure.
    pub figure: Option<f64>,
    /// Digest of the outcomes of all runs and of the figure, 16 hexadecimal digits.
    pub digest: String,
}

/// Runs a very short version of an experiment in the leading set-up, lengthened by a factor. Returns the claims in
/// their original order; none if the experiment has no cases or a run failed.
pub fn probe(experiment: &Experiment, sabotage: Sabotage, longer: u32) -> Option<Vec<Probed>> {
    let setup = Setup::leading(&experiment.choices);
    let run = |(place, case): (usize, &Case)| {
        let case = sabotage.settings(setup.apply(case));
        let (mut prepared, factor) = shortened(&case, longer).ok()?;
        sabotage.apply(place, &mut prepared.spec);
        let outcome = outcome(&prepared, &mut Unwatched).ok()?;
        Some(Arc::new(Run::new(&prepared, outcome, experiment.keep, factor)))
    };
    let mut runs: Vec<Arc<Run>> = experiment.cases.iter().enumerate().map(run).collect::<Option<_>>()?;
    if runs.is_empty() {
        return None;
    }
    if let Sabotage::Shifted(number) = sabotage {
        let number = number % runs.len();
        runs.rotate_left(number);
    }
    let mut hasher = Sha256::new();
    for Run { summary, series, messages, feedback, timeline } in runs.iter().map(|run| &**run) {
        // As text without the keys that a run does not have, so that a new key changes only the runs that have it.
        hasher.update(digest(summary, series, messages));
        hasher.update(format!("{feedback:?} {timeline:?}"));
    }
    let names = experiment.cases.iter().map(|case| case.name.clone()).collect();
    let runs = Runs::new(names, vec![SEED], runs.into_iter().map(Ok).collect(), Depth::Full, setup);
    let probed = experiment.claims.iter().map(|claim| {
        let sample = claim.sample(&runs);
        let figure = sample.figures.figure();
        let given = claim.given_premise(&sample).figure().is_some();
        // Twelve digits: the order of operations in a formula may affect the last bits.
        let shown = figure.map(|figure| format!("{figure:.11e}"));
        let hash = hasher.clone().chain_update(format!("{shown:?} {given}")).finalize();
        Probed { figure, digest: hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect() }
    });
    Some(probed.collect())
}

impl Experiment {
    /// The digests of the claims in a very short version; none if there are no runs, or if they are costly.
    pub fn probe_digests(&self) -> Option<Vec<String>> {
        if matches!(self.repeats, Repeats::Costly(_)) {
            return None;
        }
        Some(probe(self, Sabotage::None, 1)?.into_iter().map(|claim| claim.digest).collect())
    }
}

/// A case with all times multiplied by a factor chosen according to the size of its network, and the factor.
fn shortened(case: &Case, longer: u32) -> Result<(Prepared, f64), Diagnostics> {
    let full = case.prepare(SEED, 1.0)?.spec;
    let stations: HashSet<NodeId> = full.topology.stations().collect();
    let is_access = |link: &&Link| stations.contains(&link.first) || stations.contains(&link.second);
    let rates = full.topology.links().iter().filter(is_access).map(|link| link.rate.bits_per_second() as f64);
    let seconds = f64::from(longer) * FRAMES * 12_000.0 / rates.sum::<f64>();
    let factor = (seconds / full.duration.as_secs_f64()).min(1.0);
    let mut prepared = case.prepare(SEED, factor)?;
    let spec = &mut prepared.spec;
    let interval = (full.sample_interval.as_picos() as f64 * factor) as u64;
    let interval = interval.max(spec.duration.as_picos() / SAMPLES).max(1);
    spec.sample_interval = TimeDelta::from_picos(interval);
    Ok((prepared, factor))
}

impl Sabotage {
    /// A case with the settings of this sabotage, if it has any and the case accepts them.
    fn settings(self, case: Case) -> Case {
        let settings: &[&str] = match self {
            Self::Drastic => &DRASTIC,
            Self::Hasty => &HASTY,
            _ => return case,
        };
        let changed = case.clone().set_all(settings.iter().copied());
        if changed.prepare(SEED, 1.0).is_ok() { changed } else { case }
    }

    fn apply(self, place: usize, spec: &mut Spec) {
        let stop = |flow: &mut FlowSpec| flow.stop = Some(flow.start.saturating_add(INSTANT));
        match self {
            Self::Deaf => spec.control.reaction_delay = spec.duration * 2,
            Self::Alone => spec.flows.iter_mut().skip(1).for_each(stop),
            Self::WithoutFirst => spec.flows.iter_mut().take(1).for_each(stop),
            Self::Starved(only) if only.is_none_or(|only| only == place) => {
                spec.flows.iter_mut().for_each(|flow| flow.cap = Some(TRICKLE));
            }
            Self::None | Self::Shifted(_) | Self::Drastic | Self::Hasty | Self::Starved(_) => {}
        }
    }
}
