//! The interior of a distributed bridge: links between leaves and spines, and the cells waiting for them.

use std::ops::Range;

use setpoint_random::{Purpose, RandomStream};
use setpoint_units::{Time, TimeDelta};

use super::super::Numbers;
use crate::ids::{NodeId, PortId};
use crate::index::{BridgeNo, PortNo, SlotNo, Stretch, Table};
use crate::network::node::bridge_message::{Arriving, Cell};
use crate::network::node::port::Port;
use crate::ring::{Ring, ShortRing};
use crate::spec::{Cells, Spec, Spraying};
use crate::topology::NodeKind;

/// The links between leaves and spines.
#[derive(Clone, Debug)]
pub(super) struct Interior {
    pub(super) cells: Cells,
    /// For each bridge, its index among the leaves or among the spines; [`NOWHERE`] for other bridges.
    ranks: Table<BridgeNo, u32>,
    /// For each port, the bridge port at the other end of its link, if there is one.
    pub(super) far_end: Table<PortNo, PortNo>,
    leaves: Vec<Leaf>,
    /// The port from a spine to a leaf, by spine and then by leaf.
    down: Vec<PortNo>,
    /// For each port from a leaf to a spine, the state of its link; unused for other ports.
    pub(super) uplinks: Stretch<PortNo, Uplink>,
    /// For each port of a spine, the link from the leaf; unused for other ports.
    pub(super) spine_inputs: Stretch<PortNo, SpineInput>,
    /// For each port from a spine to a leaf, the state of its link; unused for other ports.
    pub(super) downlinks: Stretch<PortNo, Downlink>,
}

/// An index for bridges and ports outside this fabric.
const NOWHERE: u32 = u32::MAX;

/// A leaf, with the state from which it chooses links.
#[derive(Clone, Debug)]
struct Leaf {
    bridge: BridgeNo,
    /// Its ports to spines.
    up: Vec<PortNo>,
    turn: u32,
    entropy: RandomStream,
}

/// A link from a leaf to a spine, as seen by the leaf. Takes two cache lines, like the other links; usually only the first
/// is accessed.
#[derive(Clone, Debug, Default)]
#[repr(C, align(128))]
pub(super) struct Uplink {
    /// The number of cells in the buffer at the far end or in flight to it.
    pub(super) ahead: u32,
    /// Whether an [`Event::CellRoom`](crate::events::Event) is pending.
    pub(super) armed: bool,
    /// Cells waiting for buffer space at the far end.
    pub(super) waiting: Ring<AtLeaf>,
    /// The time at which freed buffer space at the far end can be used.
    pub(super) returns: ShortRing<Time, 8>,
}

/// A link from a leaf to a spine, as seen by the spine.
#[derive(Clone, Debug, Default)]
#[repr(C, align(128))]
pub(super) struct SpineInput {
    /// The time that a report of freed buffer space takes to reach the leaf.
    pub(super) delay: TimeDelta,
    /// Cells in flight.
    pub(super) arriving: ShortRing<Arriving, 6>,
}

/// A link from a spine to a leaf, as seen by the spine.
#[derive(Clone, Debug, Default)]
#[repr(C, align(128))]
pub(super) struct Downlink {
    /// Whether an [`Event::CellRoom`](crate::events::Event) is pending.
    pub(super) armed: bool,
    /// Cells waiting at the spine's inputs for buffer space at this output.
    pub(super) waiting: Ring<AtSpine>,
    /// The time at which the transmission of each buffered cell begins.
    pub(super) starts: ShortRing<Time, 8>,
}

/// A cell at a leaf.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AtLeaf {
    pub(super) cell: Cell,
    /// The slot of its frame.
    pub(super) slot: SlotNo,
}

/// A cell at a spine.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AtSpine {
    pub(super) cell: Cell,
    /// The port at which it arrived.
    pub(super) from: PortNo,
}

impl Interior {
    /// The leaves and spines of a spec, if any. A leaf is a bridge with a link to a spine.
    pub(super) fn new(spec: &Spec, cells: Cells, numbers: &Numbers, own: &Range<PortNo>) -> Option<Self> {
        let topology = &spec.topology;
        let peer = |port: &PortId| numbers.find(port.peer()).unwrap_or(PortNo(NOWHERE));
        let spine_input = |port: &PortId| SpineInput {
            delay: topology.link_at(port.link()).delay,
            ..SpineInput::default()
        };
        let mut interior = Self {
            cells,
            ranks: numbers.bridges().iter().map(|_| NOWHERE).collect(),
            far_end: numbers.ids().iter().map(peer).collect(),
            leaves: Vec::new(),
            down: Vec::new(),
            uplinks: Stretch::new(own.start, numbers.ids_of(own).iter().map(|_| Uplink::default())),
            spine_inputs: Stretch::new(own.start, numbers.ids_of(own).iter().map(spine_input)),
            downlinks: Stretch::new(own.start, numbers.ids_of(own).iter().map(|_| Downlink::default())),
        };
        let mut spines = 0;
        for (bridge, &node) in numbers.bridges().numbered() {
            match topology.node_at(node).kind {
                NodeKind::Spine => {
                    interior.ranks[bridge] = spines;
                    spines += 1;
                }
                _ => interior.add_bridge(spec, (bridge, node), numbers),
            }
        }
        interior.down = vec![PortNo(NOWHERE); spines as usize * interior.leaves.len()];
        for (leaf, entry) in interior.leaves.iter().enumerate() {
            for &port in &entry.up {
                let far = interior.far_end[port];
                let spine = interior.ranks[numbers.bridge_of()[far]] as usize;
                interior.down[spine * interior.leaves.len() + leaf] = far;
            }
        }
        (spines > 0).then_some(interior)
    }

    /// Adds a bridge, if it is a leaf.
    fn add_bridge(&mut self, spec: &Spec, (bridge, node): (BridgeNo, NodeId), numbers: &Numbers) {
        let topology = &spec.topology;
        let is_up = |port: &PortId| {
            topology.source(*port) == node && topology.node_at(topology.target(*port)).kind == NodeKind::Spine
        };
        let ports = numbers.ids().numbered().filter(|(_, id)| is_up(id));
        let up: Vec<PortNo> = ports.map(|(number, _)| number).collect();
        if !up.is_empty() {
            let number = self.leaves.len() as u32;
            self.ranks[bridge] = number;
            let entropy = RandomStream::new(spec.seed, Purpose::Spraying, number);
            self.leaves.push(Leaf { bridge, up, turn: 0, entropy });
        }
    }

    /// The port from a spine to the leaf of a cell.
    #[inline]
    pub(super) fn down(&self, spine: BridgeNo, cell: &Cell) -> PortNo {
        self.down[self.ranks[spine] as usize * self.leaves.len() + usize::from(cell.leaf)]
    }

    /// The destination leaf of a cell.
    #[inline]
    pub(super) fn leaf_of(&self, cell: &Cell) -> BridgeNo {
        self.leaves[usize::from(cell.leaf)].bridge
    }

    /// The index of a leaf among the leaves.
    #[inline]
    pub(super) fn rank_of(&self, leaf: BridgeNo) -> u16 {
        self.ranks[leaf] as u16
    }

    /// The time that a frame's cells take to reach the far leaf in an otherwise empty network. Cells on one link follow
    /// each other as buffer space at the spine permits, and each cell is transmitted twice. All links are equal.
    pub(super) fn idle_time(&self, ports: &Stretch<PortNo, Port>, leaf: BridgeNo, bytes: u16) -> TimeDelta {
        let up = &self.leaves[self.ranks[leaf] as usize].up;
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

    /// The links that the cells of a leaf's next frame will use if the frame has six cells, as the longest frames do with
    /// cells of 256 bytes, and if links take turns.
    #[inline]
    pub(super) fn next_links(&self, leaf: BridgeNo) -> impl Iterator<Item = PortNo> {
        let leaf = &self.leaves[self.ranks[leaf] as usize];
        let next = leaf.turn as usize + 1;
        leaf.up.iter().chain(&leaf.up).skip(next).take(6).copied()
    }

    /// The link for a leaf's next cell.
    #[inline]
    pub(super) fn next_link(&mut self, leaf: BridgeNo) -> PortNo {
        let leaf = &mut self.leaves[self.ranks[leaf] as usize];
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

impl Uplink {
    /// Reclaims freed buffer space at the far end that can be used by now.
    #[inline]
    pub(super) fn collect_returns(&mut self, now: Time) {
        while let Some(&at) = self.returns.front()
            && at <= now
        {
            self.returns.pop_front();
            self.ahead -= 1;
        }
    }
}

impl Downlink {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_two_cache_lines_on_each_side() {
        let sizes = [size_of::<Uplink>(), size_of::<SpineInput>(), size_of::<Downlink>()];
        assert_eq!(sizes, [128; 3]);
    }
}
