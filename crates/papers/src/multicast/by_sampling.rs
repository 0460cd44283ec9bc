//! Claims that are judged with both samplings.

use setpoint_report::quantity::Unit;

use super::variant::{Look, Sampling};
use crate::claim::Claim;
use crate::rule::Rule;

/// The same claim with the standard's sampling and with sampling of every frame.
pub(super) struct Pair {
    standard: Claim,
    every_frame: Claim,
}

/// A figure of the runs of one seed and sampling.
pub(super) type Measure = fn(&Look<'_>) -> Option<f64>;

/// A claim for both samplings: its name, what is claimed, the unit with the rule, and what is measured.
macro_rules! by_sampling {
    ($name:literal, $statement:literal, $test:expr, $measure:expr $(,)?) => {
        $crate::multicast::by_sampling::pair(
            [concat!($name, "-standard"), concat!($name, "-every-frame")],
            [concat!("Standard sampling: ", $statement), concat!("Every frame sampled: ", $statement)],
            $test,
            $measure,
        )
    };
}
pub(super) use by_sampling;

pub(super) fn pair(
    names: [&'static str; 2],
    statements: [&'static str; 2],
    test: (Unit, Rule),
    measure: Measure,
) -> Pair {
    let claim = |index: usize, sampling: Sampling| {
        Claim::measured(names[index], statements[index], test, move |seed| {
            measure(&Look { seed: *seed, sampling })
        })
    };
    Pair { standard: claim(0, Sampling::Standard), every_frame: claim(1, Sampling::EveryFrame) }
}

impl Pair {
    /// With how the paper's words are read.
    pub(super) fn read_as(self, reading: &'static str) -> Self {
        Self { standard: self.standard.read_as(reading), every_frame: self.every_frame.read_as(reading) }
    }

    /// With the cause that was found for what is seen with either sampling instead.
    pub(super) fn cause(self, cause: &'static str) -> Self {
        self.standard_cause(cause).every_frame_cause(cause)
    }

    /// With the cause for what is seen with the standard's sampling.
    pub(super) fn standard_cause(self, cause: &'static str) -> Self {
        Self { standard: self.standard.cause(cause), ..self }
    }

    /// With the cause for what is seen with sampling of every frame.
    pub(super) fn every_frame_cause(self, cause: &'static str) -> Self {
        Self { every_frame: self.every_frame.cause(cause), ..self }
    }
}

/// The claims of pairs, in order.
pub(super) fn claims(pairs: impl IntoIterator<Item = Pair>) -> Vec<Claim> {
    pairs.into_iter().flat_map(|pair| [pair.standard, pair.every_frame]).collect()
}
