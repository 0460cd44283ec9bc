//! The arbiter of an output, which grants space in the output's buffer to the virtual output queues that
//! request it.
//!
//! Requesting queues wait in a ring. The first queue gets a grant for one frame as soon as there is space for it, and moves
//! to the end if it has more requests. So all requesting queues get the same number of grants, regardless of their backlogs.
//! If there is too little space for the frame whose turn it is, the arbiter waits for more instead of granting the space to
//! a shorter frame behind it.

use super::super::set::BridgeSet;
use super::Cioq;
use super::expected::Record;
use crate::index::{BridgeNo, PortNo, QueueNo, RecordNo, VoqNo};
use crate::network::node::bridge_message::ControlMessage;
use crate::network::node::context::Context;
use crate::ring::Ring;

/// The arbiter of an output and class, with its view of the buffer it allocates.
#[derive(Clone, Debug)]
pub(super) struct Arbiter {
    /// Free units of the output's buffer.
    pub(super) credits: u32,
    /// Inputs with pending requests, in the order of their turns.
    asking: Ring<VoqNo>,
    /// The records of the frames in the output's queue, in queue order.
    pub(super) stored: Ring<RecordNo>,
}

impl Arbiter {
    pub(super) fn new(credits: u32) -> Self {
        Self { credits, asking: Ring::default(), stored: Ring::default() }
    }

    /// The input whose turn it is, if there is one.
    #[inline]
    pub(super) fn asking(&self) -> Option<&VoqNo> {
        self.asking.front()
    }

    /// Units that can be granted even if the output sends nothing. Zero if a request is pending: there is
    /// then too little space for the frame whose turn it is.
    pub(super) fn usable(&self) -> u32 {
        if self.asking.is_empty() { self.credits } else { 0 }
    }
}

impl BridgeSet<Cioq> {
    /// Handles an input's request at the arbiter of an output.
    #[inline]
    pub(super) fn request(
        &mut self,
        cx: &mut Context,
        bridge: BridgeNo,
        (input, output, class): (PortNo, PortNo, u8),
        units: u32,
    ) {
        let arbiter = self.core.queue_of(output, class);
        let cioq = &mut self.buffers;
        let list = cioq.pair(output, input, class);
        let record = cioq.records[bridge].take(Record::requested(list, arbiter, input, units));
        let expected = &mut cioq.expected[list];
        if expected.push(&mut cioq.records[bridge], record) {
            cioq.arbiters[arbiter].asking.push_back(list);
        }
        self.arbitrate(cx, bridge, arbiter);
    }

    /// Issues grants while there is buffer space.
    #[inline]
    pub(super) fn arbitrate(&mut self, cx: &mut Context, bridge: BridgeNo, arbiter: QueueNo) {
        while let Some((input, record)) = self.buffers.grant_next(bridge, arbiter) {
            let (_, output, class) = self.core.place_of(arbiter);
            let to = self.buffers.bridge_of[input];
            self.send_message(cx, bridge, to, ControlMessage::Grant { input, output, class, record });
        }
    }
}

impl Cioq {
    /// Grants buffer space to the input whose turn it is, if there is enough. Returns the input and the record of the frame.
    #[inline]
    fn grant_next(&mut self, bridge: BridgeNo, arbiter: QueueNo) -> Option<(PortNo, RecordNo)> {
        let (arbiter, records) = (&mut self.arbiters[arbiter], &mut self.records[bridge]);
        let list = *arbiter.asking.front()?;
        let expected = &mut self.expected[list];
        let number = expected.next_to_grant();
        let record = &records[number];
        let (input, units) = (record.input, record.units);
        if units > arbiter.credits {
            return None;
        }
        arbiter.credits -= units;
        arbiter.asking.pop_front();
        if expected.grant(records) {
            arbiter.asking.push_back(list);
        }
        Some((input, number))
    }
}
