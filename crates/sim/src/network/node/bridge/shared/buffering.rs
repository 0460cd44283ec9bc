//! The operations of bridges with a shared buffer.

use super::super::set::{BridgeSet, Buffering};
use super::SharedBuffers;
use crate::frame::{Frame, FrameKind};
use crate::ids::PortId;
use crate::index::{PortNo, QueueNo};
use crate::network::node::bridge::input::Account;
use crate::network::node::context::Context;
use crate::spec::Side;

impl Buffering for BridgeSet<SharedBuffers> {
    const COMMITS: bool = false;

    fn enter<const EXTRAS: bool>(&mut self, cx: &mut Context, mut frame: Frame) {
        let output = cx.routes.output_of(frame);
        let queue = self.core.queue_of(output, frame.class());
        if cx.rules.bridges.admission && !self.admits(cx, queue, frame) {
            return;
        }
        let with_frame = self.core.queues[queue].length + u64::from(frame.bytes());
        let account = self.core.account_of(cx, frame);
        let idle = self.core.ports[output].idle_for(frame.class(), cx.now);
        if !idle && !self.charge(cx, account, queue, frame) {
            return;
        }
        if cx.rules.intervenes {
            frame = self.core.marked(cx, queue, frame, with_frame);
        }
        if idle {
            if cx.rules.sees_departures {
                frame = self.core.departing(cx, output, frame);
            }
            self.core.ports[output].transmit(cx, frame, cx.now);
        } else {
            self.enqueue(cx, output, frame, account);
        }
        self.show_to_congestion_point(cx, queue, frame, with_frame);
    }

    fn enqueue_reply(&mut self, cx: &mut Context, output: PortNo, frame: Frame) {
        let account = self.core.account_of_reply(cx, frame);
        let queue = self.core.queue_of(output, frame.class());
        let room = match account {
            Some(account) => self.charge_input(cx, account, frame),
            None => self.charge_output(queue, frame.bytes()).is_ok(),
        };
        if room {
            self.enqueue(cx, output, frame, account);
        } else {
            self.core.queues[queue].count_drop(frame.bytes());
            cx.discard_report(frame);
        }
    }

    fn left(&mut self, cx: &mut Context, _: PortNo, queue: QueueNo, frame: Frame) {
        let account = match frame.kind() {
            FrameKind::Data => self.core.account_of(cx, frame),
            FrameKind::Reply => self.core.account_of_reply(cx, frame),
            _ => None,
        };
        match account {
            Some(account) => self.discharge_input(cx, account, u64::from(frame.bytes())),
            None => self.discharge_output(queue, frame.bytes()),
        }
    }

    fn take_room(&mut self, queue: QueueNo, bytes: u16) -> bool {
        self.charge_output(queue, bytes).is_ok()
    }

    fn pass_notification(&mut self, cx: &mut Context, frame: Frame) {
        self.send_notification(cx, frame);
    }

    fn send_issued(&mut self, cx: &mut Context, _: (Side, PortNo), notification: Frame) {
        self.send_notification(cx, notification);
    }

    fn pause_if_needed(&mut self, cx: &mut Context, input: PortNo, counter: usize) {
        self.pause_if_above(cx, Account { input, counter });
    }

    fn waiting_of(&self, cx: &Context, input: PortNo, counter: usize) -> Vec<(PortId, u64)> {
        self.core.waiting_of(cx, input, counter)
    }

    fn adds_up(&self, cx: &Context) -> Result<(), &'static str> {
        self.core.queues_add_up()?;
        let mut held = self.core.nothing_held();
        self.core.count_queued(cx, &mut held);
        self.core.inputs_add_up(&held)?;
        self.pools_add_up(cx)
    }

    fn look_at_entry(&self, cx: &Context, frame: Frame, depth: u32) {
        self.core.look_at_output(cx, frame, depth);
    }
}

impl BridgeSet<SharedBuffers> {
    /// Allocates buffer space for a data frame; if there is none, drops it.
    fn charge(&mut self, cx: &mut Context, account: Option<Account>, queue: QueueNo, frame: Frame) -> bool {
        if let Some(account) = account {
            return self.charge_input(cx, account, frame);
        }
        let room = self.charge_output(queue, frame.bytes()).is_ok();
        if !room {
            self.drop_frame(cx, queue, frame);
        }
        room
    }

    /// Adds a frame for which there is buffer space to the queue of a busy port.
    fn enqueue(&mut self, cx: &mut Context, output: PortNo, frame: Frame, account: Option<Account>) {
        let queue = self.core.queue_of(output, frame.class());
        self.core.queues[queue].push(frame, cx.now);
        self.core.ports[output].waiting |= 1 << frame.class();
        if let Some(account) = account {
            self.pause_if_above(cx, account);
        }
        self.core.arm(cx, output);
    }
}
