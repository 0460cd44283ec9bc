//! Prefetching the state of a bridge with input buffers that is about to handle an event.

use super::super::core::Core;
use super::super::set::BridgeSet;
use super::Cioq;
use crate::frame::Frame;
use crate::index::{BridgeNo, PortNo, QueueNo, RecordNo, SlotNo};
use crate::network::node::bridge_message::{Arriving, ControlMessage};
use crate::network::node::context::Context;
use crate::prefetch::prefetch;

impl BridgeSet<Cioq> {
    /// Prefetches the state needed when a frame enters an input.
    #[inline]
    pub(super) fn look_at_input(&self, cx: &Context, frame: Frame, depth: u32) {
        let cioq = &self.buffers;
        let (input, output) = (cx.routes.input_of(frame), cx.routes.output_of(frame));
        if depth > 0 {
            return self.core.look_at_dwell(self.core.input_queue(input, frame.class()));
        }
        prefetch(&cioq.inputs[input]);
        self.core.look_at_queue(self.core.input_queue(input, frame.class()));
        prefetch(&self.core.inputs[input]);
        prefetch(&cioq.voqs[cioq.pair(input, output, frame.class())]);
    }

    /// Prefetches the state needed for the next cell that arrives at a port of a spine.
    #[inline]
    pub(super) fn look_at_cell(&self, port: PortNo, depth: u32) {
        let cioq = &self.buffers;
        let Some(interior) = &cioq.interior else { return };
        let input = &interior.spine_inputs[port];
        if depth == 0 {
            return prefetch(input);
        }
        let Some(Arriving { cell, .. }) = input.arriving.front() else { return };
        if depth == 1 {
            let (down, up) = (interior.down(cioq.bridge_of[port], cell), interior.far_end[port]);
            prefetch(&self.core.ports[down].free_at);
            prefetch(&interior.downlinks[down]);
            if interior.uplinks.includes(up) {
                prefetch(&interior.uplinks[up]);
            }
            let leaf = interior.leaf_of(cell);
            if cioq.is_here(leaf) {
                prefetch(&cioq.records[leaf][cell.record]);
            }
        }
    }

    /// Prefetches the state needed for the first message to a bridge.
    #[inline]
    pub(super) fn look_at_inbox(&self, cx: &Context, bridge: BridgeNo, depth: u32) {
        let cioq = &self.buffers;
        let Some(first) = cioq.inboxes[bridge].first() else { return };
        if depth == 0 {
            return prefetch(first);
        }
        match *first {
            ControlMessage::Request { input, output, class, .. } => {
                if depth == 1 {
                    prefetch(&cioq.inputs[output].voqs);
                } else if depth == 2 {
                    prefetch(&cioq.expected[cioq.pair(output, input, class)]);
                    prefetch(&cioq.arbiters[self.core.queue_of(output, class)]);
                }
            }
            ControlMessage::Grant { input, output, class, record } => {
                cioq.look_at_grant(&self.core, (input, output, class), record, depth);
            }
            ControlMessage::Acknowledge(slot) => self.look_at_slot(cx, bridge, slot, depth - 1),
            ControlMessage::Notify(_) => (),
        }
    }

    /// Prefetches the state needed to release a frame at its input.
    #[inline]
    pub(super) fn look_at_slot(&self, cx: &Context, bridge: BridgeNo, number: SlotNo, depth: u32) {
        let cioq = &self.buffers;
        let slot = &cioq.slots[bridge][number];
        match depth {
            0 => prefetch(slot),
            1 => {
                cx.routes.prefetch(slot.frame);
                prefetch(&cioq.voqs[slot.voq]);
            }
            2 => {
                let input = cx.routes.input_of(slot.frame);
                prefetch(&cioq.inputs[input]);
                prefetch(&self.core.inputs[input]);
                self.core.look_at_queue(self.core.input_queue(input, slot.frame.class()));
            }
            3 => {
                let input = cx.routes.input_of(slot.frame);
                self.core.look_at_dwell(self.core.input_queue(input, slot.frame.class()));
            }
            _ => (),
        }
    }

    /// Prefetches the state needed for a frame that has arrived at its output.
    #[inline]
    pub(super) fn look_at_record(&self, cx: &Context, bridge: BridgeNo, number: RecordNo, depth: u32) {
        let cioq = &self.buffers;
        let record = &cioq.records[bridge][number];
        match depth {
            0 => prefetch(record),
            1 => {
                prefetch(&cioq.expected[record.list]);
                prefetch(&cioq.arbiters[record.queue]);
                self.core.look_at_queue(record.queue);
                cx.routes.prefetch(record.frame);
            }
            2 => {
                let output = cx.routes.output_of(record.frame);
                prefetch(&self.core.ports[output].free_at);
                if let Some(oldest) = cioq.expected[record.list].oldest() {
                    prefetch(&cioq.records[bridge][oldest]);
                }
                self.core.look_at_dwell(record.queue);
            }
            _ => (),
        }
    }
}

impl Cioq {
    /// Prefetches the record of the first frame in an output's queue, and the next request for the buffer space of that
    /// frame.
    #[inline]
    pub(super) fn look_at_stored(&self, port: PortNo, queue: QueueNo, depth: u32) {
        let (arbiter, records) = (&self.arbiters[queue], &self.records[self.bridge_of[port]]);
        let (stored, asking) = (arbiter.stored.front(), arbiter.asking());
        match depth {
            1 => prefetch(arbiter),
            2 => {
                stored.inspect(|record| prefetch(*record));
                asking.inspect(|list| prefetch(*list));
            }
            3 => {
                stored.inspect(|record| prefetch(&records[**record]));
                asking.inspect(|list| prefetch(&self.expected[**list]));
            }
            _ => {
                asking.inspect(|list| prefetch(&records[self.expected[**list].next_to_grant()]));
            }
        }
    }

    /// Prefetches the state that a frame with a grant needs to cross the bridge.
    #[inline]
    fn look_at_grant(
        &self,
        core: &Core,
        (input, output, class): (PortNo, PortNo, u8),
        record: RecordNo,
        depth: u32,
    ) {
        let to = self.bridge_of[output];
        let bridge = self.bridge_of[input];
        match depth {
            1 => {
                prefetch(&self.inputs[input].voqs);
                if self.is_here(to) {
                    prefetch(&self.records[to][record]);
                }
            }
            2 => prefetch(&self.voqs[self.pair(input, output, class)]),
            _ => {
                if let Some(slot) = self.voqs[self.pair(input, output, class)].oldest() {
                    prefetch(&self.slots[bridge][slot]);
                }
            }
        }
        if depth == 1
            && to != bridge
            && let Some(interior) = &self.interior
        {
            for port in interior.next_links(bridge) {
                prefetch(&core.ports[port].free_at);
                prefetch(&interior.uplinks[port]);
                let far = interior.far_end[port];
                if interior.spine_inputs.includes(far) {
                    prefetch(&interior.spine_inputs[far]);
                }
            }
        }
    }
}
