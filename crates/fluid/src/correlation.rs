//! The correlation of a curve with itself at an earlier time.

/// The autocorrelation for lags of 0 to `most` samples, from -1 to 1, normalised by the overlap.
pub fn autocorrelation(curve: &[f64], most: usize) -> Vec<f64> {
    let mut power = vec![0.0; curve.len() + 1];
    for (index, value) in curve.iter().enumerate() {
        power[index + 1] = power[index] + value * value;
    }
    let all = power[curve.len()];
    let correlation = |lag: usize| {
        let (early, late) = (&curve[..curve.len() - lag], &curve[lag..]);
        let product: f64 = early.iter().zip(late).map(|(one, other)| one * other).sum();
        let norm = (power[early.len()] * (all - power[lag])).sqrt();
        if norm > 0.0 { product / norm } else { 0.0 }
    };
    (0..=most).map(correlation).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alternating_curve_repeats_after_two_samples() {
        let curve: Vec<f64> = (0..40).map(|index| if index % 2 == 0 { 3.0 } else { -3.0 }).collect();
        assert_eq!(autocorrelation(&curve, 4), [1.0, -1.0, 1.0, -1.0, 1.0]);
    }

    /// With lag 1, the products 1·2 + 2·4 are divided by the root of (1 + 4) (4 + 16).
    #[test]
    fn values_are_divided_by_the_power_of_the_overlap() {
        assert_eq!(autocorrelation(&[1.0, 2.0, 4.0], 1), [1.0, 1.0]);
        assert_eq!(autocorrelation(&[0.0; 5], 2), [0.0; 3]);
    }
}
