//! Cumulative distributions.

use setpoint_plot::{Axis, Colour, Figure, Shape};
use setpoint_units::quantity::Unit;

use super::{Names, line};

/// Cumulative distributions of some values, each with its name in the legend.
pub(crate) fn distribution(
    (name, title): Names<'_>,
    x: Axis,
    share_of: &str,
    curves: impl IntoIterator<Item = (&'static str, Shape, Vec<f64>)>,
) -> Figure {
    let y = Axis::linear(&format!("Share of {share_of} at or below"), Unit::Share, (0.0, 1.0));
    let mut figure = Figure::new(name, title, x, y);
    for (index, (label, shape, values)) in curves.into_iter().enumerate() {
        figure.marks.push(line(label, Colour::Series(index), shape, cdf(values)));
    }
    figure.alternative = format!("{title}, cumulative.");
    figure
}

/// Maximum number of points drawn; more points could not be distinguished.
const POINTS: usize = 500;

/// The points (value, share of the values at or below it).
fn cdf(mut values: Vec<f64>) -> Vec<(f64, f64)> {
    values.retain(|value| value.is_finite());
    values.sort_unstable_by(f64::total_cmp);
    let count = values.len();
    // Among equal values, only the last has the cumulative share of all of them.
    let last = |index: usize| index + 1 == count || values[index] < values[index + 1];
    let steps: Vec<(f64, f64)> = (0..count)
        .filter(|&index| last(index))
        .map(|index| (values[index], (index + 1) as f64 / count as f64))
        .collect();
    let stride = steps.len().div_ceil(POINTS).max(1);
    let kept = |index: &usize| index.is_multiple_of(stride) || index + 1 == steps.len();
    (0..steps.len()).filter(kept).map(|index| steps[index]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distribution_ends_at_one_and_counts_equal_values_together() {
        let steps = cdf(vec![2.0, 1.0, 2.0, f64::NAN, 4.0]);
        assert_eq!(steps, [(1.0, 0.25), (2.0, 0.75), (4.0, 1.0)]);
        assert!(cdf(Vec::new()).is_empty());
    }

    #[test]
    fn a_long_distribution_is_thinned_and_keeps_its_ends() {
        let steps = cdf((0..10_000).map(f64::from).collect());
        assert!(steps.len() <= POINTS + 1, "{}", steps.len());
        assert_eq!((steps[0].0, *steps.last().unwrap()), (0.0, (9_999.0, 1.0)));
    }
}
