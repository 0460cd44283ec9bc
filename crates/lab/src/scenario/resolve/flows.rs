//! Flows: who sends what to whom, and when.

use std::collections::HashMap;

use setpoint_sim::traffic::Traffic;
use setpoint_sim::{FlowSpec, NodeId, Reaction};
use setpoint_units::{Bytes, TimeDelta};

use super::Setting;
use super::bridge;
use super::entry::Common;
use super::pairs::{Selector, check_reachable, pairs};
use crate::scenario::diagnostics::{Place, Problem, Problems};
use crate::scenario::view::View;

/// Most flows of one scenario.
pub(super) const MAX_FLOWS: usize = 200_000;

/// The flows of a scenario, each with the place it comes from.
#[derive(Default)]
pub(super) struct Flows<'a> {
    pub(super) specs: Vec<FlowSpec>,
    pub(super) places: Vec<&'a Place>,
    pub(super) tenants: Tenants,
}

/// The numbers of tenants: a flow that names none has its own index, named ones come after all flows.
#[derive(Default)]
pub(super) struct Tenants {
    names: Vec<String>,
}

impl Tenants {
    pub(super) fn number(&mut self, name: Option<&str>, flow: usize) -> u32 {
        let Some(name) = name else { return flow as u32 };
        let known = self.names.iter().position(|other| other == name);
        let place = known.unwrap_or_else(|| {
            self.names.push(name.to_string());
            self.names.len() - 1
        });
        (MAX_FLOWS + place) as u32
    }
}

/// Makes the flows.
pub(super) fn flows<'a>(root: &View<'a>, setting: &Setting<'_>, problems: &mut Problems) -> Flows<'a> {
    let mut flows = Flows::default();
    let key = root.key("flows");
    if key.items().is_empty() {
        problems.take(usual_flows(root, setting, &mut flows));
        return flows;
    }
    let mut selector = Selector::new(setting.topology);
    for (number, entry) in key.entries().iter().enumerate() {
        problems.take(entry_flows(entry, number, setting, &mut selector, &mut flows));
        if problems.is_full() {
            break;
        }
    }
    check_names(&flows, problems);
    check_tenants(&flows, problems);
    flows
}

/// In a dumbbell, sender `i` to receiver `i`, round the receivers.
fn usual_flows<'a>(root: &View<'a>, setting: &Setting<'_>, flows: &mut Flows<'a>) -> Result<(), Problem> {
    let topology = root.key("topology");
    let (flows_key, dumbbell) =
        (root.key("flows"), topology.kind().is_some_and(|kind| kind.name() == "dumbbell"));
    if flows_key.is_given() || !dumbbell {
        let place = if flows_key.is_given() { flows_key.place() } else { topology.place() };
        return Err(Problem::at(place, "there are no flows", "")
            .help("add `[[flows]]` with `from` and `to`; only a dumbbell has flows of its own"));
    }
    let stations: Vec<NodeId> = setting.topology.stations().collect();
    let sender = |id: &NodeId| setting.topology.node_at(*id).name.starts_with('s');
    let (senders, receivers): (Vec<NodeId>, Vec<NodeId>) = stations.into_iter().partition(sender);
    let pairs = senders.iter().copied().zip(receivers.iter().copied().cycle());
    let frame_key = root.key("network").key("frame");
    let frame = frame_key.size().unwrap_or(Bytes::new(1_000));
    bridge::check_frame(setting, &frame_key, frame)?;
    let usual = Common {
        priority: setting.network.priority,
        frame,
        traffic: Traffic::Backlogged,
        start: TimeDelta::ZERO,
        stagger: TimeDelta::ZERO,
        stop: None,
        weight: 1,
        max: None,
        tenant: None,
        cap: None,
        reaction: Reaction::Controlled,
        name: None,
    };
    usual.push(pairs.collect(), topology.place(), flows);
    Ok(())
}

fn entry_flows<'a>(
    entry: &View<'a>,
    number: usize,
    setting: &Setting<'_>,
    selector: &mut Selector<'_>,
    flows: &mut Flows<'a>,
) -> Result<(), Problem> {
    let pairs = pairs(entry, number, setting.seed, selector, MAX_FLOWS - flows.specs.len())?;
    check_reachable(entry, &pairs, setting)?;
    let common = Common::read(entry, setting)?;
    common.check(entry, &pairs, setting)?;
    common.push(pairs, entry.place(), flows);
    Ok(())
}

/// Flows of one tenant share what they are given, so they have to agree on it.
fn check_tenants(flows: &Flows<'_>, problems: &mut Problems) {
    let mut seen: HashMap<u32, (&FlowSpec, &Place)> = HashMap::new();
    for (spec, place) in flows.specs.iter().zip(&flows.places) {
        let (first, at) = *seen.entry(spec.tenant).or_insert((spec, place));
        let differs = if first.weight != spec.weight { "weight" } else { "max" };
        if (first.weight, first.max) != (spec.weight, spec.max) {
            let tenant = &flows.tenants.names[spec.tenant as usize - MAX_FLOWS];
            let message = format!("two flows of the tenant {tenant:?} have a different `{differs}`");
            problems.push(Problem::at(place, message, "the second").context(at, "the first"));
            return;
        }
    }
}

fn check_names(flows: &Flows<'_>, problems: &mut Problems) {
    let mut seen: HashMap<&str, &Place> = HashMap::new();
    for (spec, place) in flows.specs.iter().zip(&flows.places) {
        if let Some(first) = seen.insert(&spec.name, place) {
            let message = format!("two flows are called {:?}", spec.name);
            let problem = Problem::at(place, message, "the second").context(first, "the first");
            problems.push(problem.help("give the entries different names"));
            return;
        }
    }
}
