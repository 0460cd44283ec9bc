//! Scenarios that are right.

use setpoint_lab::scenario::{Override, Scenario, Source, builtin};

fn load(text: &str) -> Scenario {
    Scenario::load(&Source::new("test.toml", text), &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn every_builtin_loads_and_prepares() {
    for builtin in builtin() {
        let source = Source::builtin(builtin.name).unwrap();
        let scenario = Scenario::load(&source, &[]).unwrap_or_else(|errors| panic!("{errors}"));
        assert_eq!(scenario.name(), builtin.name);
        assert!(!scenario.description().is_empty(), "{}", builtin.name);
        let prepared = scenario.prepare(7).unwrap();
        assert_eq!(prepared.spec.seed, 7);
        assert!(!prepared.spec.flows.is_empty());
        for variant in scenario.variants().unwrap_or_else(|errors| panic!("{errors}")) {
            variant.scenario.prepare(variant.scenario.seed()).unwrap();
        }
    }
}
