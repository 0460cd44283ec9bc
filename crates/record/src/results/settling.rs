//! Whether a queue settled. See [`crate::metrics::settling`] for the definition.

use serde::{Deserialize, Serialize};
use setpoint_units::quantity::Unit;

use super::keyed::{Form, Key, Keyed};

/// Whether a queue settled at its set point after an event.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Settling {
    /// It settled after this number of seconds.
    AfterS(f64),
    /// It did not settle, or has no set point.
    NotSettled(Unsettled),
}

impl Keyed for Settling {
    const IS_OBJECT: bool = true;

    fn describe(key: Key, keys: &mut Vec<Key>) {
        let time = "Settling time: see [Settling time](#settling-time). Omitted if the queue did not settle.";
        let reason = "The reason why it did not settle. Omitted if it settled.";
        keys.push(key.clone());
        keys.push(key.inside("after_s", Some(Unit::Seconds), time).holding(Form::Number));
        keys.push(key.inside("not_settled", None, reason).holding(Form::Text));
    }
}

impl Settling {
    /// The settling time in seconds; none if it did not settle.
    pub const fn seconds(self) -> Option<f64> {
        match self {
            Self::AfterS(seconds) => Some(seconds),
            Self::NotSettled(_) => None,
        }
    }

    /// How long the queue took to settle: `after 80 ms`, or why it did not: `not settled: buffer full`. Settling is
    /// measured in whole sample intervals, so zero means less than one: `within 4 ms`.
    pub fn text(self, interval: f64) -> String {
        match self {
            Self::AfterS(seconds) if seconds > 0.0 => format!("after {}", Unit::Seconds.text(seconds)),
            Self::AfterS(_) if interval > 0.0 => format!("within {}", Unit::Seconds.text(interval)),
            Self::AfterS(_) => "at once".into(),
            Self::NotSettled(reason) => format!("not settled: {}", reason.words()),
        }
    }
}

/// The reason why there is no settling time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unsettled {
    /// The run has no queue.
    NoQueue,
    /// The queue has no congestion point with a set point.
    NoSetPoint,
    /// The next event or the end of the run follows within a few sample intervals.
    SegmentTooShort,
    /// The queue reached its limit.
    BufferFull,
    /// The port did not have enough to send: the queue is short because there is little traffic.
    PortNotLoaded,
    /// The queue was inside the band and left it again, or entered it too late.
    LeftBand,
    /// The queue was never inside the band.
    OutsideBand,
}

impl Unsettled {
    /// The reason why settling is not meaningful after any event; none if it is meaningful after at least one.
    pub fn of_all(settlings: impl Iterator<Item = Settling>) -> Option<Self> {
        let mut common = None;
        for settling in settlings {
            let Settling::NotSettled(reason) = settling else { return None };
            match reason {
                Self::NoQueue | Self::NoSetPoint | Self::PortNotLoaded => common = Some(reason),
                Self::SegmentTooShort => common = common.or(Some(reason)),
                Self::BufferFull | Self::LeftBand | Self::OutsideBand => return None,
            }
        }
        common
    }

    /// The reason why there is no settling time after any event, in a sentence; empty without a set point to settle at.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::PortNotLoaded => {
                "There is no settling time, because the traffic did not keep the port of the longest queue loaded."
            }
            Self::SegmentTooShort => {
                "There is no settling time, because the events follow each other too closely."
            }
            _ => "",
        }
    }

    /// The reason in a few words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::NoQueue => "no queue",
            Self::NoSetPoint => "no set point",
            Self::SegmentTooShort => "too little time",
            Self::BufferFull => "buffer full",
            Self::PortNotLoaded => "port not loaded",
            Self::LeftBand => "left the band again",
            Self::OutsideBand => "never within the band",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_for_all_events_is_given_once() {
        use Unsettled::{LeftBand, NoSetPoint, PortNotLoaded, SegmentTooShort};
        let of = |reasons: &[Unsettled]| Unsettled::of_all(reasons.iter().copied().map(Settling::NotSettled));
        assert_eq!(of(&[PortNotLoaded; 12]), Some(PortNotLoaded));
        assert_eq!(of(&[SegmentTooShort, PortNotLoaded, SegmentTooShort]), Some(PortNotLoaded));
        assert_eq!(of(&[NoSetPoint]), Some(NoSetPoint));
        assert_eq!(of(&[PortNotLoaded, LeftBand]), None);
        assert_eq!(Unsettled::of_all([Settling::AfterS(0.1)].into_iter()), None);
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn settling_is_known_to_one_sample_interval() {
        let text = |settling: Settling, interval| settling.text(interval).replace('\u{a0}', " ");
        assert_eq!(text(Settling::AfterS(0.08), 0.004), "after 80 ms");
        assert_eq!(text(Settling::AfterS(0.0), 0.004), "within 4 ms");
        assert_eq!(text(Settling::AfterS(0.0), 0.0), "at once");
        assert_eq!(text(Settling::NotSettled(Unsettled::BufferFull), 0.004), "not settled: buffer full");
    }
}
