//! The two systems: as run in the simulator, and as given by the paper's equations.

use setpoint_control::aimd::{Averaging, Decrease, ReactionPoint, RpParams};
use setpoint_control::{Entropy, Notification, PointId, QuantizedFeedback, React};
use setpoint_units::{Bytes, Rate, Time};

use super::feedback::Message;

/// The line rate, at which sources start.
const LINE: Rate = Rate::from_gbps(10);
/// The number of bytes sent between a message and the averaging.
const HALF_INTERVAL: u64 = 75_000;
/// The reference queue length: with a weight of 2, five times this length causes the largest rate
/// change. It is prime, so that changes are not round numbers.
const REFERENCE: u64 = 999_983;
/// The largest rate change.
const LARGEST: Rate = Rate::from_gbps(5);

/// A reaction point that receives messages and sends for half an interval after each.
#[derive(Debug)]
pub(super) struct Source(ReactionPoint);

/// The rates of a source in one interval, in quarters of a bit per second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    /// After the message: R1[n], or R[n].
    pub(super) first: u64,
    /// Half an interval later: R2[n], or R[n] again.
    pub(super) second: u64,
    /// The sum of both as set at the limiter, in whole bits per second.
    pub(super) limits: u64,
}

impl Interval {
    /// The mean rate of the interval: Re[n].
    pub(super) fn mean_bps(self) -> f64 {
        (self.first + self.second) as f64 / 8.0
    }
}

/// A generator that must not be called: AIMD's reaction points draw no random numbers.
struct Forbidden;

impl Entropy for Forbidden {
    fn next_u32(&mut self) -> u32 {
        unreachable!("AIMD's reaction points draw no random numbers")
    }
}

impl Message {
    /// The rate change that it requests, with a weight of 2: -(Qoff + 2 Qdelta) relative to five times the
    /// reference.
    pub(super) fn change_bps(self) -> f64 {
        let feedback = -(self.offset + 2 * self.growth) as f64;
        LARGEST.bits_per_second() as f64 * feedback / (5 * REFERENCE) as f64
    }
}

impl Source {
    /// A source that has been slowed down; one that has never been slowed down would ignore positive
    /// feedback. If no feedback arrived in the next interval, its rate would be 7.5 Gb/s: the largest
    /// feedback lowers the rate by 5 Gb/s, and averaging reverts half of this. Without averaging, half of the
    /// largest feedback has the same effect.
    pub(super) fn new(averaging: Averaging, decrease: Decrease) -> Self {
        let params = RpParams {
            averaging,
            decrease,
            largest_increase: LARGEST,
            reference: Bytes::new(REFERENCE),
            averaging_bytes: Bytes::new(HALF_INTERVAL),
            ..RpParams::default()
        };
        let mut source = Self(ReactionPoint::new(params, LINE));
        let offset = 5 * REFERENCE as i64;
        let offset = if averaging == Averaging::Off { offset / 2 } else { offset };
        source.interval(Message { offset, growth: 0 });
        source
    }

    /// Delivers a message and returns the rates of the interval.
    pub(super) fn interval(&mut self, message: Message) -> Interval {
        // The offset of a notification has the standard's sign: positive below the set point.
        let notification = Notification {
            feedback: QuantizedFeedback::default(),
            queue_offset: message.offset.saturating_neg(),
            queue_delta: message.growth,
        };
        self.0.on_feedback(Time::ZERO, &notification.sent_by(PointId(1)), &mut Forbidden);
        let (first, first_limit) = (self.0.quarter_bits(), self.0.rate().bits_per_second());
        self.0.on_sent(Bytes::new(HALF_INTERVAL + 1), &mut Forbidden);
        let limits = first_limit + self.0.rate().bits_per_second();
        Interval { first, second: self.0.quarter_bits(), limits }
    }
}

/// The equations of the two systems in floating-point arithmetic, for rate changes F[n].
#[derive(Clone, Copy, Debug)]
pub(super) struct Equations {
    /// R2[n-1] of system 1.
    settled: f64,
    /// R[n-1] of system 2.
    rate: f64,
    /// F[n-1].
    last: f64,
}

impl Equations {
    /// Both systems at the same rate.
    fn at(rate: f64) -> Self {
        Self { settled: rate, rate, last: 0.0 }
    }

    /// Both systems in the state of [`Source::new`].
    pub(super) fn slowed() -> Self {
        let mut equations = Self::at(LINE.bits_per_second() as f64);
        equations.interval(-(LARGEST.bits_per_second() as f64));
        equations
    }

    /// Re[n] of system 1 and R[n] of system 2.
    pub(super) fn interval(&mut self, change: f64) -> (f64, f64) {
        let first = self.settled + change;
        let second = f64::midpoint(first, self.settled);
        self.settled = second;
        self.rate += 0.75 * change - 0.25 * self.last;
        self.last = change;
        (f64::midpoint(first, second), self.rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_by_hand() {
        let mut equations = Equations::at(100.0);
        assert_eq!(equations.interval(8.0), (106.0, 106.0), "R1 108, R2 104");
        assert_eq!(equations.interval(-4.0), (101.0, 101.0), "R1 100, R2 102");
    }
}
