//! Decimal numbers as other programs write them, read without rounding.

/// `digits` × 10^`exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    digits: u128,
    exponent: i32,
}

impl Decimal {
    /// The largest number of significant digits that is read.
    const MOST_DIGITS: usize = 30;

    /// Reads a number that is not negative, such as `12`, `0.000125` or `1.5e-06`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (number, exponent) = match text.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, exponent.parse::<i16>().ok()?.into()),
            None => (text, 0),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let figures = || whole.bytes().chain(fraction.bytes());
        if figures().next().is_none() || !figures().all(|figure| figure.is_ascii_digit()) {
            return None;
        }
        let significant = figures().skip_while(|figure| *figure == b'0');
        if significant.clone().count() > Self::MOST_DIGITS {
            return None;
        }
        let digits = significant.fold(0, |digits, figure| digits * 10 + u128::from(figure - b'0'));
        Some(Self { digits, exponent: i32::try_from(fraction.len()).ok().map(|length| exponent - length)? })
    }

    /// The number times 10^`power`, to the nearest integer; halves are rounded up. None if it does not fit.
    pub(crate) fn rounded(self, power: i32) -> Option<u64> {
        let (quotient, rest, divisor) = self.divided(power)?;
        let up = u128::from(rest >= divisor - rest && rest > 0);
        u64::try_from(quotient + up).ok()
    }

    /// The number times 10^`power`, if that is an integer and fits.
    pub(crate) fn whole(self, power: i32) -> Option<u64> {
        match self.divided(power)? {
            (quotient, 0, _) => u64::try_from(quotient).ok(),
            _ => None,
        }
    }

    /// Whether the number is zero.
    pub(crate) fn is_zero(self) -> bool {
        self.digits == 0
    }

    /// Quotient, remainder and divisor of the number times 10^`power`.
    fn divided(self, power: i32) -> Option<(u128, u128, u128)> {
        let exponent = self.exponent + power;
        if self.digits == 0 {
            return Some((0, 0, 1));
        }
        if exponent >= 0 {
            let factor = 10u128.checked_pow(exponent.unsigned_abs())?;
            return Some((self.digits.checked_mul(factor)?, 0, 1));
        }
        // With a larger divisor, the quotient is 0 and the remainder is less than half.
        let divisor = 10u128.checked_pow(exponent.unsigned_abs()).unwrap_or(u128::MAX);
        Some((self.digits / divisor, self.digits % divisor, divisor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_scaled_exactly() {
        let cases = [
            ("2", 12, Some(2_000_000_000_000)),
            ("2.000000001", 12, Some(2_000_000_001_000)),
            (".5", 0, Some(1)),
            ("0.4999", 0, Some(0)),
            ("1.5e-06", 12, Some(1_500_000)),
            ("1E3", 0, Some(1_000)),
            ("0.000", 400, Some(0)),
            ("1e-300", 12, Some(0)),
            ("18446744073709551615", 0, Some(u64::MAX)),
            ("18446744073709551616", 0, None),
            ("1e300", 0, None),
        ];
        for (text, power, expected) in cases {
            assert_eq!(Decimal::read(text).unwrap().rounded(power), expected, "{text}");
        }
        assert_eq!(Decimal::read("1.50").unwrap().whole(1), Some(15));
        assert_eq!(Decimal::read("1.55").unwrap().whole(1), None);
    }

    #[test]
    fn other_text_is_not_a_number() {
        for text in ["", ".", "-1", "+1", "1e", "e5", "1.2.3", "1 ", "0x10", "nan", "1e99999", "1_000"] {
            assert_eq!(Decimal::read(text), None, "{text:?}");
        }
    }
}
