//! The operators of quantities that can be added: sizes and spans of time.

/// Sums, differences, multiples and quotients of a newtype over `u64`. Sums and multiples that are out of
/// range panic, and so do negative differences; quotients are rounded down.
macro_rules! additive {
    ($type:ident, $what:literal) => {
        impl core::ops::Add for $type {
            type Output = Self;
            #[inline]
            fn add(self, other: Self) -> Self {
                Self(self.0.checked_add(other.0).expect(concat!($what, " overflows")))
            }
        }

        impl core::ops::AddAssign for $type {
            #[inline]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }

        impl core::ops::Sub for $type {
            type Output = Self;
            #[inline]
            fn sub(self, other: Self) -> Self {
                Self(self.0.checked_sub(other.0).expect(concat!($what, " would be negative")))
            }
        }

        impl core::ops::SubAssign for $type {
            #[inline]
            fn sub_assign(&mut self, other: Self) {
                *self = *self - other;
            }
        }

        impl core::ops::Mul<u64> for $type {
            type Output = Self;
            #[inline]
            fn mul(self, factor: u64) -> Self {
                Self(self.0.checked_mul(factor).expect(concat!($what, " overflows")))
            }
        }

        /// Rounds down.
        impl core::ops::Div<u64> for $type {
            type Output = Self;
            #[inline]
            fn div(self, divisor: u64) -> Self {
                Self(self.0 / divisor)
            }
        }

        impl core::iter::Sum for $type {
            fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
                amounts.fold(Self::ZERO, |total, amount| total + amount)
            }
        }
    };
}
pub(crate) use additive;
