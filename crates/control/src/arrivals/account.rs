//! One account: its tenant, the arrivals of the current interval, and the estimate per interval.

use setpoint_units::{Bytes, Rate, TimeDelta};

use crate::Tenant;

/// An amount of data in 256ths of a byte, at most 2⁴⁸ bytes: more than any link carries in an interval, and small
/// enough that the sum over all accounts, times a weight, fits in 128 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Amount(u64);

impl Amount {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// One byte.
    pub const BYTE: Self = Self(1 << 8);
    /// The largest amount.
    pub const MAX: Self = Self(1 << 56);

    /// The given number of 256ths of a byte, clamped to [`Amount::MAX`].
    pub const fn new(parts: u64) -> Self {
        if parts > Self::MAX.0 { Self::MAX } else { Self(parts) }
    }

    /// The given number of bytes, clamped to [`Amount::MAX`].
    pub const fn bytes(bytes: Bytes) -> Self {
        Self::new(bytes.get().saturating_mul(Self::BYTE.0))
    }

    /// The data carried at a rate in a time span, rounded down and clamped to [`Amount::MAX`].
    pub fn at(rate: Rate, span: TimeDelta) -> Self {
        /// A 256th of a byte, in bits per second times picoseconds.
        const PART: u64 = Rate::BYTE_PICOS / Amount::BYTE.0;
        let (rate, span) = (rate.bits_per_second(), span.as_picos());
        Self::new(match rate.checked_mul(span) {
            Some(work) => work / PART,
            None => u64::try_from(u128::from(rate) * u128::from(span) / u128::from(PART)).unwrap_or(u64::MAX),
        })
    }

    /// The number of 256ths of a byte.
    pub const fn get(self) -> u64 {
        self.0
    }
}

/// An account's entry in the table.
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
    pub fn id(&self) -> u32 {
        self.tenant.id
    }

    /// Its weight Wᵢ, at least one.
    #[inline]
    pub fn weight(&self) -> u32 {
        self.tenant.weight.max(1)
    }

    /// The bytes that have arrived in the current interval.
    pub fn arrived(&self) -> Bytes {
        Bytes::new(self.arrived)
    }

    /// The estimate Mᵢ of the arrivals per interval.
    ///
    /// Equation (5) is rounded **down** to a 256th of a byte whether the estimate rises or falls: the estimate of an
    /// idle account therefore reaches zero, and under steady arrivals it stays within (1/β − 1)/256 bytes below them.
    #[inline]
    pub fn estimate(&self) -> Amount {
        self.estimate
    }

    /// Its bound Maxᵢ per interval, rounded down to a multiple of 1/256 byte.
    pub fn cap(&self, interval: TimeDelta) -> Option<Amount> {
        self.tenant.max.map(|max| Amount::at(max, interval))
    }

    /// Equation (5), M ← (1 − β) M + β M_new, as M + β (M_new − M): once with the arrivals, then with zero for every
    /// further interval. Returns whether the last interval had no arrivals.
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
        // Shifting a signed number rounds towards minus infinity.
        self.estimate = Amount((estimate + ((fresh.0 as i64 - estimate) >> shift)) as u64);
    }
}
