//! How pauses spread, in a line or two.

use setpoint_record::results::Summary;

use super::whole_run;
use crate::terminal::{Paint, Unit, plain, port, quantity, things};

/// Number of paused ports, depth of the trees, and port where most of the congestion began, over the whole run.
pub(super) fn congestion(summary: &Summary) -> Vec<String> {
    let trees = &summary.congestion_trees;
    let Some(congestion) = trees.congestion() else { return Vec::new() };
    let root = port(congestion.main_root);
    let rooted = match congestion.roots {
        1 => format!("tree of depth {} rooted at {root}", trees.deepest),
        count => format!("trees of depth up to {} with {count} roots, most at {root}", trees.deepest),
    };
    vec![whole_run(summary, &format!("{} paused", things(congestion.ports as u64, "port"))), rooted]
}

/// Number of flows delayed by congestion that they did not cause, and the one that was delayed longest.
pub(super) fn victims(summary: &Summary) -> Vec<String> {
    let victims = summary.victims();
    let Some(longest) = victims.first() else { return Vec::new() };
    let (name, time) = (plain(&longest.name), quantity(Unit::Seconds, longest.victim_s));
    vec![match victims.len() {
        1 => whole_run(summary, &format!("{name} delayed for {time} by congestion elsewhere")),
        count => {
            let flows = format!("{} delayed by congestion elsewhere", things(count as u64, "flow"));
            whole_run(summary, &format!("{flows}, {name} for {time}"))
        }
    }]
}

/// The cycle of a deadlock.
pub(super) fn deadlock(summary: &Summary, paint: Paint) -> Vec<String> {
    let Some(deadlock) = &summary.deadlock else { return Vec::new() };
    let mut cycle: Vec<String> = deadlock.cycle.iter().map(|name| port(name)).collect();
    cycle.extend(deadlock.cycle.first().map(|name| port(name)));
    let ports = format!("at {}: {}", quantity(Unit::Seconds, deadlock.at_s), cycle.join(" waits for "));
    let stuck = format!("{} never sent again", things(u64::from(deadlock.stuck_ports), "port"));
    [ports, stuck].map(|phrase| paint.bad(&phrase)).into()
}
