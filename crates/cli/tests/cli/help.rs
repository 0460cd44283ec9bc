//! Help, completions, manual pages and the schema.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::iter;

use crate::support::{Place, names, words};

const COMMANDS: &str = "run check new list explain sweep tune fluid stability phase atlas report export reproduce step \
    vectors nic bench schema completions man";

/// The help of every command on one page. A paragraph that an earlier command has printed is shortened to its first
/// line.
#[test]
#[cfg_attr(feature = "png", ignore = "the snapshots are of a build without --png")]
fn help() {
    let place = Place::new();
    let mut printed: BTreeMap<String, &[&str]> = BTreeMap::new();
    let mut page = String::new();
    let actions: [&[&str]; 2] = [&["nic", "show"], &["nic", "set"]];
    let commands = words(COMMANDS);
    for command in iter::once([].as_slice()).chain(commands.chunks(1)).chain(actions) {
        writeln!(page, "==== {}\n", [&["setpoint"], command].concat().join(" ")).unwrap();
        let help = place.setpoint(&[command, &["--help"]].concat());
        for paragraph in help.printed().trim_end().split("\n\n") {
            let first = *printed.entry(paragraph.to_owned()).or_insert(command);
            if first == command {
                writeln!(page, "{paragraph}\n").unwrap();
            } else {
                let line = paragraph.lines().next().unwrap();
                writeln!(page, "{line} …  # as for {}", first.join(" ")).unwrap();
            }
        }
    }
    insta::assert_snapshot!(page);
}

#[test]
fn completions_know_every_command() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = place.setpoint(&["completions", shell]);
        for command in words(COMMANDS) {
            assert!(script.printed().contains(command), "{shell}: {command}");
        }
    }
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let place = Place::new();
    assert!(place.setpoint(&["man"]).printed().contains(".TH setpoint 1"));
    place.setpoint(&["man", "--out", "man/pages"]).printed();
    let pages = names(&place.path("man/pages"));
    for command in words(COMMANDS) {
        assert!(pages.contains(&format!("setpoint-{command}.1")), "{pages:?}");
    }
}

#[test]
fn the_schema_is_json() {
    let place = Place::new();
    let schema: serde_json::Value = serde_json::from_str(place.setpoint(&["schema"]).printed()).unwrap();
    assert_eq!(schema["title"], "Setpoint scenario");
}
