//! Jain's fairness index (Jain, Chiu and Hawe, DEC TR-301, 1984), of mean rates and over windows.
//!
//! `J = (Σx)² / (n Σx²)`: 1 if all rates are equal, `1/n` if one flow has everything. The index is undefined for fewer
//! than two flows, or if no flow sent anything.
//!
//! Rates are divided by the flows' weights, so that 1 means shares in proportion to weights.
//!
//! A window compares only flows that competed during all of it (see [`Activity`]): a flow that was started or stopped
//! within it had no chance of an equal share.

use std::ops::Range;

use super::activity::Activity;
use super::axis::Axis;
use crate::results::FlowSeries;

/// Jain's index of a list of rates; none for fewer than two, or if all are zero.
pub fn jain_index(rates: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut count, mut sum, mut squares) = (0usize, 0.0, 0.0);
    for rate in rates {
        count += 1;
        sum += rate;
        squares += rate * rate;
    }
    // Rounding may raise the index of equal rates slightly above one.
    (count >= 2 && squares > 0.0).then(|| (sum * sum / (count as f64 * squares)).min(1.0))
}

/// Jain's index in windows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WindowedJain {
    /// Mean and minimum over windows; none if no window had two competing flows.
    pub mean_and_min: Option<(f64, f64)>,
}

/// Jain's index in consecutive whole windows of `samples`.
pub fn windowed(
    flows: &[FlowSeries],
    activity: &Activity,
    axis: &Axis,
    samples: Range<usize>,
) -> WindowedJain {
    let length = axis.window();
    let (mut count, mut sum, mut min) = (0usize, 0.0, f64::INFINITY);
    let mut window = samples.start..samples.start + length;
    while window.end <= samples.end {
        if let Some(index) = in_window(flows, activity, axis, window.clone()) {
            count += 1;
            sum += index;
            min = min.min(index);
        }
        window = window.end..window.end + length;
    }
    WindowedJain { mean_and_min: (count > 0).then(|| (sum / count as f64, min)) }
}

fn in_window(flows: &[FlowSeries], activity: &Activity, axis: &Axis, window: Range<usize>) -> Option<f64> {
    let (from, to) = (axis.begin(window.start), axis.begin(window.end));
    let competing = flows.iter().enumerate().filter(|(index, _)| activity.covers(*index, from, to));
    let sum = |flow: &FlowSeries| flow.rate_bps[window.clone()].iter().sum();
    jain_index(competing.map(|(index, flow)| activity.per_weight(index, sum(flow))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rates_give_one_and_a_monopoly_one_nth() {
        assert_eq!(jain_index([1.0, 1.0, 1.0, 1.0]), Some(1.0));
        assert_eq!(jain_index([1.0, 0.0, 0.0, 0.0]), Some(0.25));
        assert_eq!(jain_index([5.0, 5.0]), Some(1.0));
    }

    #[test]
    fn a_known_mixture() {
        // (1 + 2 + 3)² / (3 · (1 + 4 + 9)) = 36 / 42
        assert_eq!(jain_index([1.0, 2.0, 3.0]), Some(36.0 / 42.0));
    }

    #[test]
    fn the_unit_does_not_matter() {
        assert_eq!(jain_index([1.0, 3.0]), jain_index([1e9, 3e9]));
    }

    #[test]
    fn there_is_nothing_to_compare() {
        assert_eq!(jain_index([]), None);
        assert_eq!(jain_index([7.0]), None);
        assert_eq!(jain_index([0.0, 0.0]), None);
    }

    /// Two flows; the second starts at 15 ms; one sample per millisecond.
    fn late_second(rates: [Vec<f64>; 2]) -> WindowedJain {
        use setpoint_units::{Time, TimeDelta};
        let at = |millis| Time::ZERO + TimeDelta::from_millis(millis);
        let axis = Axis { interval: TimeDelta::from_millis(1), end: at(40), samples: 40 };
        let activity = Activity::from_spans(vec![vec![(at(0), Time::MAX)], vec![(at(15), Time::MAX)]]);
        let curve = |rate_bps| FlowSeries { rate_bps, ..FlowSeries::default() };
        windowed(&rates.map(curve), &activity, &axis, 0..40)
    }

    #[test]
    fn a_window_counts_flows_that_were_there_throughout() {
        // Windows [0, 10[ and [10, 20[ have one flow; [20, 30[ is fair, and in [30, 40[ the second flow starves.
        let second = (0..40).map(|sample| if (20..30).contains(&sample) { 1.0 } else { 0.0 }).collect();
        assert_eq!(late_second([vec![1.0; 40], second]).mean_and_min, Some((0.75, 0.5)));
    }

    #[test]
    fn silent_windows_do_not_count() {
        assert_eq!(late_second([vec![0.0; 40], vec![0.0; 40]]).mean_and_min, None);
    }
}
