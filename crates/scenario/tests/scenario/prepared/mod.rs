//! Valid scenarios, and the specs that they produce.

mod control;
mod flows;
mod messages;
mod network;
mod settings;
mod sweep;

use setpoint_scenario::{Override, Prepared, Scenario, Source};
use setpoint_sim::Destination;

fn load(text: &str) -> Scenario {
    Scenario::load(&Source::new("test.toml", text), &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

fn prepare(text: &str) -> Prepared {
    load(text).prepare(1).unwrap_or_else(|errors| panic!("{errors}"))
}

fn overridden(builtin: &str, settings: &[&str]) -> Prepared {
    let settings: Vec<Override> =
        settings.iter().map(|setting| setting.parse().unwrap_or_else(|errors| panic!("{errors}"))).collect();
    let scenario = Scenario::load(&Source::builtin(builtin).unwrap(), &settings);
    scenario.and_then(|scenario| scenario.prepare(1)).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The flows as `name: source -> destination`.
fn routes(prepared: &Prepared) -> Vec<String> {
    let name = |id| &prepared.spec.topology.node_at(id).name;
    let route = |flow: &setpoint_sim::FlowSpec| {
        let destination = match flow.destination {
            Destination::Station(station) => name(station),
            Destination::Group(group) => &prepared.spec.groups[group.index()].name,
        };
        format!("{}: {} -> {destination}", flow.name, name(flow.source))
    };
    prepared.spec.flows.iter().map(route).collect()
}
