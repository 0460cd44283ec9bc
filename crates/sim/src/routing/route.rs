//! The routes of all flows of a spec.

use std::collections::{BTreeSet, HashMap};

use super::tree::TreeFrom;
use super::{Choice, RoutesTo, ports_by_node};
use crate::error::SpecError;
use crate::ids::{FlowId, GroupId, NodeId, PortId};
use crate::spec::{Change, Destination, Spec};
use crate::topology::{NodeKind, Topology};

/// The ports that frames of a flow pass, from its station's on. Links between leaves and spines are left out: frames do
/// not choose their way there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// To one station.
    Path(Vec<PortId>),
    /// To a group: the path to each station that is a member at any time, with the station, in the order of the paths'
    /// ports. So paths that have a beginning in common stand together.
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

    /// The port of its station.
    pub(crate) fn first(&self) -> PortId {
        self.paths().next().expect("a route has a receiver")[0]
    }
}

/// The route of every flow.
pub(crate) fn routes(spec: &Spec) -> Result<Vec<Route>, SpecError> {
    let leaving = ports_by_node(&spec.topology);
    let mut to: HashMap<NodeId, RoutesTo> = HashMap::new();
    let mut routes = Vec::with_capacity(spec.flows.len());
    for (index, flow) in spec.flows.iter().enumerate() {
        let id = FlowId(index as u32);
        routes.push(match flow.destination {
            Destination::Station(destination) => {
                let tree = to
                    .entry(destination)
                    .or_insert_with(|| RoutesTo::new(&spec.topology, &leaving, destination));
                let choice = Choice::of_flow(spec.seed, id);
                let path = tree.path(&spec.topology, &leaving, flow.source, choice);
                Route::Path(outside(&spec.topology, path.ok_or(SpecError::Unreachable(id))?))
            }
            Destination::Group(group) => {
                let choice = Choice::of_group(spec.seed, group);
                let tree = TreeFrom::new(&spec.topology, &leaving, flow.source, choice);
                let path = |member: NodeId| match tree.path(&spec.topology, member) {
                    Some(path) => Ok((outside(&spec.topology, path), member)),
                    None => Err(SpecError::UnreachableMember(id, member)),
                };
                let paths: Result<BTreeSet<_>, _> = ever_members(spec, group).into_iter().map(path).collect();
                Route::Tree(paths?.into_iter().collect())
            }
        });
    }
    Ok(routes)
}

/// The ports that frames of each flow pass, from its station's on. A flow to a group has a tree and no path: its list is
/// empty.
///
/// # Errors
/// If a flow has no way to its destination.
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
    path.retain(|&port| !is_inside(topology, port));
    path
}

/// Whether a port is at an end of a link between a leaf and a spine.
pub(crate) fn is_inside(topology: &Topology, port: PortId) -> bool {
    [topology.source(port), topology.target(port)]
        .into_iter()
        .any(|node| topology.node_at(node).kind == NodeKind::Spine)
}
