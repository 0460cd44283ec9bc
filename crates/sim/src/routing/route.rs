//! The routes of all flows in a spec.

use std::collections::{BTreeMap, BTreeSet};

use setpoint_units::Time;

use super::tree::TreeFrom;
use super::{Choice, Neighbours, RouteChange, RoutesTo, ports_by_node, route_changes};
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
    /// To one station; each independent message takes one of these paths, which all have the same length.
    Paths(Vec<Vec<PortId>>),
    /// To a group: the path to each station that is a member at some time during the run, with the station,
    /// sorted by the paths' ports, so that paths with a common prefix are adjacent.
    Tree(Vec<(Vec<PortId>, NodeId)>),
    /// To one station, with other paths while links on the usual ones are known to be down.
    Rerouted(Box<Rerouted>),
}

/// A route that avoids failed links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rerouted {
    /// The path or paths while all links are up.
    pub(crate) usual: Route,
    /// The paths that replace usual paths, in the order of the route changes.
    pub(crate) detours: Vec<Detour>,
}

/// A path that replaces a usual path after one of the route changes, until the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Detour {
    /// The index of the route change.
    pub(crate) change: usize,
    /// The index of the usual path.
    pub(crate) place: usize,
    /// The ports; `None` if the destination cannot be reached. Frames then keep their usual path.
    pub(crate) path: Option<Vec<PortId>>,
}

impl Route {
    /// The route with more detours.
    fn with_detours(self, more: Vec<Detour>) -> Self {
        match self {
            Self::Rerouted(mut rerouted) => {
                rerouted.detours.extend(more);
                Self::Rerouted(rerouted)
            }
            usual => Self::Rerouted(Box::new(Rerouted { usual, detours: more })),
        }
    }

    /// The route while all links are up.
    pub(crate) fn usual(&self) -> &Self {
        if let Self::Rerouted(rerouted) = self { &rerouted.usual } else { self }
    }

    /// The paths that replace usual paths while links are known to be down.
    pub(crate) fn detours(&self) -> &[Detour] {
        if let Self::Rerouted(rerouted) = self { &rerouted.detours } else { &[] }
    }

    /// The paths to all its receivers, including detours.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &[PortId]> {
        let detours = self.detours().iter().filter_map(|detour| detour.path.as_deref());
        self.usual().usual_paths().chain(detours)
    }

    /// The paths to all its receivers while all links are up.
    pub(crate) fn usual_paths(&self) -> impl Iterator<Item = &[PortId]> {
        let (paths, tree) = match self.usual() {
            Self::Path(path) => (std::slice::from_ref(path), [].as_slice()),
            Self::Paths(paths) => (paths.as_slice(), [].as_slice()),
            Self::Tree(paths) => ([].as_slice(), paths.as_slice()),
            Self::Rerouted(_) => ([].as_slice(), [].as_slice()),
        };
        paths.iter().map(Vec::as_slice).chain(tree.iter().map(|(path, _)| path.as_slice()))
    }

    /// The number of ports that a frame and its copies pass through.
    pub(crate) fn hops(&self) -> usize {
        let alternatives = if let Self::Paths(paths) = self.usual() { paths.len().max(1) } else { 1 };
        self.usual_paths().map(<[PortId]>::len).sum::<usize>() / alternatives
    }

    /// The ports that its frames pass through while all links are up, each listed once with the share of the frames
    /// that pass through it.
    pub(crate) fn shares(&self) -> BTreeMap<PortId, f64> {
        let mut shares = BTreeMap::new();
        match self.usual() {
            Self::Path(_) | Self::Tree(_) | Self::Rerouted(_) => {
                shares.extend(self.usual_paths().flatten().map(|&port| (port, 1.0)));
            }
            Self::Paths(paths) => {
                for &port in paths.iter().flatten() {
                    *shares.entry(port).or_insert(0.0) += 1.0 / paths.len() as f64;
                }
            }
        }
        shares
    }
}

/// The maximum number of paths among which the independent messages of a flow are divided. If there are more paths, this
/// many are chosen at random.
const MOST_PATHS: usize = 16;

/// The maximum total number of paths of all flows with independent messages, if there are no more such flows than this.
const MOST_PATHS_IN_TOTAL: usize = 1 << 20;

/// The route of every flow.
pub(crate) fn routes(spec: &Spec) -> Result<Vec<Route>, SpecError> {
    let leaving = ports_by_node(&spec.topology);
    let mut paths = shortest_paths(spec);
    add_detours(spec, &mut paths);
    let route = |(index, (flow, path)): (usize, (&FlowSpec, Option<Route>))| {
        let id = FlowId(index as u32);
        match flow.destination {
            Destination::Station(_) => path.ok_or(SpecError::Unreachable(id)),
            Destination::Group(group) => tree(spec, &leaving, id, group),
        }
    };
    spec.flows.iter().zip(paths).enumerate().map(route).collect()
}

/// The path or paths of every flow to one station; `None` if there is no path, and for flows to groups.
fn shortest_paths(spec: &Spec) -> Vec<Option<Route>> {
    let neighbours = Neighbours::new(&spec.topology);
    let mut routes = vec![None; spec.flows.len()];
    let independent = spec.flows.iter().filter(|flow| flow.sends_independent_messages()).count();
    let most = (MOST_PATHS_IN_TOTAL / independent.max(1)).clamp(1, MOST_PATHS);
    let all: Vec<usize> = (0..spec.flows.len()).collect();
    for_each_way(spec, &neighbours, &all, |index, way| {
        let choice = Choice::of_flow(spec.seed, FlowId(index as u32));
        routes[index] = if spec.flows[index].sends_independent_messages() {
            way.paths(choice, most).map(Route::Paths)
        } else {
            way.path(choice).map(Route::Path)
        };
    });
    routes
}

/// Adds detours to the routes that cross links that are known to be down at some time.
///
/// A usual path without such links is kept, so that a failure moves only the flows that it affects. The others choose among
/// the shortest paths that are left, by the same hash.
fn add_detours(spec: &Spec, routes: &mut [Option<Route>]) {
    for (change, RouteChange { down, .. }) in route_changes(spec).iter().enumerate() {
        let is_broken = |path: &[PortId]| path.iter().any(|port| down.contains(&port.link()));
        let affected =
            |route: &Option<Route>| route.as_ref().is_some_and(|route| route.usual_paths().any(is_broken));
        let indices: Vec<usize> = (0..routes.len()).filter(|&index| affected(&routes[index])).collect();
        if indices.is_empty() {
            continue;
        }
        let neighbours = Neighbours::without(&spec.topology, down);
        for_each_way(spec, &neighbours, &indices, |index, way| {
            let choice = Choice::of_flow(spec.seed, FlowId(index as u32));
            let Some(usual) = routes[index].take() else { return };
            let broken = usual.usual_paths().enumerate().filter(|(_, path)| is_broken(path));
            let detour = |(place, _)| {
                let path = way.path(choice.variant(place as u32)).filter(|path| !is_broken(path));
                Detour { change, place, path }
            };
            let detours: Vec<Detour> = broken.map(detour).collect();
            routes[index] = Some(usual.with_detours(detours));
        });
    }
}

/// Calls `visit` for the given flows to one station, with their paths through a network.
///
/// All stations behind a bridge share its distances, and so do bridges with the same neighbours, such as the edge bridges of
/// a pod. Flows are grouped by these sets, so that the work grows with the number of pods, not stations, and only one
/// distance table is in memory at any time.
fn for_each_way(
    spec: &Spec,
    neighbours: &Neighbours<'_>,
    flows: &[usize],
    mut visit: impl FnMut(usize, &mut Way<'_>),
) {
    let end = |flow: &FlowSpec| match flow.destination {
        Destination::Station(station) => Some((neighbours.before(station)?, station)),
        Destination::Group(_) => None,
    };
    let ends = flows.iter().filter_map(|&index| Some((end(&spec.flows[index])?, index)));
    let mut ends: Vec<_> = ends.map(|(end, index)| (neighbours.first_twin(end.0), end, index)).collect();
    ends.sort_unstable();
    for behind in ends.chunk_by(|one, other| one.0 == other.0) {
        let mut to = RoutesTo::new(neighbours, behind[0].0);
        for &(_, (bridge, station), index) in behind {
            let source = spec.flows[index].source;
            visit(index, &mut Way { neighbours, to: &mut to, source, bridge, station });
        }
    }
}

/// The route between two stations: to the first station's bridge, from there to the second station's bridge, and on to the
/// second station.
struct Way<'a> {
    neighbours: &'a Neighbours<'a>,
    to: &'a mut RoutesTo,
    source: NodeId,
    bridge: NodeId,
    station: NodeId,
}

impl Way<'_> {
    /// The path selected by a hash.
    fn path(&mut self, choice: Choice) -> Option<Vec<PortId>> {
        let mut between = Vec::new();
        if self.bridge != self.source {
            let from = self.neighbours.before(self.source)?;
            self.to.extend(&mut between, self.neighbours, from, self.bridge, choice)?;
        }
        self.whole(&between)
    }

    /// All distinct paths, or `most` paths selected by hashes if there are more.
    fn paths(&mut self, choice: Choice, most: usize) -> Option<Vec<Vec<PortId>>> {
        let first = self.path(choice)?;
        if self.bridge == self.source || most == 1 {
            return Some(vec![first]);
        }
        let from = self.neighbours.before(self.source)?;
        let Some(all) = self.to.all_from(self.neighbours, from, self.bridge, most) else {
            return (0..most as u32).map(|number| self.path(choice.variant(number))).collect();
        };
        let mut paths: Vec<Vec<PortId>> =
            all.iter().map(|between| self.whole(between)).collect::<Option<_>>()?;
        // Paths that differ only inside a distributed bridge are the same.
        paths.dedup();
        Some(paths)
    }

    /// The path from station to station with the given ports between their bridges.
    fn whole(&self, between: &[PortId]) -> Option<Vec<PortId>> {
        let first = (self.bridge != self.source).then_some(self.neighbours.port_of(self.source)?);
        let last = self.neighbours.port_of(self.station)?.peer();
        let path = first.into_iter().chain(between.iter().copied()).chain([last]).collect();
        Some(outside(self.neighbours.topology, path))
    }
}

/// The paths of a flow to all stations that are members of its group at some time during the run.
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
/// a tree rather than a path, so its list is empty. If a flow's messages are independent, the list
/// is one of the paths that they may take. Paths after the failure of a link are not included.
///
/// # Errors
/// Returns an error if a flow has no path to its destination.
pub fn paths(spec: &Spec) -> Result<Vec<Vec<PortId>>, SpecError> {
    let path = |route: Route| match route.usual() {
        Route::Tree(_) => Vec::new(),
        usual => usual.usual_paths().next().map(<[PortId]>::to_vec).unwrap_or_default(),
    };
    Ok(routes(spec)?.into_iter().map(path).collect())
}

/// The flows that have no path without failed links, for each time at which routes change and there are such flows.
///
/// # Errors
/// Returns an error if a flow has no path to its destination even while all links are up.
pub fn cut_off(spec: &Spec) -> Result<Vec<(Time, Vec<FlowId>)>, SpecError> {
    let mut flows: Vec<Vec<FlowId>> = vec![Vec::new(); route_changes(spec).len()];
    for (index, route) in routes(spec)?.iter().enumerate() {
        for detour in route.detours().iter().filter(|detour| detour.path.is_none()) {
            let flows = &mut flows[detour.change];
            if flows.last() != Some(&FlowId(index as u32)) {
                flows.push(FlowId(index as u32));
            }
        }
    }
    let times = route_changes(spec).into_iter().map(|change| change.at);
    Ok(times.zip(flows).filter(|(_, flows)| !flows.is_empty()).collect())
}

/// The stations that are members of a group at some time during the run, in ascending order.
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
