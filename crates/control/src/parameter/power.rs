//! Powers of two, stored as their exponents.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use super::ReadError;

/// A power of two, the form in which the standard gives gains and weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Power(i8);

impl Power {
    /// Two to the `exponent`.
    pub const fn of_two(exponent: i8) -> Self {
        Self(exponent)
    }

    /// The exponent.
    pub const fn exponent(self) -> i8 {
        self.0
    }
}

impl fmt::Display for Power {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&alloc::format!("2^{}", self.0))
    }
}

/// Reads "2^-7", and also "1/128" or "4".
impl FromStr for Power {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        let trimmed = text.trim();
        let exponent = if let Some(exponent) = trimmed.strip_prefix("2^") {
            exponent.parse().ok()
        } else if let Some(divisor) = trimmed.strip_prefix("1/") {
            exponent_of(divisor).map(|exponent| -exponent)
        } else {
            exponent_of(trimmed)
        };
        exponent.map(Self).ok_or_else(|| ReadError::Power(String::from(text)))
    }
}

fn exponent_of(text: &str) -> Option<i8> {
    let number: u64 = text.parse().ok()?;
    number.is_power_of_two().then(|| number.ilog2() as i8)
}
