//! Jain's fairness index (Jain, Chiu and Hawe, DEC TR-301, 1984), of mean rates and over windows.
//!
//! `J = (Σx)² / (n Σx²)`: 1 where all rates are equal, `1/n` where one flow has everything. It
//! compares flows, so that there is none of fewer than two, and none where nobody sent.
//!
//! Over windows, only flows count that competed for the whole of a window (see [`Activity`]): a
//! flow that was started or stopped within it had no chance of an equal share.

use std::ops::Range;

use super::activity::{Activity, Observed};
use super::axis::Axis;
use crate::results::FlowSeries;

/// Jain's index of some rates; none of fewer than two, and none where all are zero.
#[must_use]
pub fn jain_index(rates: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut count, mut sum, mut squares) = (0usize, 0.0, 0.0);
    for rate in rates {
        count += 1;
        sum += rate;
        squares += rate * rate;
    }
    (count >= 2 && squares > 0.0).then(|| sum * sum / (count as f64 * squares))
}

/// Jain's index in windows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WindowedJain {
    /// Mean over windows, and the smallest; none where no window had two competing flows.
    pub mean_and_min: Option<(f64, f64)>,
}

/// Jain's index in every whole window of `samples`, one after another without overlap.
#[must_use]
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
    let rate = |(index, flow): (usize, &FlowSeries)| {
        let delivered: f64 = flow.rate_bps[window.clone()].iter().sum();
        activity.covers(index, &Observed { from, to, delivered }).then_some(delivered)
    };
    jain_index(flows.iter().enumerate().filter_map(rate))
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
}
