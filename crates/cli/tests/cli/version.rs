//! The version in the program, in results and in the citation file.

use crate::support::{Place, SHORT, json};

const VERSION: &str = env!("CARGO_PKG_VERSION");

#[test]
fn the_build_is_in_the_version_and_in_results() {
    let place = Place::new();
    let printed = place.setpoint(&["--version"]).printed().to_owned();
    let lines: Vec<(&str, &str)> = printed
        .lines()
        .map(|line| line.split_once(' ').unwrap())
        .map(|(key, value)| (key, value.trim()))
        .collect();
    assert_eq!(lines[0], ("setpoint", VERSION));
    assert_eq!(place.setpoint(&["-V"]).printed(), format!("setpoint {VERSION}\n"));
    place.setpoint(&[&["run", "--no-report", "--quiet", "-o", "here"], &SHORT[..]].concat()).printed();
    let build = &json(place.path("here/manifest.json"))["build"];
    let text = |key: &str| build[key].as_str().unwrap_or("unknown").to_owned();
    assert_eq!(lines[1], ("commit", &*text("commit")));
    assert_eq!(lines[2], ("sources", &*text("sources")));
    assert_eq!(lines[3], ("build", &*["profile", "target", "rustc"].map(text).join(", ")));
    let is_hash = |text: &str| text.chars().all(|c| c.is_ascii_hexdigit());
    let commit = text("commit");
    let commit = commit.strip_suffix("-dirty").unwrap_or(&commit);
    assert!(commit == "unknown" || (commit.len() == 40 && is_hash(commit)), "{commit}");
    assert!(lines[2].1.len() == 16 && is_hash(lines[2].1), "{printed}");
    assert!(text("rustc").starts_with("rustc 1."), "{printed}");
}

#[test]
fn the_citation_names_this_version() {
    let citation = include_str!("../../../../CITATION.cff");
    let value = |key: &str| citation.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
    assert_eq!(value("version"), Some(VERSION));
    assert_eq!(value("cff-version"), Some("1.2.0"));
    let licences: Vec<&str> = citation.lines().filter_map(|line| line.strip_prefix("  - ")).collect();
    let expected: Vec<&str> = env!("CARGO_PKG_LICENSE").split(" OR ").collect();
    assert!(expected.iter().all(|licence| licences.contains(licence)), "{licences:?}");
}
