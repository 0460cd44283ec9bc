//! Fractions in parts of 1024, the unit of DCQCN's gains in network cards.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use super::ReadError;

/// A part of a whole, in 1024ths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fraction(u16);

impl Fraction {
    /// The whole.
    pub const ONE: Self = Self(Self::PARTS);

    /// The denominator.
    const PARTS: u16 = 1024;

    /// A number of 1024ths, at most 1024.
    pub const fn of_1024(parts: u16) -> Self {
        assert!(parts <= Self::PARTS, "more than the whole");
        Self(parts)
    }

    /// The number of 1024ths.
    pub const fn parts(self) -> u16 {
        self.0
    }

    /// This fraction of a number, rounded down.
    pub const fn of(self, whole: u64) -> u64 {
        (whole as u128 * self.0 as u128 / Self::PARTS as u128) as u64
    }
}

/// The fraction in lowest terms.
impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let common = if self.0 == 0 { 10 } else { self.0.trailing_zeros() };
        let text = match (self.0 >> common, Self::PARTS >> common) {
            (parts, 1) => alloc::format!("{parts}"),
            (parts, whole) => alloc::format!("{parts}/{whole}"),
        };
        f.pad(&text)
    }
}

impl FromStr for Fraction {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        let (parts, whole) = text.trim().split_once('/').unwrap_or((text.trim(), "1"));
        let read = |number: &str| number.trim().parse::<u16>().ok();
        let divides = |whole: &u16| whole.is_power_of_two() && *whole <= Self::PARTS;
        let fraction = read(parts).zip(read(whole).filter(divides)).filter(|(parts, whole)| parts <= whole);
        let (parts, whole) = fraction.ok_or_else(|| ReadError::Fraction(String::from(text)))?;
        Ok(Self(parts * (Self::PARTS / whole)))
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn every_fraction_is_read_as_it_is_printed() {
        for parts in 0..=1024 {
            let fraction = Fraction::of_1024(parts);
            assert_eq!(fraction.to_string().parse(), Ok(fraction));
        }
        assert_eq!("64/1024".parse(), Ok(Fraction::of_1024(64)));
        assert_eq!(Fraction::of_1024(1023).to_string(), "1023/1024");
        assert_eq!(Fraction::of_1024(0).to_string(), "0");
    }

    #[test]
    fn other_fractions_are_refused() {
        for text in ["1/3", "5/4", "2", "1/2048", "0.5", "-1/2", "1/0", ""] {
            assert_eq!(text.parse::<Fraction>(), Err(ReadError::Fraction(text.to_string())));
        }
    }
}
