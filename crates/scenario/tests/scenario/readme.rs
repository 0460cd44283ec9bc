//! The README: its scenario runs as printed, and its generated list is up to date.

use std::path::Path;

use setpoint_scenario::scope::not_modelled_list;
use setpoint_scenario::{Scenario, Source};

#[test]
fn the_scenario_of_the_readme_prepares() {
    let readme = include_str!("../../../../README.md");
    let (_, rest) = readme.split_once("```toml\n").expect("the README shows a scenario");
    let (text, _) = rest.split_once("```").expect("the scenario ends");
    let scenario =
        Scenario::load(&Source::new("README.md", text), &[]).unwrap_or_else(|wrong| panic!("{wrong}"));
    let prepared = scenario.prepare(1).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert_eq!(prepared.spec.flows.len(), 16);
    assert!(setpoint_sim::validate(&prepared.spec).is_ok());
}

/// Set `UPDATE_DOCS=1` to regenerate the list.
#[test]
fn the_list_of_what_is_not_modelled_is_up_to_date() {
    let (begin, end) = ("<!-- not modelled: begin -->\n", "<!-- not modelled: end -->\n");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(begin).expect("the README has a place for the list");
    let (found, after) = rest.split_once(end).expect("the list ends");
    let expected = not_modelled_list();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, format!("{before}{begin}{expected}{end}{after}")).unwrap();
    } else {
        assert!(
            found == expected,
            "the README is out of date; run UPDATE_DOCS=1 cargo test -p setpoint-scenario readme"
        );
    }
}
