//! Descriptions of the events in a run.

use std::collections::{BTreeMap, BTreeSet};

use setpoint_scenario::{Prepared, Session};
use setpoint_sim::{Destination, Spec};
use setpoint_units::Time;

use crate::metrics::Event;

/// Maximum number of flow starts and stops that are listed as events. If there are more, only the
/// first is listed.
const MAX_SWITCHES: usize = 16;

/// Changes in the scenario, and flow starts and stops.
pub fn events(prepared: &Prepared) -> Vec<Event> {
    let spec = &prepared.spec;
    let end = Time::ZERO + spec.duration;
    let mut switches = switches(prepared);
    switches.retain(|event| event.at < end);
    if switches.len() > MAX_SWITCHES {
        switches.truncate(1);
    }
    let named = prepared.event_labels.iter().map(|(at, label)| Event { at: *at, label: label.clone() });
    let mut events: Vec<Event> = switches.into_iter().chain(named).collect();
    events.sort_by_key(|event| event.at);
    events
}

/// The times at which flows start or stop by themselves, in order.
fn switches(prepared: &Prepared) -> Vec<Event> {
    let spec = &prepared.spec;
    let parts = parts(prepared);
    let named: BTreeSet<Time> = prepared.event_labels.iter().map(|(at, _)| *at).collect();
    let ever = |index: &usize| spec.flows[*index].stop.is_none_or(|stop| spec.flows[*index].start < stop);
    // A part starts and stops with its member, whose event is already listed.
    let news = |at: Time, flow: usize| !(parts.contains_key(&flow) && named.contains(&at));
    let mut switches: Vec<(Time, Switch, usize)> = Vec::new();
    for index in (0..spec.flows.len()).filter(ever) {
        let flow = &spec.flows[index];
        let own = [Some((flow.start, Switch::Start)), flow.stop.map(|stop| (stop, Switch::Stop))];
        let own = own.into_iter().flatten().filter(|&(at, _)| news(at, index));
        switches.extend(own.map(|(at, switch)| (at, switch, index)));
    }
    switches.sort_unstable();
    let together = switches.chunk_by(|first, second| (first.0, first.1) == (second.0, second.1));
    let who = |flows: &[(Time, Switch, usize)]| {
        let session = parts.get(&flows[0].2);
        match (flows, session) {
            ([(_, _, flow)], None) => Some(spec.flows[*flow].name.clone()),
            (_, Some(session)) if flows.iter().all(|(_, _, flow)| session.flows.contains(flow)) => {
                Some(session.name.clone())
            }
            _ => None,
        }
    };
    together.map(|flows| Event { at: flows[0].0, label: flows[0].1.label(who(flows), flows.len()) }).collect()
}

/// The flows that are parts of a flow in the scenario.
fn parts(prepared: &Prepared) -> BTreeMap<usize, &Session> {
    let is_part = |spec: &Spec, flow: usize| matches!(spec.flows[flow].destination, Destination::Station(_));
    let sessions = prepared.groups.iter().flat_map(|group| &group.sessions);
    let flows = sessions.flat_map(|session| session.flows.clone().map(move |flow| (flow, session)));
    flows.filter(|(flow, _)| is_part(&prepared.spec, *flow)).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Switch {
    Start,
    Stop,
}

impl Switch {
    fn label(self, name: Option<String>, flows: usize) -> String {
        let (one, many) = match self {
            Self::Start => ("starts", "start"),
            Self::Stop => ("stops", "stop"),
        };
        match name {
            Some(name) => format!("{name} {one}"),
            None => format!("{flows} flows {many}"),
        }
    }
}
