//! Hot spots that a drawing must not hide in a group: roots of congestion trees, deadlocks, and the few links that
//! are busier than all others.

use std::collections::{BTreeMap, BTreeSet};

use setpoint_record::results::RunRecord;

use super::marks::link_names;

/// Maximum number of links whose ends are drawn individually.
const SINGLE: usize = 3;
/// A link with at least this utilisation is hot, unless there are many such links.
const BUSY: f64 = 0.9;
/// Maximum share of all links that may count as hot.
const FEW: f64 = 0.05;

/// Nodes at hot spots.
#[derive(Clone, Debug, Default)]
pub(super) struct Hot {
    /// Nodes drawn individually.
    pub(super) alone: BTreeSet<usize>,
    /// Nodes of the other hot links, drawn in separate groups.
    pub(super) apart: BTreeSet<usize>,
}

impl Hot {
    /// The hot spots of a run.
    pub(super) fn of(record: &RunRecord) -> Self {
        let mut links = congested(record);
        links.extend(busiest(record));
        let mut hot = Self::default();
        let mut seen = BTreeSet::new();
        for link in links.into_iter().filter(|link| seen.insert(*link)).enumerate() {
            let (place, view) = (link.0, &record.topology.links[link.1]);
            let set = if place < SINGLE { &mut hot.alone } else { &mut hot.apart };
            set.extend([view.first, view.second]);
        }
        let alone = &hot.alone;
        hot.apart.retain(|node| !alone.contains(node));
        hot
    }
}

/// Links of a deadlock, then roots of congestion trees, in descending order of the pauses they caused.
fn congested(record: &RunRecord) -> Vec<usize> {
    let names = link_names(&record.topology);
    let by_port: BTreeMap<&str, usize> = names
        .iter()
        .enumerate()
        .flat_map(|(link, ports)| ports.iter().map(move |port| (port.as_str(), link)))
        .collect();
    let mut roots: BTreeMap<&str, f64> = BTreeMap::new();
    for pause in &record.summary.congestion_trees.pauses {
        *roots.entry(&pause.root).or_default() += pause.time_s;
    }
    let mut roots: Vec<(&str, f64)> = roots.into_iter().collect();
    roots.sort_by(|a, b| b.1.total_cmp(&a.1));
    let locked =
        record.summary.deadlock.iter().flat_map(|deadlock| deadlock.cycle.iter().map(String::as_str));
    locked
        .chain(roots.into_iter().map(|(port, _)| port))
        .filter_map(|port| by_port.get(port).copied())
        .collect()
}

/// Links that are hot because of their utilisation; none if there are many.
fn busiest(record: &RunRecord) -> Vec<usize> {
    let links = &record.topology.links;
    let share = |link: &usize| links[*link].utilisation_share.unwrap_or(0.0);
    let mut busy: Vec<usize> = (0..links.len()).filter(|link| share(link) >= BUSY).collect();
    if busy.len() as f64 > FEW * links.len() as f64 {
        return Vec::new();
    }
    busy.sort_by(|a, b| share(b).total_cmp(&share(a)));
    busy
}
