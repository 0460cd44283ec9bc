//! Frames that may end a message for which other messages wait.

use setpoint_units::Time;

use super::Context;
use crate::frame::Frame;
use crate::ids::PortId;
use crate::network::node::milestones::Crossing;

impl Context {
    /// Records the arrival of such a frame at the far end of a link.
    #[cold]
    #[inline(never)]
    pub(in crate::network) fn cross(&mut self, port: PortId, frame: Frame, at: Time) {
        let (conversation, sent_at) = (frame.conversation(), frame.sent_at());
        self.milestones.crossings.push(Crossing { conversation, sent_at, arrived: at, port });
    }
}
