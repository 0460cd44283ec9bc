//! Outputs: frames are put into order, queued and sent.

use super::super::Network;
use super::slots::Stage;
use super::{Cioq, Message};
use crate::frame::{Frame, FrameKind};
use crate::spec::Delivery;

impl Network {
    /// Handles the complete arrival of a frame at its output. It enters the output's queue, followed by
    /// frames that waited for it, unless an older frame of its virtual output queue is still inside.
    #[inline]
    pub(in super::super) fn complete(&mut self, slot: u32) {
        let voq = self.cioq().slots[slot].voq as usize;
        self.cioq().slots[slot].stage = Stage::Complete;
        let mut next = self.cioq().pop_complete(voq);
        self.cioq().counters.resequenced += u64::from(next.is_none());
        while let Some(slot) = next {
            self.enter_output(slot);
            next = self.cioq().pop_complete(voq);
        }
    }

    #[inline]
    fn enter_output(&mut self, slot: u32) {
        let entry = &mut self.cioq().slots[slot];
        entry.stage = Stage::Stored;
        let frame = entry.frame;
        let output = self.output_of(&frame);
        let queue = self.queue_of(output, frame.class);
        let with_frame = self.queues[queue].length + u64::from(frame.bytes);
        self.cioq().arbiters[queue].stored.push_back(slot);
        if self.ports[output as usize].idle_for(frame.class, self.now) {
            self.transmit(output, frame, self.now);
            self.left_output(queue);
        } else {
            self.queues[queue].push(frame, self.now);
            self.ports[output as usize].waiting |= 1 << frame.class;
            self.arm(output);
        }
        self.show_to_congestion_point(queue, &frame, with_frame);
    }

    /// Sends a notification from a congestion point at an output to the input through which its flow arrived.
    pub(in super::super) fn notify_across(&mut self, notification: Frame) {
        self.send_message(Message::Notify(notification));
    }

    /// Allocates room at an output for a notification, without the arbiter; returns whether there was enough.
    pub(in super::super) fn take_room(&mut self, queue: usize, bytes: u16) -> bool {
        let cioq = self.cioq();
        let units = cioq.rules.units(bytes);
        let Some(left) = cioq.arbiters[queue].credits.checked_sub(units) else { return false };
        cioq.arbiters[queue].credits = left;
        true
    }

    /// Frees the room of a notification that is being sent.
    pub(in super::super) fn give_room_back(&mut self, queue: usize, bytes: u16) {
        let cioq = self.cioq();
        cioq.arbiters[queue].credits += cioq.rules.units(bytes);
        self.arbitrate(queue);
    }

    /// Frees the room of the first data frame in an output's queue, which is being sent.
    #[inline]
    pub(in super::super) fn left_output(&mut self, queue: usize) {
        let cioq = self.cioq();
        let slot = cioq.arbiters[queue].stored.pop_front().expect("every frame in the queue has a slot");
        debug_assert_eq!(cioq.slots[slot].frame.kind, FrameKind::Data);
        cioq.arbiters[queue].credits += cioq.slots[slot].units;
        match cioq.rules.delivery {
            Delivery::Plain => cioq.slots.give_back(slot),
            Delivery::Reliable => {
                cioq.slots[slot].stage = Stage::Sent;
                self.send_message(Message::Acknowledge(slot));
            }
        }
        self.arbitrate(queue);
    }
}

impl Cioq {
    #[inline]
    fn pop_complete(&mut self, voq: usize) -> Option<u32> {
        self.voqs[voq].pop_complete(&mut self.slots)
    }
}
