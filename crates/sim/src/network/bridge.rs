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
use crate::spec::{Reaction, SampledFrames, Side};

impl Network {
    /// A data frame has arrived at a bridge.
    #[inline]
    pub(super) fn forward(&mut self, mut frame: Frame) {
        let mut more = 0;
        if self.groups.include(&frame) {
            let Some((copy, others)) = self.copy(frame) else { return };
            (frame, more) = (copy, others);
        }
        // One call for both kinds of frames: it is worth being compiled into the loop over events.
        loop {
            self.forward_one(frame);
            if more == 0 {
                return;
            }
            more -= 1;
            frame = self.groups.copies[more];
        }
    }

    /// A data frame goes on to the port that is next on its route.
    #[inline]
    fn forward_one(&mut self, mut frame: Frame) {
        let output = self.steps[frame.step as usize];
        frame.step += 1;
        if self.cioq.is_some() {
            return self.enter(frame);
        }
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
    pub(super) fn send_notification(&mut self, frame: Frame) {
        let output = self.steps[frame.step as usize] ^ 1;
        if self.ports[output as usize].idle_for(frame.class, self.now) {
            self.transmit(output, frame, self.now);
            return;
        }
        // Also of its own class: a notification is not committed, and must come after what is.
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

    /// Takes the first frame of a class out of a port's queue.
    #[inline]
    pub(super) fn dequeue(&mut self, output: u32, class: u8) -> Frame {
        let index = self.queue_of(output, class);
        let queue = &mut self.queues[index];
        let frame = queue.pop(self.now).expect("a class that waits has a frame");
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

    /// The congestion point sees a frame, and the queue at `length` after what became of the frame.
    #[inline]
    pub(super) fn show_to_congestion_point(&mut self, queue: usize, frame: &Frame, length: u64) {
        if !self.queues[queue].congestion_point.passes(frame.size()) {
            self.show_in_full(queue, frame, length);
        }
    }

    // Out of line: of QCN's frames one in a hundred comes here.
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

    /// At an input, what is meant for the source of the frame that was sampled goes to the culprit instead.
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

    /// Sends what the congestion point of a queue has to say, after a frame arrived or by the clock. Background
    /// traffic is not told.
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
                flow,
                step,
                rules.notification_bytes,
                rules.notification_class,
            )
            .tagged(PointId(queue as u32));
            match self.place_of_queue(queue) {
                (Side::Output, _) if self.cioq.is_some() => self.notify_across(notification),
                _ => self.send_notification(notification),
            }
        }
        self.notifications = notifications;
    }

    /// Where in the table of routes the port stands that brings a flow to the bridge of a queue it passes.
    fn step_before(&self, flow: u32, queue: usize) -> u32 {
        let (side, port) = self.place_of_queue(queue);
        let flow = &self.flows[flow as usize];
        let route = flow.second_step - 1..flow.second_step + flow.steps - 1;
        let place = route.into_iter().find(|&step| self.steps[step as usize] == port);
        let place = place.expect("a point tells flows it has seen");
        if side == Side::Output { place - 1 } else { place }
    }

    /// Whether a queue is at an output or an input, and the port it feeds or is fed by.
    pub(super) fn place_of_queue(&self, queue: usize) -> (Side, u32) {
        let (port, ports) = (queue / self.classes.count(), self.ports.len());
        if port < ports { (Side::Output, port as u32) } else { (Side::Input, (port - ports) as u32) }
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

    /// The port that a data frame leaves the bridge by that it is at.
    #[inline]
    pub(super) fn output_of(&self, frame: &Frame) -> u32 {
        self.steps[frame.step as usize - 1]
    }

    /// Where a frame is, for error messages.
    pub(super) fn place_of(&self, frame: &Frame) -> (PortId, FlowId) {
        (PortId(self.input_of(frame)), FlowId(frame.flow))
    }
}
