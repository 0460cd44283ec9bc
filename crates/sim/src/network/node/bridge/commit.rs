//! Departures that are not expected to change are decided when a frame is enqueued.
//!
//! If a frame arrives while its port is busy, and no frame waits in the port's queues, it departs after the frames whose
//! departures are decided. Its departure time is then known, so it is put on the link at once with its arrival time, and
//! the port needs no event. The queue length is updated on access: a frame counts as queued until its transmission starts.
//!
//! Such frames are called committed. Only data frames and replies are committed, and no uncommitted frame waits behind them.
//! Under strict priority, if receivers reply, a frame of a higher class overtakes committed frames of lower classes, which depart
//! later ([`Core::overtake`]); committed frames of a port whose transmission has not begun are therefore sorted by class. Anything
//! else that invalidates the decision causes the frames to be recalled ([`Core::recall`]): a notification, a pause of the
//! port, a pause frame that the port must send, or a change in its rate.
//!
//! Under flow control, an input holds a frame until its transmission begins. While an input has not paused its sender,
//! departures of its frames only lower a counter, so they are counted lazily: a counter that seems to exceed its threshold
//! is first updated. If it still exceeds the threshold, the input's frames are recalled. While the input pauses its
//! sender, none of its frames are committed, so that the departure that releases the sender is an event.
//!
//! A frame that is marked or stamped when it departs needs the length of its queue at that time. It is on its link by then, so
//! the mark and the length are added when the queue is updated ([`Core::see_departure`]). Every arrival at the queue updates it
//! first, and so does the arrival of the frame at the other end of its link ([`BridgeSet::settle_sender`]).
//!
//! Nothing is committed in bridges with input buffers, where every departure frees buffer space at the output.

use setpoint_control::HopReport;
use setpoint_units::{Bytes, Time, TimeDelta};

use super::core::Core;
use super::input::Account;
use super::output_queued::OutputQueued;
use super::queue::Committed;
use super::set::{BridgeSet, Buffering};
use crate::frame::Frame;
use crate::ids::PortId;
use crate::index::{PortNo, QueueNo};
use crate::network::node::context::Context;
use crate::network::node::link::End;
use crate::network::node::port::{Wake, highest};

/// The maximum time by which departures of protected frames are decided in advance. Only input thresholds limit the number
/// of these frames, so at very low rates the last departure could lie beyond the range of times.
const HORIZON: TimeDelta = TimeDelta::from_secs(1);

/// The maximum number of frames that a frame overtakes, which bounds the work per frame. The value has not been tuned.
const MOST_OVERTAKEN: usize = 16;

/// The place of a frame among the committed frames of its port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    /// The departure of the frame cannot be decided now.
    None,
    Last,
    /// Before the committed frames of lower classes.
    BeforeLower,
}

impl BridgeSet<OutputQueued> {
    /// Adds a frame to a busy port. If possible, its departure is decided now; otherwise, it waits in its queue.
    #[inline(always)]
    pub(super) fn line_up<const INTERVENES: bool>(
        &mut self,
        cx: &mut Context,
        (output, queue): (PortNo, QueueNo),
        frame: Frame,
        account: Option<Account>,
    ) {
        let input = account.map_or(PortNo::default(), |account| account.input);
        match self.core.slot_for::<INTERVENES>(cx, output, frame.class(), account) {
            Slot::None => return self.enqueue(cx, (output, queue), frame, account),
            Slot::Last => self.core.commit::<INTERVENES>(cx, (output, queue), frame, input),
            Slot::BeforeLower => self.core.overtake(cx, (output, queue), frame, input),
        }
        if let Some(account) = account {
            self.hold_input(cx, account, u64::from(frame.bytes()));
        }
    }
}

impl<B> BridgeSet<B>
where
    Self: Buffering,
{
    /// Updates the port that has sent the next frame to arrive over a link, so that the frame has its mark and its report.
    #[inline(never)]
    pub(in crate::network) fn settle_sender(&mut self, cx: &mut Context, link: PortId) {
        let Some(frame) = cx.links[link].flight.front().map(|flying| flying.frame) else { return };
        if !Self::COMMITS || !frame.is_data() {
            return;
        }
        // The frame's hop is still that of the sender. Senders in other partitions were updated before they sent it here.
        let output = cx.routes.output_of(frame);
        if self.core.ports.includes(output) {
            debug_assert_eq!(self.core.ports[output].id, link);
            self.core.settle_output(cx, output, cx.now);
        }
    }
}

impl Core {
    /// Whether the departure of a frame from a busy port can be decided now, and its place among committed frames. If it
    /// cannot, none of the port's frames are committed any more.
    #[inline(always)]
    fn slot_for<const INTERVENES: bool>(
        &mut self,
        cx: &mut Context,
        output: PortNo,
        class: u8,
        account: Option<Account>,
    ) -> Slot {
        let mut slot = Slot::Last;
        if self.ports[output].committed & !(1 << class) != 0 {
            slot = self.slot_among_classes(cx, output, class);
        }
        if let Some(account) = account {
            let far_ahead = self.ports[output].free_at > cx.now.saturating_add(HORIZON);
            if far_ahead || self.pauses_sender(account) {
                self.recall(cx, output);
                return Slot::None;
            }
        }
        let port = &self.ports[output];
        let is_free = port.waiting == 0
            && port.wake == Wake::Asleep
            && port.paused & (1 << class) == 0
            && cx.rules.decides_in_advance
            && !(INTERVENES && marks_matter_at_end(cx, port.id));
        if is_free { slot } else { Slot::None }
    }

    /// The place of a frame at a port that may have committed frames of other classes. Recalls them if the frame cannot be
    /// placed among them. Without replies, it never is: classes then mix at few ports, and the number of events, which the digest
    /// of a result covers, stays comparable with older results.
    #[cold]
    #[inline(never)]
    fn slot_among_classes(&mut self, cx: &mut Context, output: PortNo, class: u8) -> Slot {
        self.settle_output(cx, output, cx.now);
        let port = &self.ports[output];
        let others = port.committed & !(1 << class);
        let lower = others & below(class);
        if others == 0 {
            Slot::Last
        } else if !cx.rules.answers()
            || port.paused & (1 << class) != 0
            || self.turns.is_some()
            || self.committed_in(output, lower) > MOST_OVERTAKEN
        {
            self.recall(cx, output);
            Slot::None
        } else if lower == 0 {
            Slot::Last
        } else {
            Slot::BeforeLower
        }
    }

    /// Commits a frame, which departs after all frames on the link.
    #[inline(always)]
    fn commit<const INTERVENES: bool>(
        &mut self,
        cx: &mut Context,
        (output, queue): (PortNo, QueueNo),
        frame: Frame,
        input: PortNo,
    ) {
        let start = self.ports[output].free_at;
        let entry = Committed { start, input, bytes: frame.bytes(), is_data: frame.is_data() };
        self.queues[queue].commit(entry, cx.now);
        self.ports[output].committed |= 1 << frame.class();
        self.put_on_link::<INTERVENES>(cx, output, frame);
    }

    /// Commits a frame, which departs before the committed frames of lower classes.
    #[inline(never)]
    fn overtake(
        &mut self,
        cx: &mut Context,
        (output, queue): (PortNo, QueueNo),
        frame: Frame,
        input: PortNo,
    ) {
        let mut lower = self.ports[output].committed & below(frame.class());
        let overtaken = self.take_back(cx, output, lower);
        self.commit::<true>(cx, (output, queue), frame, input);
        let mut frames = overtaken.iter();
        while let Some(class) = highest(lower) {
            lower &= below(class);
            let number = self.queue_of(output, class);
            let mut entries = std::mem::take(&mut self.queues[number].committed);
            entries.update(|entry| {
                entry.start = self.ports[output].free_at;
                if let Some(&frame) = frames.next() {
                    self.put_on_link::<true>(cx, output, frame);
                }
            });
            self.queues[number].committed = entries;
        }
        self.taken_back = overtaken;
    }

    /// Puts a frame whose transmission begins when the port is free on the link. The report of the bridge lacks the length of the
    /// queue, which is not known yet.
    #[inline(always)]
    fn put_on_link<const INTERVENES: bool>(&mut self, cx: &mut Context, output: PortNo, frame: Frame) {
        let port = &mut self.ports[output];
        if INTERVENES && let Some(report) = cx.telemetry_of(frame) {
            let (at, sent) = (port.free_at, Bytes::new(port.sent) + frame.size());
            let hop = HopReport { at, queue: Bytes::ZERO, sent, rate: port.nominal_rate() };
            cx.reports.stamp(report, hop);
        }
        port.transmit(cx, frame, port.free_at);
    }

    /// Takes the committed frames of the given classes off the link, of which they are the last frames, and returns them in
    /// order.
    fn take_back(&mut self, cx: &mut Context, output: PortNo, classes: u8) -> Vec<Frame> {
        let mut frames = std::mem::take(&mut self.taken_back);
        frames.clear();
        let count = self.committed_in(output, classes);
        let Some(first) = highest(classes) else { return frames };
        let first = self.queues[self.queue_of(output, first)].committed.front().map(|entry| entry.start);
        let Some(first) = first else { return frames };
        self.ports[output].recall(cx, count, first, |frame| frames.push(frame));
        for &frame in &frames {
            if let Some(report) = cx.telemetry_of(frame) {
                cx.reports.remove_stamp(report);
            }
        }
        frames
    }

    /// The number of committed frames of the given classes at a port.
    fn committed_in(&self, output: PortNo, mut classes: u8) -> usize {
        let mut count = 0;
        while let Some(class) = highest(classes) {
            classes &= below(class);
            count += self.queues[self.queue_of(output, class)].committed.len();
        }
        count
    }

    /// Counts the committed departures from a queue of the given class that have begun.
    #[inline(always)]
    pub(super) fn settle_queue<const INTERVENES: bool>(
        &mut self,
        cx: &mut Context,
        (output, number): (PortNo, QueueNo),
        class: u8,
        now: Time,
    ) {
        while let Some(Committed { start, input, bytes, .. }) = self.queues[number].pop_departed(now) {
            if self.pause_rules.protects(class) {
                self.inputs[input].depart(self.pause_rules.counter(class), bytes);
            }
            if INTERVENES && cx.rules.sees_departures {
                self.see_departure(cx, (output, number), class, start);
            }
        }
    }

    /// Counts the committed departures from the queues of a port that have begun, in the order of the frames on the link.
    #[inline]
    pub(in crate::network) fn settle_output(&mut self, cx: &mut Context, output: PortNo, now: Time) {
        let mut classes = self.ports[output].committed;
        while let Some(class) = highest(classes) {
            classes &= below(class);
            let queue = self.queue_of(output, class);
            self.settle_queue::<true>(cx, (output, queue), class, now);
            if self.queues[queue].committed.is_empty() {
                self.ports[output].committed &= !(1 << class);
            }
        }
    }

    /// Marks the frame of a queue that has just begun to depart, and completes its report, as far as this run requires.
    #[inline(never)]
    fn see_departure(
        &mut self,
        cx: &mut Context,
        (output, queue): (PortNo, QueueNo),
        class: u8,
        start: Time,
    ) {
        let lower = self.committed_in(output, self.ports[output].committed & below(class));
        let behind = self.queues[queue].committed.len() + lower;
        let id = self.ports[output].id;
        let Some(frame) = cx.links[id].flight.before_last(behind).map(|flying| flying.frame) else { return };
        if !frame.is_data() {
            return;
        }
        if cx.rules.bridges.departures {
            let marked = self.marked_at_departure(cx, queue, frame, start);
            if let Some(flying) = cx.links[id].flight.before_last(behind) {
                flying.frame = marked;
            }
            if marked.is_marked()
                && let Some(tap) = &mut cx.tap
            {
                tap.replace(id, start, marked);
            }
        }
        if let Some(report) = cx.telemetry_of(frame) {
            cx.reports.set_queue(report, Bytes::new(self.queues[queue].length));
        }
    }

    /// Updates all queues, and the counters of inputs, to the given time.
    pub(in crate::network) fn settle(&mut self, cx: &mut Context, now: Time) {
        for output in self.ports.numbers() {
            if self.ports[output].committed != 0 {
                self.settle_output(cx, output, now);
            }
        }
    }

    /// Brings the counter of an input up to date.
    pub(super) fn settle_input(&mut self, cx: &mut Context, input: PortNo) {
        for place in 0..self.outputs_of(input).len() {
            self.settle_output(cx, self.outputs_of(input)[place], cx.now);
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
        self.settle_output(cx, output, begun);
        let classes = self.ports[output].committed;
        if classes == 0 {
            return;
        }
        debug_assert_eq!(self.ports[output].wake, Wake::Asleep, "a frame waits behind committed frames");
        let frames = self.take_back(cx, output, classes);
        for &frame in &frames {
            let queue = self.queue_of(output, frame.class());
            self.queues[queue].frames.push_back(frame);
            self.queues[queue].committed.truncate(0);
        }
        self.taken_back = frames;
        let port = &mut self.ports[output];
        port.committed = 0;
        port.waiting |= classes;
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

    /// Data frames in a link's ring whose transmission has not begun, and their bytes. Assumes that the queues are up to date.
    pub(in crate::network) fn committed_ahead(&self, output: PortNo) -> (u64, u64) {
        let add = |(frames, bytes), frame: &Committed| (frames + 1, bytes + u64::from(frame.bytes));
        self.committed_at(output).filter(|frame| frame.is_data).fold((0, 0), add)
    }

    /// The committed frames of a port, in order.
    fn committed_at(&self, output: PortNo) -> impl Iterator<Item = &Committed> {
        let classes = (0..8).rev().filter(move |class| self.ports[output].committed & (1 << class) != 0);
        classes.flat_map(move |class| self.queues[self.queue_of(output, class)].committed.iter())
    }
}

/// The classes below a class.
fn below(class: u8) -> u8 {
    (1 << class) - 1
}

/// Whether frames that depart to a station are marked as they depart. Only the arrival of a marked frame is an event, so the
/// mark must be known when the frame is put on the link.
fn marks_matter_at_end(cx: &Context, link: PortId) -> bool {
    cx.rules.bridges.departures && matches!(cx.links[link].to, End::Station(_))
}
