//! The cases of most experiments: two kinds of delivery, three set points.

use super::SET_POINTS;
use super::choices::LIMITERS;
use crate::prelude::*;

/// How the frames of a session reach its receivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delivery {
    /// Bridges copy the frames.
    Multicast,
    /// The source sends a copy of each frame to each receiver.
    MultipleUnicast,
}

/// A figure of a case, which may depend on the set-up.
pub(super) type Measure = fn(&Seed<'_>, &str) -> Option<f64>;

impl Delivery {
    pub(super) const BOTH: [Self; 2] = [Self::Multicast, Self::MultipleUnicast];

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Multicast => "multicast",
            Self::MultipleUnicast => "multiple unicast",
        }
    }

    /// Name in cases and claims.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Multicast => "multicast",
            Self::MultipleUnicast => "unicast",
        }
    }

    /// The name of the case with a set point in frames.
    pub(super) fn case_name(self, frames: u32) -> String {
        format!("{}-{frames}", self.key())
    }

    /// The label of that case.
    pub(super) fn label(self, frames: u32) -> String {
        format!("{}, Qeq {frames} frames", self.words())
    }

    /// The cases with this delivery on a network, by set point.
    pub(super) fn cases(self, scenario: &'static str) -> impl Iterator<Item = Case> {
        SET_POINTS.into_iter().map(move |frames| {
            let case = Case::new(self.case_name(frames), self.label(frames), scenario);
            self.set(case).set(format!("control.qcn.cp.set_point=\"{} B\"", frames * 1500))
        })
    }

    /// Applies this delivery to a case. A multicast source has one flow, so it has one limiter in any reading.
    pub(super) fn set(self, case: Case) -> Case {
        match self {
            Self::Multicast => case.unaffected_by(&LIMITERS),
            Self::MultipleUnicast => case.set("network.delivery=multiple-unicast"),
        }
    }

    /// A figure for one set point, given in frames.
    pub(super) fn at(
        self,
        seed: &Seed<'_>,
        frames: u32,
        measure: impl Fn(&Seed<'_>, &str) -> Option<f64>,
    ) -> Option<f64> {
        measure(seed, &self.case_name(frames))
    }

    /// A figure for each of the three set points.
    pub(super) fn each(
        self,
        seed: &Seed<'_>,
        measure: impl Fn(&Seed<'_>, &str) -> Option<f64>,
    ) -> Option<Vec<f64>> {
        all(SET_POINTS.map(|frames| self.at(seed, frames, &measure)))
    }

    /// The mean of a figure over the three set points.
    pub(super) fn mean(
        self,
        seed: &Seed<'_>,
        measure: impl Fn(&Seed<'_>, &str) -> Option<f64>,
    ) -> Option<f64> {
        mean(&self.each(seed, measure)?)
    }

    /// The number of set points at which a figure is larger than with another kind of delivery.
    pub(super) fn count_larger(self, other: Self, seed: &Seed<'_>, measure: Measure) -> Option<f64> {
        let (larger, smaller) = (self.each(seed, measure)?, other.each(seed, measure)?);
        Some(larger.iter().zip(&smaller).filter(|(larger, smaller)| larger > smaller).count() as f64)
    }
}

/// All six cases on a network.
pub(super) fn all_cases(scenario: &'static str) -> impl Iterator<Item = Case> {
    Delivery::BOTH.into_iter().flat_map(move |delivery| delivery.cases(scenario))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_describe_the_case() {
        let cases: Vec<Case> = all_cases("").collect();
        let names: Vec<&str> = cases.iter().map(|case| &*case.name).collect();
        assert_eq!(names[2..4], ["multicast-75", "unicast-25"]);
        assert_eq!(cases[5].label, "multiple unicast, Qeq 75 frames");
        let settings = ["network.delivery=multiple-unicast", "control.qcn.cp.set_point=\"112500 B\""];
        assert_eq!(cases[5].settings, settings);
    }
}
