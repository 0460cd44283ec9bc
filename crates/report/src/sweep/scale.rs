//! Scales that do not exaggerate small differences.

use setpoint_record::catalogue::Metric;
use setpoint_record::confidence::Spread;

use super::figures::better;
use setpoint_plot::{Axis, Better, Widening, widened};

/// Minimum span of a scale, as a share of the largest value.
const SHARE: f64 = 0.05;
/// Minimum span of a scale, in standard deviations over seeds.
const DEVIATIONS: f64 = 5.0;

/// The rule for scales, explained to readers.
pub(super) const RULE: &str = "Every scale spans at least 5 % of its largest value and, with several seeds, five standard \
                               deviations over seeds, so that smaller differences do not stand out.";
/// The rule for colours, explained to readers.
pub(super) const COLOURS: &str = "All maps use the colours at the same end for worse values, as their legends show; in grey maps, neither end is better.";

/// The colour scale of a metric over the variants of a sweep. It is widened at its worse end only, so that the best value
/// has the best colour.
pub(super) fn colours(metric: &Metric, spreads: &[Spread]) -> Axis {
    wide_enough(metric, better(metric), spreads, spreads.iter().map(|spread| spread.mean))
}

/// The scale of an axis, widened at both ends.
pub(crate) fn scale(metric: &Metric, spreads: &[Spread], values: impl IntoIterator<Item = f64>) -> Axis {
    wide_enough(metric, Better::Neither, spreads, values)
}

fn wide_enough(
    metric: &Metric,
    better: Better,
    spreads: &[Spread],
    values: impl IntoIterator<Item = f64>,
) -> Axis {
    let largest = spreads.iter().map(|spread| spread.mean.abs()).fold(0.0, f64::max);
    let least = f64::max(SHARE * largest, DEVIATIONS * typical_deviation(spreads));
    let widening = Widening { span: least, bounds: metric.range(), better };
    widened(metric.title, metric.unit, values, widening)
}

/// The root mean square of the deviations over seeds; zero with one seed.
fn typical_deviation(spreads: &[Spread]) -> f64 {
    let squares: Vec<f64> =
        spreads.iter().filter_map(|spread| spread.deviation).map(|deviation| deviation * deviation).collect();
    match squares.len() {
        0 => 0.0,
        count => (squares.iter().sum::<f64>() / count as f64).sqrt(),
    }
}
