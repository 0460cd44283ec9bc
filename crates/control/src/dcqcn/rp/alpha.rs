//! The estimate α of how often a source receives notifications.

use core::fmt;

use setpoint_units::{Rate, Time, TimeDelta};

use crate::parameter::Fraction;

/// A number from zero to one, in units of 2^-30.
///
/// A step towards zero rounds down, so α eventually reaches zero. A step towards one adds the gain, which is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Alpha(u32);

impl Alpha {
    /// The number one, in units of 2^-30.
    const ONE: u64 = 1 << 30;

    /// The value of a fraction.
    pub const fn new(value: Fraction) -> Self {
        Self(value.of(Self::ONE) as u32)
    }

    /// The value in units of 2^-30.
    pub const fn units(self) -> u32 {
        self.0
    }

    /// The value.
    pub fn get(self) -> f64 {
        f64::from(self.0) / Self::ONE as f64
    }

    /// (1 − g) α.
    pub(super) const fn decayed(self, gain: Fraction) -> Self {
        let rest = 1024 - gain.parts() as u64;
        Self((self.0 as u64 * rest / 1024) as u32)
    }

    /// (1 − g) α + g.
    pub(super) const fn fed(self, gain: Fraction) -> Self {
        Self(self.decayed(gain).0 + gain.of(Self::ONE) as u32)
    }

    /// A rate reduced by α/2, rounded down.
    pub(super) const fn cut(self, rate: Rate) -> Rate {
        let kept = rate.bits_per_second() as u128 * (2 * Self::ONE as u128 - self.0 as u128);
        Rate::from_bits_per_second((kept / (2 * Self::ONE as u128)) as u64)
    }
}

impl fmt::Display for Alpha {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

/// α with the clock that updates it. Updates are computed when α is needed, since most of them only let it decay.
#[derive(Clone, Copy, Debug)]
pub(super) struct Estimate {
    pub(super) alpha: Alpha,
    /// The last update.
    pub(super) at: Time,
    /// Whether a CNP has arrived since.
    pub(super) notified: bool,
}

impl Estimate {
    /// α at its initial value; the clock starts now.
    pub(super) const fn new(initial: Fraction, now: Time) -> Self {
        Self { alpha: Alpha::new(initial), at: now, notified: false }
    }

    /// Records a CNP for the next update.
    pub(super) const fn note(&mut self) {
        self.notified = true;
    }

    /// Applies all updates that are due. Only the first of them can follow a CNP.
    pub(super) fn catch_up(&mut self, now: Time, interval: TimeDelta, gain: Fraction) {
        let mut due = now.saturating_since(self.at) / interval;
        if due == 0 {
            return;
        }
        self.at += interval * due;
        if core::mem::take(&mut self.notified) {
            self.alpha = self.alpha.fed(gain);
            due -= 1;
        }
        while due > 0 && self.alpha.units() > 0 {
            self.alpha = self.alpha.decayed(gain);
            due -= 1;
        }
    }

    /// Raises α at once and restarts its clock.
    pub(super) const fn feed(&mut self, now: Time, gain: Fraction) {
        self.alpha = self.alpha.fed(gain);
        self.at = now;
    }
}
