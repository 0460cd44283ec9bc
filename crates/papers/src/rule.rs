//! Rules for figures. There are only a few kinds, so their text can be generated.

use setpoint_lab::sweep::Spread;
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
}

/// How the figures for all seeds together relate to a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// The rule holds for the mean and for at least four seeds in five.
    Follows,
    /// The rule holds for the mean, but for fewer than four seeds in five.
    TooFewSeeds,
    /// The rule does not hold for the mean.
    MeanDiffers,
}

impl Agreement {
    /// The agreement in words, without a capital letter at the start.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Follows => "the rule holds for the mean and for at least four seeds in five",
            Self::TooFewSeeds => "the rule holds for the mean, but for fewer than four seeds in five",
            Self::MeanDiffers => "the rule does not hold for the mean",
        }
    }
}

/// The share of the seeds for which a rule must hold, in addition to their mean: four in five.
const MOST: (usize, usize) = (4, 5);

impl Rule {
    /// The figure is within a distance of a value.
    #[must_use]
    pub fn within(value: f64, distance: f64) -> Self {
        Self::Between(value - distance, value + distance)
    }

    /// The figure is within a fraction of a value.
    #[must_use]
    pub fn about(value: f64, part: f64) -> Self {
        Self::within(value, (value * part).abs())
    }

    /// Whether the rule holds for a figure; no rule holds for NaN.
    #[must_use]
    pub fn allows(self, value: f64) -> bool {
        match self {
            Self::AtLeast(least) => value >= least,
            Self::AtMost(most) => value <= most,
            Self::Between(least, most) => (least..=most).contains(&value),
        }
    }

    /// Whether the rule holds for all seeds together: for their mean and for at least four seeds in
    /// five.
    #[must_use]
    pub fn agreement(self, values: &[f64]) -> Agreement {
        self.agreement_around(Spread::of(values).map(|spread| spread.mean), values)
    }

    /// Whether the rule holds for a figure and for at least four in five of the values around it.
    pub(crate) fn agreement_around(self, figure: Option<f64>, values: &[f64]) -> Agreement {
        let mean = figure.is_some_and(|figure| self.allows(figure));
        let most = self.followers(values) * MOST.1 >= values.len() * MOST.0;
        match (mean, most) {
            (false, _) => Agreement::MeanDiffers,
            (true, false) => Agreement::TooFewSeeds,
            (true, true) => Agreement::Follows,
        }
    }

    /// The number of figures for which the rule holds.
    #[must_use]
    pub fn followers(self, values: &[f64]) -> usize {
        values.iter().filter(|value| self.allows(**value)).count()
    }

    /// The rule in words.
    #[must_use]
    pub fn text(self, unit: Unit) -> String {
        let text = |value| unit.text(value);
        match self {
            Self::AtLeast(least) => format!("at least {}", text(least)),
            Self::AtMost(most) => format!("at most {}", text(most)),
            Self::Between(least, most) => format!("{} to {}", text(least), text(most)),
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
    }
}
