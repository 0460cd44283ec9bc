//! How pauses spread, in words.

use setpoint_record::results::{Congestion, DeadlockSummary, RunRecord, Summary};

use super::{capital, counted};
use crate::figures::port_text;
use setpoint_units::quantity::Unit;

/// Maximum number of ports listed for a cycle.
const LISTED: usize = 12;

/// How far pauses spread, where they began, and which flows were delayed without causing congestion; `None` if there
/// were no pauses.
pub fn summary(record: &RunRecord) -> Option<String> {
    let trees = &record.summary.congestion_trees;
    let congestion = trees.congestion()?;
    let verb = if congestion.ports == 1 { "was" } else { "were" };
    let at_once = match trees.widest as usize {
        all if all == congestion.ports => String::new(),
        some => format!(", at most {} at once", Unit::Count.text(some as f64)),
    };
    let reach = match trees.deepest {
        1 => "no tree reached further than the ports that feed its root".to_owned(),
        deep => format!("the deepest tree reached {} from its root", counted(deep.into(), "link", "links")),
    };
    let ports = capital(&counted_ports(congestion.ports));
    let spread = format!("{ports} {verb} asked to pause{at_once}; {reach}.");
    let sentences = [Some(spread), Some(roots(congestion)), victims(&record.summary)];
    Some(sentences.into_iter().flatten().collect::<Vec<_>>().join(" "))
}

/// The trees in words, as the alternative text of the drawing.
pub fn alternative(record: &RunRecord) -> String {
    let text = summary(record).unwrap_or_else(|| "No port was paused.".to_owned());
    match &record.summary.deadlock {
        Some(deadlock) => format!("{text} Deadlock: {}.", cycle(deadlock)),
        None => text,
    }
}

/// The cycle of a deadlock without a full stop: `a→b → b→c → a→b (each waits for the next)`.
pub fn cycle(deadlock: &DeadlockSummary) -> String {
    let ports = &deadlock.cycle;
    let mut listed: Vec<String> = ports.iter().take(LISTED).map(|port| port_text(port)).collect();
    if let Some(more @ 1..) = ports.len().checked_sub(LISTED) {
        listed.push(counted(more as u64, "more port", "more ports"));
    }
    listed.extend(ports.first().map(|port| port_text(port)));
    format!("{} (each waits for the next)", listed.join(" → "))
}

/// The consequence of a deadlock.
pub fn consequence(deadlock: &DeadlockSummary) -> String {
    let priority = deadlock.priority.map_or(String::new(), |priority| format!(" in priority {priority}"));
    let stuck = capital(&counted_ports(deadlock.stuck_ports as usize));
    format!("{stuck} in the cycle or behind it never sent again{priority}.")
}

/// The root that caused the longest pauses.
fn roots(congestion: Congestion<'_>) -> String {
    let root = port_text(congestion.main_root);
    match congestion.roots {
        1 => format!("All congestion began at {root}."),
        count => {
            let (count, share) = (Unit::Count.text(count as f64), Unit::Share.text(congestion.main_share));
            format!("Of {count} roots, {root} caused the longest pauses, {share} of the total time paused.")
        }
    }
}

/// The flow that congestion elsewhere delayed longest.
fn victims(summary: &Summary) -> Option<String> {
    let victims = summary.victims();
    let longest = victims.first()?;
    let time = Unit::Seconds.text(longest.victim_s);
    Some(match victims.len() {
        1 => format!("{} was delayed by congestion elsewhere for {time}.", longest.name),
        count => format!(
            "{} were delayed by congestion elsewhere, {} for {time}.",
            capital(&counted(count as u64, "flow", "flows")),
            longest.name
        ),
    })
}

fn counted_ports(count: usize) -> String {
    counted(count as u64, "port", "ports")
}
