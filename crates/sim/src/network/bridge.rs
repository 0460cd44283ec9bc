//! Output-queued bridges: an arriving frame enters the queue of its output port, and that queue's congestion
//! point observes it.
//!
//! [`SampledFrames`](crate::SampledFrames) selects whether the congestion point also observes a frame that
//! finds no room, because the sources permit both. The MIB of IEEE 802.1Q counts "octets to
//! enqueue" between samples, and ns-3-dcn samples after a successful enqueue, so a dropped frame
//! is not observed. The AF-QCN paper samples incoming packets, which can mean all of them,
//! dropped or not. In that interpretation a dropped frame counts towards the next sample like
//! any other, and if it is sampled, its source is notified; the queue length does not include
//! it. The choice matters only if frames are dropped. If most frames are dropped, as when many
//! senders start at line rate, the second interpretation takes more samples, by the ratio of
//! arriving to enqueued frames.

use setpoint_control::{Admission, Arrival, FlowKey, PointId, Tenant};
use setpoint_units::Bytes;

use super::Network;
use crate::frame::{Frame, FrameKind};
use crate::ids::{FlowId, PortId};
use crate::spec::{Reaction, SampledFrames, Side};

impl Network {
    /// Handles the arrival of a data frame at a bridge.
    #[inline]
    pub(super) fn forward(&mut self, mut frame: Frame) {
        let mut more = 0;
        if self.groups.include(&frame) {
            let Some((copy, others)) = self.copy(frame) else { return };
            (frame, more) = (copy, others);
        }
        // A single call site for both kinds of frames, so that the call is inlined into the event loop.
        loop {
            self.forward_one(frame);
            if more == 0 {
                return;
            }
            more -= 1;
            frame = self.groups.copies[more];
        }
    }

    /// Forwards a data frame to the next port on its route.
    #[inline]
    fn forward_one(&mut self, mut frame: Frame) {
        let output = self.steps[frame.step as usize];
        frame.step += 1;
        if self.cioq.is_some() {
            return self.enter(frame);
        }
        let queue = self.queue_of(output, frame.class);
        self.settle(queue);
        if self.rules.points_drop && !self.admits(queue, &frame) {
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

    /// Handles the arrival of a notification at a bridge, which forwards it one hop back along
    /// the flow's path.
    pub(super) fn forward_notification(&mut self, mut frame: Frame) {
        frame.step -= 1;
        self.send_notification(frame);
    }

    /// Sends a notification towards the source of its flow; its `step` is the route-table index
    /// of the port through which the sampled frame arrived here.
    pub(super) fn send_notification(&mut self, frame: Frame) {
        let output = self.steps[frame.step as usize] ^ 1;
        if self.ports[output as usize].idle_for(frame.class, self.now) {
            self.transmit(output, frame, self.now);
            return;
        }
        // This also recalls committed frames of the notification's own class: a notification is not
        // committed and must follow them.
        self.recall(output);
        let queue = self.queue_of(output, frame.class);
        let room = match self.cioq {
            Some(_) => self.take_room(queue, frame.bytes),
            None => self.queues[queue].length + u64::from(frame.bytes) <= self.queues[queue].limit,
        };
        if !room {
            self.queues[queue].dropped_frames += 1;
            self.queues[queue].dropped += u64::from(frame.bytes);
            return;
        }
        self.queues[queue].push(frame, self.now);
        self.ports[output as usize].waiting |= 1 << frame.class;
        self.arm(output);
    }

    /// Whether there is room for a frame; if not, drops it.
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
    pub(super) fn drop_frame(&mut self, queue: usize, frame: &Frame) {
        let entry = &mut self.queues[queue];
        entry.dropped_frames += 1;
        entry.dropped += u64::from(frame.bytes);
        let without_frame = entry.length;
        self.flows[frame.flow as usize].lose(frame.bytes, frame.sent_at());
        if self.groups.include(frame) {
            self.lose_copy(self.place_of_queue(queue).0, frame);
        }
        if self.rules.sampled == SampledFrames::Arriving {
            self.show_to_congestion_point(queue, frame, without_frame);
        }
    }

    fn enqueue(&mut self, output: u32, frame: Frame) {
        let queue = self.queue_of(output, frame.class);
        self.queues[queue].push(frame, self.now);
        self.ports[output as usize].waiting |= 1 << frame.class;
        if self.pause_rules.protects(frame.class) {
            self.hold_input(&frame, u64::from(frame.bytes));
        }
        self.arm(output);
    }

    /// Removes the first frame of a class from a port's queue.
    #[inline]
    pub(super) fn dequeue(&mut self, output: u32, class: u8) -> Frame {
        let index = self.queue_of(output, class);
        let queue = &mut self.queues[index];
        let frame = queue.pop(self.now).expect("a waiting class has a frame");
        if queue.frames.is_empty() {
            self.ports[output as usize].waiting &= !(1 << class);
        }
        match (frame.kind, &self.cioq) {
            (FrameKind::Data, Some(_)) => self.left_output(index),
            (_, Some(_)) => self.give_room_back(index, frame.bytes),
            (FrameKind::Data, None) if self.pause_rules.protects(class) => {
                self.release_input(&frame, u64::from(frame.bytes));
            }
            _ => (),
        }
        frame
    }

    /// Shows a frame to the congestion point, with the queue length after the frame was enqueued or dropped.
    #[inline]
    pub(super) fn show_to_congestion_point(&mut self, queue: usize, frame: &Frame, length: u64) {
        if !self.queues[queue].congestion_point.passes(frame.size()) {
            self.show_in_full(queue, frame, length);
        }
    }

    // Not inlined: under QCN, only one frame in a hundred gets here.
    #[inline(never)]
    fn show_in_full(&mut self, queue: usize, frame: &Frame, length: u64) {
        let arrival = self.arrival(frame, length);
        let entry = &mut self.queues[queue];
        entry.congestion_point.on_enqueue(&arrival, &mut entry.entropy, &mut self.notifications);
        if !self.notifications.is_empty() {
            self.blame(queue, frame);
            self.notify(queue, Some(frame));
        }
    }

    /// A frame as a congestion point observes it, with only the attributes that the points of this run use.
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

    /// Whether a congestion point that drops frames admits this one.
    #[cold]
    #[inline(never)]
    fn admits(&mut self, queue: usize, frame: &Frame) -> bool {
        let arrival = self.arrival(frame, self.queues[queue].length);
        let entry = &mut self.queues[queue];
        let admission = entry.congestion_point.admit(&arrival, &mut entry.entropy);
        if admission == Admission::Drop {
            self.drop_frame(queue, frame);
        }
        admission == Admission::Accept
    }

    /// At an input, redirects the notification for the sampled frame's source to the culprit.
    fn blame(&mut self, queue: usize, frame: &Frame) {
        let (Side::Input, port) = self.place_of_queue(queue) else { return };
        for entry in 0..self.notifications.len() {
            if self.notifications[entry].0 == FlowKey(frame.flow)
                && let Some(culprit) = self.culprit(port, frame.class)
            {
                self.notifications[entry].0 = culprit;
            }
        }
    }

    /// Sends the notifications that a congestion point issued, after a frame arrived or at a clock tick.
    /// Background traffic receives none.
    #[cold]
    #[inline(never)]
    pub(super) fn notify(&mut self, queue: usize, frame: Option<&Frame>) {
        let mut notifications = std::mem::take(&mut self.notifications);
        for (FlowKey(flow), notification) in notifications.drain(..) {
            if self.flows[flow as usize].reaction == Reaction::Uncontrolled {
                continue;
            }
            self.queues[queue].notifications += 1;
            self.recorder.feedback[usize::from(notification.feedback.get())] += 1;
            let rules = &self.rules;
            let step = match frame {
                Some(frame) if frame.flow == flow => frame.step - 2,
                _ => self.step_before(flow, queue),
            };
            let notification = Frame::notification(
                &notification,
                PointId(queue as u32),
                flow,
                step,
                rules.notification_bytes,
                rules.notification_class,
            );
            match self.place_of_queue(queue) {
                (Side::Output, _) if self.cioq.is_some() => self.notify_across(notification),
                _ => self.send_notification(notification),
            }
        }
        self.notifications = notifications;
    }

    /// The route-table index of the port through which a flow reaches a queue's bridge.
    fn step_before(&self, flow: u32, queue: usize) -> u32 {
        let (side, port) = self.place_of_queue(queue);
        let flow = &self.flows[flow as usize];
        let route = flow.second_step - 1..flow.second_step + flow.steps - 1;
        let place = route.into_iter().find(|&step| self.steps[step as usize] == port);
        let place = place.expect("a congestion point notifies only flows that pass it");
        if side == Side::Output { place - 1 } else { place }
    }

    /// The side of a queue, and the port that it feeds or that feeds it.
    pub(super) fn place_of_queue(&self, queue: usize) -> (Side, u32) {
        let (port, ports) = (queue / self.classes.count(), self.ports.len());
        if port < ports { (Side::Output, port as u32) } else { (Side::Input, (port - ports) as u32) }
    }

    #[inline]
    pub(super) fn queue_of(&self, port: u32, class: u8) -> usize {
        port as usize * self.classes.count() + class as usize
    }

    /// The port through which a data frame reached its current bridge, once its `step` has advanced to the
    /// port after the output.
    #[inline]
    pub(super) fn input_of(&self, frame: &Frame) -> u32 {
        self.steps[frame.step as usize - 2]
    }

    /// The port through which a data frame leaves its current bridge.
    #[inline]
    pub(super) fn output_of(&self, frame: &Frame) -> u32 {
        self.steps[frame.step as usize - 1]
    }

    /// The port and flow of a frame, for error messages.
    pub(super) fn place_of(&self, frame: &Frame) -> (PortId, FlowId) {
        (PortId(self.input_of(frame)), FlowId(frame.flow))
    }
}
