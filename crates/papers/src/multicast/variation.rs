//! The cases of most experiments: two kinds of delivery, two kinds of sampling, three set points.

use super::SET_POINTS;
use crate::prelude::*;

/// How the frames of a session reach its receivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delivery {
    /// Bridges copy them.
    Multicast,
    /// The source sends a copy to each receiver.
    MultipleUnicast,
}

/// Which frames congestion points sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sampling {
    /// According to the standard's mark table.
    Standard,
    /// Every frame.
    EveryFrame,
}

/// One of the cases.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variation {
    pub(super) delivery: Delivery,
    pub(super) sampling: Sampling,
    /// The set point, Qeq, in frames.
    pub(super) frames: u32,
}

/// The runs of one seed with one kind of sampling.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sampled<'a> {
    pub(super) seed: Seed<'a>,
    pub(super) sampling: Sampling,
}

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

    /// Its variations, by sampling and then by set point.
    pub(super) fn variations(self) -> impl Iterator<Item = Variation> {
        let by_set_point = move |sampling| {
            SET_POINTS.into_iter().map(move |frames| Variation { delivery: self, sampling, frames })
        };
        Sampling::BOTH.into_iter().flat_map(by_set_point)
    }

    /// Applies this delivery to a case.
    pub(super) fn set(self, case: Case) -> Case {
        match self {
            Self::Multicast => case,
            Self::MultipleUnicast => case.set("network.delivery=multiple-unicast"),
        }
    }
}

impl Sampling {
    pub(super) const BOTH: [Self; 2] = [Self::Standard, Self::EveryFrame];

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Standard => "standard sampling",
            Self::EveryFrame => "every frame sampled",
        }
    }

    /// Name in cases, claims and figures.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::EveryFrame => "every-frame",
        }
    }

    /// Applies this sampling to a case.
    pub(super) fn set(self, case: Case) -> Case {
        match self {
            Self::Standard => case,
            Self::EveryFrame => {
                case.set_all(["control.qcn.cp.sampling=fixed", "control.qcn.cp.fixed_probability=\"100 %\""])
            }
        }
    }
}

impl Variation {
    pub(super) fn name(self) -> String {
        format!("{}-{}-{}", self.delivery.key(), self.frames, self.sampling.key())
    }

    pub(super) fn label(self) -> String {
        let Self { delivery, sampling, frames } = self;
        format!("{}, Qeq {frames} frames, {} sampling", delivery.words(), sampling.key())
    }

    /// The case on a network.
    pub(super) fn case(self, scenario: &'static str) -> Case {
        let set_point = format!("control.qcn.cp.set_point=\"{} B\"", self.frames * 1500);
        let case = Case::new(self.name(), self.label(), scenario).set(set_point);
        self.sampling.set(self.delivery.set(case))
    }
}

/// All twelve cases on a network.
pub(super) fn all_cases(scenario: &'static str) -> impl Iterator<Item = Case> {
    let variations = Delivery::BOTH.into_iter().flat_map(Delivery::variations);
    variations.map(move |variation| variation.case(scenario))
}

/// A case that is not in the paper: sources whose CR cannot fall below 195 Mb/s, which is more than CR_mean.
pub(super) const FLOORED: (&str, &str) =
    ("unicast-25-floor", "multiple unicast, Qeq 25 frames, every-frame sampling, CR at least 195 Mb/s");

pub(super) fn floored(scenario: &'static str) -> Case {
    let case = Sampling::EveryFrame.set(Case::new(FLOORED.0, FLOORED.1, scenario));
    Delivery::MultipleUnicast.set(case).set("control.qcn.rp.min_rate=\"195 Mb/s\"")
}

impl<'a> Sampled<'a> {
    /// The run with a delivery and a set point in frames.
    pub(super) fn run(&self, delivery: Delivery, frames: u32) -> &'a Run {
        self.seed.run(&Variation { delivery, sampling: self.sampling, frames }.name())
    }

    /// A figure for each of the three set points.
    pub(super) fn each(
        &self,
        delivery: Delivery,
        measure: impl Fn(&'a Run) -> Option<f64>,
    ) -> Option<Vec<f64>> {
        all(SET_POINTS.into_iter().map(|frames| measure(self.run(delivery, frames))))
    }

    /// The sum of a figure over the three set points.
    pub(super) fn sum(&self, delivery: Delivery, measure: impl Fn(&'a Run) -> Option<f64>) -> Option<f64> {
        Some(self.each(delivery, measure)?.into_iter().sum())
    }

    /// The number of set points at which a figure is larger with one kind of delivery than with the other.
    pub(super) fn count_larger(
        &self,
        (larger, smaller): (Delivery, Delivery),
        measure: fn(&Run) -> Option<f64>,
    ) -> Option<f64> {
        let (larger, smaller) = (self.each(larger, measure)?, self.each(smaller, measure)?);
        Some(larger.iter().zip(&smaller).filter(|(larger, smaller)| larger > smaller).count() as f64)
    }

    pub(super) fn multicast(&self, frames: u32) -> &'a Run {
        self.run(Delivery::Multicast, frames)
    }

    pub(super) fn unicast(&self, frames: u32) -> &'a Run {
        self.run(Delivery::MultipleUnicast, frames)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_describe_the_variation() {
        let names: Vec<String> = Delivery::MultipleUnicast.variations().map(Variation::name).collect();
        assert_eq!(names[..2], ["unicast-25-standard", "unicast-50-standard"]);
        assert_eq!(names[5], "unicast-75-every-frame");
        let case = Delivery::MultipleUnicast.variations().last().unwrap().case("");
        assert_eq!(case.label, "multiple unicast, Qeq 75 frames, every-frame sampling");
        assert_eq!(case.settings[0], "control.qcn.cp.set_point=\"112500 B\"");
        assert_eq!(case.settings.len(), 4);
    }
}
