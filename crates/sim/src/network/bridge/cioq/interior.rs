//! The interior of a distributed bridge: links between leaves and spines, and the cells that wait for them.

use setpoint_units::{Time, TimeDelta};

use super::super::super::port::Port;
use super::super::Numbers;
use crate::frame::Frame;
use crate::ids::PortId;
use crate::index::{PortNo, Table};
use crate::random::{Purpose, RandomStream};
use crate::ring::Ring;
use crate::routing::ports_by_node;
use crate::spec::{Cells, Spec, Spraying};
use crate::topology::{Node, NodeKind, Topology};

/// The links between leaves and spines.
#[derive(Clone, Debug)]
pub(super) struct Interior {
    pub(super) cells: Cells,
    /// For each edge port, its leaf; [`NOWHERE`] for other ports.
    pub(super) leaf_of: Table<PortNo, u32>,
    /// For each port from a leaf to a spine, the spine.
    pub(super) spine_of: Table<PortNo, u32>,
    /// For each port, the bridge port at the other end of its link, if there is one.
    pub(super) far_end: Table<PortNo, PortNo>,
    pub(super) leaves: Vec<Leaf>,
    /// The port from a spine to a leaf, by spine and then by leaf.
    pub(super) down: Vec<PortNo>,
    /// For each port, the state of the link between leaf and spine.
    pub(super) links: Table<PortNo, CellLink>,
}

/// An index for ports outside this fabric.
pub(super) const NOWHERE: u32 = u32::MAX;

/// A leaf's choice of links.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// Its ports to spines.
    pub(super) up: Vec<PortNo>,
    pub(super) turn: u32,
    pub(super) entropy: RandomStream,
}

/// A link between a leaf and a spine, as seen by its sender.
#[derive(Clone, Debug, Default)]
pub(super) struct CellLink {
    /// From a leaf: cells in the buffer at the far end or on their way there.
    pub(super) ahead: u32,
    /// From a leaf: when freed room at the far end can be used.
    pub(super) returns: Ring<Time>,
    /// From a spine: when transmission of each buffered cell begins.
    pub(super) starts: Ring<Time>,
    /// Cells waiting for room: at a leaf, for the spine's input; at a spine's inputs, for its output.
    pub(super) waiting: Ring<Waiting>,
    /// Whether an [`Event::CellRoom`] is pending.
    pub(super) armed: bool,
}

/// A waiting cell.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Waiting {
    pub(super) cell: Frame,
    /// The port of the leaf that sent it.
    pub(super) from: PortNo,
}

impl Interior {
    /// The leaves and spines of a spec, if any. A leaf is a bridge with a link to a spine.
    pub(super) fn new(spec: &Spec, cells: Cells, numbers: &Numbers) -> Option<Self> {
        let topology = &spec.topology;
        let spines = numbers_of_spines(topology);
        let count = spines.iter().flatten().count();
        let nowhere = || numbers.ids().iter().map(|_| NOWHERE).collect();
        let peer = |port: &PortId| numbers.find(port.peer()).unwrap_or(PortNo(NOWHERE));
        let mut interior = Self {
            cells,
            leaf_of: nowhere(),
            spine_of: nowhere(),
            far_end: numbers.ids().iter().map(peer).collect(),
            leaves: Vec::new(),
            down: Vec::new(),
            links: numbers.ids().iter().map(|_| CellLink::default()).collect(),
        };
        for (node, ports) in topology.nodes().iter().zip(ports_by_node(topology)) {
            if node.kind == NodeKind::Bridge {
                interior.add_bridge(spec, &ports, &spines, numbers);
            }
        }
        interior.down = vec![PortNo(NOWHERE); count * interior.leaves.len()];
        for (number, leaf) in interior.leaves.iter().enumerate() {
            for &port in &leaf.up {
                let spine = interior.spine_of[port] as usize;
                interior.down[spine * interior.leaves.len() + number] = interior.far_end[port];
            }
        }
        (count > 0).then_some(interior)
    }

    /// Adds the ports of a bridge, if it is a leaf.
    fn add_bridge(&mut self, spec: &Spec, ports: &[PortId], spines: &[Option<u32>], numbers: &Numbers) {
        let spine = |port: &PortId| spines[spec.topology.target(*port).index()];
        let (up, edges): (Vec<PortId>, Vec<PortId>) = ports.iter().partition(|port| spine(port).is_some());
        if up.is_empty() {
            return;
        }
        let number = self.leaves.len() as u32;
        for port in edges {
            self.leaf_of[numbers.of(port)] = number;
        }
        for port in &up {
            self.spine_of[numbers.of(*port)] = spine(port).unwrap_or(NOWHERE);
        }
        let entropy = RandomStream::new(spec.seed, Purpose::Spraying, number);
        self.leaves.push(Leaf { up: up.iter().map(|port| numbers.of(*port)).collect(), turn: 0, entropy });
    }

    /// Whether frames from an input to an output cross spines.
    #[inline]
    pub(super) fn joins(&self, input: PortNo, output: PortNo) -> bool {
        let (from, to) = (self.leaf_of[input], self.leaf_of[output]);
        from != to && from != NOWHERE && to != NOWHERE
    }

    /// How long a frame's cells take to reach the far leaf in an otherwise empty network. Cells on one link
    /// follow each other as room at the spine permits, and each is transmitted twice. All links are equal.
    pub(super) fn idle_time(&self, ports: &Table<PortNo, Port>, input: PortNo, bytes: u16) -> TimeDelta {
        let up = &self.leaves[self.leaf_of[input] as usize].up;
        let port = &ports[up[0]];
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
                start = start.max(before(&sent, cell, room) + port.delay() * 2);
            }
            sent.push(start + span);
            sent_on.push(before(&sent_on, cell, up.len()).max(sent[cell]) + span);
        }
        sent_on.into_iter().max().unwrap_or_default() + port.delay() * 2
    }

    /// The link for a leaf's next cell.
    #[inline]
    pub(super) fn next_link(&mut self, leaf: u32) -> PortNo {
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
    /// Reclaims freed room at the far end that can be used by now.
    #[inline]
    pub(super) fn collect_returns(&mut self, now: Time) {
        while let Some(&at) = self.returns.front()
            && at <= now
        {
            self.returns.pop_front();
            self.ahead -= 1;
        }
    }

    /// Removes cells whose transmission has begun.
    #[inline]
    pub(super) fn collect_starts(&mut self, now: Time) {
        while let Some(&at) = self.starts.front()
            && at <= now
        {
            self.starts.pop_front();
        }
    }
}

/// For each node, its number among the spines, if it is a spine.
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
