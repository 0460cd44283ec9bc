//! Exact reading and printing of quantities with a unit.

use alloc::string::{String, ToString};
use core::fmt;

/// One unit of a quantity: its name and its size in base units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    pub(crate) name: &'static str,
    pub(crate) factor: u64,
    /// The printed symbol, which need not be on every keyboard.
    symbol: &'static str,
    printed: bool,
    of_zero: bool,
}

impl Scale {
    pub(crate) const fn new(name: &'static str, factor: u64) -> Self {
        Self { name, factor, symbol: name, printed: true, of_zero: false }
    }

    /// A unit whose typed name differs from its printed symbol.
    pub(crate) const fn typed(name: &'static str, symbol: &'static str, factor: u64) -> Self {
        Self { symbol, ..Self::new(name, factor) }
    }

    /// A unit that is read but never printed.
    pub(crate) const fn alias(name: &'static str, factor: u64) -> Self {
        Self { printed: false, ..Self::new(name, factor) }
    }

    /// The unit without a prefix, in which zero is printed: "0 s", not "0 ps".
    pub(crate) const fn plain(name: &'static str, factor: u64) -> Self {
        Self { of_zero: true, ..Self::new(name, factor) }
    }
}

/// The reason why text is not a quantity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseQuantityError {
    kind: &'static str,
    text: String,
    problem: Problem,
    units: &'static [Scale],
    example: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    Empty,
    NoNumber,
    Negative,
    NoUnit,
    UnknownUnit(String),
    TooLarge,
    TooFine,
    Zero,
}

impl PartialEq for Scale {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Scale {}

impl fmt::Display for ParseQuantityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, text, problem, units, example } = self;
        match problem {
            Problem::Empty => write!(f, "an empty string is not a {kind}")?,
            Problem::NoNumber => write!(f, "{text:?} is not a {kind}: it does not begin with a number")?,
            Problem::Negative => write!(f, "{text:?} is not a {kind}: it cannot be negative")?,
            Problem::NoUnit => write!(f, "{text:?} has no unit")?,
            Problem::UnknownUnit(unit) => write!(f, "{unit:?} is not a unit of {kind}")?,
            Problem::TooLarge => return write!(f, "{text:?} is too large for a {kind}"),
            Problem::TooFine => {
                return write!(f, "{text:?} is not a whole number of {}", base(units).name);
            }
            Problem::Zero => return write!(f, "a {kind} cannot be zero"),
        }
        write!(f, "; write a number and one of ")?;
        for (index, unit) in units.iter().filter(|unit| unit.printed).enumerate() {
            write!(f, "{}{}", if index == 0 { "" } else { ", " }, unit.name)?;
        }
        write!(f, ", as in {example:?}")
    }
}

impl core::error::Error for ParseQuantityError {}

/// The properties of a quantity that [`read`] needs besides the text.
pub(crate) struct Grammar {
    pub(crate) kind: &'static str,
    pub(crate) units: &'static [Scale],
    pub(crate) example: &'static str,
}

impl Grammar {
    fn error(&self, text: &str, problem: Problem) -> ParseQuantityError {
        let Self { kind, units, example } = *self;
        ParseQuantityError { kind, text: text.to_string(), problem, units, example }
    }

    /// The error for zero where zero is not allowed.
    pub(crate) fn zero(&self, text: &str) -> ParseQuantityError {
        self.error(text, Problem::Zero)
    }
}

/// Reads "NUMBER UNIT" into base units, exactly.
pub(crate) fn read(grammar: &Grammar, text: &str) -> Result<u64, ParseQuantityError> {
    let trimmed = text.trim();
    let fail = |problem| Err(grammar.error(trimmed, problem));
    if trimmed.is_empty() {
        return fail(Problem::Empty);
    }
    if trimmed.starts_with(['-', '\u{2212}']) {
        return fail(Problem::Negative);
    }
    let end = trimmed.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_')).unwrap_or(trimmed.len());
    let (number, unit) = (&trimmed[..end], trimmed[end..].trim_start());
    let Some(decimal) = Decimal::read(number) else { return fail(Problem::NoNumber) };
    if unit.is_empty() {
        return fail(Problem::NoUnit);
    }
    let Some(scale) = grammar.units.iter().find(|scale| scale.name == unit) else {
        return fail(Problem::UnknownUnit(unit.to_string()));
    };
    match decimal.times(scale.factor) {
        Ok(value) => Ok(value),
        Err(problem) => fail(problem),
    }
}

/// A decimal number, stored without loss: `digits / 10^places`.
struct Decimal {
    digits: u128,
    places: u32,
}

impl Decimal {
    fn read(text: &str) -> Option<Self> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        if !whole.starts_with(|c: char| c.is_ascii_digit()) || (text.contains('.') && fraction.is_empty()) {
            return None;
        }
        let mut digits = 0u128;
        for c in whole.chars().chain(fraction.chars()).filter(|c| *c != '_') {
            // Saturates on overflow, so that the range check below reports the value.
            digits = digits.saturating_mul(10).saturating_add(u128::from(c.to_digit(10)?));
        }
        let places = fraction.chars().filter(|c| *c != '_').count();
        Some(Self { digits, places: u32::try_from(places).ok()? })
    }

    fn times(&self, factor: u64) -> Result<u64, Problem> {
        let product = self.digits.checked_mul(u128::from(factor)).ok_or(Problem::TooLarge)?;
        let divisor = 10u128.checked_pow(self.places).ok_or(Problem::TooFine)?;
        if !product.is_multiple_of(divisor) {
            return Err(Problem::TooFine);
        }
        u64::try_from(product / divisor).map_err(|_| Problem::TooLarge)
    }
}

/// Prints base units exactly, in the largest unit that gives a number of at least one with at most
/// two decimals ("1522 B" does not become "1.522 kB"); failing that, in the base unit. Zero is printed
/// in the unit without a prefix.
pub(crate) fn print(f: &mut fmt::Formatter<'_>, value: u64, units: &[Scale]) -> fmt::Result {
    let fits = |unit: &&Scale| match value {
        0 => unit.of_zero,
        _ => unit.printed && value >= unit.factor && value.is_multiple_of((unit.factor / 100).max(1)),
    };
    let unit = units.iter().find(fits).unwrap_or_else(|| base(units));
    let (whole, rest) = (value / unit.factor, value % unit.factor);
    let mut text = whole.to_string();
    if rest > 0 {
        let places = unit.factor.ilog10() as usize;
        let digits = alloc::format!("{rest:0places$}");
        text.push('.');
        text.push_str(digits.trim_end_matches('0'));
    }
    f.pad(&alloc::format!("{text} {}", unit.symbol))
}

/// The unit in which a quantity is stored.
fn base(units: &[Scale]) -> &Scale {
    units.iter().find(|unit| unit.printed && unit.factor == 1).expect("every quantity has a base unit")
}

macro_rules! quantity_text {
    ($type:ident, $kind:literal, $units:expr, $example:literal, $from:ident, $to:ident) => {
        impl $type {
            const GRAMMAR: $crate::text::Grammar =
                $crate::text::Grammar { kind: $kind, units: $units, example: $example };
        }

        impl core::str::FromStr for $type {
            type Err = $crate::ParseQuantityError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let value = $crate::text::read(&Self::GRAMMAR, text)?;
                $crate::text::Build::build(Self::$from(value)).ok_or_else(|| Self::GRAMMAR.zero(text))
            }
        }

        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                $crate::text::print(f, self.$to(), $units)
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <alloc::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use quantity_text;

/// Lets one macro serve both constructors that always succeed and the constructor of a rate, which may fail.
pub(crate) trait Build<T> {
    fn build(self) -> Option<T>;
}

impl<T> Build<T> for Option<T> {
    fn build(self) -> Option<T> {
        self
    }
}

impl Build<Self> for crate::Bytes {
    fn build(self) -> Option<Self> {
        Some(self)
    }
}

impl Build<Self> for crate::Length {
    fn build(self) -> Option<Self> {
        Some(self)
    }
}

impl Build<Self> for crate::PartsPerMillion {
    fn build(self) -> Option<Self> {
        Some(self)
    }
}

impl Build<Self> for crate::TimeDelta {
    fn build(self) -> Option<Self> {
        Some(self)
    }
}
