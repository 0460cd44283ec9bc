//! Departures that are not expected to change are decided when a frame is enqueued.
//!
//! If a frame arrives while its port is busy with frames of its own class, it departs after them. Its departure
//! time is then known, so it is put on the link at once with its arrival time, and the port needs no event. The
//! queue length is updated on access: a frame counts as queued until its transmission starts.
//!
//! Such frames are called committed. Only data frames are committed, and no uncommitted frame waits behind them.
//! Anything that invalidates the decision causes the frames to be recalled ([`Core::recall`]): a frame of another class,
//! a notification, a pause of the port, a pause frame that the port must send, or a change in its rate.
//!
//! Under flow control, an input holds a frame until its transmission begins. While an input has not paused its sender,
//! departures of its frames only lower a counter, so they are counted lazily: a counter that seems to exceed its threshold
//! is first updated. If it still exceeds the threshold, the input's frames are recalled. While the input pauses its
//! sender, none of its frames are committed, so that the departure that releases the sender is an event.
//!
//! Nothing is committed in bridges with input buffers, where every departure frees buffer space at the output.

use setpoint_units::{Time, TimeDelta};

use super::core::Core;
use super::input::Account;
use super::output_queued::OutputQueued;
use super::queue::Committed;
use super::set::BridgeSet;
use crate::frame::Frame;
use crate::index::{PortNo, QueueNo};
use crate::network::node::context::Context;
use crate::network::node::port::Wake;

/// The maximum time by which departures of protected frames are decided in advance. Only input thresholds limit the number
/// of these frames, so at very low rates the last departure could lie beyond the range of times.
const HORIZON: TimeDelta = TimeDelta::from_secs(1);

impl BridgeSet<OutputQueued> {
    /// Decides the departure of a frame from a busy port.
    #[inline(always)]
    pub(super) fn commit(
        &mut self,
        cx: &mut Context,
        (output, queue): (PortNo, QueueNo),
        frame: Frame,
        account: Option<Account>,
    ) {
        let port = &mut self.core.ports[output];
        let start = port.free_at;
        let input = account.map_or(PortNo::default(), |account| account.input);
        self.core.queues[queue].commit(Committed { start, input, bytes: frame.bytes() }, cx.now);
        port.transmit(cx, frame, start);
        if let Some(account) = account {
            self.hold_input(cx, account, u64::from(frame.bytes()));
        }
    }
}

impl Core {
    /// Whether a frame's departure from a busy port can be decided now. Recalls committed frames of another class, and all
    /// committed frames if this frame cannot be committed.
    #[inline(always)]
    pub(super) fn can_commit(
        &mut self,
        cx: &mut Context,
        output: PortNo,
        class: u8,
        account: Option<Account>,
    ) -> bool {
        if self.ports[output].committed_class != class {
            self.recall(cx, output);
            self.ports[output].committed_class = class;
        }
        if let Some(account) = account {
            let far_ahead = self.ports[output].free_at > cx.now.saturating_add(HORIZON);
            if far_ahead || self.pauses_sender(account) {
                self.recall(cx, output);
                return false;
            }
        }
        let port = &self.ports[output];
        port.waiting == 0
            && port.wake == Wake::Asleep
            && port.paused & (1 << class) == 0
            && cx.rules.decides_in_advance
    }

    /// Counts the committed departures from a queue of the given class that have begun.
    #[inline(always)]
    pub(super) fn settle_queue(&mut self, queue: QueueNo, class: u8, now: Time) {
        let queue = &mut self.queues[queue];
        while let Some(Committed { input, bytes, .. }) = queue.pop_departed(now) {
            if self.pause_rules.protects(class) {
                self.inputs[input].depart(self.pause_rules.counter(class), bytes);
            }
        }
    }

    /// Updates all queues, and the counters of inputs, to the given time.
    pub(in crate::network) fn settle(&mut self, now: Time) {
        for queue in self.queues.numbers() {
            if !self.queues[queue].committed.is_empty() {
                let (_, _, class) = self.place_of(queue);
                self.settle_queue(queue, class, now);
            }
        }
    }

    /// Brings the counter of an input up to date.
    pub(super) fn settle_input(&mut self, cx: &Context, input: PortNo, counter: usize) {
        for place in 0..self.outputs_of(input).len() {
            let output = self.outputs_of(input)[place];
            for class in cx.classes.in_set(self.pause_rules.classes_of(counter)) {
                self.settle_queue(self.queue_of(output, class), class, cx.now);
            }
        }
    }

    /// Recalls committed frames from all ports that may hold frames from the given input.
    pub(super) fn recall_from(&mut self, cx: &mut Context, input: PortNo) {
        for place in 0..self.outputs_of(input).len() {
            self.recall(cx, self.outputs_of(input)[place]);
        }
    }

    /// Recalls committed frames whose transmission has not begun.
    pub(super) fn recall(&mut self, cx: &mut Context, output: PortNo) {
        self.recall_after(cx, output, cx.now);
    }

    /// Recalls committed frames whose transmission begins after the given time.
    pub(super) fn recall_after(&mut self, cx: &mut Context, output: PortNo, begun: Time) {
        if self.ports[output].queues == QueueNo::NONE {
            return;
        }
        let class = self.ports[output].committed_class;
        let number = self.queue_of(output, class);
        self.settle_queue(number, class, begun);
        let (port, queue) = (&mut self.ports[output], &mut self.queues[number]);
        let Some(&Committed { start: first, .. }) = queue.committed.front() else { return };
        debug_assert!(
            queue.frames.is_empty() && port.wake == Wake::Asleep,
            "a frame waits behind committed frames"
        );
        port.recall(cx, queue.committed.len(), first, |frame| queue.frames.push_back(frame));
        queue.committed.truncate(0);
        port.waiting |= 1 << port.committed_class;
        self.arm(cx, output);
    }

    /// The number of committed frames of a port whose transmission begins at `time` or later.
    pub(in crate::network) fn not_begun(&self, output: PortNo, time: Time) -> usize {
        self.committed_at(output).filter(|frame| frame.start >= time).count()
    }

    /// The earliest time, not before `time`, at which the transmission of a committed frame begins.
    pub(in crate::network) fn next_begin(&self, output: PortNo, time: Time) -> Option<Time> {
        self.committed_at(output).map(|frame| frame.start).find(|start| *start >= time)
    }

    /// Frames and bytes in a link's ring whose transmission has not begun. Assumes that the queues are up to
    /// date.
    pub(in crate::network) fn committed_ahead(&self, output: PortNo) -> (u64, u64) {
        let add = |(frames, bytes), frame: &Committed| (frames + 1, bytes + u64::from(frame.bytes));
        self.committed_at(output).fold((0, 0), add)
    }

    /// The committed frames of a port.
    fn committed_at(&self, output: PortNo) -> impl Iterator<Item = &Committed> {
        let port = &self.ports[output];
        let queue = (port.queues != QueueNo::NONE).then(|| self.queue_of(output, port.committed_class));
        queue.into_iter().flat_map(|queue| self.queues[queue].committed.iter())
    }
}
