//! Station clocks, each running fast or slow by a fixed fraction.
//!
//! IEEE 802.3 allows a transmitter's clock a tolerance of ±100 ppm. If all clocks agree exactly,
//! senders of equal rate keep their order for the whole run and can become phase-locked; offsets
//! make them drift past each other, as they do in hardware. A station's clock times everything the
//! station sends: its port rate, its limiters' paces, its constant-rate sources and its reaction
//! points' timers. Bridge clocks are exact, so offsets are relative to the bridges. Offsets cost
//! nothing per frame: rates are scaled when they are set, and timers when they are armed.

use setpoint_control::Limit;
use setpoint_random::{Purpose, RandomStream};
use setpoint_units::{PartsPerMillion, Rate, Time};

use crate::ids::{NodeId, PortId};
use crate::spec::Spec;
use crate::topology::NodeKind;
use crate::traffic::Traffic;

/// The largest clock tolerance that a spec may set.
pub const MAX_CLOCK_TOLERANCE: PartsPerMillion = PartsPerMillion::new(10_000);

const BILLION: i64 = 1_000_000_000;

/// A clock with a fixed frequency offset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// In billionths; positive if the clock is fast, negative if it is slow.
    offset: i32,
}

impl Clock {
    /// A clock without an offset.
    pub const EXACT: Self = Self { offset: 0 };

    /// The clock of a node. A station's offset is drawn from the spec's seed, uniformly within the tolerance;
    /// every other node's clock is exact.
    pub fn of(spec: &Spec, node: NodeId) -> Self {
        let tolerance = spec.clock_tolerance.min(MAX_CLOCK_TOLERANCE).billionths();
        if tolerance == 0 || spec.topology.node_at(node).kind != NodeKind::Station {
            return Self::EXACT;
        }
        let drawn = RandomStream::new(spec.seed, Purpose::Clock, node.0).below(2 * tolerance + 1);
        Self { offset: drawn as i32 - tolerance as i32 }
    }

    /// The offset in billionths; positive if the clock is fast.
    pub const fn offset_billionths(self) -> i32 {
        self.offset
    }

    /// Whether the offset is zero.
    pub const fn is_exact(self) -> bool {
        self.offset == 0
    }

    /// The true rate of a transmission that this clock times at a nominal rate, to the nearest bit per second.
    pub fn rate(self, nominal: Rate) -> Rate {
        if self.is_exact() {
            return nominal;
        }
        let scaled = u128::from(nominal.bits_per_second()) * self.ticks();
        let nearest = (scaled + BILLION as u128 / 2) / BILLION as u128;
        Rate::new(u64::try_from(nearest).unwrap_or(u64::MAX)).unwrap_or(Rate::MIN)
    }

    /// The true value of a limit that this clock times.
    pub(crate) fn limit(self, nominal: Limit) -> Limit {
        nominal.map(|rate| self.rate(rate))
    }

    /// The clock's reading at the given true time, rounded down.
    pub(crate) fn reading(self, at: Time) -> Time {
        if self.is_exact() {
            return at;
        }
        let picos = u128::from(at.as_picos()) * self.ticks() / BILLION as u128;
        Time::from_picos(u64::try_from(picos).unwrap_or(u64::MAX))
    }

    /// The first true time at which the clock shows the given reading.
    pub(crate) fn time_of(self, reading: Time) -> Time {
        if self.is_exact() {
            return reading;
        }
        let picos = (u128::from(reading.as_picos()) * BILLION as u128).div_ceil(self.ticks());
        Time::from_picos(u64::try_from(picos).unwrap_or(u64::MAX))
    }

    /// The traffic with its constant rate, if it has one, timed by this clock. Message arrival times do not
    /// depend on the clock.
    pub(crate) fn traffic(self, traffic: &Traffic) -> Traffic {
        match traffic {
            Traffic::Constant { rate } => Traffic::Constant { rate: self.rate(*rate) },
            Traffic::OnOff { burst, offered, silence } => {
                Traffic::OnOff { burst: *burst, offered: self.rate(*offered), silence: *silence }
            }
            other => other.clone(),
        }
    }

    /// The number of units by which the clock advances in a billion units of true time.
    const fn ticks(self) -> u128 {
        (BILLION + self.offset as i64) as u128
    }
}

/// The true transmission rate of a port that is set to a nominal rate.
pub fn port_rate(spec: &Spec, port: PortId, nominal: Rate) -> Rate {
    Clock::of(spec, spec.topology.source(port)).rate(nominal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fast_by(billionths: i32) -> Clock {
        Clock { offset: billionths }
    }

    #[test]
    fn rates_are_scaled_to_the_nearest_bit() {
        let rate = Rate::from_gbps(10);
        assert_eq!(fast_by(100_000).rate(rate).bits_per_second(), 10_001_000_000);
        assert_eq!(fast_by(-100_000).rate(rate).bits_per_second(), 9_999_000_000);
        // 50.4 b/s rounds to 50 b/s, and 0.99 b/s to the smallest rate.
        assert_eq!(fast_by(8_000_000).rate(Rate::from_bits_per_second(50)).bits_per_second(), 50);
        assert_eq!(fast_by(-10_000_000).rate(Rate::MIN), Rate::MIN);
        assert_eq!(Clock::EXACT.rate(rate), rate);
        assert_eq!(fast_by(100_000).limit(Limit::Silent), Limit::Silent);
    }

    #[test]
    fn a_reading_is_shown_at_its_time_and_not_before() {
        for offset in [-10_000_000, -99_999, -1, 0, 1, 77_777, 10_000_000] {
            let clock = fast_by(offset);
            for picos in [0, 1, 999, 15_000_000_000, 123_456_789_012_345] {
                let reading = Time::from_picos(picos);
                let at = clock.time_of(reading);
                assert!(clock.reading(at) >= reading, "{offset} {picos}");
                if let Some(before) = at.as_picos().checked_sub(1) {
                    assert!(clock.reading(Time::from_picos(before)) < reading, "{offset} {picos}");
                }
            }
        }
    }
}
