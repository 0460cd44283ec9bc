//! Help, completions, manual pages and the schema.

use crate::support::{Place, names};

const COMMANDS: [&str; 20] = [
    "run",
    "check",
    "new",
    "list",
    "explain",
    "sweep",
    "tune",
    "fluid",
    "stability",
    "phase",
    "report",
    "export",
    "reproduce",
    "step",
    "vectors",
    "nic",
    "bench",
    "schema",
    "completions",
    "man",
];

#[test]
#[cfg_attr(feature = "png", ignore = "the snapshots are of a build without --png")]
fn help() {
    let place = Place::new();
    insta::assert_snapshot!("help", place.setpoint(&["--help"]).printed());
    for command in COMMANDS {
        insta::assert_snapshot!(format!("help_{command}"), place.setpoint(&[command, "--help"]).printed());
    }
    for action in ["show", "set"] {
        let ended = place.setpoint(&["nic", action, "--help"]);
        insta::assert_snapshot!(format!("help_nic_{action}"), ended.printed());
    }
}

#[test]
fn completions_know_every_command() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = place.setpoint(&["completions", shell]);
        for command in COMMANDS {
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
    for command in COMMANDS {
        assert!(pages.contains(&format!("setpoint-{command}.1")), "{pages:?}");
    }
}

#[test]
fn the_schema_is_json() {
    let place = Place::new();
    let schema: serde_json::Value = serde_json::from_str(place.setpoint(&["schema"]).printed()).unwrap();
    assert_eq!(schema["title"], "Setpoint scenario");
}
