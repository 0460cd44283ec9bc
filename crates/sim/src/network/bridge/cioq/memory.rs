//! The memory use of bridges with input buffers.

use setpoint_control::Marking;
use setpoint_units::Time;

use super::super::Bridges;
use super::arbiter::Arbiter;
use super::build::switches;
use super::interior::CellLink;
use super::slots::{Slot, Voq};
use super::{Cioq, Edge, Message};
use crate::frame::InFlight;
use crate::spec::{self, Side, Spec};
use crate::topology::NodeKind;

/// Bytes for a frame inside a bridge, excluding its entries in rings: its slot and messages about
/// it.
pub(in super::super::super) const SLOT_BYTES: usize = size_of::<Slot>() + size_of::<(Time, Message)>();

impl Bridges {
    /// Bytes of virtual output queues and culprit arrays.
    pub(in super::super::super) fn table_bytes(&self) -> usize {
        self.cioq.as_ref().map_or(0, |cioq| cioq.table_bytes())
    }

    /// Bytes of frames and cells inside bridges, and of messages about them.
    pub(in super::super::super) fn inside_bytes(&self) -> usize {
        self.cioq.as_ref().map_or(0, |cioq| cioq.frame_bytes())
    }
}

impl Cioq {
    fn table_bytes(&self) -> usize {
        let culprits = self.inputs.iter().filter_map(|input| input.culprits.as_ref());
        self.voqs.len() * size_of::<Voq>()
            + self.inputs.len() * size_of::<Edge>()
            + self.arbiters.len() * size_of::<Arbiter>()
            + culprits.map(|culprits| culprits.heap_bytes()).sum::<usize>()
    }

    fn frame_bytes(&self) -> usize {
        let of_link = |link: &CellLink| {
            link.returns.heap_bytes() + link.starts.heap_bytes() + link.waiting.heap_bytes()
        };
        let links = self.interior.iter().flat_map(|interior| interior.links.iter());
        self.slots.heap_bytes() + self.messages.heap_bytes() + links.map(of_link).sum::<usize>()
    }
}

/// Whether inputs record the owners of their units.
pub(in super::super::super) fn keeps_culprits(spec: &Spec) -> bool {
    spec.control.placement.includes(Side::Input) && spec.control.marking != Marking::Arrival
}

/// Bytes that do not depend on how full the buffers are, for a given number of classes.
pub(in super::super::super) fn fixed_bytes(spec: &Spec, classes: usize) -> u64 {
    let spec::Bridges::Cioq(cioq) = spec.bridges else { return 0 };
    let ports = spec.topology.links().len() * 2;
    let voqs: usize = switches(&spec.topology).iter().map(|outputs| outputs.len() * outputs.len()).sum();
    // Each virtual output queue may also be in its arbiter's ring.
    let voq = size_of::<Voq>() + 2 * size_of::<u32>();
    let port =
        size_of::<Edge>() + size_of::<CellLink>() + classes * size_of::<Arbiter>() + 4 * size_of::<u32>();
    let spines = spec.topology.nodes().iter().any(|node| node.kind == NodeKind::Spine);
    let cells = if spines { 8 * cioq.cells.spine_input as usize * size_of::<InFlight>() } else { 0 };
    (voqs * classes * voq + ports * (port + cells)) as u64
}
