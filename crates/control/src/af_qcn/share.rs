//! Fair shares: equations (6) and (8), and the max-min allocation of Remark 4.
//!
//! The total arrivals of all active accounts are divided like water poured into vessels: account i has its weight Wᵢ
//! as width and its bound as height, all vessels fill to one level, and the excess of a full vessel goes to the others.
//! Without bounds this is equation (8), and (6) if every account is active.
//!
//! The level is a fraction, so nothing is rounded. It is found in linear time: the bounded accounts are split
//! at the median of their heights, and each step determines for one half whether it is full.

use alloc::vec::Vec;

use setpoint_units::TimeDelta;

use crate::arrivals::{Account, Amount};

/// The claim of an active account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Its weight. Zero counts as one.
    pub weight: u32,
    /// Its bound.
    pub cap: Option<Amount>,
}

/// The level to which the vessels are filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// The amount left for the accounts that are not full.
    amount: u128,
    /// The sum of their weights; zero if all are full and the level is above every bound.
    weight: u64,
}

/// An account with a bound.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vessel {
    weight: u32,
    cap: Amount,
}

impl Claim {
    pub(super) fn of(account: &Account, interval: TimeDelta) -> Self {
        Self { weight: account.weight(), cap: account.cap(interval) }
    }

    pub(super) fn vessel(self) -> Option<Vessel> {
        self.cap.map(|cap| Vessel { weight: self.weight.max(1), cap })
    }
}

impl Level {
    /// The level at which at most 2¹⁶ claims share `amount`, in 256ths of a byte, clamped to 2⁷².
    pub fn of(claims: &[Claim], amount: u128) -> Self {
        let mut vessels: Vec<Vessel> = claims.iter().filter_map(|claim| claim.vessel()).collect();
        let weight = claims.iter().map(|claim| u64::from(claim.weight.max(1))).sum();
        Self::fill(&mut vessels, Self::unbounded(amount.min(1 << 72), weight))
    }

    /// The level of unbounded accounts with the given total weight.
    pub(super) fn unbounded(amount: u128, weight: u64) -> Self {
        Self { amount, weight }
    }

    /// The max-min allocation of Remark 4: starts from the level without bounds, which includes the `open` accounts,
    /// and determines which of the bounded accounts are full.
    pub(super) fn fill(mut open: &mut [Vessel], mut level: Self) -> Self {
        while !open.is_empty() {
            let (lower, &mut median, higher) = open.select_nth_unstable_by(open.len() / 2, Vessel::by_height);
            let full = lower.iter().chain([&median]);
            let held: u128 = full.clone().map(|vessel| u128::from(vessel.cap.get())).sum();
            let width: u64 = full.map(|vessel| u64::from(vessel.weight)).sum();
            let others = Self { amount: level.amount.saturating_sub(held), weight: level.weight - width };
            if held <= level.amount && others.reaches(median) {
                level = others;
                open = higher;
            } else {
                open = lower;
            }
        }
        level
    }

    /// Whether the level is at or above the height of a vessel.
    fn reaches(self, vessel: Vessel) -> bool {
        u128::from(vessel.cap.get()) * u128::from(self.weight) <= self.amount * u128::from(vessel.weight)
    }

    /// The fair share Mfairᵢ of a claim, rounded down to a multiple of 1/256 byte.
    pub fn share(self, claim: Claim) -> Amount {
        let Fraction { part, whole } = self.fraction(claim);
        Amount::new(u64::try_from(part / whole).unwrap_or(u64::MAX))
    }

    /// The excess Dᵢ = (1 - Mfairᵢ/Mᵢ)₊ in six bits, equation (7): floor(64 Dᵢ).
    ///
    /// The floor is the only rounding. A share of zero, from a bound that rounds to zero, gives 63.
    pub fn excess(self, claim: Claim, estimate: Amount) -> u8 {
        let Fraction { part, whole } = self.fraction(claim);
        let estimate = u128::from(estimate.get()) * whole;
        let excess = 64 * estimate.saturating_sub(part);
        excess.checked_div(estimate).map_or(0, |bits| bits.min(63) as u8)
    }

    /// Mfairᵢ: the width of the account times the level, equations (6) and (8), or its bound, Remark 4.
    fn fraction(self, claim: Claim) -> Fraction {
        match claim.vessel() {
            Some(vessel) if self.reaches(vessel) => Fraction { part: u128::from(vessel.cap.get()), whole: 1 },
            // All accounts were full, and this one has since lost its bound: it has no share yet, so it cannot
            // exceed its share.
            _ if self.weight == 0 => Fraction { part: u128::MAX >> 8, whole: 1 },
            _ => Fraction {
                part: u128::from(claim.weight.max(1)) * self.amount,
                whole: u128::from(self.weight),
            },
        }
    }
}

/// A share in 256ths of a byte, as an exact fraction.
struct Fraction {
    part: u128,
    whole: u128,
}

impl Vessel {
    /// Compares the ratios of cap to weight.
    fn by_height(&self, other: &Self) -> core::cmp::Ordering {
        let height = |vessel: &Self, by: &Self| u128::from(vessel.cap.get()) * u128::from(by.weight);
        height(self, other).cmp(&height(other, self))
    }
}
