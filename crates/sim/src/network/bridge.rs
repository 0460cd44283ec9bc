//! An output-queued bridge: a frame that arrives is put into the queue of its output port, and the
//! congestion point of that queue sees it.

use setpoint_control::{Arrival, Notification};
use setpoint_units::Bytes;

use super::Network;
use crate::frame::{Frame, FrameKind};
use crate::ids::{FlowId, PortId};
use crate::spec::Reaction;

impl Network {
    /// A data frame has arrived at a bridge.
    #[inline]
    pub(super) fn forward(&mut self, mut frame: Frame) {
        let output = self.steps[frame.step as usize];
        frame.step += 1;
        let queue = self.queue_of(output, frame.class);
        self.settle(queue);
        if !self.admit(queue, &frame) {
            return;
        }
        let before = self.queues[queue].length;
        if self.ports[output as usize].idle_for(frame.class, self.now) {
            self.transmit(output, frame, self.now);
        } else if self.can_commit(output, frame.class) {
            self.commit(output, frame);
        } else {
            self.enqueue(output, frame);
        }
        self.show_to_congestion_point(queue, &frame, before);
    }

    /// A notification has arrived at a bridge on its way to the source: it leaves through the port
    /// against the direction of the flow.
    pub(super) fn forward_notification(&mut self, mut frame: Frame) {
        frame.step -= 1;
        self.send_notification(frame);
    }

    /// Sends a notification towards the source of its flow; `step` is the place in the routes of the
    /// port that brought the sampled frame here.
    fn send_notification(&mut self, frame: Frame) {
        let output = self.steps[frame.step as usize] ^ 1;
        if self.ports[output as usize].idle_for(frame.class, self.now) {
            self.transmit(output, frame, self.now);
            return;
        }
        // Also of its own class: a notification is not committed, and must come after what is.
        self.recall(output);
        let queue = self.queue_of(output, frame.class);
        if self.queues[queue].length + u64::from(frame.bytes) > self.queues[queue].limit {
            self.queues[queue].dropped_frames += 1;
            self.queues[queue].dropped += u64::from(frame.bytes);
            return;
        }
        self.queues[queue].push(frame, self.now);
        self.ports[output as usize].waiting |= 1 << frame.class;
        self.arm(output);
    }

    /// Whether there is room for a frame; counts it as dropped if not.
    #[inline]
    fn admit(&mut self, queue: usize, frame: &Frame) -> bool {
        if self.pause_rules.protects(frame.class) {
            return self.admit_lossless(frame);
        }
        let queue = &mut self.queues[queue];
        if queue.length + u64::from(frame.bytes) <= queue.limit {
            return true;
        }
        queue.dropped_frames += 1;
        queue.dropped += u64::from(frame.bytes);
        self.flows[frame.flow as usize].lose(frame.bytes, frame.sent_at());
        false
    }

    fn enqueue(&mut self, output: u32, frame: Frame) {
        let queue = self.queue_of(output, frame.class);
        self.queues[queue].push(frame, self.now);
        self.ports[output as usize].waiting |= 1 << frame.class;
        if self.pause_rules.protects(frame.class) {
            self.hold_input(&frame);
        }
        self.arm(output);
    }

    /// Takes the first frame of a class out of a port's queue.
    #[inline]
    pub(super) fn dequeue(&mut self, output: u32, class: u8) -> Frame {
        let index = self.queue_of(output, class);
        let queue = &mut self.queues[index];
        let frame = queue.pop(self.now).expect("a class that waits has a frame");
        if queue.frames.is_empty() {
            self.ports[output as usize].waiting &= !(1 << class);
        }
        if frame.kind == FrameKind::Data && self.pause_rules.protects(class) {
            self.release_input(&frame);
        }
        frame
    }

    /// The congestion point sees the queue with the frame in it.
    #[inline]
    fn show_to_congestion_point(&mut self, queue: usize, frame: &Frame, before: u64) {
        let entry = &mut self.queues[queue];
        let arrival = Arrival { frame: frame.size(), queue: Bytes::new(before + u64::from(frame.bytes)) };
        if let Some(told) = entry.congestion_point.on_enqueue(arrival, &mut entry.entropy) {
            self.notify(queue, frame, &told);
        }
    }

    /// The sampled frame's `step` has moved on to the port after the output; the port before the
    /// output is the one that brought the frame here. Background traffic is not told.
    #[cold]
    #[inline(never)]
    fn notify(&mut self, queue: usize, frame: &Frame, told: &Notification) {
        if self.flows[frame.flow as usize].reaction == Reaction::Uncontrolled {
            return;
        }
        self.queues[queue].notifications += 1;
        let rules = &self.rules;
        let step = frame.step - 2;
        let notification =
            Frame::notification(told, frame.flow, step, rules.notification_bytes, rules.notification_class);
        self.send_notification(notification);
    }

    #[inline]
    pub(super) fn queue_of(&self, port: u32, class: u8) -> usize {
        port as usize * self.classes.count() + class as usize
    }

    /// Where a frame is, for error messages.
    pub(super) fn place_of(frame: &Frame) -> (PortId, FlowId) {
        (PortId(frame.input), FlowId(frame.flow))
    }
}
