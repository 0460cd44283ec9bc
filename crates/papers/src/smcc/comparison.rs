//! Claims that compare one phase, queue or algorithm with another.

use super::TARGET;
use super::choices::{AMPLITUDE, CHANGE};
use crate::prelude::*;

/// A measure of a queue's oscillations: [`deviation`] or [`amplitude`].
pub(super) type Measure = fn(&Seed<'_>, Place) -> Option<f64>;

/// The case, queue and window in which it is measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) case: &'static str,
    pub(super) queue: &'static str,
    pub(super) window: Window,
}

/// “Larger” means larger by at least a tenth.
pub(super) const LARGER: Rule = Rule::AtLeast(1.1);
/// “Smaller” means smaller by at least a tenth.
pub(super) const SMALLER: Rule = Rule::AtMost(0.9);
/// “The same” and “almost unchanged” mean within a quarter.
pub(super) const UNCHANGED: Rule = Rule::Equivalent(0.75, 1.25);
/// A difference that is at most its limit, in either direction.
pub(super) const WITHIN_LIMIT: Rule = Rule::Equivalent(-1.0, 1.0);
/// A value that is at most its limit.
pub(super) const UP_TO_LIMIT: Rule = Rule::Equivalent(f64::NEG_INFINITY, 1.0);

/// A queue whose standard deviation exceeds a sixteenth of its set point oscillates.
pub(super) const OSCILLATES: (Unit, Rule) = (Unit::Bytes, Rule::AtLeast(TARGET / 16.0));

/// Interpretation of claims that compare deviations.
pub(super) const DEVIATIONS: &str = "Ratio of the standard deviations; “larger” and “smaller” mean by at least a \
    tenth.";
/// Interpretation of claims that two oscillations are the same.
pub(super) const SAME: &str = "Ratio of the standard deviations. “The same” and “almost unchanged” mean within a \
    quarter, and the 95 % confidence interval of the mean must lie within these bounds.";
/// Interpretation of claims that compare amplitudes.
pub(super) const AMPLITUDES: &str =
    "Ratio of the amplitudes; “larger” and “smaller” mean by at least a tenth.";

/// The largest difference between two standard deviations that counts as almost none: a sixteenth of the set point
/// or, in the other reading, a quarter of one of them.
pub(super) fn limit(seed: &Seed<'_>, of: f64) -> f64 {
    if seed.reads(&CHANGE, "parts-of-q0") { TARGET / 16.0 } else { of / 4.0 }
}

/// The length of a frame, the smallest change in a queue's length.
const FRAME: f64 = 1e3;

/// The standard deviation of a queue.
pub(super) fn deviation(seed: &Seed<'_>, place: Place) -> Option<f64> {
    seed.run(place.case).queue_std_dev(place.queue, place.window)
}

/// The amplitude of a queue's oscillations. An amplitude smaller than one frame counts as one frame.
pub(super) fn amplitude(seed: &Seed<'_>, place: Place) -> Option<f64> {
    let (run, Place { queue, window, .. }) = (seed.run(place.case), place);
    if seed.reads(&AMPLITUDE, "deviation") {
        return run.queue_std_dev(queue, window);
    }
    let distance = match seed.reads(&AMPLITUDE, "extremes") {
        true => run.queue_range(queue, window),
        false => run.queue_percentiles(queue, window),
    };
    Some(distance?.max(FRAME))
}

/// A claim about the mean of a quantity over some places, divided by its mean over other places.
pub(super) fn compared(
    (origin, name): (Origin, &str),
    statement: &str,
    (rule, measure): (Rule, Measure),
    (of, over): (impl Into<Vec<Place>>, impl Into<Vec<Place>>),
) -> Claim {
    let (of, over) = (of.into(), over.into());
    let average = move |places: &[Place], seed: &Seed<'_>| {
        let values = all(places.iter().map(|place| measure(seed, *place)));
        Some(values?.iter().sum::<f64>() / places.len() as f64)
    };
    Claim::new(origin, name, statement)
        .measure(Unit::Ratio, rule, move |seed| Some(average(&of, seed)? / average(&over, seed)?))
}
