//! One account: whose it is, what came in this interval, and the estimate of what comes in one.

use setpoint_units::{Bytes, TimeDelta};

use crate::Tenant;

/// An amount of data in 256ths of a byte, at most 2⁴⁸ bytes: more than any link carries in any interval, and
/// so little that the sum over every account, times its weight, fits in 128 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Amount(u64);

impl Amount {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// One byte.
    pub const BYTE: Self = Self(1 << 8);
    /// The largest amount.
    pub const MAX: Self = Self(1 << 56);

    /// A number of 256ths of a byte, held at [`Amount::MAX`].
    #[must_use]
    pub const fn new(parts: u64) -> Self {
        if parts > Self::MAX.0 { Self::MAX } else { Self(parts) }
    }

    /// Whole bytes, held at [`Amount::MAX`].
    #[must_use]
    pub const fn bytes(bytes: Bytes) -> Self {
        Self::new(bytes.get().saturating_mul(Self::BYTE.0))
    }

    /// The number of 256ths of a byte.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

/// What is known of an account.
// Half a cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Account {
    tenant: Tenant,
    arrived: u64,
    estimate: Amount,
}

impl Account {
    pub(super) fn new(tenant: Tenant, frame: Bytes) -> Self {
        Self { tenant, arrived: frame.get(), estimate: Amount::ZERO }
    }

    #[inline]
    pub(super) fn add(&mut self, tenant: Tenant, frame: Bytes) {
        self.tenant = tenant;
        self.arrived = self.arrived.saturating_add(frame.get());
    }

    /// Its number.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.tenant.id
    }

    /// Its weight Wᵢ, at least one.
    #[must_use]
    #[inline]
    pub fn weight(&self) -> u32 {
        self.tenant.weight.max(1)
    }

    /// Bytes that have come in the present interval.
    #[must_use]
    pub fn arrived(&self) -> Bytes {
        Bytes::new(self.arrived)
    }

    /// The estimate Mᵢ of what comes in an interval.
    ///
    /// Equation (5) is rounded **down** to a 256th of a byte, whichever way the estimate moves: that of an idle
    /// account so reaches zero, and under steady arrivals it stays within (1/β − 1)/256 bytes below them.
    #[must_use]
    #[inline]
    pub fn estimate(&self) -> Amount {
        self.estimate
    }

    /// What it may bring at the most in an interval, Maxᵢ, rounded down to a 256th of a byte.
    #[must_use]
    pub fn cap(&self, interval: TimeDelta) -> Option<Amount> {
        /// Bits per second times picoseconds in a 256th of a byte.
        const PART: u64 = setpoint_units::Rate::BYTE_PICOS / 256;
        let (rate, span) = (self.tenant.max?.bits_per_second(), interval.as_picos());
        let parts = match rate.checked_mul(span) {
            Some(work) => work / PART,
            None => u64::try_from(u128::from(rate) * u128::from(span) / u128::from(PART)).unwrap_or(u64::MAX),
        };
        Some(Amount::new(parts))
    }

    /// Equation (5), M ← (1 − β) M + β M_new, as M + β (M_new − M): once with what has arrived, then with
    /// nothing for every further interval. Returns whether nothing had arrived.
    pub(super) fn end_intervals(&mut self, shift: u32, intervals: u64) -> bool {
        let arrived = core::mem::take(&mut self.arrived);
        self.approach(Amount::bytes(Bytes::new(arrived)), shift);
        for _ in 1..intervals {
            if self.estimate == Amount::ZERO {
                break;
            }
            self.approach(Amount::ZERO, shift);
        }
        arrived == 0 || intervals > 1
    }

    #[inline]
    fn approach(&mut self, fresh: Amount, shift: u32) {
        let estimate = self.estimate.0 as i64;
        // The shift of a signed number rounds towards minus infinity.
        self.estimate = Amount((estimate + ((fresh.0 as i64 - estimate) >> shift)) as u64);
    }
}
