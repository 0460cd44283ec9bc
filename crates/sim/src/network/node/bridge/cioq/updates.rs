//! Messages about cells between leaves and spines.
//!
//! A message to a bridge of the same partition is processed immediately; a message to another partition is sent at the
//! end of the window. In both cases, it takes effect only later.

use super::super::set::BridgeSet;
use super::Cioq;
use crate::index::{BridgeNo, Number};
use crate::network::node::bridge_message::CellUpdate;
use crate::network::node::context::Context;
use crate::prefetch::prefetch;

/// The number of messages by which prefetching runs ahead of processing. Each message touches a different place in memory.
const AHEAD: usize = 16;

impl BridgeSet<Cioq> {
    /// Sends a message to a bridge.
    #[inline]
    pub(super) fn send_update(&mut self, cx: &mut Context, to: BridgeNo, update: CellUpdate) {
        if self.buffers.is_here(to) {
            self.apply(cx, update);
        } else {
            cx.outbox.batch_for(cx.part_of[to.place()]).cells.push(update);
        }
    }

    #[inline]
    fn apply(&mut self, cx: &mut Context, update: CellUpdate) {
        match update {
            CellUpdate::Coming { port, arriving } => self.launch_cell(cx, port, arriving),
            CellUpdate::Expected { leaf, record, at } => self.expect_cell(cx, leaf, record, at),
            CellUpdate::Room { port, usable } => self.return_room(cx, port, usable),
        }
    }

    /// Receives messages from another partition.
    pub(in crate::network) fn apply_all(&mut self, cx: &mut Context, updates: &[CellUpdate]) {
        for (place, &one) in updates.iter().enumerate() {
            if let Some(later) = updates.get(place + AHEAD) {
                self.buffers.look_at_update(later);
            }
            self.apply(cx, one);
        }
    }
}

impl Cioq {
    /// Prefetches the state that a message concerns.
    #[inline]
    fn look_at_update(&self, update: &CellUpdate) {
        let Some(interior) = &self.interior else { return };
        match *update {
            CellUpdate::Coming { port, .. } => prefetch(&interior.spine_inputs[port]),
            CellUpdate::Expected { leaf, record, .. } => prefetch(&self.records[leaf][record]),
            CellUpdate::Room { port, .. } => prefetch(&interior.uplinks[port]),
        }
    }
}
