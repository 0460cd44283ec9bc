//! Checks whether a spec's routes can deadlock under flow control, before anything runs.
//!
//! Frames in an input buffer wait for the next port of their flow, and that port waits for the input at its
//! far end if that input has paused it. These waits, drawn as arrows from input to input, are the buffer
//! dependencies of the routes. If the arrows form no cycle, some input can always drain, so there is no
//! deadlock (Dally and Seitz, 1987). If they form a cycle, traffic that fills all inputs in it causes a
//! deadlock.

use std::collections::{BTreeMap, BTreeSet};

use super::PrioritySet;
use crate::error::SpecError;
use crate::ids::{PortId, Priority};
use crate::routing::{Route, routes};
use crate::spec::{FlowControl, Spec};
use crate::topology::NodeKind;

/// A cycle of inputs in which each can wait for the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BufferCycle {
    /// The ports that feed these inputs, starting with the lowest.
    pub ports: Vec<PortId>,
    /// The priority that can deadlock; `None` with PAUSE, which stops the whole link.
    pub priority: Option<Priority>,
}

/// Finds the first cycle of buffer dependencies, by priority and port.
///
/// # Errors
/// Returns an error if a flow has no path to its destination.
pub fn buffer_cycle(spec: &Spec) -> Result<Option<BufferCycle>, SpecError> {
    let routes = routes(spec)?;
    let all = || (0..Priority::COUNT as u8).filter_map(Priority::new);
    let cycle = match spec.flow_control {
        FlowControl::None => None,
        FlowControl::Pause(_) => cycle(&dependencies(spec, &routes, PrioritySet::ALL))
            .map(|ports| BufferCycle { ports, priority: None }),
        FlowControl::Pfc(_, protected) => {
            all().filter(|&priority| protected.contains(priority)).find_map(|priority| {
                let ports = cycle(&dependencies(spec, &routes, PrioritySet::only(priority)))?;
                Some(BufferCycle { ports, priority: Some(priority) })
            })
        }
    };
    Ok(cycle)
}

type Arrows = BTreeMap<PortId, BTreeSet<PortId>>;

/// The inputs that each input can wait for, considering only flows and replies of the given priorities.
fn dependencies(spec: &Spec, routes: &[Route], priorities: PrioritySet) -> Arrows {
    let feeds_bridge =
        |port: PortId| spec.topology.node_at(spec.topology.target(port)).kind == NodeKind::Bridge;
    let mut arrows = Arrows::new();
    let flows = spec.flows.iter().zip(routes).filter(|(flow, _)| priorities.contains(flow.priority));
    for hop in flows.flat_map(|(_, route)| route.paths()).flat_map(|path| path.windows(2)) {
        if feeds_bridge(hop[1]) {
            arrows.entry(hop[0]).or_default().insert(hop[1]);
        }
    }
    if spec.control.replies_in(priorities) {
        for hop in routes.iter().flat_map(Route::paths).flat_map(|path| path.windows(2)) {
            let (from, to) = (hop[1].peer(), hop[0].peer());
            if feeds_bridge(to) {
                arrows.entry(from).or_default().insert(to);
            }
        }
    }
    arrows
}

/// Finds a cycle of arrows by depth-first search, starting from the lowest port.
fn cycle(arrows: &Arrows) -> Option<Vec<PortId>> {
    let mut done = BTreeSet::new();
    for &start in arrows.keys() {
        let mut path: Vec<(PortId, Vec<PortId>)> = Vec::new();
        let mut next = Some(start);
        loop {
            if let Some(port) = next.take() {
                if let Some(first) = path.iter().position(|(on_path, _)| *on_path == port) {
                    return Some(from_lowest(path[first..].iter().map(|(port, _)| *port).collect()));
                }
                if done.insert(port) {
                    let after = arrows.get(&port).into_iter().flatten().rev().copied().collect();
                    path.push((port, after));
                }
            }
            let Some((_, after)) = path.last_mut() else { break };
            match after.pop() {
                Some(port) => next = Some(port),
                None => drop(path.pop()),
            }
        }
    }
    None
}

fn from_lowest(mut cycle: Vec<PortId>) -> Vec<PortId> {
    let lowest = cycle.iter().enumerate().min_by_key(|(_, port)| **port).map_or(0, |(index, _)| index);
    cycle.rotate_left(lowest);
    cycle
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrows(pairs: &[(u32, u32)]) -> Arrows {
        let mut arrows = Arrows::new();
        for &(from, to) in pairs {
            arrows.entry(PortId(from)).or_default().insert(PortId(to));
        }
        arrows
    }

    #[test]
    fn a_cycle_is_found_wherever_the_search_begins() {
        let ports = |found: Option<Vec<PortId>>| found.map(|ports| ports.iter().map(|port| port.0).collect());
        let found = |pairs: &[(u32, u32)]| -> Option<Vec<u32>> { ports(cycle(&arrows(pairs))) };
        assert_eq!(found(&[(1, 2), (2, 3), (1, 3), (3, 4)]), None);
        assert_eq!(found(&[(1, 5), (5, 7), (7, 3), (3, 5), (7, 9)]), Some(vec![3, 5, 7]));
        assert_eq!(found(&[(0, 9), (2, 9), (9, 8), (8, 9)]), Some(vec![8, 9]));
    }
}
