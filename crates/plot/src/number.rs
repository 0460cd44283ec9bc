//! Numbers for the page's script.

use serde_json::{Value, json};

/// A number rounded to `digits` significant digits, or null if it is not finite.
pub(super) fn number(value: f64, digits: i32) -> Value {
    if !value.is_finite() {
        return Value::Null;
    }
    if value == 0.0 {
        return json!(0);
    }
    let scale = 10f64.powi(digits - 1 - value.abs().log10().floor() as i32);
    let rounded = if scale.is_finite() && scale > 0.0 { (value * scale).round() / scale } else { value };
    if rounded.fract() == 0.0 && rounded.abs() < 9e15 { json!(rounded as i64) } else { json!(rounded) }
}
