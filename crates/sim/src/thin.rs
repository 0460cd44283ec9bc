//! Reduces series to half as many samples, so that memory use stays bounded on a node that runs for days, or for a page
//! that reads slowly.
//!
//! Each pair of samples becomes one. If the number of samples is odd, the last one stays unchanged.

use setpoint_units::TimeDelta;

/// Adds up each pair of samples. For counts per interval.
pub fn summed<T: Copy + std::ops::Add<Output = T>>(series: &mut Vec<T>) {
    pairs(series, |first, second| first + second);
}

/// Keeps the later sample of each pair. For values taken at the end of an interval.
pub fn last<T: Copy>(series: &mut Vec<T>) {
    pairs(series, |_, second| second);
}

/// Keeps the larger sample of each pair.
pub fn largest<T: Copy + Ord>(series: &mut Vec<T>) {
    pairs(series, Ord::max);
}

/// Averages each pair of samples and rounds down. For means over an interval.
pub fn mean(series: &mut Vec<u64>) {
    pairs(series, u64::midpoint);
}

/// Averages each pair of samples and rounds down; if one of the two is missing, keeps the later one. For means over an interval
/// that may be missing.
pub fn mean_known(series: &mut Vec<Option<TimeDelta>>) {
    pairs(series, |first, second| match (first, second) {
        (Some(first), Some(second)) => {
            Some(TimeDelta::from_picos(first.as_picos().midpoint(second.as_picos())))
        }
        _ => second,
    });
}

/// Joins each pair of samples.
pub fn pairs<T: Copy>(series: &mut Vec<T>, join: impl Fn(T, T) -> T) {
    let joined = |pair: &[T]| match *pair {
        [first, second] => join(first, second),
        _ => pair[0],
    };
    *series = series.chunks(2).map(joined).collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_samples_have_no_mean() {
        let picos = |value| Some(TimeDelta::from_picos(value));
        let mut series = vec![picos(4), picos(9), picos(4), None, None, picos(9), picos(5)];
        mean_known(&mut series);
        assert_eq!(series, [picos(6), None, picos(9), picos(5)]);
    }

    #[test]
    fn two_samples_become_one() {
        let thinned = |thin: fn(&mut Vec<u64>)| {
            let mut series = vec![4, 2, 1, 9, 5];
            thin(&mut series);
            series
        };
        assert_eq!(thinned(summed), [6, 10, 5]);
        assert_eq!(thinned(last), [2, 9, 5]);
        assert_eq!(thinned(largest), [4, 9, 5]);
        assert_eq!(thinned(mean), [3, 5, 5]);
    }
}
