//! Fractions in hundredths of a percent.

use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;

use super::ReadError;

/// A fraction of at least 0 %, exact to a hundredth of a percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Percent(u16);

impl Percent {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// The largest fraction that can be represented.
    pub const MAX: Self = Self(u16::MAX);
    /// Everything.
    pub const WHOLE: Self = Self(100 * Self::HUNDREDTHS);

    const HUNDREDTHS: u16 = 100;

    /// The given number of percent.
    ///
    /// # Panics
    /// Panics if it is more than 655.
    pub const fn new(percent: u16) -> Self {
        assert!(percent <= u16::MAX / Self::HUNDREDTHS, "more than 655 percent");
        Self(percent * Self::HUNDREDTHS)
    }

    /// The given number of hundredths of a percent.
    pub const fn from_hundredths(hundredths: u16) -> Self {
        Self(hundredths)
    }

    /// The number of hundredths of a percent.
    pub const fn hundredths(self) -> u16 {
        self.0
    }

    /// This fraction of `whole`, rounded down.
    pub fn of(self, whole: u64) -> u64 {
        let (part, all) = (u64::from(self.0), u64::from(Self::WHOLE.0));
        match whole.checked_mul(part) {
            Some(product) => product / all,
            None => (u128::from(whole) * u128::from(part) / u128::from(all)) as u64,
        }
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / Self::HUNDREDTHS, self.0 % Self::HUNDREDTHS);
        let text = match rest {
            0 => whole.to_string(),
            _ => alloc::format!("{whole}.{rest:02}").trim_end_matches('0').to_string(),
        };
        f.pad(&(text + " %"))
    }
}

impl FromStr for Percent {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        let error = || ReadError::Percent(String::from(text));
        let number = text.trim().strip_suffix('%').ok_or_else(error)?.trim_end();
        let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(fraction) || fraction.trim_end_matches('0').len() > 2 {
            return Err(error());
        }
        let too_large = || ReadError::PercentTooLarge(String::from(text.trim()));
        let whole: u16 = whole.parse().map_err(|_| too_large())?;
        let mut rest = fraction.bytes().chain(*b"00").map(|digit| u16::from(digit - b'0'));
        let rest = 10 * rest.next().unwrap_or(0) + rest.next().unwrap_or(0);
        let hundredths = whole.checked_mul(Self::HUNDREDTHS).and_then(|value| value.checked_add(rest));
        hundredths.map(Self).ok_or_else(too_large)
    }
}
