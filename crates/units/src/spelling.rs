//! Rewrites text written for a parser into the form shown to readers: `left→right` for `left->right`, `26 kB` for
//! `26kB`.
//!
//! Files and command lines accept both spellings; pages and the terminal show one.
//!
//! ```
//! use setpoint_units::spelling::{arrows, value};
//!
//! assert_eq!(arrows("left->right/3"), "left→right/3");
//! assert_eq!(value("\"15us\""), "15\u{a0}µs");
//! assert_eq!(value("every-notification"), "every-notification");
//! ```

use std::format;
use std::string::{String, ToString};

use crate::{Bytes, Length, PartsPerMillion, Rate, TimeDelta};

/// Names of ports, queues and events with real arrows.
pub fn arrows(text: &str) -> String {
    text.replace("->", "→")
}

/// The value of a scenario key in the form that a person writes: a string without its quotes, a quantity with a no-break
/// space before its unit. The number keeps its digits. Other text stays as it is.
pub fn value(text: &str) -> String {
    let bare = text.trim_matches('"');
    let Some((number, unit)) = parts(bare) else { return bare.to_string() };
    let unit = if matches!(unit, "us" | "μs") { "µs" } else { unit };
    format!("{number}\u{a0}{unit}")
}

/// The number and the unit of a quantity; `None` for other text.
fn parts(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '_')))?;
    let (number, unit) = (&text[..end], text[end..].trim());
    (is_quantity(text) || is_percentage(number, unit)).then_some((number, unit))
}

fn is_quantity(text: &str) -> bool {
    text.parse::<TimeDelta>().is_ok()
        || text.parse::<Bytes>().is_ok()
        || text.parse::<Rate>().is_ok()
        || text.parse::<Length>().is_ok()
        || text.parse::<PartsPerMillion>().is_ok()
}

fn is_percentage(number: &str, unit: &str) -> bool {
    unit == "%" && number.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantity_has_one_spelling() {
        for (written, shown) in [
            ("26kB", "26 kB"),
            ("26 kB", "26 kB"),
            ("15us", "15 µs"),
            ("15 μs", "15 µs"),
            ("15 µs", "15 µs"),
            ("37.78 kB", "37.78 kB"),
            ("\"10Gb/s\"", "10 Gb/s"),
            ("20%", "20 %"),
            ("100ppm", "100 ppm"),
        ] {
            assert_eq!(value(written).replace('\u{a0}', " "), shown, "{written}");
        }
    }

    #[test]
    fn other_text_is_kept() {
        for text in ["40G", "1/128", "2^-7", "10", "fast, 26kB buffers", "s1", "", "-5 ms"] {
            assert_eq!(value(text), text);
        }
    }
}
