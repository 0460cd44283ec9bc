//! Checks for flow control that can lose frames, protects no flow, or can deadlock.

use setpoint_sim::{FlowControl, LinkBudget, PortId, Priority, PrioritySet, buffer_cycle};

use super::names::{about, at_most};
use super::{Subject, Warning};
use crate::check::{HEADROOM_TOO_SMALL, PAUSE_LAPSES, PFC_WITHOUT_FLOWS, ROUTES_CAN_DEADLOCK};
use crate::diagnostics::Problem;
use crate::format::{FlowControl as Kind, Thresholds};
use crate::port_names;

pub(super) fn warnings(subject: &Subject<'_>) -> Vec<Warning> {
    let Some(keys) = subject.root.flow_control.thresholds() else { return Vec::new() };
    let found = [headroom(subject, keys), lapses(subject, keys), without_flows(subject), deadlock(subject)];
    found.into_iter().flatten().collect()
}

fn headroom(subject: &Subject<'_>, keys: &Thresholds) -> Option<Warning> {
    let short: Vec<&LinkBudget> = subject.links.iter().filter(|link| link.is_short()).collect();
    let worst = short.iter().max_by_key(|link| link.needed.total())?;
    let (given, needed) = (worst.given, at_most(worst.needed.total()));
    let message = format!(
        "a headroom of {given} is too small for {}: up to {needed} can arrive after the decision to pause",
        links(subject, &short)
    );
    let problem = Problem::at(keys.headroom.place(), message, "frames can be lost")
        .help(format!("write `headroom = \"auto\"`, or at least {needed}"));
    Some(Warning::new(HEADROOM_TOO_SMALL, problem))
}

fn lapses(subject: &Subject<'_>, keys: &Thresholds) -> Option<Warning> {
    let lapsing: Vec<&LinkBudget> = subject.links.iter().filter(|link| link.renewal.lapses()).collect();
    let worst = lapsing.iter().max_by_key(|link| link.needed.lapses)?;
    let renewal = &worst.renewal;
    let message = format!(
        "pauses of {} expire before they are renewed: a pause lasts {}, but renewing it can take {}, so up to {} \
         can arrive in between over the run",
        links(subject, &lapsing),
        about(renewal.pause),
        about(renewal.longest_gap),
        at_most(worst.needed.lapses)
    );
    let quanta = &keys.quanta;
    let least = lapsing.iter().map(|link| link.renewal.least_quanta).collect::<Option<Vec<u16>>>();
    let remedy = match least.as_ref().and_then(|least| least.iter().max()) {
        Some(least) => {
            format!(
                "write `quanta = {least}` or more, use shorter frames, or make the opposite direction of the links faster"
            )
        }
        None => {
            "use shorter frames or make the opposite direction of the links faster; a pause cannot be longer"
                .to_owned()
        }
    };
    let problem = Problem::at(quanta.place(), message, "too short for the frames in the opposite direction")
        .help(remedy);
    Some(Warning::new(PAUSE_LAPSES, problem))
}

fn without_flows(subject: &Subject<'_>) -> Option<Warning> {
    let FlowControl::Pfc(_, protected) = subject.spec.flow_control else { return None };
    let used = subject.spec.flows.iter().fold(PrioritySet::NONE, |used, flow| used.with(flow.priority));
    let idle = priorities(PrioritySet(protected.0 & !used.0));
    if idle.is_empty() {
        return None;
    }
    let message = format!(
        "PFC protects {} {}, which no flow uses; flows use {}",
        if idle.len() == 1 { "priority" } else { "priorities" },
        idle.join(", "),
        priorities(used).join(", ")
    );
    let Kind::Pfc(keys) = &*subject.root.flow_control else { return None };
    let problem = Problem::at(keys.priorities.place(), message, "protects no flow").help(format!(
        "write `priorities = [{}]`, or give flows another `priority`",
        priorities(used).join(", ")
    ));
    Some(Warning::new(PFC_WITHOUT_FLOWS, problem))
}

fn deadlock(subject: &Subject<'_>) -> Option<Warning> {
    let cycle = buffer_cycle(subject.spec).ok()??;
    let name = |port: &PortId| port_names::shown(&subject.spec.topology, *port);
    let mut ports: Vec<String> = cycle.ports.iter().map(name).collect();
    ports.extend(cycle.ports.first().map(name));
    let of = cycle.priority.map_or(String::new(), |priority| format!(" of priority {}", priority.get()));
    let message = format!("the routes{of} can deadlock: {}", ports.join(" waits for "));
    let problem = Problem::at(subject.root.flow_control.chosen().place(), message, "pauses can form a cycle")
        .help("avoid cycles of routes, for example with a tree, or give some flows another priority");
    Some(Warning::new(ROUTES_CAN_DEADLOCK, problem))
}

fn links(subject: &Subject<'_>, links: &[&LinkBudget]) -> String {
    subject.named(links.iter().map(|link| link.port))
}

pub(super) fn priorities(set: PrioritySet) -> Vec<String> {
    let all = (0..Priority::COUNT as u8).filter_map(Priority::new);
    all.filter(|&priority| set.contains(priority)).map(|priority| priority.get().to_string()).collect()
}
