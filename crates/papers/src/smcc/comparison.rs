//! Claims that compare one phase, queue or algorithm with another.

use crate::prelude::*;

/// A quantity measured on a queue in a window, such as [`Run::queue_std_dev`].
pub(super) type Measure = fn(&Run, &str, Window) -> Option<f64>;

/// The case, queue and window in which it is measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) case: &'static str,
    pub(super) queue: &'static str,
    pub(super) window: Window,
}

/// Larger: by at least a tenth.
pub(super) const LARGER: Rule = Rule::AtLeast(1.1);
/// Smaller: by at least a tenth.
pub(super) const SMALLER: Rule = Rule::AtMost(0.9);
/// Almost unchanged: within a quarter.
pub(super) const UNCHANGED: Rule = Rule::Between(0.75, 1.25);

/// The reading of comparisons of deviations.
pub(super) const DEVIATIONS: &str = "Ratio of the deviations; “larger” and “smaller” mean by at least a tenth, “almost the same” means within a \
    quarter.";
/// The reading of comparisons of amplitudes.
pub(super) const AMPLITUDES: &str =
    "Ratio of the amplitudes; “larger” and “smaller” mean by at least a tenth.";

/// A claim on the mean of a quantity over some places, divided by its mean over other places.
pub(super) fn compared(
    name: &str,
    statement: &str,
    (rule, measure): (Rule, Measure),
    (of, over): (impl Into<Vec<Place>>, impl Into<Vec<Place>>),
) -> Claim {
    let (of, over) = (of.into(), over.into());
    let average = move |places: &[Place], seed: &Seed<'_>| {
        let values = all(places.iter().map(|place| measure(seed.run(place.case), place.queue, place.window)));
        Some(values?.iter().sum::<f64>() / places.len() as f64)
    };
    Claim::new(OURS, name, statement)
        .measure(Unit::Ratio, rule, move |seed| Some(average(&of, seed)? / average(&over, seed)?))
}
