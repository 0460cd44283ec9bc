//! The scenario in the README runs as printed.

use setpoint_lab::scenario::{Scenario, Source};

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
