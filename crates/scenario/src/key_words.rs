//! Keys of a scenario as words, for headings of columns and axes.

use setpoint_control::Role;

/// Parts of keys that are abbreviations.
const ABBREVIATIONS: [&str; 3] = ["rtt", "mtu", "ecn"];

/// The last part of each key in words: `set point` for `control.qcn.cp.set_point`. Keys with the same last part are
/// distinguished by the parts before it: `rate (flows 1)` and `rate (flows 2)`.
///
/// ```
/// use setpoint_scenario::key_words;
///
/// let keys = ["control.qcn.cp.set_point", "topology.dumbbell.rtt"].map(str::to_owned);
/// assert_eq!(key_words(&keys), ["set point", "RTT"]);
/// ```
pub fn key_words(keys: &[String]) -> Vec<String> {
    keys.iter().map(|key| distinguished(key, keys)).collect()
}

/// A key reduced to the parts that are needed to distinguish it from all others.
fn distinguished(key: &str, keys: &[String]) -> String {
    let parts: Vec<&str> = key.split('.').collect();
    let ending = |count: usize| &parts[parts.len() - count..];
    let is_unique = |count: &usize| {
        let ends_alike = |other: &&String| other.split('.').collect::<Vec<_>>().ends_with(ending(*count));
        keys.iter().filter(ends_alike).count() <= 1
    };
    let count = (1..=parts.len()).find(is_unique).unwrap_or(parts.len());
    // A number alone is not informative without the key before it, as in `flows.1`.
    let is_number = |part: &str| part.bytes().all(|letter| letter.is_ascii_digit());
    let count = if count > 1 && is_number(ending(count)[0]) { (count + 1).min(parts.len()) } else { count };
    let (last, before) = (words(parts[parts.len() - 1]), &ending(count)[..count - 1]);
    match before {
        [] => last,
        before => format!("{last} ({})", before.iter().map(|part| place(part)).collect::<Vec<_>>().join(" ")),
    }
}

fn words(part: &str) -> String {
    let word = |word: &str| if ABBREVIATIONS.contains(&word) { word.to_uppercase() } else { word.to_owned() };
    part.split('_').map(word).collect::<Vec<_>>().join(" ")
}

/// The table that contains a key, in words.
fn place(part: &str) -> String {
    Role::from_key(part).map_or_else(|| words(part), |role| format!("{}s", role.title()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(keys: &[&str]) -> Vec<String> {
        key_words(&keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn the_last_part_suffices_if_it_is_unique() {
        assert_eq!(of(&["topology.dumbbell.access_rate", "seed"]), ["access rate", "seed"]);
        assert_eq!(of(&["topology.dumbbell.rtt"]), ["RTT"]);
    }

    #[test]
    fn keys_that_end_alike_are_distinguished() {
        assert_eq!(of(&["flows.1.rate", "flows.2.rate"]), ["rate (flows 1)", "rate (flows 2)"]);
        assert_eq!(
            of(&["control.qcn.cp.jitter", "control.qcn.rp.jitter"]),
            ["jitter (congestion points)", "jitter (reaction points)"]
        );
        assert_eq!(of(&["rate", "network.rate"]), ["rate", "rate (network)"]);
    }
}
