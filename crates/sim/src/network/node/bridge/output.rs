//! Outputs: a frame enters the queue of its port, waits, and is sent.

use super::Bridges;
use super::input::Account;
use crate::frame::{Frame, FrameKind};
use crate::index::{PortNo, QueueNo};
use crate::network::node::context::Context;
use crate::spec::SampledFrames;

impl Bridges {
    /// Moves a frame that has arrived at an output-queued bridge to the queue of its output.
    #[inline]
    pub(super) fn enter_output_queue(&mut self, cx: &mut Context, frame: Frame) {
        if cx.rules.intervenes {
            return self.enter_with_intervention(cx, frame);
        }
        self.enter_queue::<false>(cx, frame);
    }

    #[cold]
    #[inline(never)]
    fn enter_with_intervention(&mut self, cx: &mut Context, frame: Frame) {
        self.enter_queue::<true>(cx, frame);
    }

    /// Moves a frame to the queue of its output. If `INTERVENES`, it may be dropped or marked first, and stamped when
    /// it is sent.
    #[inline(always)]
    fn enter_queue<const INTERVENES: bool>(&mut self, cx: &mut Context, mut frame: Frame) {
        let output = cx.routes.output_of(frame);
        let queue = self.queue_of(output, frame.class());
        self.settle_queue(queue, frame.class(), cx.now);
        if INTERVENES && cx.rules.bridges.admission && !self.admits(cx, queue, frame) {
            return;
        }
        let account = self.account_of(cx, frame);
        if !self.admit(cx, queue, frame, account) {
            return;
        }
        let with_frame = self.queues[queue].length + u64::from(frame.bytes());
        if INTERVENES {
            frame = self.marked(cx, queue, frame, with_frame);
        }
        if self.ports[output].idle_for(frame.class(), cx.now) {
            if INTERVENES {
                frame = self.departing(cx, output, frame);
            }
            self.ports[output].transmit(cx, frame, cx.now);
        } else if self.can_commit(cx, output, frame.class(), account) {
            self.commit(cx, (output, queue), frame, account);
        } else {
            self.enqueue(cx, (output, queue), frame, account);
        }
        self.show_to_congestion_point(cx, queue, frame, with_frame);
    }

    /// Handles the arrival of a notification, which is forwarded one hop back along the flow's path. Between two leaves, it
    /// crosses the fabric like a notification issued inside the fabric.
    pub(super) fn forward_notification(&mut self, cx: &mut Context, frame: Frame) {
        let frame = frame.at(frame.hop().before());
        let (input, output) = (cx.routes.input_of(frame), cx.routes.output_of(frame));
        if self.is_across(input, output) {
            self.notify_across(cx, output, frame);
        } else {
            self.send_notification(cx, frame);
        }
    }

    /// Sends a notification from the bridge at its hop towards the source of its flow.
    pub(super) fn send_notification(&mut self, cx: &mut Context, frame: Frame) {
        let output = cx.routes.input_of(frame);
        if self.ports[output].idle_for(frame.class(), cx.now) {
            self.ports[output].transmit(cx, frame, cx.now);
            return;
        }
        // This also recalls committed frames of the notification's own class: a notification is not
        // committed and must follow them.
        self.recall(cx, output);
        let queue = self.queue_of(output, frame.class());
        let room = match self.cioq {
            Some(_) => self.take_room(queue, frame.bytes()),
            None => self.queues[queue].has_room(frame.bytes()),
        };
        if !room {
            self.queues[queue].count_drop(frame.bytes());
            return;
        }
        self.queues[queue].push(frame, cx.now);
        self.ports[output].waiting |= 1 << frame.class();
        self.arm(cx, output);
    }

    /// Handles the arrival of a reply, which is forwarded one hop back along the flow's path. In a protected class, its
    /// input counts it like a data frame.
    #[inline(never)]
    pub(super) fn forward_reply(&mut self, cx: &mut Context, frame: Frame) {
        let frame = frame.at(frame.hop().before());
        let output = cx.routes.input_of(frame);
        if self.ports[output].idle_for(frame.class(), cx.now) {
            self.ports[output].transmit(cx, frame, cx.now);
            return;
        }
        // Like a notification, a reply is not committed.
        self.recall(cx, output);
        let (queue, account) = (self.queue_of(output, frame.class()), self.account_of_reply(cx, frame));
        let room = match account {
            Some(account) => self.admit_lossless(cx, account, frame),
            None => self.queues[queue].has_room(frame.bytes()),
        };
        if room {
            self.enqueue(cx, (output, queue), frame, account);
        } else {
            self.queues[queue].count_drop(frame.bytes());
            cx.discard_report(frame);
        }
    }

    /// Whether there is buffer space for a frame; if not, drops it.
    #[inline(always)]
    fn admit(&mut self, cx: &mut Context, queue: QueueNo, frame: Frame, account: Option<Account>) -> bool {
        if let Some(account) = account {
            return self.admit_lossless(cx, account, frame);
        }
        let room = self.queues[queue].has_room(frame.bytes());
        if !room {
            self.drop_frame(cx, queue, frame);
        }
        room
    }

    #[cold]
    #[inline(never)]
    pub(super) fn drop_frame(&mut self, cx: &mut Context, queue: QueueNo, frame: Frame) {
        self.queues[queue].count_drop(frame.bytes());
        let without_frame = self.queues[queue].length;
        cx.lose(self.place_of(queue).0, frame);
        cx.discard_report(frame);
        if cx.rules.sampled == SampledFrames::Arriving {
            self.show_to_congestion_point(cx, queue, frame, without_frame);
        }
    }

    /// Adds a frame to the queue of a busy port.
    #[inline(always)]
    fn enqueue(
        &mut self,
        cx: &mut Context,
        (output, queue): (PortNo, QueueNo),
        frame: Frame,
        account: Option<Account>,
    ) {
        self.queues[queue].push(frame, cx.now);
        self.ports[output].waiting |= 1 << frame.class();
        if let Some(account) = account {
            self.hold_input(cx, account, u64::from(frame.bytes()));
        }
        self.arm(cx, output);
    }

    /// Removes the first frame of a class from a port's queue.
    #[inline]
    pub(super) fn dequeue(&mut self, cx: &mut Context, output: PortNo, class: u8) -> Frame {
        let number = self.queue_of(output, class);
        let queue = &mut self.queues[number];
        let frame = queue.pop(cx.now).expect("a waiting class has a frame");
        if queue.frames.is_empty() {
            self.ports[output].waiting &= !(1 << class);
        }
        match (frame.kind(), &self.cioq) {
            (FrameKind::Data, Some(_)) => self.left_output(cx, output, number),
            (_, Some(_)) => self.give_room_back(cx, output, number, frame.bytes()),
            (FrameKind::Data, None) => {
                if let Some(account) = self.account_of(cx, frame) {
                    self.release_input(cx, account, u64::from(frame.bytes()));
                }
            }
            (FrameKind::Reply, None) => {
                if let Some(account) = self.account_of_reply(cx, frame) {
                    self.release_input(cx, account, u64::from(frame.bytes()));
                }
            }
            _ => (),
        }
        frame
    }
}
