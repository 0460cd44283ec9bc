//! What joins the leaves of a distributed bridge: who is linked to whom, and what waits before each link.

use setpoint_units::{Time, TimeDelta};

use super::super::port::Port;
use crate::frame::Frame;
use crate::ids::PortId;
use crate::random::{Purpose, RandomStream};
use crate::ring::Ring;
use crate::routing::ports_by_node;
use crate::spec::{Cells, Spec, Spraying};
use crate::topology::{Node, NodeKind, Topology};

/// What joins the leaves.
#[derive(Clone, Debug)]
pub(super) struct Interior {
    pub(super) cells: Cells,
    /// By port: the leaf that an edge port belongs to, whichever way it goes; [`NOWHERE`] for others.
    pub(super) leaf_of: Vec<u32>,
    /// By port: the spine that a port from a leaf leads to.
    pub(super) spine_of: Vec<u32>,
    pub(super) leaves: Vec<Leaf>,
    /// The port from a spine to a leaf, by spine and then by leaf.
    pub(super) down: Vec<u32>,
    /// By port: what waits before links between leaves and spines.
    pub(super) links: Vec<CellLink>,
}

/// Not a place in this fabric.
pub(super) const NOWHERE: u32 = u32::MAX;

/// How a leaf chooses its links.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// Its ports to spines.
    pub(super) up: Vec<u32>,
    pub(super) turn: u32,
    pub(super) entropy: RandomStream,
}

/// A link between a leaf and a spine, as its sender sees it.
#[derive(Clone, Debug, Default)]
pub(super) struct CellLink {
    /// From a leaf: cells in the buffer at its far end, or on their way there.
    pub(super) ahead: u32,
    /// From a leaf: when room at the far end that has become free can be used.
    pub(super) returns: Ring<Time>,
    /// From a spine: when the cells in its buffer begin to be sent.
    pub(super) starts: Ring<Time>,
    /// Cells that wait for room: at the leaf for the spine's input, at the spine's inputs for its output.
    pub(super) waiting: Ring<Waiting>,
    /// Whether an [`Event::CellRoom`] is pending.
    pub(super) armed: bool,
}

/// A cell that waits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Waiting {
    pub(super) cell: Frame,
    /// The port that brought it to the spine.
    pub(super) from: u32,
}

impl Interior {
    /// The leaves and spines of a spec, if it has any. A leaf is a bridge that has a link to a spine.
    pub(super) fn new(spec: &Spec, cells: Cells) -> Option<Self> {
        let topology = &spec.topology;
        let spines = numbers_of_spines(topology);
        let count = spines.iter().flatten().count();
        let ports = topology.links().len() * 2;
        let mut interior = Self {
            cells,
            leaf_of: vec![NOWHERE; ports],
            spine_of: vec![NOWHERE; ports],
            leaves: Vec::new(),
            down: Vec::new(),
            links: vec![CellLink::default(); ports],
        };
        for (node, ports) in topology.nodes().iter().zip(ports_by_node(topology)) {
            if node.kind == NodeKind::Bridge {
                interior.add_bridge(spec, &ports, &spines);
            }
        }
        interior.down = vec![NOWHERE; count * interior.leaves.len()];
        for (number, leaf) in interior.leaves.iter().enumerate() {
            for &port in &leaf.up {
                let spine = interior.spine_of[port as usize] as usize;
                interior.down[spine * interior.leaves.len() + number] = PortId(port).peer().0;
            }
        }
        (count > 0).then_some(interior)
    }

    /// Adds a bridge with its ports, if it is a leaf.
    fn add_bridge(&mut self, spec: &Spec, ports: &[PortId], spines: &[Option<u32>]) {
        let spine = |port: &PortId| spines[spec.topology.target(*port).index()];
        let (up, edges): (Vec<PortId>, Vec<PortId>) = ports.iter().partition(|port| spine(port).is_some());
        if up.is_empty() {
            return;
        }
        let number = self.leaves.len() as u32;
        for port in edges {
            self.leaf_of[port.index()] = number;
            self.leaf_of[port.peer().index()] = number;
        }
        for port in &up {
            self.spine_of[port.index()] = spine(port).unwrap_or(NOWHERE);
        }
        let entropy = RandomStream::new(spec.seed, Purpose::Spraying, number);
        self.leaves.push(Leaf { up: up.iter().map(|port| port.0).collect(), turn: 0, entropy });
    }

    /// Whether frames from an input to an output cross spines.
    #[inline]
    pub(super) fn joins(&self, input: u32, output: u32) -> bool {
        let (from, to) = (self.leaf_of[input as usize], self.leaf_of[output as usize]);
        from != to && from != NOWHERE && to != NOWHERE
    }

    /// How long the cells of a frame take to the far leaf when nothing else is there: those on one link follow each
    /// other, as there is room at the spine, and each is sent twice. All links are alike.
    pub(super) fn idle_time(&self, ports: &[Port], input: u32, bytes: u16) -> TimeDelta {
        let up = &self.leaves[self.leaf_of[input as usize] as usize].up;
        let port = &ports[up[0] as usize];
        let (payload, header) = (self.cells.payload.get() as u16, self.cells.header.get() as u16);
        let room = up.len().saturating_mul(self.cells.spine_input as usize);
        let before = |times: &[TimeDelta], cell: usize, back: usize| {
            cell.checked_sub(back).map_or(TimeDelta::ZERO, |earlier| times[earlier])
        };
        let (mut sent, mut sent_on) = (Vec::new(), Vec::new());
        let mut left = bytes;
        for cell in 0..usize::from(bytes.div_ceil(payload)) {
            let part = left.min(payload);
            left -= part;
            let span = port.transmission_time(part + header);
            let mut start = before(&sent, cell, up.len());
            if cell >= room {
                start = start.max(before(&sent, cell, room) + port.delay * 2);
            }
            sent.push(start + span);
            sent_on.push(before(&sent_on, cell, up.len()).max(sent[cell]) + span);
        }
        sent_on.into_iter().max().unwrap_or_default() + port.delay * 2
    }

    /// The link that a leaf gives its next cell.
    #[inline]
    pub(super) fn next_link(&mut self, leaf: u32) -> u32 {
        let leaf = &mut self.leaves[leaf as usize];
        let count = leaf.up.len() as u32;
        match self.cells.spraying {
            Spraying::RoundRobin => {
                leaf.turn = if leaf.turn + 1 == count { 0 } else { leaf.turn + 1 };
                leaf.up[leaf.turn as usize]
            }
            Spraying::Random => leaf.up[leaf.entropy.below(u64::from(count)) as usize],
        }
    }
}

impl CellLink {
    /// Counts room at the far end that can be used by now.
    #[inline]
    pub(super) fn collect_returns(&mut self, now: Time) {
        while let Some(&at) = self.returns.front()
            && at <= now
        {
            self.returns.pop_front();
            self.ahead -= 1;
        }
    }

    /// Forgets cells whose transmission has begun.
    #[inline]
    pub(super) fn collect_starts(&mut self, now: Time) {
        while let Some(&at) = self.starts.front()
            && at <= now
        {
            self.starts.pop_front();
        }
    }
}

/// By node: its number among the spines, if it is one.
fn numbers_of_spines(topology: &Topology) -> Vec<Option<u32>> {
    let mut count = 0;
    let number = |node: &Node| {
        (node.kind == NodeKind::Spine).then(|| {
            count += 1;
            count - 1
        })
    };
    topology.nodes().iter().map(number).collect()
}
