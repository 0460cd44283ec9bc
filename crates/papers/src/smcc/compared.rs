//! Claims that compare one phase, queue or algorithm with another.

use setpoint_report::quantity::Unit;

use super::Phase;
use crate::claim::Claim;
use crate::rule::Rule;
use crate::runs::{Run, Seed};

/// What is measured on a queue in a phase.
pub(super) type Measure = fn(&Run, &str, Phase) -> Option<f64>;

/// Where it is measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) case: &'static str,
    pub(super) queue: &'static str,
    pub(super) phase: Phase,
}

impl Place {
    pub(super) fn measure(&self, seed: &Seed<'_>, measure: Measure) -> Option<f64> {
        measure(seed.run(self.case), self.queue, self.phase)
    }
}

/// Larger: by a tenth at least.
pub(super) const LARGER: Rule = Rule::AtLeast(1.1);
/// Smaller: by a tenth at least.
pub(super) const SMALLER: Rule = Rule::AtMost(0.9);
/// Almost unchanged: within a quarter.
pub(super) const UNCHANGED: Rule = Rule::Between(0.75, 1.25);

/// How comparisons of swings are read.
pub(super) const SWINGS: &str =
    "Ratio of the swings; larger or smaller is by a tenth at least, unchanged within a quarter.";
/// How comparisons of amplitudes are read.
pub(super) const AMPLITUDES: &str = "Ratio of the amplitudes; larger or smaller is by a tenth at least.";

/// A claim on what is measured in one place over what is measured in another.
pub(super) fn compared(
    name: &'static str,
    statement: &'static str,
    (rule, measure): (Rule, Measure),
    (of, over): (Place, Place),
) -> Claim {
    Claim::measured(name, statement, (Unit::Ratio, rule), move |seed| {
        Some(of.measure(seed, measure)? / over.measure(seed, measure)?)
    })
}

/// A claim on what is measured on average over some places, over the average over some others.
pub(super) fn averages(
    name: &'static str,
    statement: &'static str,
    (rule, measure): (Rule, Measure),
    (of, over): (Vec<Place>, Vec<Place>),
) -> Claim {
    let average = move |places: &[Place], seed: &Seed<'_>| {
        let values: Option<Vec<f64>> = places.iter().map(|place| place.measure(seed, measure)).collect();
        Some(values?.iter().sum::<f64>() / places.len() as f64)
    };
    Claim::measured(name, statement, (Unit::Ratio, rule), move |seed| {
        Some(average(&of, seed)? / average(&over, seed)?)
    })
}
