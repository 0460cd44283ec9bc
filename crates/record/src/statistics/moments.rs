//! Mean and standard deviation, and ratios that are never infinite.

/// Mean and standard deviation of a list of values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// Number of values.
    pub count: usize,
    /// The mean; zero if there are no values.
    pub mean: f64,
    /// Sum of squared distances from the mean.
    squares: f64,
}

impl Moments {
    /// The moments of a list of values, computed in two passes because subtracting squares of large
    /// values would lose precision.
    pub fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let (count, sum) = values.clone().fold((0usize, 0.0), |(n, sum), value| (n + 1, sum + value));
        let mean = ratio(sum, count as f64);
        let squares = values.map(|value| (value - mean) * (value - mean)).sum();
        Self { count, mean, squares }
    }

    /// Standard deviation of the values (divided by n).
    pub fn deviation(&self) -> f64 {
        ratio(self.squares, self.count as f64).sqrt()
    }

    /// Standard deviation of the population from which the values are a sample (divided by n − 1); none for fewer than
    /// two values.
    pub fn sample_deviation(&self) -> Option<f64> {
        (self.count >= 2).then(|| (self.squares / (self.count - 1) as f64).sqrt())
    }
}

/// A quotient, or zero if it would not be finite.
pub fn ratio(part: f64, whole: f64) -> f64 {
    finite(part / whole)
}

/// A share from 0 to 1.
pub fn share(part: f64, whole: f64) -> f64 {
    ratio(part, whole).clamp(0.0, 1.0)
}

/// The value, or zero if it is not finite, since neither JSON nor a plot can represent it.
pub fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_a_known_list() {
        let moments = Moments::of([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter());
        assert_eq!(moments.mean, 5.0);
        assert_eq!(moments.deviation(), 2.0);
        assert_eq!(moments.sample_deviation(), Some((32.0f64 / 7.0).sqrt()));
    }

    #[test]
    fn moments_of_few_values() {
        assert_eq!(Moments::of(std::iter::empty()).mean, 0.0);
        assert_eq!(Moments::of(std::iter::empty()).deviation(), 0.0);
        assert_eq!(Moments::of([3.0].into_iter()).sample_deviation(), None);
    }

    #[test]
    fn large_values_do_not_cancel() {
        let moments = Moments::of([1e10 + 1.0, 1e10 - 1.0].into_iter());
        assert_eq!(moments.deviation(), 1.0);
    }

    #[test]
    fn shares_are_shares() {
        assert_eq!(share(1.0, 4.0), 0.25);
        assert_eq!(share(5.0, 4.0), 1.0);
        assert_eq!(share(1.0, 0.0), 0.0);
        assert_eq!(ratio(0.0, 0.0), 0.0);
    }
}
