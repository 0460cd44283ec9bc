//! The schemes, each run at all lags.

use setpoint_fluid::ModelOptions;

use super::super::theory::Theory;
use super::super::{QUEUE, STEADY};
use super::UNSTABLE;
use crate::prelude::*;

const SCENARIO: &str = scenario!("allerton": "averaging", "with-aimd");

/// The lags in microseconds.
pub(super) const LAGS: [u32; 12] = [20, 50, 100, 150, 200, 250, 300, 350, 400, 500, 600, 800];

/// An AIMD scheme.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scheme {
    /// The name in legends.
    pub(super) label: &'static str,
    /// The prefix of the case names.
    prefix: &'static str,
    /// Settings that override the scenario.
    settings: &'static [&'static str],
}

const MULTIPLICATIVE: &str = "control.aimd.rp.decrease=multiplicative";
const ADDITIVE: &str = "control.aimd.rp.decrease=additive";
const ON: &str = "control.aimd.rp.averaging=on";
const TEN: &str = "flows.1.from=\"s{1..10}\"";

pub(super) const PLAIN: Scheme = Scheme { label: "AIMD", prefix: "plain", settings: &[MULTIPLICATIVE] };
pub(super) const AVERAGING: Scheme =
    Scheme { label: "AIMD with averaging", prefix: "averaging", settings: &[MULTIPLICATIVE, ON] };
pub(super) const EQUIVALENT: Scheme = Scheme {
    label: "AIMD as system 2 of theorem 1",
    prefix: "equivalent",
    settings: &[MULTIPLICATIVE, "control.aimd.rp.averaging=equivalent"],
};
pub(super) const ADDITIVE_PLAIN: Scheme =
    Scheme { label: "additive decrease", prefix: "additive-plain", settings: &[ADDITIVE] };
pub(super) const ADDITIVE_AVERAGING: Scheme =
    Scheme { label: "additive decrease, averaging", prefix: "additive-averaging", settings: &[ADDITIVE, ON] };
pub(super) const TEN_PLAIN: Scheme =
    Scheme { label: "ten sources", prefix: "ten-plain", settings: &[MULTIPLICATIVE, TEN] };
pub(super) const TEN_AVERAGING: Scheme =
    Scheme { label: "ten sources, averaging", prefix: "ten-averaging", settings: &[MULTIPLICATIVE, ON, TEN] };

pub(super) const SCHEMES: [Scheme; 7] =
    [PLAIN, AVERAGING, EQUIVALENT, ADDITIVE_PLAIN, ADDITIVE_AVERAGING, TEN_PLAIN, TEN_AVERAGING];

/// Schemes without and with averaging.
pub(super) const PAIRS: [(Scheme, Scheme); 3] =
    [(PLAIN, AVERAGING), (ADDITIVE_PLAIN, ADDITIVE_AVERAGING), (TEN_PLAIN, TEN_AVERAGING)];

impl Scheme {
    fn name(&self, lag: u32) -> String {
        format!("{}-{lag}", self.prefix)
    }

    /// The case at a lag, which is twice the delay of a source's link.
    pub(super) fn case(&self, lag: u32) -> Case {
        Case::new(self.name(lag), self.label, SCENARIO)
            .set(format!("topology.graph.delay=\"{} us\"", lag / 2))
            .set_all(self.settings.iter().copied())
    }

    pub(super) fn run<'a>(&self, seed: &Seed<'a>, lag: u32) -> &'a Run {
        seed.run(&self.name(lag))
    }

    /// The queue deviation at a lag.
    pub(super) fn deviation(&self, seed: &Seed<'_>, lag: u32) -> Option<f64> {
        self.run(seed, lag).queue_std_dev(QUEUE, STEADY)
    }

    /// The lag in seconds at which the loop becomes unstable.
    pub(super) fn border(&self, seed: &Seed<'_>) -> Option<f64> {
        let at = |lag: u32| Some((f64::from(lag) * 1e-6, self.deviation(seed, lag)?));
        border(&LAGS.into_iter().map(at).collect::<Option<Vec<_>>>()?, UNSTABLE)
    }

    /// The first simulated lag at which the loop is unstable, in microseconds; none if it is always stable.
    pub(super) fn first_unstable(&self, seed: &Seed<'_>) -> Option<u32> {
        LAGS.into_iter().find(|lag| self.deviation(seed, *lag).is_some_and(|deviation| deviation > UNSTABLE))
    }

    /// Its fluid model at the first lag; margins do not depend on the lag.
    pub(super) fn theory(&self) -> Option<Theory> {
        Theory::of(&self.case(LAGS[0]))
    }

    pub(super) fn margin(&self) -> Option<f64> {
        Some(self.theory()?.margin(&ModelOptions::default())?.delay_s)
    }
}

/// The point at which a curve first rises above a level, interpolated; the end of the curve if it never does.
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
