//! Whether every flow that sent data must cross the given port, whatever its route.

use std::collections::BTreeMap;

use setpoint_record::results::{FlowSummary, RunRecord};

/// Whether removing the port's link separates the source of every flow from its destination, or from all members of its
/// group.
pub(super) fn all_cross(record: &RunRecord, port: &str) -> bool {
    let Some((from, to)) = port.split_once("->") else { return false };
    let names: BTreeMap<&str, usize> =
        record.topology.nodes.iter().enumerate().map(|(index, node)| (node.name.as_str(), index)).collect();
    let (Some(&from), Some(&to)) = (names.get(from), names.get(to)) else { return false };
    let between = |a: usize, b: usize| (a, b) == (from, to) || (b, a) == (from, to);
    if record.topology.links.iter().filter(|link| between(link.first, link.second)).count() != 1 {
        // A flow takes one of several parallel links, and the record does not specify which.
        return false;
    }
    let near = reachable(record, from, (from, to));
    let side = |station: &str| names.get(station).map(|&index| near[index]);
    let crosses = |flow: &FlowSummary| {
        side(&flow.source) == Some(true) && flow.sinks().all(|sink| side(sink) == Some(false))
    };
    let mut senders = record.summary.flows.iter().filter(|flow| flow.sent_frames > 0);
    !near[to] && senders.all(crosses)
}

/// The nodes reachable without the links between two nodes.
fn reachable(record: &RunRecord, start: usize, without: (usize, usize)) -> Vec<bool> {
    let count = record.topology.nodes.len();
    let mut neighbours = vec![Vec::new(); count];
    for link in &record.topology.links {
        let ends = (link.first, link.second);
        if ends.0 < count && ends.1 < count && ends != without && (ends.1, ends.0) != without {
            neighbours[ends.0].push(ends.1);
            neighbours[ends.1].push(ends.0);
        }
    }
    let mut reached = vec![false; count];
    let mut waiting = vec![start];
    while let Some(node) = waiting.pop() {
        if !std::mem::replace(&mut reached[node], true) {
            waiting.extend(neighbours[node].iter().copied().filter(|&next| !reached[next]));
        }
    }
    reached
}
