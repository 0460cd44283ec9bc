//! Quantiles of a list of values, and the probabilities at which they are stored.
//!
//! Between two values the quantile is interpolated linearly (type 7 of Hyndman and Fan, 1996, the
//! default of R and NumPy), so that 0 gives the smallest value and 1 the largest.

/// The probabilities of stored quantiles: dense enough to draw a CDF, and denser in the tails.
pub const PROBABILITIES: [f64; 29] = [
    0.0, 0.001, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7,
    0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 0.9999, 1.0,
];

/// The quantile of sorted values; none if there are no values. Next to an infinite value, the result is not finite.
pub fn quantile(sorted: &[f64], probability: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let position = probability.clamp(0.0, 1.0) * last as f64;
    let below = position.floor() as usize;
    let above = (below + 1).min(last);
    let part = position - below as f64;
    // If the quantile falls exactly on a value, the next value does not matter, even if it is infinite.
    Some(if part == 0.0 { sorted[below] } else { sorted[below] + (sorted[above] - sorted[below]) * part })
}

/// All quantiles at [`PROBABILITIES`] as (probability, value); empty if there are no values.
pub fn quantiles(mut values: Vec<f64>) -> Vec<(f64, f64)> {
    values.sort_unstable_by(f64::total_cmp);
    let at = |probability| Some((probability, quantile(&values, probability)?));
    PROBABILITIES.into_iter().filter_map(at).collect()
}

/// The value for a probability in a list of (probability, value), if the list has an entry for it.
pub fn at(quantiles: &[(f64, f64)], probability: f64) -> Option<f64> {
    quantiles.iter().find(|(p, _)| *p == probability).map(|(_, value)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_interpolated() {
        let values = [1.0, 2.0, 4.0, 8.0, 16.0];
        assert_eq!(quantile(&values, 0.0), Some(1.0));
        assert_eq!(quantile(&values, 0.5), Some(4.0));
        assert_eq!(quantile(&values, 0.75), Some(8.0));
        assert_eq!(quantile(&values, 0.875), Some(12.0));
        assert_eq!(quantile(&values, 1.0), Some(16.0));
        let unbounded = [1.0, 2.0, f64::INFINITY];
        assert_eq!((quantile(&unbounded, 0.5), quantile(&unbounded, 0.6)), (Some(2.0), Some(f64::INFINITY)));
    }

    #[test]
    fn one_value_is_every_quantile_and_no_value_has_none() {
        assert_eq!(quantile(&[3.5], 0.2), Some(3.5));
        assert_eq!(quantile(&[], 0.5), None);
        assert!(quantiles(Vec::new()).is_empty());
    }

    #[test]
    fn a_list_is_sorted_first_and_grows() {
        let list = quantiles(vec![9.0, 1.0, 5.0]);
        assert_eq!(at(&list, 0.0), Some(1.0));
        assert_eq!(at(&list, 0.5), Some(5.0));
        assert_eq!(at(&list, 1.0), Some(9.0));
        assert_eq!(at(&list, 0.123), None);
        assert!(list.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1));
    }
}
