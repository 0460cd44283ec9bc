//! The routes of flows, and the properties of flows that bridges use.

use std::sync::Arc;

use setpoint_control::Tenant;
use setpoint_random::mix;

use crate::frame::Frame;
use crate::ids::{FlowId, PortId};
use crate::index::{Conversation, HopNo, Number, PortNo, Table};
use crate::network::node::conversation::Conversations;
use crate::prefetch::prefetch;
use crate::spec::Reaction;

/// The routes of all flows, as one table of hops.
///
/// A route begins with an entry for its station, followed by one for each bridge. Routes to groups come last: they have a path
/// for each receiver ([`crate::network::node::multicast`]).
#[derive(Clone, Debug)]
pub(in crate::network) struct Routes {
    hops: Arc<[Hop]>,
    /// The port that transmits the frame at each hop.
    ports: Arc<[PortId]>,
    flows: Arc<[FlowFacts]>,
    conversations: Conversations,
    /// The seed of the run, from which the paths of messages are drawn.
    seed: u64,
    /// Paths while links are known to be down.
    detours: Arc<Detours>,
    /// The route change that is in effect.
    change: Option<usize>,
    /// The tenant to which each flow's frames are attributed; empty if no congestion point reads it.
    pub(in crate::network) tenants: Table<FlowId, Tenant>,
}

/// Routes under construction, to which paths are added.
#[derive(Clone, Debug)]
pub(in crate::network) struct RoutesInMaking {
    hops: Vec<Hop>,
    ports: Vec<PortId>,
    pub(in crate::network) flows: Table<FlowId, FlowFacts>,
    detours: Detours,
}

/// Paths that replace usual paths while links are known to be down. Empty if no link fails.
#[derive(Clone, Debug, Default)]
struct Detours {
    /// The replacement of a usual path after a route change, sorted by the change and the first entry of the usual path;
    /// `None` if the destination cannot be reached.
    ways: Vec<(usize, HopNo, Option<Way>)>,
    /// All detours, sorted by flow.
    by_flow: Vec<(FlowId, Way)>,
}

/// The entries of a path: the first entry and the number of entries.
type Way = (HopNo, u32);

/// The path of a frame through a bridge; [`NOWHERE`] for a station.
#[derive(Clone, Copy, Debug)]
pub(in crate::network) struct Hop {
    /// The port through which it arrives, and through which notifications go back.
    pub(in crate::network) input: PortNo,
    /// The port through which it leaves.
    pub(in crate::network) output: PortNo,
}

/// The ports of a station's entry.
const NOWHERE: PortNo = PortNo(u32::MAX);

/// The properties of a flow that bridges use.
#[derive(Clone, Copy, Debug)]
pub(in crate::network) struct FlowFacts {
    /// Its first entry in the table, and the number of its entries on all paths.
    pub(in crate::network) first: HopNo,
    pub(in crate::network) length: u32,
    /// The number of paths of the same length among which its messages are divided; one for a tree.
    pub(in crate::network) paths: u16,
    pub(in crate::network) class: u8,
    pub(in crate::network) reaction: Reaction,
}

impl HopNo {
    /// The hop before this one.
    #[inline]
    pub(in crate::network) fn before(self) -> Self {
        Self(self.0 - 1)
    }
}

impl RoutesInMaking {
    /// An empty table with capacity for the routes of `flows` flows, with `entries` entries in total.
    pub(in crate::network) fn with_capacity(flows: usize, entries: usize) -> Self {
        Self {
            hops: Vec::with_capacity(entries),
            ports: Vec::with_capacity(entries),
            flows: Table::with_capacity(flows),
            detours: Detours::default(),
        }
    }

    /// Adds the path that replaces the usual path with the given first entry after a route change.
    pub(in crate::network) fn add_detour(
        &mut self,
        (flow, change, usual): (FlowId, usize, HopNo),
        path: Option<&[PortId]>,
        number: impl Fn(PortId) -> PortNo,
    ) {
        let way = path.map(|path| (self.add(path, number), path.len() as u32));
        self.detours.ways.push((change, usual, way));
        self.detours.by_flow.extend(way.map(|way| (flow, way)));
    }

    /// The number of entries.
    pub(in crate::network) fn len(&self) -> usize {
        self.ports.len()
    }

    /// Appends a path of ports; `number` returns the number of a bridge's port. Returns the first entry.
    pub(in crate::network) fn add(&mut self, path: &[PortId], number: impl Fn(PortId) -> PortNo) -> HopNo {
        let first = HopNo(self.ports.len() as u32);
        let mut input = NOWHERE;
        for (place, &port) in path.iter().enumerate() {
            let output = if place == 0 { NOWHERE } else { number(port) };
            self.hops.push(Hop { input, output });
            self.ports.push(port);
            if place + 1 < path.len() {
                input = number(port.peer());
            }
        }
        first
    }

    /// The finished routes.
    pub(in crate::network) fn finish(self, seed: u64, tenants: Table<FlowId, Tenant>) -> Routes {
        let flows: Arc<[FlowFacts]> = self.flows.into_iter().collect();
        let conversations = Conversations::new(flows.len());
        let mut detours = self.detours;
        detours.ways.sort_unstable_by_key(|(change, usual, _)| (*change, *usual));
        Routes {
            hops: self.hops.into(),
            ports: self.ports.into(),
            flows,
            conversations,
            seed,
            detours: detours.into(),
            change: None,
            tenants,
        }
    }
}

impl Routes {
    /// The number of entries.
    pub(in crate::network) fn len(&self) -> usize {
        self.ports.len()
    }

    /// The routes, without the tenants that congestion points read.
    pub(in crate::network) fn without_tenants(self) -> Self {
        Self { tenants: Table::default(), ..self }
    }

    /// The number of flows.
    pub(in crate::network) fn flow_count(&self) -> usize {
        self.flows.len()
    }

    /// The conversations of its flows.
    #[inline]
    pub(in crate::network) fn conversations(&self) -> Conversations {
        self.conversations
    }

    /// The flow of a frame.
    #[inline]
    pub(in crate::network) fn flow_of(&self, frame: Frame) -> FlowId {
        self.conversations().flow_of(frame.conversation())
    }

    /// The tenant to which a frame is attributed, if congestion points read it.
    #[inline]
    pub(in crate::network) fn tenant_of(&self, frame: Frame) -> Tenant {
        if self.tenants.len() == 0 { Tenant::ANYONE } else { self.tenants[self.flow_of(frame)] }
    }

    /// The properties of a flow that bridges use.
    #[inline]
    pub(in crate::network) fn facts(&self, flow: FlowId) -> &FlowFacts {
        &self.flows[flow.index()]
    }

    /// The port through which data frames of a frame's flow arrive at the bridge of the frame's hop.
    #[inline]
    pub(in crate::network) fn input_of(&self, frame: Frame) -> PortNo {
        self.hops[frame.hop().place()].input
    }

    /// The port through which a data frame or a reply arrived at its current bridge. A reply travels the path backwards.
    #[inline]
    pub(in crate::network) fn arrived_at(&self, frame: Frame) -> PortNo {
        if frame.is_data() { self.input_of(frame) } else { self.output_of(frame) }
    }

    /// Prefetches the path of a frame through its current bridge.
    #[inline]
    pub(in crate::network) fn prefetch(&self, frame: Frame) {
        prefetch(&self.hops[frame.hop().place()]);
    }

    /// The port through which data frames of a frame's flow leave the bridge of the frame's hop.
    #[inline]
    pub(in crate::network) fn output_of(&self, frame: Frame) -> PortNo {
        self.hops[frame.hop().place()].output
    }

    /// The ports of a range of entries.
    pub(in crate::network) fn ports(&self, first: HopNo, length: u32) -> &[PortId] {
        &self.ports[first.0 as usize..][..length as usize]
    }

    /// The ports of all entries of a flow, without detours. For a flow to one station, these are its paths, starting at its own station.
    pub(in crate::network) fn ports_of(&self, flow: FlowId) -> &[PortId] {
        let facts = self.facts(flow);
        self.ports(facts.first, facts.length)
    }

    /// The paths of a flow to one station, including detours.
    pub(in crate::network) fn paths_of(&self, flow: FlowId) -> impl Iterator<Item = &[PortId]> {
        let facts = self.facts(flow);
        self.ports_of(flow)
            .chunks((facts.length / u32::from(facts.paths)).max(1) as usize)
            .chain(self.detours_of(flow))
    }

    /// The ports of all entries of a flow and of its detours.
    pub(in crate::network) fn ports_with_detours(&self, flow: FlowId) -> impl Iterator<Item = &PortId> {
        self.ports_of(flow).iter().chain(self.detours_of(flow).flatten())
    }

    fn detours_of(&self, flow: FlowId) -> impl Iterator<Item = &[PortId]> {
        let by_flow = &self.detours.by_flow;
        let own = by_flow[by_flow.partition_point(|(other, _)| *other < flow)..].iter();
        own.take_while(move |(other, _)| *other == flow)
            .map(|&(_, (first, length))| self.ports(first, length))
    }

    /// Whether frames may take other paths after the failure of a link.
    pub(in crate::network) fn may_change(&self) -> bool {
        !self.detours.ways.is_empty()
    }

    /// Makes a route change take effect.
    pub(in crate::network) fn change(&mut self, change: usize) {
        self.change = Some(change);
    }

    /// The path that currently replaces a usual path; `Some(None)` if the destination cannot be reached.
    fn detour(&self, usual: HopNo) -> Option<Option<Way>> {
        let ways = &self.detours.ways;
        let key = (self.change?, usual);
        let found = ways.binary_search_by_key(&key, |(change, usual, _)| (*change, *usual)).ok()?;
        Some(ways[found].2)
    }

    /// Whether no path to the destination of a conversation is known.
    pub(in crate::network) fn is_unreachable(&self, conversation: Conversation) -> bool {
        self.detour(self.usual_way_of(conversation).0) == Some(None)
    }

    /// The current entries of a conversation: the first entry and the number of entries. A hash selects the path of a message.
    /// If the destination cannot be reached, returns the entries of the usual path.
    pub(in crate::network) fn way_of(&self, conversation: Conversation) -> Way {
        let usual = self.usual_way_of(conversation);
        self.detour(usual.0).flatten().unwrap_or(usual)
    }

    /// The entries of a conversation while all links are up.
    fn usual_way_of(&self, conversation: Conversation) -> Way {
        let facts = self.facts(self.conversations().flow_of(conversation));
        let length = facts.length / u32::from(facts.paths);
        let hash = mix(self.seed ^ mix(u64::from(conversation.0)));
        let path = ((u128::from(hash) * u128::from(facts.paths)) >> 64) as u32;
        (HopNo(facts.first.0 + path * length), length)
    }

    /// The first hop of a conversation that satisfies a condition.
    pub(in crate::network) fn find(
        &self,
        conversation: Conversation,
        is_there: impl Fn(Hop) -> bool,
    ) -> Option<HopNo> {
        let (first, length) = self.way_of(conversation);
        (0..length).map(|place| HopNo(first.0 + place)).find(|&hop| is_there(self.hops[hop.place()]))
    }
}
