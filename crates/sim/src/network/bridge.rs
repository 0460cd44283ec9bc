//! An output-queued bridge: a frame that arrives is put into the queue of its output port, and the
//! congestion point of that queue sees it.
//!
//! Whether the point also sees a frame that finds no room is the choice of
//! [`SampledFrames`](crate::SampledFrames), because the sources allow both. The MIB of IEEE 802.1Q counts
//! "octets to enqueue" between samples, and ns-3-dcn samples after an enqueue that succeeded: a dropped
//! frame is not seen. The AF-QCN paper speaks of sampling incoming packets, which can be read as all of
//! them, dropped or not. A dropped frame that is seen counts towards the next sample like any other, and if
//! it is the one sampled its source is notified; the queue is taken as it is, without the frame. Where
//! nothing is dropped the two readings are the same. Where most frames are dropped, as when many senders
//! start at line rate, the second one takes as many times more samples as frames come for each that enters.

use setpoint_control::{Admission, Arrival, FlowKey, PointId, Tenant};
use setpoint_units::Bytes;

use super::Network;
use crate::frame::{Frame, FrameKind};
use crate::ids::{FlowId, PortId};
use crate::spec::{Reaction, SampledFrames};

impl Network {
    /// A data frame has arrived at a bridge.
    #[inline]
    pub(super) fn forward(&mut self, mut frame: Frame) {
        let output = self.steps[frame.step as usize];
        frame.step += 1;
        let queue = self.queue_of(output, frame.class);
        self.settle(queue);
        if self.rules.points_drop && !self.lets_in(queue, &frame) {
            return;
        }
        if !self.admit(queue, &frame) {
            return;
        }
        let with_frame = self.queues[queue].length + u64::from(frame.bytes);
        if self.ports[output as usize].idle_for(frame.class, self.now) {
            self.transmit(output, frame, self.now);
        } else if self.can_commit(output, frame.class) {
            self.commit(output, frame);
        } else {
            self.enqueue(output, frame);
        }
        self.show_to_congestion_point(queue, &frame, with_frame);
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

    /// Whether there is room for a frame; drops it if not.
    #[inline]
    fn admit(&mut self, queue: usize, frame: &Frame) -> bool {
        if self.pause_rules.protects(frame.class) {
            return self.admit_lossless(frame);
        }
        let room = self.queues[queue].length + u64::from(frame.bytes) <= self.queues[queue].limit;
        if !room {
            self.drop_frame(queue, frame);
        }
        room
    }

    #[cold]
    #[inline(never)]
    fn drop_frame(&mut self, queue: usize, frame: &Frame) {
        let entry = &mut self.queues[queue];
        entry.dropped_frames += 1;
        entry.dropped += u64::from(frame.bytes);
        let without_frame = entry.length;
        self.flows[frame.flow as usize].lose(frame.bytes, frame.sent_at());
        if self.rules.sampled == SampledFrames::Arriving {
            self.show_to_congestion_point(queue, frame, without_frame);
        }
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

    /// The congestion point sees a frame, and the queue at `length` after what became of the frame.
    #[inline]
    fn show_to_congestion_point(&mut self, queue: usize, frame: &Frame, length: u64) {
        let arrival = self.arrival(frame, length);
        let entry = &mut self.queues[queue];
        entry.congestion_point.on_enqueue(&arrival, &mut entry.entropy, &mut self.told);
        if !self.told.is_empty() {
            self.notify(queue, frame);
        }
    }

    /// A frame as a congestion point sees it, with as much about it as this run's points look at.
    #[inline]
    fn arrival(&self, frame: &Frame, length: u64) -> Arrival {
        Arrival {
            now: self.now,
            flow: FlowKey(frame.flow),
            tenant: if self.rules.reads_tenants {
                self.flows[frame.flow as usize].tenant
            } else {
                Tenant::ANYONE
            },
            tag: frame.tag(),
            ..Arrival::of(frame.size(), Bytes::new(length))
        }
    }

    /// Asks a congestion point that drops frames whether it lets this one in.
    #[cold]
    #[inline(never)]
    fn lets_in(&mut self, queue: usize, frame: &Frame) -> bool {
        let arrival = self.arrival(frame, self.queues[queue].length);
        let entry = &mut self.queues[queue];
        let admission = entry.congestion_point.admit(&arrival, &mut entry.entropy);
        if admission == Admission::Drop {
            self.drop_frame(queue, frame);
        }
        admission == Admission::Accept
    }

    /// Sends what the congestion point of a queue has to say after a frame arrived. Background traffic is
    /// not told.
    #[cold]
    #[inline(never)]
    fn notify(&mut self, queue: usize, frame: &Frame) {
        let mut told = std::mem::take(&mut self.told);
        for (FlowKey(flow), told) in told.drain(..) {
            if self.flows[flow as usize].reaction == Reaction::Uncontrolled {
                continue;
            }
            self.queues[queue].notifications += 1;
            let rules = &self.rules;
            let step = if flow == frame.flow { frame.step - 2 } else { self.step_before(flow, queue) };
            let notification =
                Frame::notification(&told, flow, step, rules.notification_bytes, rules.notification_class);
            self.send_notification(notification.tagged(PointId(queue as u32)));
        }
        self.told = told;
    }

    /// Where in the table of routes the port stands that brings a flow to the bridge of a queue it passes.
    fn step_before(&self, flow: u32, queue: usize) -> u32 {
        let (output, flow) = ((queue / self.classes.count()) as u32, &self.flows[flow as usize]);
        let route = flow.second_step..flow.second_step + flow.hops - 1;
        let place = route.into_iter().find(|&step| self.steps[step as usize] == output);
        place.expect("a point tells flows it has seen") - 1
    }

    #[inline]
    pub(super) fn queue_of(&self, port: u32, class: u8) -> usize {
        port as usize * self.classes.count() + class as usize
    }

    /// The port that brought a data frame to the bridge it is at, once its `step` has moved on to the port
    /// after the output.
    #[inline]
    pub(super) fn input_of(&self, frame: &Frame) -> u32 {
        self.steps[frame.step as usize - 2]
    }

    /// Where a frame is, for error messages.
    pub(super) fn place_of(&self, frame: &Frame) -> (PortId, FlowId) {
        (PortId(self.input_of(frame)), FlowId(frame.flow))
    }
}
