//! The crossbar of a bridge. Each input sends its frames into it one after another, at its own rate times the
//! speedup.
//!
//! An output takes frames from any number of inputs at once, since each frame has room reserved.

use setpoint_units::Bytes;

use super::super::super::context::Context;
use super::super::Bridges;
use crate::events::Event;
use crate::index::{PortNo, SlotNo};

impl Bridges {
    /// Sends a frame over the crossbar.
    #[inline]
    pub(super) fn cross(&mut self, cx: &mut Context, slot: SlotNo, input: PortNo) {
        let now = cx.now;
        let cioq = self.cioq();
        let bytes = Bytes::new(u64::from(cioq.slots[slot].frame.bytes));
        let edge = &mut cioq.inputs[input];
        let at = edge.crossbar_free.max(now) + edge.crossbar_rate.time_to_send(bytes);
        edge.crossbar_free = at;
        let idle = edge.crossing.is_empty();
        edge.crossing.push_back((at, slot));
        if idle {
            cx.events.push(at, Event::Crossed(input));
        }
    }

    /// Handles the arrival of an input's first frame in the crossbar at the frame's output.
    #[inline]
    pub(in super::super::super) fn crossed(&mut self, cx: &mut Context, input: PortNo) {
        let crossing = &mut self.cioq().inputs[input].crossing;
        let Some((_, slot)) = crossing.pop_front() else { return };
        if let Some(&(at, _)) = crossing.front() {
            cx.events.push(at, Event::Crossed(input));
        }
        self.left_input(cx, slot);
        self.complete(cx, slot);
    }
}
