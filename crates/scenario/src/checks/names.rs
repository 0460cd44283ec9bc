//! Short lists of names, and rounded figures.

use setpoint_units::{Bytes, TimeDelta};

/// Maximum number of names that are written out.
const WRITTEN: usize = 2;

/// A time rounded up to three digits.
pub(super) fn about(span: TimeDelta) -> TimeDelta {
    TimeDelta::from_picos(three_digits(span.as_picos()))
}

/// An amount of data rounded up to three digits.
pub fn at_most(bytes: Bytes) -> Bytes {
    Bytes::new(three_digits(bytes.get()))
}

fn three_digits(value: u64) -> u64 {
    let unit = 10u64.pow(value.checked_ilog10().unwrap_or(0).saturating_sub(2));
    value.div_ceil(unit).saturating_mul(unit)
}

/// A short form of a list of names: a range if they differ in one number, as in `h{1..64}->bridge`, or otherwise the
/// first names and the number of others.
pub fn named_together(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        several => as_range(several).unwrap_or_else(|| listed(several)),
    }
}

fn listed(names: &[String]) -> String {
    match names {
        [first, ..] if names.len() > WRITTEN => format!("{first} and {} more", names.len() - 1),
        _ => names.join(", "),
    }
}

/// `before{first..last}after`, if the names are exactly the names in this range, in order.
fn as_range(names: &[String]) -> Option<String> {
    let (first, last) = (names.first()?, names.last()?);
    let same = first.bytes().zip(last.bytes()).take_while(|(a, b)| a == b).count();
    // Common digits at the end belong to the number.
    let before = first.get(..same)?.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let number = |name: &str| -> Option<(u64, String)> {
        let rest = name.strip_prefix(before)?;
        let digits = rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
        Some((rest[..digits].parse().ok()?, rest[digits..].to_owned()))
    };
    let (from, after) = number(first)?;
    for (place, name) in names.iter().enumerate() {
        if number(name)? != (from + place as u64, after.clone()) {
            return None;
        }
    }
    Some(format!("{before}{{{from}..{}}}{after}", from + names.len() as u64 - 1))
}
