//! The memory use of bridges with input buffers.

use setpoint_units::Time;

use super::super::set::BridgeSet;
use super::arbiter::Arbiter;
use super::build::switches;
use super::control::Inbox;
use super::expected::{Expected, Record};
use super::interior::{AtLeaf, AtSpine, Downlink, SpineInput, Uplink};
use super::pool::Pool;
use super::slots::{Slot, Voq};
use super::{Cioq, Edge};
use crate::network::node::bridge_message::{Arriving, TimedMessage};
use crate::spec::{self, Spec};
use crate::topology::NodeKind;

/// Bytes for a frame inside a bridge, excluding its entries in rings: its slot, its record and messages about
/// it.
pub(in crate::network) const SLOT_BYTES: usize =
    size_of::<Slot>() + size_of::<Record>() + size_of::<TimedMessage>();

impl BridgeSet<Cioq> {
    /// Bytes used by virtual output queues and culprit arrays.
    pub(in super::super) fn table_bytes(&self) -> usize {
        self.buffers.table_bytes()
    }

    /// Bytes used by frames and cells inside bridges, and by messages about them.
    pub(in super::super) fn inside_bytes(&self) -> usize {
        self.buffers.frame_bytes()
    }
}

impl Cioq {
    fn table_bytes(&self) -> usize {
        let culprits = self.inputs.iter().filter_map(|input| input.culprits.as_ref());
        self.voqs.len() * (size_of::<Voq>() + size_of::<Expected>())
            + self.inputs.len() * size_of::<Edge>()
            + self.arbiters.len() * size_of::<Arbiter>()
            + culprits.map(|culprits| culprits.heap_bytes()).sum::<usize>()
    }

    fn frame_bytes(&self) -> usize {
        let up = |link: &Uplink| link.returns.heap_bytes() + link.waiting.heap_bytes();
        let down = |link: &Downlink| link.starts.heap_bytes() + link.waiting.heap_bytes();
        let links = self.interior.iter().map(|interior| {
            let uplinks: usize = interior.uplinks.iter().map(up).sum();
            let inputs: usize = interior.spine_inputs.iter().map(|input| input.arriving.heap_bytes()).sum();
            uplinks + inputs + interior.downlinks.iter().map(down).sum::<usize>()
        });
        let slots: usize = self.slots.iter().map(Pool::heap_bytes).sum();
        let records: usize = self.records.iter().map(Pool::heap_bytes).sum();
        let inboxes: usize = self.inboxes.iter().map(Inbox::heap_bytes).sum();
        slots + records + inboxes + links.sum::<usize>()
    }
}

/// Bytes that do not depend on how full the buffers are, for a given number of classes.
pub(in crate::network) fn fixed_bytes(spec: &Spec, classes: usize) -> u64 {
    let spec::Bridges::Cioq(cioq) = spec.bridges else { return 0 };
    let ports = spec.topology.links().len() * 2;
    let voqs: usize = switches(&spec.topology).iter().map(|outputs| outputs.len() * outputs.len()).sum();
    // Each virtual output queue may also be in its arbiter's ring.
    let voq = size_of::<Voq>() + size_of::<Expected>() + 2 * size_of::<u32>();
    let links = size_of::<Uplink>() + size_of::<SpineInput>() + size_of::<Downlink>();
    let port = size_of::<Edge>() + links + classes * size_of::<Arbiter>() + 4 * size_of::<u32>();
    let spines = spec.topology.nodes().iter().any(|node| node.kind == NodeKind::Spine);
    // The rings for a link's cells and for their times.
    let ring = size_of::<Arriving>() + size_of::<AtLeaf>() + size_of::<AtSpine>() + 2 * size_of::<Time>();
    let cells = if spines { 2 * cioq.cells.spine_input as usize * ring } else { 0 };
    (voqs * classes * voq + ports * (port + cells)) as u64
}
