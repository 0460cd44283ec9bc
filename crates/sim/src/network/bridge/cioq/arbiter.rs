//! The arbiter of an output, which grants the room of the output's buffer to virtual output queues that
//! request it.
//!
//! Requesting queues wait in a ring. The first queue gets a grant for one frame as soon as there is room for
//! it, and moves to the end if it has more requests. So all requesting queues get the same number of grants,
//! regardless of their backlogs. If the room is too small for the frame whose turn it is, the arbiter waits for
//! more room instead of granting it to a shorter frame behind.

use super::super::super::context::Context;
use super::super::Bridges;
use super::{Cioq, Message};
use crate::index::{QueueNo, SlotNo, VoqNo};
use crate::ring::Ring;

/// The arbiter of an output and class, with its view of the buffer it allocates.
#[derive(Clone, Debug)]
pub(super) struct Arbiter {
    /// Free units of the output's buffer.
    pub(super) credits: u32,
    /// Virtual output queues with open requests; the next in turn is first.
    asking: Ring<VoqNo>,
    /// The slots of the frames in the output's queue, in queue order.
    pub(super) stored: Ring<SlotNo>,
}

impl Arbiter {
    pub(super) fn new(credits: u32) -> Self {
        Self { credits, asking: Ring::default(), stored: Ring::default() }
    }

    /// Units that can be granted even if the output sends nothing. Zero if a request is open: the room is
    /// then too small for the frame whose turn it is.
    pub(super) fn usable(&self) -> u32 {
        if self.asking.is_empty() { self.credits } else { 0 }
    }
}

impl Bridges {
    /// Handles a request at the arbiter of an output.
    #[inline]
    pub(super) fn request(&mut self, cx: &mut Context, voq: VoqNo) {
        let cioq = self.cioq();
        let queue = &mut cioq.voqs[voq];
        queue.requests += 1;
        let (first, frame) = (queue.requests == 1, cioq.slots[queue.next_to_grant()].frame);
        let arbiter = self.queue_of(cx.routes.output_of(&frame), frame.class);
        if first {
            self.cioq().arbiters[arbiter].asking.push_back(voq);
        }
        self.arbitrate(cx, arbiter);
    }

    /// Grants frames while there is room.
    #[inline]
    pub(super) fn arbitrate(&mut self, cx: &mut Context, arbiter: QueueNo) {
        while let Some(voq) = self.cioq().grant_next(arbiter) {
            self.send_message(cx, Message::Grant(voq));
        }
    }
}

impl Cioq {
    /// Grants room to the queue whose turn it is, if there is enough.
    #[inline]
    fn grant_next(&mut self, arbiter: QueueNo) -> Option<VoqNo> {
        let arbiter = &mut self.arbiters[arbiter];
        let voq = *arbiter.asking.front()?;
        let queue = &mut self.voqs[voq];
        let units = self.slots[queue.next_to_grant()].units;
        if units > arbiter.credits {
            return None;
        }
        arbiter.credits -= units;
        arbiter.asking.pop_front();
        queue.grant(&mut self.slots);
        if queue.requests > 0 {
            arbiter.asking.push_back(voq);
        }
        Some(voq)
    }
}
