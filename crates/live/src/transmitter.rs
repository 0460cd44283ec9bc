//! The pace of a port: when the transmission of a frame begins, and how long it takes.
//!
//! A program always wakes up late, by microseconds or even milliseconds. Times are therefore computed as they would be on an
//! ideal port: the transmission of a waiting frame begins when that of the frame before it ends, even if the program
//! sends the frame later. This way, queue lengths and rates are exact; only the moment at which a frame reaches the
//! wire is late.

use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// The frame check sequence, which network cards add to every frame.
const FCS: u64 = 4;
/// The shortest frame, with its frame check sequence.
const SHORTEST: u64 = 64;

/// The length of a frame on the wire, with padding and frame check sequence.
pub fn wire_length(octets: usize) -> u64 {
    (octets as u64 + FCS).max(SHORTEST)
}

/// A transmitter with a configured rate.
#[derive(Clone, Debug)]
pub struct Transmitter {
    rate: Rate,
    /// Preamble and gap, added to every frame.
    overhead: u64,
    free_at: Time,
    /// Frames sent.
    pub frames: u64,
    /// Octets sent, with frame check sequences.
    pub bytes: u64,
    /// The total time of all transmissions that have begun.
    pub busy: TimeDelta,
}

impl Transmitter {
    /// An idle transmitter.
    pub fn new(rate: Rate, overhead: Bytes) -> Self {
        Self {
            rate,
            overhead: overhead.get(),
            free_at: Time::ZERO,
            frames: 0,
            bytes: 0,
            busy: TimeDelta::ZERO,
        }
    }

    /// Its rate.
    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// Changes the rate, beginning with the next frame.
    pub fn set_rate(&mut self, rate: Rate) {
        self.rate = rate;
    }

    /// The time at which it can begin to transmit a frame that is ready at `ready`.
    pub fn start(&self, ready: Time) -> Time {
        self.free_at.max(ready)
    }

    /// Transmits a frame, beginning at `start`, which must not be before [`Transmitter::start`].
    pub fn transmit(&mut self, start: Time, length: u64) {
        debug_assert!(start >= self.free_at, "the transmitter is busy");
        let span = self.rate.time_to_send(Bytes::new(length + self.overhead));
        self.free_at = start + span;
        self.busy += span;
        self.frames += 1;
        self.bytes += length;
    }

    /// Time spent transmitting until now, excluding the rest of the current transmission.
    pub fn busy_until(&self, now: Time) -> TimeDelta {
        self.busy - self.free_at.saturating_since(now)
    }
}
