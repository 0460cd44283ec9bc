//! Frames of observed ports.

use std::cmp::Reverse;

use setpoint_units::Time;

use super::Context;
use crate::frame::Frame;
use crate::ids::PortId;
use crate::network::node::tap::{COLLECTED, Noted};

impl Context {
    /// Records a frame that an observed port puts on its link.
    #[cold]
    #[inline(never)]
    pub(in crate::network) fn note(&mut self, port: PortId, frame: Frame, start: Time) {
        let Some(tap) = &mut self.tap else { return };
        tap.settle(self.now);
        tap.pending.push(Reverse(Noted { start, port, frame }));
        // With several partitions, frames are passed on after each window.
        if tap.begun.len() >= COLLECTED && self.is_alone() {
            self.interrupt();
        }
    }

    /// Discards frames of a port that were recalled.
    pub(in crate::network) fn unnote(&mut self, port: PortId, first: Time) {
        if let Some(tap) = &mut self.tap {
            tap.pending.retain(|Reverse(noted)| noted.port != port || noted.start < first);
        }
    }
}
