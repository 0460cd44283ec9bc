//! How pauses spread, in words.

use std::collections::{BTreeMap, BTreeSet};

use setpoint_lab::results::{DeadlockSummary, FlowSummary, RunRecord};

use super::{capital, counted};
use crate::figures::port_text;
use setpoint_units::quantity::Unit;

/// Ports of a cycle that are told at most.
const TOLD: usize = 12;

/// How far pauses spread, from where, and who suffered without a part in it; none without pauses.
#[must_use]
pub fn summary(record: &RunRecord) -> Option<String> {
    let trees = &record.summary.congestion_trees;
    if trees.pauses.is_empty() {
        return None;
    }
    let ports = trees.pauses.iter().map(|pause| pause.port.as_str()).collect::<BTreeSet<_>>().len();
    let verb = if ports == 1 { "was" } else { "were" };
    let at_once = match trees.widest as usize {
        all if all == ports => String::new(),
        some => format!(", at most {} at once", Unit::Count.text(some as f64)),
    };
    let reach = match trees.deepest {
        1 => "no tree reached further than the ports that feed its root".to_owned(),
        deep => format!("the deepest tree reached {} from its root", counted(deep.into(), "link", "links")),
    };
    let mut text = format!("{} {verb} asked to pause{at_once}; {reach}.", capital(&counted_ports(ports)));
    text += &format!(" {}", roots(record));
    if let Some(victims) = victims(&record.summary.flows) {
        text += &format!(" {victims}");
    }
    Some(text)
}

/// The trees in words, for those who do not see the drawing.
#[must_use]
pub fn alternative(record: &RunRecord) -> String {
    let text = summary(record).unwrap_or_else(|| "No port was paused.".to_owned());
    match &record.summary.deadlock {
        Some(deadlock) => format!("{text} Deadlock: {}.", cycle(deadlock)),
        None => text,
    }
}

/// The cycle of a deadlock without a full stop: `a→b → b→c → a→b (each waits for the next)`.
#[must_use]
pub fn cycle(deadlock: &DeadlockSummary) -> String {
    let ports = &deadlock.cycle;
    let mut told: Vec<String> = ports.iter().take(TOLD).map(|port| port_text(port)).collect();
    if let Some(more @ 1..) = ports.len().checked_sub(TOLD) {
        told.push(counted(more as u64, "more port", "more ports"));
    }
    told.extend(ports.first().map(|port| port_text(port)));
    format!("{} (each waits for the next)", told.join(" → "))
}

/// What a deadlock has done, beside its cycle.
#[must_use]
pub fn consequence(deadlock: &DeadlockSummary) -> String {
    let priority = deadlock.priority.map_or(String::new(), |priority| format!(" in priority {priority}"));
    let stuck = capital(&counted_ports(deadlock.stuck_ports as usize));
    format!("{stuck} never sent again{priority}, in the cycle or behind it.")
}

/// The root that was to blame for most of the time.
fn roots(record: &RunRecord) -> String {
    let mut times: BTreeMap<&str, f64> = BTreeMap::new();
    for pause in &record.summary.congestion_trees.pauses {
        *times.entry(&pause.root).or_default() += pause.time_s;
    }
    let all: f64 = times.values().sum();
    // From the end, so that the first of equals is found.
    let Some((root, time)) = times.iter().rev().max_by(|a, b| a.1.total_cmp(b.1)) else {
        return String::new();
    };
    let root = port_text(root);
    match times.len() {
        1 => format!("All of it began at {root}."),
        count => {
            let share = Unit::Share.text(if all > 0.0 { time / all } else { 0.0 });
            format!(
                "Of {} roots {root} accounts for the largest part, {share} of the time paused.",
                Unit::Count.text(count as f64)
            )
        }
    }
}

/// Who was delayed most by congestion that is not on its path.
fn victims(flows: &[FlowSummary]) -> Option<String> {
    let victims: Vec<&FlowSummary> = flows.iter().filter(|flow| flow.victim_s > 0.0).collect();
    let most = victims.iter().rev().max_by(|a, b| a.victim_s.total_cmp(&b.victim_s))?;
    let time = Unit::Seconds.text(most.victim_s);
    Some(match victims.len() {
        1 => format!("{} was delayed by congestion elsewhere for {time}.", most.name),
        count => format!(
            "{} were delayed by congestion elsewhere, {} for {time}.",
            capital(&counted(count as u64, "flow", "flows")),
            most.name
        ),
    })
}

fn counted_ports(count: usize) -> String {
    counted(count as u64, "port", "ports")
}
