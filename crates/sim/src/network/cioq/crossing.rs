//! The crossbar of a bridge. Each input sends its frames into it one after another, at its own rate times the
//! speedup.
//!
//! An output takes frames from any number of inputs at once, since each frame has room reserved.

use setpoint_units::Bytes;

use super::super::Network;
use crate::events::Event;

impl Network {
    /// Sends a frame over the crossbar.
    #[inline]
    pub(super) fn cross(&mut self, slot: u32, input: u32) {
        let now = self.now;
        let cioq = self.cioq();
        let bytes = Bytes::new(u64::from(cioq.slots[slot].frame.bytes));
        let edge = &mut cioq.inputs[input as usize];
        let at = edge.crossbar_free.max(now) + edge.crossbar_rate.time_to_send(bytes);
        edge.crossbar_free = at;
        let idle = edge.crossing.is_empty();
        edge.crossing.push_back((at, slot));
        if idle {
            self.events.push(at, Event::Crossed(input));
        }
    }

    /// Handles the arrival of an input's first frame in the crossbar at the frame's output.
    #[inline]
    pub(in super::super) fn crossed(&mut self, input: u32) {
        let crossing = &mut self.cioq().inputs[input as usize].crossing;
        let Some((_, slot)) = crossing.pop_front() else { return };
        if let Some(&(at, _)) = crossing.front() {
            self.events.push(at, Event::Crossed(input));
        }
        self.left_input(slot);
        self.complete(slot);
    }
}
