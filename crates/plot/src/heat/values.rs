//! The text in the cells.

use super::HeatMap;
use crate::axis::nice_step;
use crate::{Axis, Scale};
use setpoint_units::quantity::{Unit, decimal, grouped};

/// Maximum number of decimal places in a cell; the tooltip shows all of them.
const MOST_DECIMALS: f64 = 4.0;

/// The text of every cell, in the order of [`HeatMap::places`]; empty for a cell without a value.
pub(super) fn texts(map: &HeatMap) -> Vec<String> {
    let mark = |place| if map.lower_bounds.contains(&place) { ">\u{a0}" } else { "" };
    let text = |place, value| format!("{}{}", mark(place), written(&map.scale, value));
    map.places().map(|place| map.value(place).map_or_else(String::new, |value| text(place, value))).collect()
}

/// A value as written in a cell. On a linear scale it is in the unit given in the legend, with enough decimals to
/// distinguish steps of a few thousandths of the scale. On a logarithmic scale it carries its own unit, as the
/// ticks do, unless all units are equal.
fn written(scale: &Axis, value: f64) -> String {
    if scale.scale != Scale::Linear {
        let text = scale.unit.text(value);
        let bare = matches!(scale.unit, Unit::Share | Unit::PerSecond);
        return if bare { text.split('\u{a0}').next().unwrap_or_default().to_owned() } else { text };
    }
    let factor = scale.multiple().factor;
    let value = value / factor;
    if value.abs() >= 1e4 {
        return grouped(value.round());
    }
    let step = nice_step((scale.range.1 - scale.range.0) / factor / 300.0);
    let decimals = (-step.log10().floor()).clamp(0.0, MOST_DECIMALS) as usize;
    let text = format!("{:.decimals$}", value.abs());
    let is_zero = text.bytes().all(|digit| matches!(digit, b'0' | b'.'));
    match (is_zero, value == 0.0) {
        (true, true) => "0".into(),
        // A value that is not zero is never written as zero.
        (true, false) => format!("<{}", decimal(0.1f64.powi(decimals as i32), decimals)),
        _ if value < 0.0 => format!("−{text}"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_as_many_decimals_as_their_scale_needs() {
        let bytes = Axis::linear("queue", Unit::Bytes, (0.0, 30_000.0));
        assert_eq!(
            [26_412.0, 20_000.0, 0.0, 12.0].map(|value| written(&bytes, value)),
            ["26.4", "20.0", "0", "<0.1"]
        );
        let fairness = Axis::linear("Jain", Unit::Ratio, (0.8, 1.0));
        assert_eq!(written(&fairness, 0.987_654), "0.988");
        let many = Axis::linear("sent", Unit::Count, (0.0, 50_000.0));
        assert_eq!(written(&many, 12_345.0), "12\u{202f}345");
    }

    #[test]
    fn values_of_a_logarithmic_scale_bring_their_unit_where_it_changes() {
        let queue = Axis::logarithmic("queue", Unit::Bytes, (100.0, 1e6));
        assert_eq!(written(&queue, 26_412.0), "26.4\u{a0}kB");
        let rate = Axis::logarithmic("peak", Unit::PerSecond, (1.0, 1e4));
        assert_eq!(written(&rate, 1234.0), "1230");
    }
}
