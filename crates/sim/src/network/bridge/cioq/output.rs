//! Outputs: frames are put into order, queued and sent.

use super::super::super::context::Context;
use super::super::Bridges;
use super::slots::Stage;
use super::{Cioq, Message};
use crate::frame::{Frame, FrameKind};
use crate::index::{QueueNo, SlotNo, VoqNo};
use crate::spec::Delivery;

impl Bridges {
    /// Handles the complete arrival of a frame at its output. It enters the output's queue, followed by
    /// frames that waited for it, unless an older frame of its virtual output queue is still inside.
    #[inline]
    pub(in super::super::super) fn complete(&mut self, cx: &mut Context, slot: SlotNo) {
        let voq = self.cioq().slots[slot].voq;
        self.cioq().slots[slot].stage = Stage::Complete;
        let mut next = self.cioq().pop_complete(voq);
        self.cioq().counters.resequenced += u64::from(next.is_none());
        while let Some(slot) = next {
            self.enter_output(cx, slot);
            next = self.cioq().pop_complete(voq);
        }
    }

    #[inline]
    fn enter_output(&mut self, cx: &mut Context, slot: SlotNo) {
        let entry = &mut self.cioq().slots[slot];
        entry.stage = Stage::Stored;
        let frame = entry.frame;
        let output = cx.routes.output_of(&frame);
        let queue = self.queue_of(output, frame.class);
        let with_frame = self.queues[queue].length + u64::from(frame.bytes);
        self.cioq().arbiters[queue].stored.push_back(slot);
        if self.ports[output].idle_for(frame.class, cx.now) {
            self.ports[output].transmit(cx, frame, cx.now);
            self.left_output(cx, queue);
        } else {
            self.queues[queue].push(frame, cx.now);
            self.ports[output].waiting |= 1 << frame.class;
            self.arm(cx, output);
        }
        self.show_to_congestion_point(cx, queue, &frame, with_frame);
    }

    /// Sends a notification from a congestion point at an output to the input through which its flow arrived.
    pub(in super::super) fn notify_across(&mut self, cx: &mut Context, notification: Frame) {
        self.send_message(cx, Message::Notify(notification));
    }

    /// Allocates room at an output for a notification, without the arbiter; returns whether there was enough.
    pub(in super::super) fn take_room(&mut self, queue: QueueNo, bytes: u16) -> bool {
        let cioq = self.cioq();
        let units = cioq.rules.units(bytes);
        let Some(left) = cioq.arbiters[queue].credits.checked_sub(units) else { return false };
        cioq.arbiters[queue].credits = left;
        true
    }

    /// Frees the room of a notification that is being sent.
    pub(in super::super) fn give_room_back(&mut self, cx: &mut Context, queue: QueueNo, bytes: u16) {
        let cioq = self.cioq();
        cioq.arbiters[queue].credits += cioq.rules.units(bytes);
        self.arbitrate(cx, queue);
    }

    /// Frees the room of the first data frame in an output's queue, which is being sent.
    #[inline]
    pub(in super::super) fn left_output(&mut self, cx: &mut Context, queue: QueueNo) {
        let cioq = self.cioq();
        let slot = cioq.arbiters[queue].stored.pop_front().expect("every frame in the queue has a slot");
        debug_assert_eq!(cioq.slots[slot].frame.kind, FrameKind::Data);
        cioq.arbiters[queue].credits += cioq.slots[slot].units;
        match cioq.rules.delivery {
            Delivery::Plain => cioq.slots.give_back(slot),
            Delivery::Reliable => {
                cioq.slots[slot].stage = Stage::Sent;
                self.send_message(cx, Message::Acknowledge(slot));
            }
        }
        self.arbitrate(cx, queue);
    }
}

impl Cioq {
    #[inline]
    fn pop_complete(&mut self, voq: VoqNo) -> Option<SlotNo> {
        self.voqs[voq].pop_complete(&mut self.slots)
    }
}
