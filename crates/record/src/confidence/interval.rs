//! The confidence interval of a mean over seeds.

use super::student;
use crate::results::keyed;
use crate::statistics::moments::Moments;

/// The probability with which an interval covers the true mean.
pub const LEVEL: f64 = 0.95;
/// Minimum number of seeds for an interval. With two seeds, the interval would extend 12.7 standard errors to either
/// side, and its width would depend on a single difference.
pub const FEWEST_SEEDS: usize = 3;

keyed! {
    /// A confidence interval.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Interval {
        /// Its lower end.
        pub low: f64,
        /// Its upper end.
        pub high: f64,
    }
}

impl Interval {
    /// The interval of the mean of independent values; none for fewer than [`FEWEST_SEEDS`]. If it is one of several
    /// comparisons, all of them together have the confidence [`LEVEL`].
    pub fn of(values: &[f64], comparisons: usize) -> Option<Self> {
        let moments = Moments::of(values.iter().copied());
        let deviation = moments.sample_deviation().filter(|_| values.len() >= FEWEST_SEEDS)?;
        let error = (1.0 - LEVEL) / comparisons.max(1) as f64;
        let count = values.len() as f64;
        let half = student::two_sided(error, values.len() - 1) * deviation / count.sqrt();
        Some(Self { low: moments.mean - half, high: moments.mean + half })
    }

    /// The interval in which one more value of the same kind lies with the probability [`LEVEL`]; none for fewer than
    /// [`FEWEST_SEEDS`] values.
    pub fn of_one_more(values: &[f64]) -> Option<Self> {
        let mean = Self::of(values, 1)?;
        let centre = (mean.low + mean.high) / 2.0;
        // The variance of the difference from the mean is s² (1 + 1/n), and that of the mean is s²/n.
        let half = (mean.high - centre) * (values.len() as f64 + 1.0).sqrt();
        Some(Self { low: centre - half, high: centre + half })
    }

    /// The part within a range that contains all values, such as 0 to 1 for a share. The true mean lies in the range too,
    /// so nothing is lost.
    #[must_use]
    pub fn within(self, (least, most): (f64, f64)) -> Self {
        Self { low: self.low.clamp(least, most), high: self.high.clamp(least, most) }
    }

    /// The distance from a mean to the farther end.
    pub fn reach(&self, mean: f64) -> f64 {
        (self.high - mean).max(mean - self.low)
    }

    /// Whether the whole interval is on one side of zero.
    pub fn excludes_zero(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use setpoint_sim::{Purpose, RandomStream};

    #[test]
    fn a_known_interval() {
        let interval = Interval::of(&[4.0, 2.0, 6.0], 1).unwrap();
        let half = 4.302_653 * 2.0 / 3.0_f64.sqrt();
        assert!((interval.low - (4.0 - half)).abs() < 1e-5 && (interval.reach(4.0) - half).abs() < 1e-5);
        assert_eq!(interval.within((0.0, 5.0)), Interval { low: 0.0, high: 5.0 });
        assert_eq!(Interval::of(&[4.0, 2.0], 1), None);
        assert_eq!(Interval::of(&[7.0; 4], 1), Some(Interval { low: 7.0, high: 7.0 }));
        let wider = Interval::of(&[4.0, 2.0, 6.0], 5).unwrap();
        assert!(wider.low < interval.low && wider.high > interval.high);
    }

    /// The share of samples whose interval covers the true mean.
    fn coverage(seeds: usize, mean: f64, draw: impl Fn(&mut RandomStream) -> f64) -> f64 {
        const SAMPLES: usize = 20_000;
        let mut random = RandomStream::new(1, Purpose::Bootstrap, 1);
        let mut covered = 0;
        for _ in 0..SAMPLES {
            let values: Vec<f64> = (0..seeds).map(|_| draw(&mut random)).collect();
            let interval = Interval::of(&values, 1).unwrap();
            covered += usize::from(interval.low <= mean && mean <= interval.high);
        }
        covered as f64 / SAMPLES as f64
    }

    /// The Box-Muller method: half of the squared distance from the origin is exponential.
    fn normal(random: &mut RandomStream) -> f64 {
        (2.0 * random.exponential()).sqrt() * libm::cos(std::f64::consts::TAU * random.unit())
    }

    #[test]
    fn intervals_of_normal_values_cover_the_mean_as_often_as_promised() {
        for seeds in [3, 5, 10] {
            let share = coverage(seeds, 0.0, normal);
            // Three standard errors of the share are 0.5 %.
            assert!((share - LEVEL).abs() < 0.006, "{seeds} seeds: {share}");
        }
    }

    #[test]
    fn one_more_normal_value_lies_in_its_interval_as_often_as_promised() {
        let four = Interval::of_one_more(&[4.0, 2.0, 6.0]).unwrap();
        let half = 4.302_653 * 2.0 * (1.0_f64 + 1.0 / 3.0).sqrt();
        assert!((four.low - (4.0 - half)).abs() < 1e-5 && (four.high - (4.0 + half)).abs() < 1e-5);
        for seeds in [3, 5, 10] {
            let mut random = RandomStream::new(2, Purpose::Bootstrap, 1);
            let inside = |_: &usize| {
                let values: Vec<f64> = (0..seeds).map(|_| normal(&mut random)).collect();
                let interval = Interval::of_one_more(&values).unwrap();
                (interval.low..=interval.high).contains(&normal(&mut random))
            };
            let share = (0..20_000).filter(inside).count() as f64 / 20_000.0;
            assert!((share - LEVEL).abs() < 0.006, "{seeds} seeds: {share}");
        }
    }

    /// The figures in docs/results.md for bounded and for skewed metrics.
    #[test]
    fn intervals_of_skewed_values_cover_the_mean_less_often() {
        let rounded = |share: f64| (100.0 * share).round();
        let shares = [5, 10, 30].map(|seeds| rounded(coverage(seeds, 1.0, RandomStream::exponential)));
        assert_eq!(shares, [88.0, 90.0, 93.0]);
        assert_eq!(rounded(coverage(5, 0.5, RandomStream::unit)), 93.0);
    }
}
