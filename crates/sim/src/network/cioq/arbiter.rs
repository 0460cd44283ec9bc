//! The arbiter of an output: it gives the room of the output's buffer to the virtual output queues that ask for it.
//!
//! Queues that have asked stand in a ring; the first is granted one frame as soon as there is room for it, and goes to
//! the end if it has asked for more. So every queue gets as many grants as any other, however much it has waiting. Room
//! that is too little for the frame whose turn it is waits for more, and is not given to a shorter frame behind it.

use super::super::Network;
use super::{Cioq, Message};
use crate::ring::Ring;

/// The arbiter of an output and class, with what it knows of the buffer it gives out.
#[derive(Clone, Debug)]
pub(super) struct Arbiter {
    /// Units of the output's buffer that are nobody's.
    pub(super) credits: u32,
    /// Virtual output queues with requests, the next in turn first.
    asking: Ring<u32>,
    /// The slots of the frames in the output's queue, in its order.
    pub(super) stored: Ring<u32>,
}

impl Arbiter {
    pub(super) fn new(credits: u32) -> Self {
        Self { credits, asking: Ring::default(), stored: Ring::default() }
    }

    /// Units that can be granted although the output sends nothing. None of what is too little for the frame whose
    /// turn it is: it would have been granted.
    pub(super) fn usable(&self) -> u32 {
        if self.asking.is_empty() { self.credits } else { 0 }
    }
}

impl Network {
    /// A request has come to the arbiter of an output.
    #[inline]
    pub(super) fn request(&mut self, voq: u32) {
        let cioq = self.cioq();
        let queue = &mut cioq.voqs[voq as usize];
        queue.requests += 1;
        let (first, frame) = (queue.requests == 1, cioq.slots[queue.next_to_grant()].frame);
        let arbiter = self.queue_of(self.output_of(&frame), frame.class);
        if first {
            self.cioq().arbiters[arbiter].asking.push_back(voq);
        }
        self.arbitrate(arbiter);
    }

    /// Grants as many frames as there is room for.
    #[inline]
    pub(super) fn arbitrate(&mut self, arbiter: usize) {
        while let Some(voq) = self.cioq().grant_next(arbiter) {
            self.send_message(Message::Grant(voq));
        }
    }
}

impl Cioq {
    /// Gives room to the queue whose turn it is, if there is enough.
    #[inline]
    fn grant_next(&mut self, arbiter: usize) -> Option<u32> {
        let arbiter = &mut self.arbiters[arbiter];
        let voq = *arbiter.asking.front()?;
        let queue = &mut self.voqs[voq as usize];
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
