//! Names of many ports in a few words, and figures in a few digits.

use setpoint_units::{Bytes, TimeDelta};

/// Most names that are written out.
const WRITTEN: usize = 2;

/// A time to three digits, rounded up.
pub(super) fn about(span: TimeDelta) -> TimeDelta {
    TimeDelta::from_picos(three_digits(span.as_picos()))
}

/// An amount to three digits, rounded up.
pub(super) fn at_most(bytes: Bytes) -> Bytes {
    Bytes::new(three_digits(bytes.get()))
}

fn three_digits(value: u64) -> u64 {
    let unit = 10u64.pow(value.checked_ilog10().unwrap_or(0).saturating_sub(2));
    value.div_ceil(unit).saturating_mul(unit)
}

/// Names that differ in one number as a range, as in `h{1..64}->bridge`; of others the first few, and how many more.
#[must_use]
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

/// `before{first..last}after`, if the names are those, each once and in order.
fn as_range(names: &[String]) -> Option<String> {
    let (first, last) = (names.first()?, names.last()?);
    let same = first.bytes().zip(last.bytes()).take_while(|(a, b)| a == b).count();
    // A common digit belongs to the number.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_count_up_are_a_range() {
        let together =
            |names: &[&str]| named_together(&names.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(together(&["h1->bridge"]), "h1->bridge");
        let hosts: Vec<String> = (1..=64).map(|n| format!("h{n}->bridge")).collect();
        assert_eq!(named_together(&hosts), "h{1..64}->bridge");
        assert_eq!(together(&["h10->b", "h11->b", "h12->b"]), "h{10..12}->b");
        assert_eq!(together(&["h1->b", "h3->b"]), "h1->b, h3->b");
        assert_eq!(together(&["b->h1", "b->h2"]), "b->h{1..2}");
        assert_eq!(together(&["a->b", "c->d", "e->f", "g->h"]), "a->b and 3 more");
        assert_eq!(together(&["leaf1.1->s", "leaf1.2->s"]), "leaf1.{1..2}->s");
    }
}
