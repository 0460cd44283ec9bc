//! Slowdown by message size over the seeds of a variant.

use std::collections::BTreeMap;

use setpoint_record::confidence::Spread;
use setpoint_record::keyed;
use setpoint_record::results::{Bounded, SlowdownBin};

/// The range of slowdowns: a message takes at least as long as on an empty network.
const RANGE: (f64, f64) = (1.0, f64::INFINITY);

keyed! {
    /// Slowdown of the messages in a range of sizes, over the seeds of a variant.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct SlowdownSpread {
        /// Smallest size, inclusive.
        pub from_bytes: u64 = Bytes,
        /// Largest size, exclusive.
        pub to_bytes: u64 = Bytes,
        /// Mean number of messages of these sizes in the runs that have any.
        pub messages: f64,
        /// Median slowdown of a run.
        pub p50: Spread,
        /// 99th percentile of the slowdown of a run; `null` if no run has more than one message of these sizes.
        pub p99: Option<Spread>,
    }
}

impl SlowdownSpread {
    /// The sizes that occur in the runs of a variant, given the bins of each run, in ascending order.
    pub(super) fn of_runs<'a>(runs: impl IntoIterator<Item = &'a [SlowdownBin]>) -> Vec<Self> {
        let mut by_size: BTreeMap<(u64, u64), Vec<SlowdownBin>> = BTreeMap::new();
        for bin in runs.into_iter().flatten() {
            by_size.entry((bin.from_bytes, bin.to_bytes)).or_default().push(*bin);
        }
        by_size.into_values().filter_map(|bins| Self::of_bins(&bins)).collect()
    }

    /// Combines the bins of several runs for the same sizes.
    fn of_bins(bins: &[SlowdownBin]) -> Option<Self> {
        let first = bins.first()?;
        let medians: Vec<Bounded> = bins.iter().map(SlowdownBin::median).collect();
        let tails: Vec<Bounded> = bins.iter().filter_map(SlowdownBin::tail).collect();
        Some(Self {
            from_bytes: first.from_bytes,
            to_bytes: first.to_bytes,
            messages: bins.iter().map(|bin| bin.messages as f64).sum::<f64>() / bins.len() as f64,
            p50: Spread::of_bounded(&medians, RANGE)?,
            p99: Spread::of_bounded(&tails, RANGE),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bin(from_bytes: u64, p50: f64, p99: Option<f64>, p99_is_lower_bound: bool) -> SlowdownBin {
        let to_bytes = 2 * from_bytes;
        SlowdownBin {
            from_bytes,
            to_bytes,
            messages: 10,
            p50,
            p99,
            p99_is_lower_bound,
            ..SlowdownBin::default()
        }
    }

    #[test]
    fn bins_of_the_same_sizes_are_combined_over_runs() {
        let runs = [
            [bin(10, 2.0, Some(4.0), false), bin(100, 3.0, Some(9.0), true)],
            [bin(10, 4.0, Some(6.0), false), bin(100, 3.0, Some(7.0), false)],
            [bin(1, 1.0, None, false), bin(10, 6.0, Some(8.0), false)],
        ];
        let all = SlowdownSpread::of_runs(runs.iter().map(|run| &run[..]));
        assert_eq!(all.iter().map(|one| one.from_bytes).collect::<Vec<_>>(), [1, 10, 100]);
        assert_eq!((all[0].p50.count, all[0].p99), (1, None));
        assert_eq!((all[1].p50.mean, all[1].p99.unwrap().mean, all[1].messages), (4.0, 6.0, 10.0));
        let interval = all[1].p50.interval.unwrap();
        assert!(interval.low == 1.0 && interval.high > 8.0, "no slowdown is below 1: {interval:?}");
        let bound = all[2].p99.unwrap();
        assert!(bound.is_lower_bound && bound.interval.is_none() && !all[2].p50.is_lower_bound);
    }
}
