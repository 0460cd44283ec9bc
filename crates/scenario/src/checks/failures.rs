//! Checks for links that fail.

use setpoint_sim::{FlowId, cut_off};

use super::{Subject, Warning, named_together};
use crate::check::LINK_FAILURE_CUTS_OFF;
use crate::diagnostics::Problem;

pub(super) fn warnings(subject: &Subject<'_>) -> Option<Warning> {
    if !subject.spec.has_failures() {
        return None;
    }
    let cut_off = cut_off(subject.spec).ok()?;
    let (at, flows) = cut_off.iter().rev().max_by_key(|(_, flows)| flows.len())?;
    let name = |flow: &FlowId| subject.spec.flows[flow.index()].name.clone();
    let names = named_together(&flows.iter().map(name).collect::<Vec<_>>());
    let message = match flows.len() {
        1 => format!("{names} has no path without failed links from {at} on"),
        several => format!("{several} flows have no path without failed links from {at} on: {names}"),
    };
    let entry = subject.root.at.iter().find(|entry| entry.fail.is_given())?;
    let problem = Problem::at(entry.link.place(), message, "their frames are lost until it recovers")
        .help("add a second path, or let the link recover earlier");
    Some(Warning::new(LINK_FAILURE_CUTS_OFF, problem))
}
