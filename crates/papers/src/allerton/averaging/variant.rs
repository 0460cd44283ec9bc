//! The variants of AIMD, each over all lags.

use setpoint_fluid::ModelOptions;

use super::{LOST, STEADY};
use crate::allerton::measure::swing;
use crate::allerton::scenario;
use crate::allerton::theory::Theory;
use crate::case::Case;
use crate::runs::{Run, Seed};

const SCENARIO: &str = scenario!("averaging", "with-aimd");

/// A variant of the algorithm over all lags.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variant {
    /// What it is called in legends.
    pub(super) label: &'static str,
    /// What is set on top of the scenario.
    pub(super) set: &'static [&'static str],
    /// The lags in microseconds, with the names of the cases.
    pub(super) cases: &'static [(u32, &'static str)],
}

/// The lags of a variant, with names that begin with a prefix.
macro_rules! lags {
    ($prefix:literal: $($lag:literal)*) => {
        &[$(($lag, concat!($prefix, "-", $lag))),*]
    };
    ($prefix:literal) => {
        lags!($prefix: 20 50 100 150 200 250 300 350 400 500 600 800)
    };
}

const MULTIPLICATIVE: &str = "control.aimd.rp.decrease=multiplicative";
const ADDITIVE: &str = "control.aimd.rp.decrease=additive";
const ON: &str = "control.aimd.rp.averaging=on";

pub(super) const PLAIN: Variant = Variant { label: "AIMD", set: &[MULTIPLICATIVE], cases: lags!("plain") };
pub(super) const AVERAGING: Variant =
    Variant { label: "AIMD with averaging", set: &[MULTIPLICATIVE, ON], cases: lags!("averaging") };
pub(super) const EQUIVALENT: Variant = Variant {
    label: "AIMD with 3/4 and 1/4 of feedback",
    set: &[MULTIPLICATIVE, "control.aimd.rp.averaging=equivalent"],
    cases: lags!("equivalent"),
};
pub(super) const ADDITIVE_PLAIN: Variant =
    Variant { label: "additive decrease", set: &[ADDITIVE], cases: lags!("additive-plain") };
pub(super) const ADDITIVE_AVERAGING: Variant = Variant {
    label: "additive decrease, averaging",
    set: &[ADDITIVE, ON],
    cases: lags!("additive-averaging"),
};
const TEN: &str = "flows.1.from=\"s{1..10}\"";
pub(super) const TEN_PLAIN: Variant =
    Variant { label: "ten sources", set: &[MULTIPLICATIVE, TEN], cases: lags!("ten-plain") };
pub(super) const TEN_AVERAGING: Variant = Variant {
    label: "ten sources, averaging",
    set: &[MULTIPLICATIVE, ON, TEN],
    cases: lags!("ten-averaging"),
};

pub(super) const ALL: [Variant; 7] =
    [PLAIN, AVERAGING, EQUIVALENT, ADDITIVE_PLAIN, ADDITIVE_AVERAGING, TEN_PLAIN, TEN_AVERAGING];

impl Variant {
    pub(super) fn all(&self) -> Vec<Case> {
        self.cases.iter().map(|(lag, name)| self.case(*lag, name)).collect()
    }

    pub(super) fn case(&self, lag: u32, name: &'static str) -> Case {
        let case =
            Case::new(name, self.label, SCENARIO).set(format!("topology.graph.delay=\"{} us\"", lag / 2));
        self.set.iter().fold(case, |case, set| case.set(*set))
    }

    /// The swing at each lag, in seconds and bytes.
    pub(super) fn swings(&self, seed: &Seed<'_>) -> Option<Vec<(f64, f64)>> {
        let at = |(lag, case): &(u32, &str)| Some((f64::from(*lag) * 1e-6, swing(seed.run(case), STEADY)?));
        self.cases.iter().map(at).collect()
    }

    /// The lag at which stability is lost.
    pub(super) fn border(&self, seed: &Seed<'_>) -> Option<f64> {
        border(&self.swings(seed)?, LOST)
    }

    /// The run at a lag.
    pub(super) fn run<'a>(&self, seed: &Seed<'a>, lag: u32) -> Option<&'a Run> {
        self.cases.iter().find(|(of, _)| *of == lag).map(|(_, case)| seed.run(case))
    }

    /// What theory says of it at its first lag: margins do not depend on the lag.
    pub(super) fn theory(&self) -> Option<Theory> {
        let (lag, name) = self.cases.first()?;
        Theory::of(&self.case(*lag, name))
    }

    pub(super) fn margin(&self) -> Option<f64> {
        Some(self.theory()?.margin(&ModelOptions::default())?.delay_s)
    }
}

/// Where a curve first rises above a level, interpolated; its end where it never does.
fn border(points: &[(f64, f64)], level: f64) -> Option<f64> {
    let crosses = |pair: &&[(f64, f64)]| pair[0].1 <= level && pair[1].1 > level;
    match points {
        [] => None,
        [first, ..] if first.1 > level => Some(first.0),
        [.., last] => Some(points.windows(2).find(crosses).map_or(last.0, |pair| {
            pair[0].0 + (pair[1].0 - pair[0].0) * (level - pair[0].1) / (pair[1].1 - pair[0].1)
        })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_border_is_where_a_curve_first_rises_above_a_level() {
        let points = [(1.0, 2.0), (2.0, 4.0), (3.0, 3.0), (4.0, 9.0)];
        assert_eq!(border(&points, 3.0), Some(1.5));
        assert_eq!(border(&points, 6.0), Some(3.5));
        assert_eq!(border(&points, 10.0), Some(4.0), "never");
        assert_eq!(border(&points, 1.0), Some(1.0), "from the start");
        assert_eq!(border(&[], 1.0), None);
    }
}
