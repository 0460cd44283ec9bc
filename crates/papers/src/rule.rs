//! Rules for figures. There are only a few kinds, so their text can be generated.

use setpoint_record::confidence::{Interval, Spread};
use setpoint_units::quantity::Unit;

/// A rule for a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// At least this value.
    AtLeast(f64),
    /// At most this value.
    AtMost(f64),
    /// At least the first value and at most the second.
    Between(f64, f64),
    /// Between the two values, not only for the mean but for its whole 95 % confidence interval: an equivalence test,
    /// for statements such as "as stable as". Noise cannot make such a claim hold. Either bound may be infinite.
    Equivalent(f64, f64),
}

/// How the figures for all seeds together relate to a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// The rule holds for the mean and for at least four seeds in five or, in an equivalence test, for the confidence
    /// interval of the mean.
    Follows,
    /// The rule holds for the mean, but for fewer than four seeds in five, or not for the whole interval.
    TooFewSeeds,
    /// The rule does not hold for the mean.
    MeanDiffers,
}

impl Agreement {
    /// The agreement in words, without a capital letter at the start.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Follows => "the rule holds for the mean and for enough seeds",
            Self::TooFewSeeds => "the rule holds for the mean, but for too few seeds",
            Self::MeanDiffers => "the rule does not hold for the mean",
        }
    }
}

/// The share of the seeds for which a rule must hold, in addition to their mean: four in five.
const MOST: (usize, usize) = (4, 5);

impl Rule {
    /// Requires the figure to be within a distance of a value.
    pub fn within(value: f64, distance: f64) -> Self {
        Self::Between(value - distance, value + distance)
    }

    /// Requires the figure to be within a fraction of a value.
    pub fn about(value: f64, part: f64) -> Self {
        Self::within(value, (value * part).abs())
    }

    /// Whether the rule holds for a figure; no rule holds for NaN.
    pub fn allows(self, value: f64) -> bool {
        match self {
            Self::AtLeast(least) => value >= least,
            Self::AtMost(most) => value <= most,
            Self::Between(least, most) | Self::Equivalent(least, most) => (least..=most).contains(&value),
        }
    }

    /// Whether the rule holds for some value between two others.
    pub fn meets(self, (low, high): (f64, f64)) -> bool {
        let (least, most) = match self {
            Self::AtLeast(least) => (least, f64::INFINITY),
            Self::AtMost(most) => (f64::NEG_INFINITY, most),
            Self::Between(least, most) | Self::Equivalent(least, most) => (least, most),
        };
        low <= most && high >= least
    }

    /// Judges all seeds together: the rule must hold for their mean and for at least four seeds in five or, in an
    /// equivalence test, for the confidence interval of their mean.
    pub fn agreement(self, values: &[f64]) -> Agreement {
        let mean = Spread::of(values).map(|spread| spread.mean);
        let enough = match self {
            Self::Equivalent(..) => Interval::of(values, 1)
                .is_none_or(|interval| self.allows(interval.low) && self.allows(interval.high)),
            _ => self.followers(values) * MOST.1 >= values.len() * MOST.0,
        };
        self.agreement_if(mean, enough)
    }

    /// Judges a figure and its bootstrap samples: the rule must hold for the figure and for four samples in five or, in
    /// an equivalence test, for 95 % of them.
    pub(crate) fn agreement_of_samples(self, figure: f64, samples: &[f64]) -> Agreement {
        let (part, whole) = if matches!(self, Self::Equivalent(..)) { (19, 20) } else { MOST };
        self.agreement_if(Some(figure), self.followers(samples) * whole >= samples.len() * part)
    }

    fn agreement_if(self, figure: Option<f64>, enough: bool) -> Agreement {
        match (figure.is_some_and(|figure| self.allows(figure)), enough) {
            (false, _) => Agreement::MeanDiffers,
            (true, false) => Agreement::TooFewSeeds,
            (true, true) => Agreement::Follows,
        }
    }

    /// The number of figures for which the rule holds.
    pub fn followers(self, values: &[f64]) -> usize {
        values.iter().filter(|value| self.allows(**value)).count()
    }

    /// The rule in words.
    pub fn text(self, unit: Unit) -> String {
        let text = |value| unit.text(value);
        match self {
            Self::AtLeast(least) => format!("at least {}", text(least)),
            Self::AtMost(most) => format!("at most {}", text(most)),
            Self::Between(least, most) => format!("{} to {}", text(least), text(most)),
            Self::Equivalent(least, most) => {
                let bounds = match (least.is_finite(), most.is_finite()) {
                    (false, _) => Self::AtMost(most),
                    (_, false) => Self::AtLeast(least),
                    _ => Self::Between(least, most),
                };
                format!("{} with 95 % confidence", bounds.text(unit))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_allowed() {
        assert!(Rule::AtLeast(2.0).allows(2.0) && !Rule::AtLeast(2.0).allows(1.999));
        assert!(Rule::AtMost(2.0).allows(2.0) && !Rule::AtMost(2.0).allows(2.001));
        let between = Rule::within(5.0, 1.0);
        assert_eq!([3.9, 4.0, 6.0, 6.1].map(|value| between.allows(value)), [false, true, true, false]);
        assert_eq!(Rule::about(-200.0, 0.1), Rule::Between(-220.0, -180.0));
        assert!(!Rule::AtMost(2.0).allows(f64::NAN) && !Rule::AtLeast(2.0).allows(f64::NAN));
    }

    #[test]
    fn the_mean_and_four_seeds_in_five_must_follow() {
        let rule = Rule::AtLeast(10.0);
        let four_in_five = [9.0, 11.0, 11.0, 11.0, 11.0];
        assert_eq!(rule.agreement(&four_in_five), Agreement::Follows);
        let three_in_five = [9.9, 9.9, 20.0, 20.0, 20.0];
        assert_eq!(rule.agreement(&three_in_five), Agreement::TooFewSeeds);
        let mean_of_8_8 = [0.0, 11.0, 11.0, 11.0, 11.0];
        assert_eq!(rule.agreement(&mean_of_8_8), Agreement::MeanDiffers);
        assert_eq!(rule.agreement(&[]), Agreement::MeanDiffers);
        let six_of_eight = [9.0, 9.0, 20.0, 20.0, 20.0, 20.0, 20.0, 20.0];
        assert_eq!(rule.agreement(&six_of_eight), Agreement::TooFewSeeds);
    }

    #[test]
    fn words_come_from_the_rule() {
        let plain = |rule: Rule, unit| rule.text(unit).replace('\u{a0}', " ");
        assert_eq!(plain(Rule::AtLeast(0.99), Unit::Share), "at least 99 %");
        assert_eq!(plain(Rule::AtMost(1.5e9), Unit::BitsPerSecond), "at most 1.5 Gb/s");
        assert_eq!(plain(Rule::about(2.5e9, 0.1), Unit::BitsPerSecond), "2.25 Gb/s to 2.75 Gb/s");
        let parity = Rule::Equivalent(0.8, 1.25);
        assert_eq!(plain(parity, Unit::Ratio), "0.8 to 1.25 with 95 % confidence");
        let no_worse = Rule::Equivalent(f64::NEG_INFINITY, 1.25);
        assert_eq!(plain(no_worse, Unit::Ratio), "at most 1.25 with 95 % confidence");
    }

    /// A mean within the bounds is not enough: equivalence also needs precision.
    #[test]
    fn an_equivalence_test_needs_the_whole_interval() {
        let rule = Rule::Equivalent(0.8, 1.25);
        assert_eq!(rule.agreement(&[0.95, 1.0, 1.05, 0.98, 1.02]), Agreement::Follows);
        // The interval of the mean is 1 ± 2.776 · 0.2062 / √5.
        assert_eq!(rule.agreement(&[0.75, 1.2, 1.2, 0.85, 1.0]), Agreement::TooFewSeeds);
        assert_eq!(rule.agreement(&[1.3, 1.3, 1.3, 1.3, 1.3]), Agreement::MeanDiffers);
        assert_eq!(rule.agreement(&[1.1]), Agreement::Follows, "a single value that is not random");
    }

    #[test]
    fn a_rule_meets_a_range_that_contains_an_allowed_value() {
        assert!(Rule::AtLeast(2.0).meets((1.0, 2.0)) && !Rule::AtLeast(2.0).meets((1.0, 1.9)));
        assert!(Rule::AtMost(2.0).meets((2.0, 3.0)) && !Rule::AtMost(2.0).meets((2.1, 3.0)));
        assert!(Rule::Between(1.0, 2.0).meets((0.0, 5.0)) && !Rule::Between(1.0, 2.0).meets((2.5, 5.0)));
    }
}
