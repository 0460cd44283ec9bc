//! Bridges with output queues only: a frame enters the queue of its output as soon as it arrives.

use super::core::Core;
use super::input::Account;
use super::set::{BridgeSet, Buffering};
use crate::frame::{Frame, FrameKind};
use crate::ids::{PortId, Priority};
use crate::index::{PortNo, QueueNo, Stretch};
use crate::network::node::context::Context;
use crate::spec::Side;

/// The buffers of output-queued bridges: only the queues, which all kinds of bridges have.
pub(in crate::network) struct OutputQueued;

impl Buffering for BridgeSet<OutputQueued> {
    const COMMITS: bool = true;

    #[inline]
    fn enter<const EXTRAS: bool>(&mut self, cx: &mut Context, frame: Frame) {
        if EXTRAS && cx.rules.intervenes {
            return self.enter_with_intervention(cx, frame);
        }
        self.enter_queue::<false>(cx, frame);
    }

    fn enqueue_reply(&mut self, cx: &mut Context, output: PortNo, frame: Frame) {
        let account = self.core.account_of_reply(cx, frame);
        let queue = self.core.queue_of(output, frame.class());
        self.core.settle_output(cx, output, cx.now);
        let room = match account {
            Some(account) => self.core.admit_lossless(cx, account, frame),
            None => self.core.queues[queue].has_room(frame.bytes()),
        };
        if room {
            self.line_up::<true>(cx, (output, queue), frame, account);
        } else {
            self.core.queues[queue].count_drop(frame.bytes());
            cx.discard_report(frame);
        }
    }

    #[inline]
    fn left(&mut self, cx: &mut Context, _: PortNo, _: QueueNo, frame: Frame) {
        if frame.is_data() {
            if let Some(account) = self.core.account_of(cx, frame) {
                self.release_input(cx, account, u64::from(frame.bytes()));
            }
        } else if frame.kind() == FrameKind::Reply {
            self.reply_left(cx, frame);
        }
    }

    fn take_room(&mut self, queue: QueueNo, bytes: u16) -> bool {
        self.core.queues[queue].has_room(bytes)
    }

    fn pass_notification(&mut self, cx: &mut Context, frame: Frame) {
        self.send_notification(cx, frame);
    }

    fn send_issued(&mut self, cx: &mut Context, _: (Side, PortNo), notification: Frame) {
        self.send_notification(cx, notification);
    }

    fn pause_if_needed(&mut self, cx: &mut Context, input: PortNo, counter: usize) {
        self.hold_input(cx, Account { input, counter }, 0);
    }

    fn waiting_of(&self, cx: &Context, input: PortNo, counter: usize) -> Vec<(PortId, u64)> {
        self.core.waiting_of(cx, input, counter)
    }

    fn adds_up(&self, cx: &Context) -> Result<(), &'static str> {
        self.core.queues_add_up()?;
        let mut held = self.core.nothing_held();
        self.core.count_queued(cx, &mut held);
        self.core.inputs_add_up(&held)
    }

    #[inline]
    fn look_at_entry(&self, cx: &Context, frame: Frame, depth: u32) {
        self.core.look_at_output(cx, frame, depth);
    }
}

impl BridgeSet<OutputQueued> {
    /// Frees the buffer space of a reply that has left its queue.
    #[cold]
    #[inline(never)]
    fn reply_left(&mut self, cx: &mut Context, reply: Frame) {
        if let Some(account) = self.core.account_of_reply(cx, reply) {
            self.release_input(cx, account, u64::from(reply.bytes()));
        }
    }

    #[inline(never)]
    fn enter_with_intervention(&mut self, cx: &mut Context, frame: Frame) {
        self.enter_queue::<true>(cx, frame);
    }

    /// Moves a frame to the queue of its output. If `INTERVENES` is true, the frame may first be dropped or marked,
    /// and may be stamped when it is sent.
    #[inline(always)]
    fn enter_queue<const INTERVENES: bool>(&mut self, cx: &mut Context, mut frame: Frame) {
        let output = cx.routes.output_of(frame);
        let queue = self.core.queue_of(output, frame.class());
        if INTERVENES {
            self.core.settle_output(cx, output, cx.now);
        } else {
            self.core.settle_queue::<false>(cx, (output, queue), frame.class(), cx.now);
        }
        if INTERVENES && cx.rules.bridges.admission && !self.admits(cx, queue, frame) {
            return;
        }
        let account = self.core.account_of(cx, frame);
        if !self.admit(cx, queue, frame, account) {
            return;
        }
        let with_frame = self.core.queues[queue].length + u64::from(frame.bytes());
        if INTERVENES {
            frame = self.core.marked(cx, queue, frame, with_frame);
        }
        if self.core.ports[output].idle_for(frame.class(), cx.now) {
            if INTERVENES {
                frame = self.core.departing(cx, output, frame);
            }
            self.core.ports[output].transmit(cx, frame, cx.now);
        } else {
            self.line_up::<INTERVENES>(cx, (output, queue), frame, account);
        }
        self.show_to_congestion_point(cx, queue, frame, with_frame);
    }

    /// Whether there is buffer space for a frame; if not, drops it.
    #[inline(always)]
    fn admit(&mut self, cx: &mut Context, queue: QueueNo, frame: Frame, account: Option<Account>) -> bool {
        if let Some(account) = account {
            return self.core.admit_lossless(cx, account, frame);
        }
        let room = self.core.queues[queue].has_room(frame.bytes());
        if !room {
            self.drop_frame(cx, queue, frame);
        }
        room
    }

    /// Adds a frame to the queue of a busy port.
    #[inline(always)]
    pub(super) fn enqueue(
        &mut self,
        cx: &mut Context,
        (output, queue): (PortNo, QueueNo),
        frame: Frame,
        account: Option<Account>,
    ) {
        self.core.queues[queue].push(frame, cx.now);
        self.core.ports[output].waiting |= 1 << frame.class();
        if let Some(account) = account {
            self.hold_input(cx, account, u64::from(frame.bytes()));
        }
        self.core.arm(cx, output);
    }
}

impl Core {
    /// The outputs for which an input's frames wait, in ascending order, each with the number of waiting bytes
    /// included in the given counter of the input.
    pub(super) fn waiting_of(&self, cx: &Context, input: PortNo, counter: usize) -> Vec<(PortId, u64)> {
        let classes = self.pause_rules.classes_of(counter);
        let nonempty = |output: &&PortNo| self.ports[**output].waiting & classes != 0;
        let mut outputs: Vec<PortNo> = self.outputs_of(input).iter().filter(nonempty).copied().collect();
        // Everything that an input holds waits for some output, so bytes that are not in the other queues are
        // in the longest one.
        let length = |&output: &PortNo| {
            self.queues_of(cx, output, classes).map(|queue| self.queues[queue].length).sum::<u64>()
        };
        outputs.sort_by_key(length);
        let longest = outputs.pop();
        let mut rest = self.inputs[input].held()[counter];
        let mut waiting: Vec<(PortId, u64)> = Vec::with_capacity(outputs.len() + 1);
        for output in outputs {
            let bytes = self.waiting_at(cx, output, input, classes);
            rest -= bytes;
            waiting.push((self.id_of(output), bytes));
        }
        waiting.extend(longest.map(|output| (self.id_of(output), rest)));
        waiting.retain(|&(_, bytes)| bytes > 0);
        waiting.sort_unstable();
        waiting
    }

    /// Bytes of the given classes that came from an input and wait for an output.
    fn waiting_at(&self, cx: &Context, output: PortNo, input: PortNo, classes: u8) -> u64 {
        let frames = self.queues_of(cx, output, classes).flat_map(|queue| self.queues[queue].frames.iter());
        let of_input = frames.filter(|frame| is_held(frame) && cx.routes.arrived_at(**frame) == input);
        of_input.map(|frame| u64::from(frame.bytes())).sum()
    }

    /// Adds the bytes of queued frames to those that their inputs should count.
    pub(super) fn count_queued(&self, cx: &Context, held: &mut Stretch<PortNo, [u64; Priority::COUNT]>) {
        let mut count = |input: PortNo, class: u8, bytes: u16| {
            if self.pause_rules.protects(class) {
                held[input][self.pause_rules.counter(class)] += u64::from(bytes);
            }
        };
        let frames = self.queues.iter().flat_map(|queue| queue.frames.iter());
        for frame in frames.filter(is_held) {
            count(cx.routes.arrived_at(*frame), frame.class(), frame.bytes());
        }
        for (number, queue) in self.queues.numbered() {
            let (_, _, class) = self.place_of(number);
            queue.committed.iter().for_each(|frame| count(frame.input, class, frame.bytes));
        }
    }
}

/// Whether inputs count a frame of a protected class.
fn is_held(frame: &&Frame) -> bool {
    matches!(frame.kind(), FrameKind::Data | FrameKind::Reply)
}
