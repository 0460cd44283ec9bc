//! The windows of sources whose algorithm sets a rate.

use setpoint_units::{Bytes, Rate, TimeDelta};

use crate::limit::Limit;
use crate::parameter::choice;
use crate::path::{BaseRtt, Path};
use crate::state::{Reading, Show};

choice! {
    /// The bound on the bytes that a source has in flight. T is the base round-trip time.
    Window {
        None = "none", "None: only the rate limits the source.";
        Fixed = "fixed", "The line rate times T.";
        Rate = "rate", "The current rate times T, so that the window follows the rate (HPCC, attribute VarWin).";
    }
}

impl Window {
    /// The limit of a source with the given rate. A window is rounded down to whole bytes, but is never zero, so that a frame
    /// is always in flight.
    pub fn limit(self, rate: Rate, line_rate: Rate, base_rtt: TimeDelta) -> Limit {
        let bytes = match self {
            Self::None => return Limit::Rate(rate),
            Self::Fixed => line_rate * base_rtt,
            Self::Rate => rate * base_rtt,
        };
        Limit::Window { bytes: bytes.max(Bytes::new(1)), rate }
    }
}

/// A rate with a window of the rate times the base round-trip time T, as HPCC and PowerTCP set it. A reference rate may
/// follow once per window: whenever more bytes are settled than had been sent at its last change.
///
/// * Invariant: the rate is at most the line rate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WindowedRate {
    pub(crate) line_rate: Rate,
    /// T.
    pub(crate) base_rtt: TimeDelta,
    pub(crate) rate: Rate,
    sent: Bytes,
    /// The window ends once more than these bytes are settled; none before the first acknowledgement.
    window_end: Option<Bytes>,
}

/// The position of an acknowledgement relative to the windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// It is the first one; the first window begins with it.
    First,
    /// It is within a window.
    Within,
    /// It ends a window.
    End,
}

impl WindowedRate {
    /// The line rate, with a full window.
    pub(crate) fn new(path: &Path, base_rtt: BaseRtt) -> Self {
        Self {
            line_rate: path.line_rate,
            base_rtt: path.rtt(base_rtt),
            rate: path.line_rate,
            sent: Bytes::ZERO,
            window_end: None,
        }
    }

    /// The window: rounded down to whole bytes, but never zero, so that a frame is always in flight.
    pub(crate) fn window(&self) -> Bytes {
        (self.rate * self.base_rtt).max(Bytes::new(1))
    }

    /// The rate and the window.
    pub(crate) fn limit(&self) -> Limit {
        Limit::Window { bytes: self.window(), rate: self.rate }
    }

    /// A rate of at least the minimum and at most the line rate.
    pub(crate) fn bounded(&self, bits: u64, min_rate: Rate) -> Rate {
        Rate::from_bits_per_second(bits.max(min_rate.bits_per_second())).min(self.line_rate)
    }

    /// Adds a measurement over the given span to an average over T.
    pub(crate) fn average(&self, old: u64, new: u64, span: TimeDelta) -> u64 {
        let whole = u128::from(self.base_rtt.as_picos());
        let part = u128::from(span.as_picos()).min(whole);
        ((u128::from(old) * (whole - part) + u128::from(new) * part) / whole) as u64
    }

    /// Counts a frame that has been sent.
    #[inline]
    pub(crate) fn count_sent(&mut self, frame: Bytes) {
        self.sent += frame;
    }

    /// Records the bytes that are settled, and returns the position of the acknowledgement relative to the windows.
    pub(crate) fn settle(&mut self, settled: Bytes) -> Place {
        // A point that replaces another one has not counted all bytes.
        self.sent = self.sent.max(settled);
        match self.window_end {
            None => Place::First,
            Some(end) if settled > end => Place::End,
            Some(_) => Place::Within,
        }
    }

    /// Begins the next window.
    pub(crate) fn begin_window(&mut self) {
        self.window_end = Some(self.sent);
    }

    /// Shows the rate and the window.
    pub(crate) fn show_rate(&self, show: &mut dyn Show) {
        show.show("rate", Reading::Rate(self.rate));
        show.show("window", Reading::bytes(self.window()));
    }

    /// Shows the counts that determine where a window ends.
    pub(crate) fn show_window_end(&self, show: &mut dyn Show) {
        show.show("sent", Reading::bytes(self.sent));
        show.show("window_end", self.window_end.map_or(Reading::Absent, Reading::bytes));
    }
}
