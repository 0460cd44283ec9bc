//! How pauses spread, in a line or two.

use std::collections::{BTreeMap, BTreeSet};

use setpoint_lab::results::{FlowSummary, Summary};

use super::whole_run;
use crate::terminal::{Paint, Unit, plain, quantity, things};

/// How many ports were asked to pause, how deep the trees were, and where most of it began. Over the whole run.
pub(super) fn congestion(summary: &Summary) -> Vec<String> {
    let trees = &summary.congestion_trees;
    let ports: BTreeSet<&str> = trees.pauses.iter().map(|pause| pause.port.as_str()).collect();
    let mut roots: BTreeMap<&str, f64> = BTreeMap::new();
    for pause in &trees.pauses {
        *roots.entry(&pause.root).or_default() += pause.time_s;
    }
    // From the end, so that the first of equals is found.
    let Some((root, _)) = roots.iter().rev().max_by(|a, b| a.1.total_cmp(b.1)) else { return Vec::new() };
    let rooted = match roots.len() {
        1 => format!("tree of depth {} rooted at {}", trees.deepest, plain(root)),
        count => {
            format!("trees of depth up to {} with {count} roots, most at {}", trees.deepest, plain(root))
        }
    };
    vec![whole_run(summary, &format!("{} paused", things(ports.len() as u64, "port"))), rooted]
}

/// How many flows were delayed by congestion that they did not cause, and which one most.
pub(super) fn victims(summary: &Summary) -> Vec<String> {
    let victims: Vec<&FlowSummary> = summary.flows.iter().filter(|flow| flow.victim_s > 0.0).collect();
    let most = victims.iter().rev().max_by(|a, b| a.victim_s.total_cmp(&b.victim_s));
    let Some(most) = most else { return Vec::new() };
    let (name, time) = (plain(&most.name), quantity(Unit::Seconds, most.victim_s));
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
    let mut cycle: Vec<String> = deadlock.cycle.iter().map(|port| plain(port)).collect();
    cycle.extend(deadlock.cycle.first().map(|port| plain(port)));
    let stuck = format!("{} never sent again", things(u64::from(deadlock.stuck_ports), "port"));
    let told =
        [format!("at {}: {}", quantity(Unit::Seconds, deadlock.at_s), cycle.join(" waits for ")), stuck];
    told.map(|phrase| paint.bad(&phrase)).into()
}
