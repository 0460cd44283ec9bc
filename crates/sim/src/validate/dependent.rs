//! Checks of messages that wait for other messages.

use crate::error::SpecError;
use crate::ids::{FlowId, MessageId};
use crate::spec::{Change, Destination, Spec};
use crate::traffic::DependentMessage;

/// Every message waits for messages that its station sends or receives, and no message waits for itself, directly or
/// indirectly.
pub(super) fn check(spec: &Spec) -> Result<(), SpecError> {
    let mut count = 0;
    for (index, flow) in spec.flows.iter().enumerate() {
        let id = FlowId(index as u32);
        let list = flow.traffic.dependent_messages();
        if !list.is_empty() && (flow.stop.is_some() || is_started_or_stopped(spec, id)) {
            return Err(SpecError::DependentStops(id));
        }
        for (number, message) in list.iter().enumerate() {
            check_message(spec, MessageId { flow: id, number: number as u32 }, message)?;
        }
        count += list.len();
    }
    if count == 0 { Ok(()) } else { check_order(spec, count) }
}

fn is_started_or_stopped(spec: &Spec, id: FlowId) -> bool {
    let concerns =
        |change: &Change| matches!(change, Change::StartFlow(flow) | Change::StopFlow(flow) if *flow == id);
    spec.changes.iter().any(|timed| concerns(&timed.change))
}

fn check_message(spec: &Spec, id: MessageId, message: &DependentMessage) -> Result<(), SpecError> {
    let station = spec.flows[id.flow.index()].source;
    for &awaited in &message.after {
        let flow = spec.flows.get(awaited.flow.index());
        let other = flow.and_then(|flow| flow.traffic.dependent_messages().get(awaited.number as usize));
        let (Some(flow), Some(other)) = (flow, other) else {
            return Err(SpecError::UnknownMessage(id, awaited));
        };
        let arrives = flow.destination == Destination::Station(station) && !other.is_computation();
        if flow.source != station && !arrives {
            return Err(SpecError::ForeignMessage(id, awaited));
        }
    }
    Ok(())
}

/// Releases all messages in an order in which no message precedes one that it waits for. `count` is the number of messages.
fn check_order(spec: &Spec, count: usize) -> Result<(), SpecError> {
    let mut first = Vec::with_capacity(spec.flows.len());
    let mut ids = Vec::with_capacity(count);
    for (index, flow) in spec.flows.iter().enumerate() {
        first.push(ids.len());
        let numbers = 0..flow.traffic.dependent_messages().len() as u32;
        ids.extend(numbers.map(|number| MessageId { flow: FlowId(index as u32), number }));
    }
    let message =
        |id: MessageId| &spec.flows[id.flow.index()].traffic.dependent_messages()[id.number as usize];
    let place = |id: MessageId| first[id.flow.index()] + id.number as usize;
    let mut missing: Vec<usize> = ids.iter().map(|id| message(*id).after.len()).collect();
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (own, id) in ids.iter().enumerate() {
        message(*id).after.iter().for_each(|awaited| followers[place(*awaited)].push(own));
    }
    let mut free: Vec<usize> = (0..count).filter(|place| missing[*place] == 0).collect();
    while let Some(next) = free.pop() {
        for &follower in &followers[next] {
            missing[follower] -= 1;
            if missing[follower] == 0 {
                free.push(follower);
            }
        }
    }
    match missing.iter().position(|missing| *missing > 0) {
        Some(place) => Err(SpecError::DependencyCycle(ids[place])),
        None => Ok(()),
    }
}
