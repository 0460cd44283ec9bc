//! Flows: sender, receiver, traffic and times.

use std::collections::HashMap;

use setpoint_sim::traffic::Traffic;
use setpoint_sim::{FlowSpec, NodeId};
use setpoint_units::TimeDelta;

use super::Setting;
use super::bridge;
use super::entry::{Common, Route, usual_flow};
use super::flow_files;
use super::flow_list::Flows;
use super::incasts;
use super::jobs;
use super::pairs::{Selector, check_reachable, pairs};
use super::sessions;
use super::traffic::{Offer, offer};
use crate::FlowEntry;
use crate::diagnostics::{Place, Problem, Problems};
use crate::format::{Choice, Flow, Pattern, Placed, Root, Topology};
use crate::limits::MAX_FLOWS;

/// Creates the flows.
pub(super) fn flows<'a>(setting: &Setting<'a>, problems: &mut Problems) -> Flows<'a> {
    let mut flows = Flows::default();
    let Root { flows: entries, flow_files, jobs, .. } = setting.root;
    if entries.is_empty() && flow_files.is_empty() && jobs.is_empty() {
        problems.take(usual_flows(setting, &mut flows));
        return flows;
    }
    let mut selector = Selector::new(setting.topology);
    for (number, entry) in setting.root.flows.iter().enumerate() {
        problems.take(entry_flows(entry, number, setting, &mut selector, &mut flows));
        if problems.is_full() {
            break;
        }
    }
    for (number, entry) in setting.root.flow_files.iter().enumerate() {
        let room = room(setting, &flows);
        problems.take(flow_files::add(entry, number, room, setting, &selector, &mut flows));
    }
    jobs::jobs(setting, &mut selector, &mut flows, problems);
    check_names(&flows, problems);
    check_tenants(&flows, problems);
    flows
}

/// The default flows: in a dumbbell, sender `i` sends to receiver `i`, wrapping around after the
/// last receiver.
fn usual_flows<'a>(setting: &Setting<'a>, flows: &mut Flows<'a>) -> Result<(), Problem> {
    let Root { topology, network, flows: key, .. } = setting.root;
    if key.is_given() || !matches!(**topology, Topology::Dumbbell(_)) {
        let place = if key.is_given() { key.place() } else { topology.place() };
        return Err(Problem::at(place, "there are no flows", "")
            .help("add `[[flows]]` with `from` and `to` (or `group`); only a dumbbell has default flows"));
    }
    let stations: Vec<NodeId> = setting.topology.stations().collect();
    let sender = |id: &NodeId| setting.topology.node_at(*id).name.starts_with('s');
    let (senders, receivers): (Vec<NodeId>, Vec<NodeId>) = stations.into_iter().partition(sender);
    let pairs = senders.iter().copied().zip(receivers.iter().copied().cycle());
    bridge::check_frame(setting, &network.frame, *network.frame)?;
    let flow = usual_flow(*network.priority, *network.frame);
    let usual = Common { flow, stagger: TimeDelta::ZERO, tenant: None, name: None };
    let routes = pairs.map(|(source, sink)| ((source, sink.into()), Traffic::Backlogged)).collect();
    usual.push(routes, topology.place(), setting, flows);
    Ok(())
}

/// The number of flows that can be added.
fn room(setting: &Setting<'_>, flows: &Flows<'_>) -> usize {
    let taken: usize = flows.specs.iter().map(|flow| sessions::receivers(flow, setting.groups)).sum();
    MAX_FLOWS - taken
}

fn entry_flows<'a>(
    entry: &'a Placed<Flow>,
    number: usize,
    setting: &Setting<'a>,
    selector: &mut Selector<'_>,
    flows: &mut Flows<'a>,
) -> Result<(), Problem> {
    let room = room(setting, flows);
    let (routes, traffics) = routes(entry, number, setting, selector, room)?;
    let common = Common::read(entry, setting)?;
    common.check(entry, &routes, setting)?;
    let first = flows.specs.len();
    common.push(routes.into_iter().zip(traffics).collect(), entry.place(), setting, flows);
    let name = common.name.unwrap_or_else(|| format!("flows.{}", number + 1));
    flows.entries.push(FlowEntry { name, flows: first..flows.specs.len() });
    Ok(())
}

/// The flows of an entry, each with its traffic.
fn routes(
    entry: &Placed<Flow>,
    number: usize,
    setting: &Setting<'_>,
    selector: &mut Selector<'_>,
    room: usize,
) -> Result<(Vec<Route>, Vec<Traffic>), Problem> {
    let offer = offer(&entry.traffic, setting.slowest)?;
    if entry.group.is_given() {
        let routes = sessions::routes(entry, setting, selector, room)?;
        sessions::check_traffic(entry, setting, &offer)?;
        let traffics = offer.of_flows(entry, &routes, setting)?;
        return Ok((routes, traffics));
    }
    incasts::check_keys(entry)?;
    let random = *entry.pattern == Pattern::RandomIncast;
    let (pairs, listed) = match &offer {
        Offer::Messages(messages) if random => {
            let flows = incasts::flows(entry, number, messages, setting, selector, room)?;
            let (pairs, traffics): (Vec<_>, Vec<_>) = flows.into_iter().unzip();
            (pairs, Some(traffics))
        }
        Offer::Same(_) if random => return Err(needs_events(entry)),
        _ => (pairs(entry, number, setting.seed, selector, room)?, None),
    };
    check_reachable(entry, &pairs, setting)?;
    let routes: Vec<Route> = pairs.into_iter().map(|(source, sink)| (source, sink.into())).collect();
    let traffics = listed.map_or_else(|| offer.of_flows(entry, &routes, setting), Ok)?;
    Ok((routes, traffics))
}

fn needs_events(entry: &Flow) -> Problem {
    let message = format!("the pattern {:?} needs messages at several times", entry.pattern.word());
    Problem::at(entry.traffic.place(), message, "")
        .help("write `traffic.periodic = { every = \"5 ms\", size = \"64 kB\" }`, or poisson traffic")
}

/// Flows of the same tenant must have the same `weight` and `max`.
fn check_tenants(flows: &Flows<'_>, problems: &mut Problems) {
    let mut seen: HashMap<u32, (&FlowSpec, &Place)> = HashMap::new();
    for (spec, place) in flows.specs.iter().zip(&flows.places) {
        let (first, at) = *seen.entry(spec.tenant).or_insert((spec, place));
        let differs = if first.weight != spec.weight { "weight" } else { "max" };
        if (first.weight, first.max) != (spec.weight, spec.max) {
            let tenant = &flows.tenants.names[spec.tenant as usize - MAX_FLOWS];
            let message = format!("two flows of the tenant {tenant:?} have different values of `{differs}`");
            problems.push(Problem::at(place, message, "the second").context(at, "the first"));
            return;
        }
    }
}

fn check_names(flows: &Flows<'_>, problems: &mut Problems) {
    let mut seen: HashMap<&str, &Place> = HashMap::new();
    let own = flows.specs.iter().map(|spec| spec.name.as_str()).zip(&flows.places);
    let parted = flows.parted.iter().map(|(name, parts)| (name.as_str(), &flows.places[parts.start]));
    for (name, place) in own.chain(parted) {
        if let Some(first) = seen.insert(name, place) {
            let message = format!("two flows are called {name:?}");
            let problem = Problem::at(place, message, "the second").context(first, "the first");
            problems.push(problem.help("give the entries different names"));
            return;
        }
    }
}
