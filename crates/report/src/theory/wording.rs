//! Theoretical quantities in words.

use setpoint_units::quantity::{Unit, decimal, significant};

/// Names of the unit fractions, from one half.
const PARTS: [&str; 9] =
    ["half", "a third", "a quarter", "a fifth", "a sixth", "a seventh", "an eighth", "a ninth", "a tenth"];

/// A share or a multiple: `a seventh of that`, `1.4 times that`.
pub(super) fn share_of(share: f64, what: &str) -> String {
    if !share.is_finite() || share < 0.0 {
        return format!("an unknown part of {what}");
    }
    let named =
        PARTS.iter().enumerate().find(|(index, _)| (share * (*index as f64 + 2.0) - 1.0).abs() < 0.06);
    let further = [(2.0 / 3.0, "two thirds"), (0.75, "three quarters")];
    let further = further.iter().find(|(part, _)| (share / part - 1.0).abs() < 0.04);
    match (named, further) {
        (Some((_, name)), _) | (None, Some((_, name))) => format!("{name} of {what}"),
        _ if share == 0.0 => "nothing".to_owned(),
        _ if share < 0.01 => format!("less than a hundredth of {what}"),
        _ if (0.97..1.0).contains(&share) => format!("just below {what}"),
        _ if (1.0..1.03).contains(&share) => format!("just above {what}"),
        _ if share < 1.0 => format!("{}\u{a0}% of {what}", decimal(100.0 * share, 0)),
        _ if (1.9..2.1).contains(&share) => format!("twice {what}"),
        _ => format!("{} times {what}", significant(share, 2)),
    }
}

/// How one value relates to another: `2 % above its set point`.
pub(super) fn against(value: f64, aim: f64, what: &str) -> String {
    let share = value / aim - 1.0;
    if !share.is_finite() {
        return String::new();
    }
    if share.abs() < 0.005 {
        return format!("at {what}");
    }
    if share > 1.5 {
        return format!("{} times {what}", significant(value / aim, 2));
    }
    let side = if share > 0.0 { "above" } else { "below" };
    format!("{}\u{a0}% {side} {what}", significant(100.0 * share.abs(), 2))
}

/// A time, or a dash if it is not finite.
pub(super) fn seconds(value: f64) -> String {
    Unit::Seconds.text(value)
}

/// A count and a noun: `1 source`, `10 sources`.
pub(super) fn things(count: u64, one: &str) -> String {
    format!("{} {one}{}", Unit::Count.text(count as f64), if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_said_as_people_say_them() {
        let cases = [
            (40.0 / 284.0, "a seventh of that"),
            (0.5, "half of that"),
            (0.66, "two thirds of that"),
            (0.42, "42 % of that"),
            (0.99, "just below that"),
            (1.01, "just above that"),
            (1.38, "1.4 times that"),
            (2.0, "twice that"),
            (30.2, "30 times that"),
            (0.004, "less than a hundredth of that"),
            (0.0, "nothing"),
            (f64::NAN, "an unknown part of that"),
        ];
        for (share, expected) in cases {
            assert_eq!(share_of(share, "that").replace('\u{a0}', " "), expected, "{share}");
        }
    }

    #[test]
    fn distances_are_said_with_their_side() {
        let cases = [
            (33_100.0, "at its set point"),
            (36_300.0, "10 % above its set point"),
            (20_000.0, "39 % below its set point"),
            (100_000.0, "3 times its set point"),
            (f64::NAN, ""),
        ];
        for (value, expected) in cases {
            assert_eq!(against(value, 33_000.0, "its set point").replace('\u{a0}', " "), expected, "{value}");
        }
        assert_eq!(against(1.0, 0.0, "it"), "");
    }
}
