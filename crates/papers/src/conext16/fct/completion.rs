//! Completion times of short flows.

use setpoint_record::statistics::quantile::quantile;

use crate::prelude::*;

/// Flows with fewer bytes are short.
const SHORT: u64 = 100_000;

/// The completion times of the short flows that are measured. That of a flow that was not completed is a lower bound.
pub(super) fn small(run: &Run) -> Vec<f64> {
    let is_measured = |offered_s, bytes| bytes < SHORT && run.summary.measures_message(offered_s);
    let messages = run.messages.iter().filter(|one| is_measured(one.offered_s, one.size_bytes));
    messages.map(|one| one.fct_s.unwrap_or(run.summary.duration_s - one.offered_s)).collect()
}

/// A quantile of values in any order; none if there are fewer than 20.
pub(super) fn quantile_of(mut values: Vec<f64>, share: f64) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    if values.len() < 20 { None } else { quantile(&values, share) }
}

/// The quantile of the first group of values over all parts, divided by that of the second.
pub(super) fn pooled_ratio(parts: &[&[Vec<f64>; 2]], share: f64) -> Option<f64> {
    let of = |group: usize| {
        let values = parts.iter().flat_map(|part| part[group].iter().copied()).collect();
        quantile_of(values, share)
    };
    Some(of(0)? / of(1)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The medians of 1 to 21 and of 101 to 121 are 11 and 111, in either order and however they are divided into parts.
    #[test]
    fn quantiles_are_those_of_all_parts_together() {
        let up = |from: u32, to: u32| (from..=to).rev().map(f64::from).collect::<Vec<_>>();
        let (first, second) = ([up(12, 21), up(101, 105)], [up(1, 11), up(106, 121)]);
        assert_eq!(pooled_ratio(&[&first, &second], 0.5), Some(11.0 / 111.0));
        assert_eq!(pooled_ratio(&[&first], 0.5), None, "too few values");
    }
}
