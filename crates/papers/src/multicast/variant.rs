//! The cases that most experiments have: two deliveries, two samplings, three set points.

use super::SET_POINTS;
use crate::case::Case;
use crate::runs::{Run, Seed};

/// How the frames of a session reach its receivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delivery {
    /// Bridges copy them.
    Multicast,
    /// The source sends a copy to each receiver.
    MultipleUnicast,
}

/// Which frames congestion points look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sampling {
    /// By the standard's mark table.
    Standard,
    /// All of them.
    EveryFrame,
}

/// One of the cases.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variant {
    pub(super) delivery: Delivery,
    pub(super) sampling: Sampling,
    /// The set point, Qeq, in frames.
    pub(super) frames: u32,
    pub(super) name: &'static str,
    label: &'static str,
}

macro_rules! variant {
    ($delivery:ident, $delivered:literal, $words:literal, $frames:literal, $sampling:ident, $sampled:literal) => {
        Variant {
            delivery: Delivery::$delivery,
            sampling: Sampling::$sampling,
            frames: $frames,
            name: concat!($delivered, "-", $frames, "-", $sampled),
            label: concat!($words, ", Qeq ", $frames, " frames, ", $sampled, " sampling"),
        }
    };
}

macro_rules! variants {
    ($delivery:ident, $delivered:literal, $words:literal) => {
        [
            variant!($delivery, $delivered, $words, 25, Standard, "standard"),
            variant!($delivery, $delivered, $words, 50, Standard, "standard"),
            variant!($delivery, $delivered, $words, 75, Standard, "standard"),
            variant!($delivery, $delivered, $words, 25, EveryFrame, "every-frame"),
            variant!($delivery, $delivered, $words, 50, EveryFrame, "every-frame"),
            variant!($delivery, $delivered, $words, 75, EveryFrame, "every-frame"),
        ]
    };
}

static MULTICAST: [Variant; 6] = variants!(Multicast, "multicast", "multicast");
static MULTIPLE_UNICAST: [Variant; 6] = variants!(MultipleUnicast, "unicast", "multiple unicast");

impl Delivery {
    pub(super) const BOTH: [Self; 2] = [Self::Multicast, Self::MultipleUnicast];

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Multicast => "multicast",
            Self::MultipleUnicast => "multiple unicast",
        }
    }

    /// Its variants, by sampling and then by set point.
    pub(super) fn variants(self) -> &'static [Variant] {
        match self {
            Self::Multicast => &MULTICAST,
            Self::MultipleUnicast => &MULTIPLE_UNICAST,
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

    /// For names of figures.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::EveryFrame => "every-frame",
        }
    }
}

impl Variant {
    /// What it is called in legends.
    pub(super) fn label(&self) -> &'static str {
        self.label
    }

    /// The case, over a network.
    pub(super) fn case(&self, scenario: &'static str) -> Case {
        let set_point = format!("control.qcn.cp.set_point=\"{} B\"", self.frames * 1500);
        let case = Case::new(self.name, self.label, scenario).set(set_point);
        let case = match self.delivery {
            Delivery::Multicast => case,
            Delivery::MultipleUnicast => case.set("network.delivery=multiple-unicast"),
        };
        match self.sampling {
            Sampling::Standard => case,
            Sampling::EveryFrame => every_frame(case),
        }
    }
}

/// The same with every frame sampled.
pub(super) fn every_frame(case: Case) -> Case {
    case.set("control.qcn.cp.sampling=fixed").set("control.qcn.cp.fixed_probability=\"100 %\"")
}

/// A case beyond the paper: sources whose CR cannot fall below 195 Mb/s, which is more than CR_mean.
pub(super) const FLOORED: (&str, &str) =
    ("unicast-25-floor", "multiple unicast, Qeq 25 frames, every-frame sampling, CR at least 195 Mb/s");

/// A case as that one.
pub(super) fn floored(case: Case) -> Case {
    every_frame(case).set("network.delivery=multiple-unicast").set("control.qcn.rp.min_rate=\"195 Mb/s\"")
}

/// The cases of one delivery, over a network.
pub(super) fn cases_of(delivery: Delivery, scenario: &'static str) -> Vec<Case> {
    delivery.variants().iter().map(|variant| variant.case(scenario)).collect()
}

/// All twelve cases, over a network.
pub(super) fn all_cases(scenario: &'static str) -> Vec<Case> {
    Delivery::BOTH.into_iter().flat_map(|delivery| cases_of(delivery, scenario)).collect()
}

/// The runs of one seed with one sampling.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look<'a> {
    pub(super) seed: Seed<'a>,
    pub(super) sampling: Sampling,
}

impl<'a> Look<'a> {
    /// The run with a delivery and a set point in frames.
    pub(super) fn run(&self, delivery: Delivery, frames: u32) -> &'a Run {
        let wanted = |variant: &&Variant| variant.sampling == self.sampling && variant.frames == frames;
        let variant = delivery.variants().iter().find(wanted);
        self.seed.run(variant.expect("one of the three set points").name)
    }

    /// A figure with each of the three set points.
    pub(super) fn each(
        &self,
        delivery: Delivery,
        measure: impl Fn(&'a Run) -> Option<f64>,
    ) -> Option<Vec<f64>> {
        SET_POINTS.into_iter().map(|frames| measure(self.run(delivery, frames))).collect()
    }

    /// The sum of a figure over the three set points.
    pub(super) fn sum(&self, delivery: Delivery, measure: impl Fn(&'a Run) -> Option<f64>) -> Option<f64> {
        Some(self.each(delivery, measure)?.into_iter().sum())
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
    fn names_say_what_is_run() {
        let names: Vec<&str> = Delivery::MultipleUnicast.variants().iter().map(|one| one.name).collect();
        assert_eq!(names[..2], ["unicast-25-standard", "unicast-50-standard"]);
        assert_eq!(names[5], "unicast-75-every-frame");
        let case = MULTIPLE_UNICAST[5].case("");
        assert_eq!(case.label, "multiple unicast, Qeq 75 frames, every-frame sampling");
        assert_eq!(case.settings[0], "control.qcn.cp.set_point=\"112500 B\"");
        assert_eq!(case.settings.len(), 4);
    }
}
