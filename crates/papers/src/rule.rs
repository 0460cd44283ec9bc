//! Rules for figures, in a small vocabulary, so that their words are generated.

use setpoint_lab::sweep::Spread;
use setpoint_units::quantity::Unit;

/// A rule for a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// This or more.
    AtLeast(f64),
    /// This or less.
    AtMost(f64),
    /// Neither below the first nor above the second.
    Between(f64, f64),
}

/// How the figures of all seeds together relate to a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// The mean and most seeds follow it.
    Follows,
    /// The mean follows it, and fewer than four seeds in five do.
    TooFewSeeds,
    /// The mean does not follow it.
    MeanDiffers,
}

impl Agreement {
    /// In words, to follow a comma or a colon.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Follows => "the mean follows the rule, and so do at least four seeds in five",
            Self::TooFewSeeds => "the mean follows the rule, and fewer than four seeds in five do",
            Self::MeanDiffers => "the mean does not follow the rule",
        }
    }
}

/// The part of the seeds that must follow a rule, in addition to their mean: four in five.
const MOST: (usize, usize) = (4, 5);

impl Rule {
    /// The figure is within a distance of a value.
    #[must_use]
    pub fn within(value: f64, distance: f64) -> Self {
        Self::Between(value - distance, value + distance)
    }

    /// The figure is within a part of a value.
    #[must_use]
    pub fn about(value: f64, part: f64) -> Self {
        Self::within(value, (value * part).abs())
    }

    /// Whether a figure follows the rule; NaN follows none.
    #[must_use]
    pub fn allows(self, value: f64) -> bool {
        match self {
            Self::AtLeast(least) => value >= least,
            Self::AtMost(most) => value <= most,
            Self::Between(least, most) => (least..=most).contains(&value),
        }
    }

    /// Whether the figures of all seeds together follow the rule: their mean does, and so do at least four in five
    /// of them.
    #[must_use]
    pub fn agreement(self, values: &[f64]) -> Agreement {
        let mean = Spread::of(values).is_some_and(|spread| self.allows(spread.mean));
        let most = self.followers(values) * MOST.1 >= values.len() * MOST.0;
        match (mean, most) {
            (false, _) => Agreement::MeanDiffers,
            (true, false) => Agreement::TooFewSeeds,
            (true, true) => Agreement::Follows,
        }
    }

    /// The number of figures that follow the rule.
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
