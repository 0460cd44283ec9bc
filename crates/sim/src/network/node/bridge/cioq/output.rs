//! Outputs: frames are put into order, queued and sent.

use super::super::set::BridgeSet;
use super::Cioq;
use super::expected::RecordStage;
use crate::frame::{Frame, FrameKind};
use crate::index::{BridgeNo, PortNo, QueueNo, RecordNo, SlotNo, VoqNo};
use crate::network::node::bridge_message::ControlMessage;
use crate::network::node::context::Context;
use crate::spec::Delivery;

impl BridgeSet<Cioq> {
    /// Records that a frame is in transit to an output, from the given slot of its input's bridge and in the given number of
    /// cells.
    #[inline]
    pub(in crate::network) fn announced(
        &mut self,
        to: BridgeNo,
        record: RecordNo,
        frame: Frame,
        (slot, cells): (SlotNo, u16),
    ) {
        let entry = &mut self.buffers.records[to][record];
        debug_assert_eq!(entry.stage, RecordStage::Granted, "a frame crosses a bridge without a grant");
        (entry.frame, entry.slot, entry.to_arrive, entry.stage) = (frame, slot, cells, RecordStage::Crossing);
    }

    /// Handles the complete arrival of a frame at its output. It enters the output's queue, followed by
    /// frames that waited for it, unless an older frame in its list has not arrived.
    #[inline]
    pub(in crate::network) fn complete(&mut self, cx: &mut Context, bridge: BridgeNo, record: RecordNo) {
        let entry = &mut self.buffers.records[bridge][record];
        entry.stage = RecordStage::Complete;
        let list = entry.list;
        let mut next = self.buffers.pop_complete(bridge, list);
        self.buffers.counters.resequenced += u64::from(next.is_none());
        while let Some(record) = next {
            self.enter_output(cx, bridge, record);
            next = self.buffers.pop_complete(bridge, list);
        }
    }

    #[inline]
    fn enter_output(&mut self, cx: &mut Context, bridge: BridgeNo, record: RecordNo) {
        let entry = &mut self.buffers.records[bridge][record];
        entry.stage = RecordStage::Stored;
        let (mut frame, queue) = (entry.frame, entry.queue);
        let output = cx.routes.output_of(frame);
        let with_frame = self.core.queues[queue].length + u64::from(frame.bytes());
        if cx.rules.intervenes {
            frame = self.core.marked(cx, queue, frame, with_frame);
        }
        self.buffers.arbiters[queue].stored.push_back(record);
        if self.core.ports[output].idle_for(frame.class(), cx.now) {
            if cx.rules.sees_departures {
                frame = self.core.departing(cx, output, frame);
            }
            self.core.ports[output].transmit(cx, frame, cx.now);
            self.left_output(cx, output, queue);
        } else {
            self.core.queues[queue].push(frame, cx.now);
            self.core.ports[output].waiting |= 1 << frame.class();
            self.core.arm(cx, output);
        }
        self.show_to_congestion_point(cx, queue, frame, with_frame);
    }

    /// Sends a notification from a congestion point at an output to the input through which its flow arrived.
    pub(in super::super) fn notify_across(&mut self, cx: &mut Context, from: PortNo, notification: Frame) {
        let input = cx.routes.input_of(notification);
        let (from, to) = (self.buffers.bridge_of[from], self.buffers.bridge_of[input]);
        self.send_message(cx, from, to, ControlMessage::Notify(notification));
    }

    /// Frees the buffer space of a notification that is being sent.
    pub(in super::super) fn give_room_back(
        &mut self,
        cx: &mut Context,
        output: PortNo,
        queue: QueueNo,
        bytes: u16,
    ) {
        let cioq = &mut self.buffers;
        cioq.arbiters[queue].credits += cioq.rules.units(bytes);
        let bridge = cioq.bridge_of[output];
        self.arbitrate(cx, bridge, queue);
    }

    /// Frees the buffer space of the first data frame in an output's queue, which is being sent.
    #[inline]
    pub(in super::super) fn left_output(&mut self, cx: &mut Context, output: PortNo, queue: QueueNo) {
        let cioq = &mut self.buffers;
        let bridge = cioq.bridge_of[output];
        let number = cioq.arbiters[queue].stored.pop_front().expect("every frame in the queue has a record");
        let record = cioq.records[bridge][number];
        debug_assert_eq!(record.frame.kind(), FrameKind::Data);
        cioq.records[bridge].give_back(number);
        cioq.arbiters[queue].credits += record.units;
        if cioq.rules.delivery == Delivery::Reliable {
            let to = cioq.bridge_of[record.input];
            self.send_message(cx, bridge, to, ControlMessage::Acknowledge(record.slot));
        }
        self.arbitrate(cx, bridge, queue);
    }
}

impl Cioq {
    /// Whether two ports of a bridge belong to different leaves of a fabric.
    pub(super) fn is_across(&self, input: PortNo, output: PortNo) -> bool {
        self.bridge_of[input] != self.bridge_of[output]
    }

    /// Allocates buffer space at an output for a notification, bypassing the arbiter; returns whether there was enough.
    pub(super) fn take_room(&mut self, queue: QueueNo, bytes: u16) -> bool {
        let units = self.rules.units(bytes);
        let Some(left) = self.arbiters[queue].credits.checked_sub(units) else { return false };
        self.arbiters[queue].credits = left;
        true
    }

    #[inline]
    fn pop_complete(&mut self, bridge: BridgeNo, list: VoqNo) -> Option<RecordNo> {
        self.expected[list].pop_complete(&self.records[bridge])
    }
}
