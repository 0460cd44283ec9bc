//! Default folders of results.
//!
//! The default is `results/NAME`, where `NAME` is the name of the scenario followed by the values of `--set` and
//! `--seed`, so that different scenarios and variants never replace each other. Text that cannot be part of a file
//! name is shortened, and a hash keeps it unique.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// Maximum length in bytes of the name of a scenario, and of the list of values. Together with the rest of the
/// name, they stay within the limits of every file system.
const LONGEST: usize = 100;
/// Device names reserved by Windows.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// A folder below `results`, from the name of the scenario and its settings (`key=value`). `ending` states the kind
/// of result.
pub(crate) fn default<'a>(
    scenario: &str,
    ending: &str,
    set: impl IntoIterator<Item = &'a String>,
) -> PathBuf {
    Path::new("results").join(format!("{}{ending}{}", named(scenario), appended(set)))
}

/// A folder next to the given one, with a suffix appended to its name.
pub(crate) fn beside(folder: &Path, ending: &str) -> PathBuf {
    // Iterating over the components drops a trailing slash.
    let mut name = folder.components().as_path().as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// A name as part of a path: letters and digits of any script are kept.
fn named(name: &str) -> String {
    let keep = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let plain: String = name.chars().map(keep).collect();
    let plain = plain.trim_matches(['-', '.']);
    if plain == name && name.len() <= LONGEST && !is_device(name) {
        return name.to_owned();
    }
    let plain = if plain.is_empty() { "scenario" } else { plain };
    with_hash(plain, name)
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).to_lowercase();
    DEVICES.contains(&stem.trim_end_matches(|c: char| c.is_ascii_digit()))
}

/// The settings as a list of `_key=value`. The order of keys does not matter unless one contains another.
fn appended<'a>(set: impl IntoIterator<Item = &'a String>) -> String {
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    for (key, value) in set.into_iter().filter_map(|text| text.split_once('=')) {
        let (key, value) = (key.trim(), value.trim());
        pairs.retain(|(other, _)| *other != key);
        pairs.push((key, value));
    }
    // The name is already part of the path.
    pairs.retain(|(key, _)| *key != "name");
    let contains =
        |outer: &str, inner: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.'));
    let nested = pairs.iter().any(|(outer, _)| pairs.iter().any(|(inner, _)| contains(outer, inner)));
    if !nested {
        pairs.sort_unstable();
    }
    let given: Vec<String> = pairs.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let plain: String =
        pairs.iter().map(|(key, value)| format!("_{}={}", plain(key), plain(value))).collect();
    let exact = pairs.iter().all(|(key, value)| is_exact(key) && is_exact(value));
    if exact && plain.len() <= LONGEST { plain } else { with_hash(&plain, &given.join("\n")) }
}

/// A value without quotes and spaces, and with `-` for characters that should not be part of a name: `10 Gb/s`
/// becomes `10Gbps`.
fn plain(value: &str) -> String {
    let value = unquoted(value).replace("b/s", "bps");
    let keep = |c: char| if c.is_alphanumeric() || "._+-".contains(c) { c } else { '-' };
    let plain: String = value.chars().filter(|c| !c.is_whitespace()).map(keep).collect();
    plain.trim_matches('-').to_owned()
}

/// Whether no other value gives the same text: spaces may occur only between a number and its unit.
fn is_exact(value: &str) -> bool {
    let value = unquoted(value).replace("b/s", "bps");
    let quantity = value.starts_with(|c: char| c.is_ascii_digit());
    let plain = |c: char| c.is_alphanumeric() || "._+-".contains(c) || (c == ' ' && quantity);
    value.chars().all(plain) && value.trim_matches('-') == value
}

fn unquoted(value: &str) -> &str {
    value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value)
}

/// The beginning of a string, and a hash of the whole string.
fn with_hash(plain: &str, given: &str) -> String {
    let hash: String = Sha256::digest(given).iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    let room = LONGEST - hash.len() - 1;
    let end = (0..=room.min(plain.len())).rev().find(|&end| plain.is_char_boundary(end)).unwrap_or(0);
    format!("{}-{hash}", plain[..end].trim_end_matches('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str, set: &[&str]) -> String {
        let set: Vec<String> = set.iter().map(|&text| text.to_owned()).collect();
        default(name, "", &set).display().to_string()
    }

    #[test]
    fn names_stay_below_results_and_keep_their_letters() {
        assert_eq!(folder("incast-pfc", &[]), "results/incast-pfc");
        assert_eq!(folder("Überlast_2.1", &[]), "results/Überlast_2.1");
        assert_eq!(folder("輻輳制御", &[]), "results/輻輳制御");
        assert_eq!(folder("../../etc", &[]), "results/etc-74ccf3c5");
        assert_eq!(folder("10 senders, 1 link", &[]), "results/10-senders--1-link-1f034251");
        assert_eq!(folder("…", &[]), "results/scenario-b4935894");
        assert_eq!(folder("nul", &[]), "results/nul-99e62427");
        assert_eq!(folder("nullius", &[]), "results/nullius");
    }

    #[test]
    fn different_names_have_different_folders() {
        let long = "п".repeat(80);
        let names =
            ["a b", "a-b", "a  b", "a/b", "…", "!", "", ".", "com1", "com2", &long, &(long.clone() + "x")];
        let mut folders: Vec<String> = names.iter().map(|name| folder(name, &[])).collect();
        assert!(folders.iter().all(|folder| folder.len() <= "results/".len() + LONGEST), "{folders:?}");
        folders.sort();
        folders.dedup();
        assert_eq!(folders.len(), names.len());
    }

    #[test]
    fn what_is_set_is_part_of_the_name() {
        assert_eq!(folder("lab", &["control=smcc"]), "results/lab_control=smcc");
        let (one, other) = (["seed=7", "network.buffer=300 kB"], ["network.buffer=\"300kB\"", "seed=7"]);
        assert_eq!(folder("lab", &one), "results/lab_network.buffer=300kB_seed=7");
        assert_eq!(folder("lab", &one), folder("lab", &other));
        assert_eq!(folder("lab", &["rate=10 Gb/s"]), "results/lab_rate=10Gbps");
        assert_eq!(folder("lab", &["a=1", "a=2"]), "results/lab_a=2");
        assert_eq!(folder("other", &["name=other"]), "results/other");
        assert_eq!(folder("lab", &["at=[]"]), "results/lab_at=-ad5ced2b");
    }

    #[test]
    fn different_values_have_different_folders() {
        let sets: [&[&str]; 8] = [
            &["a=x y"],
            &["a=xy"],
            &["a=x-y"],
            &["a=x/y"],
            &["a=1_b=2"],
            &["a=1", "b=2"],
            &["control.qcn.w=1", "control=qcn"],
            &["control=qcn", "control.qcn.w=1"],
        ];
        let mut folders: Vec<String> = sets.iter().map(|set| folder("lab", set)).collect();
        let long: Vec<String> = ["x", "y"].map(|end| format!("sweep={}{end}", "[1]".repeat(200))).to_vec();
        folders.extend(long.iter().map(|set| folder("lab", &[set])));
        assert!(folders.iter().all(|folder| folder.len() < 150), "{folders:?}");
        let count = folders.len();
        folders.sort();
        folders.dedup();
        assert_eq!(folders.len(), count, "{folders:?}");
    }
}
