//! The crossbar of a bridge. Each input sends its frames into the crossbar one after another, at the input's
//! rate times the speedup.
//!
//! An output accepts frames from any number of inputs at once, since buffer space is reserved for each frame.

use setpoint_units::Bytes;

use super::super::set::BridgeSet;
use super::Cioq;
use crate::events::Event;
use crate::index::{PortNo, RecordNo, SlotNo};
use crate::network::node::context::Context;
use crate::spec::Delivery;

impl BridgeSet<Cioq> {
    /// Sends a frame over the crossbar.
    #[inline]
    pub(super) fn cross(
        &mut self,
        cx: &mut Context,
        input: PortNo,
        bytes: u16,
        (slot, record): (SlotNo, RecordNo),
    ) {
        let edge = &mut self.buffers.inputs[input];
        let at =
            edge.crossbar_free.max(cx.now) + edge.crossbar_rate.time_to_send(Bytes::new(u64::from(bytes)));
        edge.crossbar_free = at;
        let idle = edge.crossing.is_empty();
        edge.crossing.push_back((at, slot, record));
        if idle {
            cx.events.push(at, Event::Crossed(input));
        }
    }

    /// Handles the arrival of an input's first frame in the crossbar at the frame's output.
    #[inline]
    pub(in crate::network) fn crossed(&mut self, cx: &mut Context, input: PortNo) {
        let crossing = &mut self.buffers.inputs[input].crossing;
        let Some((_, slot, record)) = crossing.pop_front() else { return };
        if let Some(&(at, ..)) = crossing.front() {
            cx.events.push(at, Event::Crossed(input));
        }
        let bridge = self.buffers.bridge_of[input];
        if self.buffers.rules.delivery == Delivery::Plain {
            self.free_input(cx, bridge, slot);
        }
        self.complete(cx, bridge, record);
    }
}
