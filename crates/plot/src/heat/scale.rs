//! Choosing a colour scale for a set of values.

use crate::axis::nice_step;
use crate::{Axis, Better, Scale};
use setpoint_units::quantity::Unit;

/// Above this ratio of the largest to the smallest value, a linear scale would give most cells the same colour.
const WIDE: f64 = 50.0;

/// A scale that covers all values and ends at round numbers. It is logarithmic if the values span orders of
/// magnitude, and starts at zero if the smallest is less than half of the largest.
pub fn scale_for(label: &str, unit: Unit, values: impl IntoIterator<Item = f64>) -> Axis {
    let values: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Zero has no position on a logarithmic scale; it has the colour of the smallest value.
    let least = values.iter().copied().filter(|value| *value > 0.0).fold(f64::INFINITY, f64::min);
    if low >= 0.0 && high / least > WIDE {
        return Axis::logarithmic(label, unit, (round_down(least), round_up(high)));
    }
    let axis = Axis::linear(label, unit, (if low >= 0.0 && low < 0.5 * high { 0.0 } else { low }, high));
    rounded(axis)
}

/// The minimum extent of a scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Widening {
    /// Minimum span.
    pub span: f64,
    /// Bounds of the quantity, within which the scale is widened.
    pub bounds: (f64, f64),
    /// The end that stays fixed, so that the best value keeps the best colour. With [`Better::Neither`] the scale
    /// grows at both ends.
    pub better: Better,
}

/// A scale that spans at least `widening`, so that values that differ only slightly look alike.
pub fn widened(
    label: &str,
    unit: Unit,
    values: impl IntoIterator<Item = f64>,
    Widening { span, bounds, better }: Widening,
) -> Axis {
    let values: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Also false if there are no values or the span is not a number.
    let is_narrow = high - low < span;
    if !is_narrow {
        return scale_for(label, unit, values);
    }
    let (best, room) = ((low, high), span - (high - low));
    let (mut low, mut high) = match better {
        Better::Larger => (low - room, high),
        Better::Smaller => (low, high + room),
        Better::Neither => (low - room / 2.0, high + room / 2.0),
    };
    if high > bounds.1 {
        (low, high) = (bounds.1 - span, bounds.1);
    }
    if low < bounds.0 {
        (low, high) = (bounds.0, (bounds.0 + span).min(bounds.1));
    }
    let axis = rounded(Axis::linear(label, unit, (low, high)));
    // The better end is not rounded, unless the bounds moved it.
    let range = match better {
        Better::Larger if high == best.1 => (axis.range.0, high),
        Better::Smaller if low == best.0 => (low, axis.range.1),
        _ => axis.range,
    };
    Axis { range, ..axis }
}

/// The same scale, extended to the ticks around its ends.
fn rounded(axis: Axis) -> Axis {
    if axis.scale != Scale::Linear {
        return axis;
    }
    let factor = axis.multiple().factor;
    let step = nice_step((axis.range.1 - axis.range.0) / factor / 5.0) * factor;
    let range = ((axis.range.0 / step + 1e-9).floor() * step, (axis.range.1 / step - 1e-9).ceil() * step);
    Axis { range, ..axis }
}

/// The largest number of the form 1, 2 or 5 times a power of ten that is at most `value`.
fn round_down(value: f64) -> f64 {
    let power = 10f64.powi(value.log10().floor() as i32);
    let fits = |digit: &f64| digit * power <= value * (1.0 + 1e-9);
    [5.0, 2.0, 1.0].into_iter().find(fits).unwrap_or(1.0) * power
}

/// The smallest number of the form 1, 2 or 5 times a power of ten that is at least `value`.
fn round_up(value: f64) -> f64 {
    nice_step(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_ends_at_round_numbers_and_holds_its_values() {
        let range = |values: &[f64]| scale_for("x", Unit::Ratio, values.iter().copied()).range;
        assert_eq!(range(&[3.0, 17.0, 26.4]), (0.0, 30.0));
        assert_eq!(range(&[0.0, 1.0]), (0.0, 1.0));
        assert_eq!(range(&[-3.0, 3.0]), (-4.0, 4.0));
        let (low, high) = range(&[0.9991, 1.0]);
        assert!((0.998..=0.9991).contains(&low) && (1.0..1.001).contains(&high), "{low} {high}");
    }

    #[test]
    fn small_differences_do_not_fill_a_widened_scale() {
        let range = |values: &[f64], span| {
            let widening = Widening { span, bounds: (0.0, 1.0), better: Better::Neither };
            widened("x", Unit::Ratio, values.iter().copied(), widening).range
        };
        let near = |(low, high): (f64, f64), ends: (f64, f64)| {
            assert!((low - ends.0).abs() < 1e-9 && (high - ends.1).abs() < 1e-9, "{low} {high}");
        };
        near(range(&[0.998, 1.0], 0.05), (0.95, 1.0));
        near(range(&[0.0, 0.001], 0.05), (0.0, 0.05));
        assert_eq!(range(&[0.4, 0.9], 0.05), scale_for("x", Unit::Ratio, [0.4, 0.9]).range);
        let (low, high) = range(&[0.5, 0.51], 0.05);
        assert!(low <= 0.48 && high >= 0.53 && high - low <= 0.08, "{low} {high}");
        assert_eq!(range(&[], 0.05), scale_for("x", Unit::Ratio, []).range);
    }

    #[test]
    fn a_widened_scale_grows_towards_the_worse_side() {
        let range = |values: [f64; 2], better| {
            let widening = Widening { span: 0.5e9, bounds: (0.0, f64::INFINITY), better };
            widened("x", Unit::BitsPerSecond, values, widening).range
        };
        let (low, high) = range([9.87e9, 9.98e9], Better::Larger);
        assert!((9.3e9..=9.48e9).contains(&low) && (high - 9.98e9).abs() < 1.0, "{low} {high}");
        let (low, high) = range([9.87e9, 9.98e9], Better::Smaller);
        assert!((low - 9.87e9).abs() < 1.0 && (10.37e9..=10.6e9).contains(&high), "{low} {high}");
        let (low, high) = range([0.0, 0.0], Better::Larger);
        assert!(low == 0.0 && high >= 0.5e9, "{low} {high}");
    }

    #[test]
    fn orders_of_magnitude_make_it_logarithmic() {
        let scale = scale_for("x", Unit::PerSecond, [0.0, 3.0, 40.0, 7000.0]);
        assert_eq!((scale.scale, scale.range), (Scale::Logarithmic, (2.0, 10_000.0)));
        assert_eq!(scale_for("x", Unit::PerSecond, [3.0, 40.0]).scale, Scale::Linear);
    }

    #[test]
    fn no_value_and_a_single_one_make_a_scale_too() {
        for values in [&[][..], &[f64::NAN], &[0.0], &[7.0], &[-7.0, -7.0], &[0.0, 1e300]] {
            let scale = scale_for("x", Unit::Ratio, values.iter().copied());
            assert!(scale.range.0.is_finite() && scale.range.1 > scale.range.0, "{values:?} {scale:?}");
        }
    }
}
