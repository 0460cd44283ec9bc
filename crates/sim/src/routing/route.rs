//! The routes of all flows in a spec.

use std::collections::BTreeSet;

use super::tree::TreeFrom;
use super::{Choice, Neighbours, RoutesTo, ports_by_node};
use crate::error::SpecError;
use crate::ids::{FlowId, GroupId, NodeId, PortId};
use crate::spec::{Change, Destination, FlowSpec, Spec};
use crate::topology::Topology;

/// The ports that a flow's frames pass through, starting at its station. Links between leaves and
/// spines are not part of a route, because the bridge chooses them cell by cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// To one station.
    Path(Vec<PortId>),
    /// To a group: the path to each station that is a member at any time, with the station, sorted
    /// by the paths' ports, so that paths with a common prefix are adjacent.
    Tree(Vec<(Vec<PortId>, NodeId)>),
}

impl Route {
    /// The paths to all its receivers.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &[PortId]> {
        let (path, tree) = match self {
            Self::Path(path) => (Some(path.as_slice()), [].as_slice()),
            Self::Tree(paths) => (None, paths.as_slice()),
        };
        path.into_iter().chain(tree.iter().map(|(path, _)| path.as_slice()))
    }
}

/// The route of every flow.
pub(crate) fn routes(spec: &Spec) -> Result<Vec<Route>, SpecError> {
    let leaving = ports_by_node(&spec.topology);
    let paths = shortest_paths(spec);
    let route = |(index, (flow, path)): (usize, (&FlowSpec, Option<Vec<PortId>>))| {
        let id = FlowId(index as u32);
        match flow.destination {
            Destination::Station(_) => path.map(Route::Path).ok_or(SpecError::Unreachable(id)),
            Destination::Group(group) => tree(spec, &leaving, id, group),
        }
    };
    spec.flows.iter().zip(paths).enumerate().map(route).collect()
}

/// The path of every flow to one station; `None` if there is no path, and for flows to groups.
///
/// All stations behind a bridge share its distances. Flows are grouped by their destination's
/// bridge, so the work grows with the number of such bridges, not of stations, and only one
/// distance table is in memory at any time.
fn shortest_paths(spec: &Spec) -> Vec<Option<Vec<PortId>>> {
    let neighbours = Neighbours::new(&spec.topology);
    let end = |flow: &FlowSpec| match flow.destination {
        Destination::Station(station) => Some((neighbours.before(station)?, station)),
        Destination::Group(_) => None,
    };
    let ends = spec.flows.iter().enumerate().filter_map(|(index, flow)| Some((end(flow)?, index)));
    let mut ends: Vec<((NodeId, NodeId), usize)> = ends.collect();
    ends.sort_unstable();
    let mut paths = vec![None; spec.flows.len()];
    for behind in ends.chunk_by(|one, other| one.0.0 == other.0.0) {
        let to = RoutesTo::new(&neighbours, behind[0].0.0);
        for &((bridge, station), index) in behind {
            let choice = Choice::of_flow(spec.seed, FlowId(index as u32));
            paths[index] = path(&neighbours, &to, (bridge, station), spec.flows[index].source, choice);
        }
    }
    paths
}

/// The path between two stations: to the first one's bridge, from there to the second one's bridge, and to
/// the second station.
fn path(
    neighbours: &Neighbours<'_>,
    to: &RoutesTo,
    (bridge, station): (NodeId, NodeId),
    source: NodeId,
    choice: Choice,
) -> Option<Vec<PortId>> {
    let mut path = Vec::new();
    if bridge != source {
        path.push(neighbours.port_of(source)?);
        to.extend(&mut path, neighbours, neighbours.before(source)?, choice)?;
    }
    path.push(neighbours.port_of(station)?.peer());
    Some(outside(neighbours.topology, path))
}

/// The paths of a flow to all stations that are members of its group at any time.
fn tree(spec: &Spec, leaving: &[Vec<PortId>], id: FlowId, group: GroupId) -> Result<Route, SpecError> {
    let choice = Choice::of_group(spec.seed, group);
    let source = spec.flows[id.index()].source;
    let tree = TreeFrom::new(&spec.topology, leaving, source, choice);
    let path = |member: NodeId| match tree.path(&spec.topology, member) {
        Some(path) => Ok((outside(&spec.topology, path), member)),
        None => Err(SpecError::UnreachableMember(id, member)),
    };
    let paths: Result<BTreeSet<_>, _> = ever_members(spec, group).into_iter().map(path).collect();
    Ok(Route::Tree(paths?.into_iter().collect()))
}

/// The ports that each flow's frames pass through, starting at its station. A flow to a group has
/// a tree rather than a path, so its list is empty.
///
/// # Errors
/// Returns an error if a flow has no path to its destination.
pub fn paths(spec: &Spec) -> Result<Vec<Vec<PortId>>, SpecError> {
    let path = |route| match route {
        Route::Path(path) => path,
        Route::Tree(_) => Vec::new(),
    };
    Ok(routes(spec)?.into_iter().map(path).collect())
}

/// The stations that are members of a group at any time, in ascending order.
pub(crate) fn ever_members(spec: &Spec, group: GroupId) -> BTreeSet<NodeId> {
    let joining = spec.changes.iter().filter_map(|change| match change.change {
        Change::Join(joined, station) if joined == group => Some(station),
        _ => None,
    });
    spec.groups[group.index()].members.iter().copied().chain(joining).collect()
}

fn outside(topology: &Topology, mut path: Vec<PortId>) -> Vec<PortId> {
    path.retain(|&port| !topology.is_inside(port));
    path
}
