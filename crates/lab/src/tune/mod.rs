//! Tuning: a search for the parameter values that give a scenario the best figures.
//!
//! The method is multi-objective successive halving (Schmucker et al. 2021, after Jamieson and Talwalkar 2016):
//!
//! 1. Candidates fill the space of the parameters evenly (`space.rs`). The scenario's own values take part as candidate 0.
//! 2. All candidates are run for a short time with few seeds. The best third runs longer with more seeds, and the best third
//!    of these for the whole duration with all seeds. Candidates are ordered by non-dominated sorting (`rank.rs`); the
//!    scenario's own values are always kept.
//! 3. In the last rung, the candidates that no other dominates form the Pareto front. The recommended candidate maximises
//!    the smallest of its improvements on the scenario's own values, one per objective.
//! 4. The front is run again with seeds that have not been used so far. The recommendation is confirmed if it is better
//!    than the scenario's own values in every objective, by a sign test over these seeds.
//!
//! Every run is stored like a run of a sweep, so tuning that was stopped can be resumed, and several processes can
//! share the work.

mod objective;
mod rank;
mod record;
mod space;
mod stage;

use std::num::NonZeroU32;

use setpoint_scenario::{Axis, Diagnostics, Override, Scenario};

use crate::sweep::check_seeds;

pub use objective::{NotAnObjective, Objective};
pub use record::{
    CandidateRecord, CheckRecord, CheckedCandidate, ObjectiveRecord, ParameterRecord, RungRecord,
    TuneOutcome, TuneRecord,
};
pub use space::MOST_PARAMETERS;
pub use stage::{Stage, StageEnd};

/// The candidate with the scenario's own values.
const DEFAULTS: usize = 0;

/// The options of a tuner.
#[derive(Clone, Debug)]
pub struct TuneOptions {
    /// The parameters, each with the values that it may take.
    pub parameters: Vec<Axis>,
    /// The objectives: one or two.
    pub objectives: Vec<Objective>,
    /// The number of candidates besides the scenario's own values.
    pub candidates: NonZeroU32,
    /// Seeds per candidate in the last rung.
    pub seeds: NonZeroU32,
    /// Number of seeds used to check the front.
    pub unseen: NonZeroU32,
}

/// Keys that are the same for all candidates: the tuner changes them itself.
const FIXED: [&str; 4] = ["duration", "measure_from", "measure_messages_until", "seed"];
/// Minimum number of unseen seeds. With fewer, even a candidate that is better with every seed could be so by chance
/// (one in 16 for four seeds).
pub const FEWEST_UNSEEN: u32 = 5;
/// Maximum number of values taken from the range of a parameter.
pub const LEVELS: usize = 64;

/// The reason why tuning cannot begin.
#[derive(Clone, Debug, thiserror::Error)]
pub enum TuneRefusal {
    /// The options do not fit together.
    #[error("{0}")]
    Options(String),
    /// A parameter is already set, or given twice.
    #[error("a parameter cannot be tuned")]
    Scenario(Diagnostics),
}

impl TuneOptions {
    /// The objectives if none are given.
    pub fn usual_objectives() -> Vec<Objective> {
        ["queue_error_bytes", "settling_s"].map(|name| name.parse().expect("it is a metric")).into()
    }

    /// Checks that the options are consistent with each other and with the scenario.
    ///
    /// # Errors
    /// Returns the first problem.
    pub fn check(&self, scenario: &Scenario) -> Result<(), TuneRefusal> {
        let refuse = |message: String| Err(TuneRefusal::Options(message));
        let given = self.parameters.len();
        if given > MOST_PARAMETERS {
            return refuse(format!(
                "{given} parameters are too many to be sampled evenly; at most {MOST_PARAMETERS} are allowed"
            ));
        }
        if self.objectives.len() > 2 {
            let message =
                "give one or two objectives: with more, nearly every candidate is on the Pareto front";
            return refuse(message.to_owned());
        }
        if let [one, other] = self.objectives[..]
            && one.metric == other.metric
        {
            return refuse(format!("the objective `{}` is given twice", one.metric.name));
        }
        if let Some(axis) = self.parameters.iter().find(|axis| FIXED.contains(&axis.key())) {
            return refuse(format!(
                "`{}` must be the same for all candidates, so it cannot be tuned",
                axis.key()
            ));
        }
        // The unseen seeds follow the others.
        let seeds = self.seeds.saturating_add(self.unseen.get());
        check_seeds(scenario.seed(), seeds).map_err(|error| TuneRefusal::Options(error.to_string()))?;
        // Keys that are set or given twice are refused as in a sweep.
        scenario.clone().with_parameters(&self.parameters).map(drop).map_err(TuneRefusal::Scenario)
    }
}

/// The tuning of a scenario.
#[derive(Debug)]
pub struct Tuning<'a> {
    scenario: &'a Scenario,
    options: &'a TuneOptions,
    candidates: Vec<Candidate>,
}

/// Values of the parameters.
#[derive(Clone, Debug)]
struct Candidate {
    number: usize,
    /// One setting per parameter; empty for the scenario's own values.
    settings: Vec<Override>,
}

impl<'a> Tuning<'a> {
    /// Lays out the candidates. Points of the space that coincide are used once, so there may be fewer than requested.
    pub fn new(scenario: &'a Scenario, options: &'a TuneOptions) -> Self {
        let levels: Vec<usize> = options.parameters.iter().map(|axis| axis.settings().len()).collect();
        let mut points: Vec<Vec<usize>> = Vec::new();
        for number in 1..=options.candidates.get() {
            let point = space::point(number, &levels);
            if !points.contains(&point) {
                points.push(point);
            }
        }
        let settings = |point: &Vec<usize>| -> Vec<Override> {
            options
                .parameters
                .iter()
                .zip(point)
                .map(|(axis, level)| axis.settings()[*level].clone())
                .collect()
        };
        let all = std::iter::once(Vec::new()).chain(points.iter().map(settings));
        let candidates = all.enumerate().map(|(number, settings)| Candidate { number, settings }).collect();
        Self { scenario, options, candidates }
    }
}
