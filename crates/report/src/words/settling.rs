//! Whether and when a queue settled, in a few words.

use setpoint_lab::results::Settling;
use setpoint_units::quantity::Unit;

/// How long a queue took to settle: `after 80 ms`, or why it did not: `not settled: buffer full`. Settling is
/// measured in whole sample intervals, so that none of them means less than one: `within 4 ms`.
#[must_use]
pub fn settling_text(settling: Settling, interval: f64) -> String {
    match settling {
        Settling::AfterS(seconds) if seconds > 0.0 => format!("after {}", Unit::Seconds.text(seconds)),
        Settling::AfterS(_) if interval > 0.0 => format!("within {}", Unit::Seconds.text(interval)),
        Settling::AfterS(_) => "at once".into(),
        Settling::NotSettled(reason) => format!("not settled: {}", reason.words()),
    }
}

#[cfg(test)]
mod tests {
    use setpoint_lab::results::Unsettled;

    use super::*;

    #[test]
    fn settling_is_known_to_one_sample_interval() {
        let text = |settling, interval| settling_text(settling, interval).replace('\u{a0}', " ");
        assert_eq!(text(Settling::AfterS(0.08), 0.004), "after 80 ms");
        assert_eq!(text(Settling::AfterS(0.0), 0.004), "within 4 ms");
        assert_eq!(text(Settling::AfterS(0.0), 0.0), "at once");
        assert_eq!(text(Settling::NotSettled(Unsettled::BufferFull), 0.004), "not settled: buffer full");
    }
}
