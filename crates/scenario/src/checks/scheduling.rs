//! Checks for weights of priorities that have no effect.

use setpoint_sim::{PrioritySet, Scheduling};

use super::flow_control::priorities;
use super::{Subject, Warning};
use crate::check::ETS_WITHOUT_EFFECT;
use crate::diagnostics::Problem;

pub(super) fn warnings(subject: &Subject<'_>) -> Option<Warning> {
    let Scheduling::Ets(ets) = subject.spec.scheduling else { return None };
    let used = subject.spec.flows.iter().fold(PrioritySet::NONE, |used, flow| used.with(flow.priority));
    let competing = priorities(PrioritySet(ets.weighted().0 & used.0));
    if competing.len() > 1 {
        return None;
    }
    let with_weights = match competing.first() {
        None => "and none of them has a weight".to_owned(),
        Some(priority) => format!("and only {priority} has a weight"),
    };
    let noun = if used.0.is_power_of_two() { "priority" } else { "priorities" };
    let message = format!("flows use {noun} {}, {with_weights}", priorities(used).join(", "));
    let place = subject.root.scheduling.chosen().place();
    let problem = Problem::at(place, message, "weights have no effect")
        .help("give flows another `priority`, or give weights to the priorities that flows use");
    Some(Warning::new(ETS_WITHOUT_EFFECT, problem))
}
