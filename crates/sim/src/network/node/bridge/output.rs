//! Outputs: notifications and replies enter the queue of their port, and frames are dropped.

use super::set::{BridgeSet, Buffering};
use crate::frame::Frame;
use crate::index::QueueNo;
use crate::network::node::books::LossCause;
use crate::network::node::context::Context;
use crate::spec::SampledFrames;

impl<B> BridgeSet<B>
where
    Self: Buffering,
{
    /// Sends a notification from the bridge at its hop towards the source of its flow.
    pub(super) fn send_notification(&mut self, cx: &mut Context, frame: Frame) {
        let output = cx.routes.input_of(frame);
        if self.core.ports[output].idle_for(frame.class(), cx.now) {
            self.core.ports[output].transmit(cx, frame, cx.now);
            return;
        }
        // This also recalls committed frames of the notification's own class: a notification is not
        // committed and must follow them.
        self.core.recall(cx, output);
        let queue = self.core.queue_of(output, frame.class());
        if !self.take_room(queue, frame.bytes()) {
            self.core.queues[queue].count_drop(frame.bytes());
            return;
        }
        self.core.queues[queue].push(frame, cx.now);
        self.core.ports[output].waiting |= 1 << frame.class();
        self.core.arm(cx, output);
    }

    /// Handles the arrival of a reply, which is forwarded one hop back along the flow's path. In a protected class, its
    /// input counts it like a data frame.
    #[inline(never)]
    pub(super) fn forward_reply(&mut self, cx: &mut Context, frame: Frame) {
        let frame = frame.at(frame.hop().before());
        let output = cx.routes.input_of(frame);
        if self.core.ports[output].idle_for(frame.class(), cx.now) {
            self.core.ports[output].transmit(cx, frame, cx.now);
            return;
        }
        self.enqueue_reply(cx, output, frame);
    }

    #[cold]
    #[inline(never)]
    pub(super) fn drop_frame(&mut self, cx: &mut Context, queue: QueueNo, frame: Frame) {
        self.core.queues[queue].count_drop(frame.bytes());
        let without_frame = self.core.queues[queue].length;
        cx.lose(self.core.place_of(queue).0, frame, LossCause::Congestion);
        cx.discard_report(frame);
        if cx.rules.sampled == SampledFrames::Arriving {
            self.show_to_congestion_point(cx, queue, frame, without_frame);
        }
    }
}
