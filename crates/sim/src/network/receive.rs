//! Records of delivered and lost frames.
//!
//! A data frame that reaches its station changes only statistics, so its arrival is not an event. It waits on
//! its link and is recorded on the next access, with its actual arrival time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use setpoint_units::{Time, TimeDelta};

use super::context::Context;
use super::multicast::Groups;
use super::parcel::Parcel;
use super::places::Ends;
use crate::frame::Frame;
use crate::ids::FlowId;
#[cfg(debug_assertions)]
use crate::index::Number;
use crate::index::{PartNo, ReceiverNo, Table};
use crate::outcome::Fate;
use crate::prefetch::prefetch;
use crate::ring::Ring;
use crate::spec::{FlowSpec, Side};
use crate::traffic::source::Message;

/// The receiving sides of the flows to stations of a partition.
#[derive(Clone, Debug)]
pub(super) struct Receivers {
    part: PartNo,
    ends: Ends<ReceiverNo>,
    /// In the order of their flows.
    flows: Table<ReceiverNo, Receiver>,
    /// Messages whose fate is known and that have not been recorded.
    pub(super) ended: Vec<Ended>,
    /// For each flow and then each receiver of a group, when the last delivered frame was sent: a check that frames stay in
    /// order.
    #[cfg(debug_assertions)]
    in_order: Vec<Time>,
}

/// The receiving side of a flow. For a flow to a group, its books add up those of all receivers. Takes one cache line.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Receiver {
    books: Books,
    /// Present if the flow sends messages.
    expected: Option<Box<Expected>>,
}

/// Byte and frame counts of arrivals and losses.
#[derive(Clone, Debug, Default)]
pub(super) struct Books {
    pub(super) delivered_frames: u64,
    pub(super) delivered: u64,
    pub(super) delay_max: TimeDelta,
    /// In two halves, which need no padding: the sum of delays in picoseconds.
    delay_sum: [u64; 2],
    rare: Option<Box<Rare>>,
}

/// Counts that many flows do not need.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rare {
    /// Deliveries before measurement began.
    pub(super) unmeasured_frames: u64,
    pub(super) unmeasured: u64,
    pub(super) dropped_frames: u64,
    pub(super) dropped: u64,
}

/// Messages of a flow on their way.
#[derive(Clone, Debug, Default)]
struct Expected {
    /// Messages that have begun but are not completely delivered.
    outstanding: Ring<Message>,
    /// Bytes of messages, in sending order, whose fate is known: delivered or lost.
    settled: u64,
    /// Lost frames that were sent after the last delivered one.
    lost: LostFrames,
}

/// Send times and lengths of lost frames; the one sent earliest is on top. Frames lost at several
/// bridges need not be lost in the order in which they were sent.
type LostFrames = BinaryHeap<Reverse<(Time, u16)>>;

/// A message whose fate is known. Ordered by the time at which it was offered, then by flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ended {
    pub(super) offered: Time,
    pub(super) flow: FlowId,
    pub(super) size: u64,
    pub(super) fate: Fate,
    /// When its last byte arrived; valid only for a completed message.
    pub(super) completed: Time,
}

impl Ended {
    /// A message that was not delivered completely.
    pub(super) fn incomplete(flow: FlowId, message: &Message, fate: Fate) -> Self {
        let Message { size, offered, .. } = *message;
        Self { flow, fate, size, offered, completed: Time::MAX }
    }
}

impl Books {
    #[inline]
    pub(super) fn deliver(&mut self, bytes: u16, delay: TimeDelta) {
        self.delivered_frames += 1;
        self.delivered += u64::from(bytes);
        let (low, carry) = self.delay_sum[0].overflowing_add(delay.as_picos());
        self.delay_sum = [low, self.delay_sum[1] + u64::from(carry)];
        self.delay_max = self.delay_max.max(delay);
    }

    pub(super) fn lose(&mut self, bytes: u16) {
        let rare = self.rare.get_or_insert_default();
        rare.dropped_frames += 1;
        rare.dropped += u64::from(bytes);
    }

    /// Resets the measured statistics.
    pub(super) fn restart(&mut self) {
        if self.delivered_frames > 0 {
            let rare = self.rare.get_or_insert_default();
            rare.unmeasured_frames = self.delivered_frames;
            rare.unmeasured = self.delivered;
        }
        self.delay_sum = [0; 2];
        self.delay_max = TimeDelta::ZERO;
    }

    /// The sum of delays in picoseconds.
    pub(super) fn delay_sum(&self) -> u128 {
        u128::from(self.delay_sum[1]) << 64 | u128::from(self.delay_sum[0])
    }

    /// Losses, and deliveries before measurement began.
    pub(super) fn rare(&self) -> Rare {
        self.rare.as_deref().copied().unwrap_or_default()
    }

    /// Bytes that have left the network, delivered or lost.
    pub(super) fn ended(&self) -> u64 {
        self.delivered + self.rare().dropped
    }
}

impl Expected {
    /// Removes and returns the first message if its fate is known.
    #[inline]
    fn complete(&mut self) -> Option<Message> {
        if self.outstanding.front()?.end <= self.settled { self.outstanding.pop_front() } else { None }
    }

    /// Settles lost frames that were sent before `before`; they will never arrive. Each belongs to
    /// one message. Returns the messages that end with the loss of their last frame.
    #[cold]
    fn settle_losses(&mut self, before: Time) -> Vec<Message> {
        let mut ended = Vec::new();
        while let Some(&Reverse((sent_at, bytes))) = self.lost.peek()
            && sent_at < before
        {
            self.lost.pop();
            self.settled += u64::from(bytes);
            self.damage();
            ended.extend(self.complete());
        }
        ended
    }

    /// Records the loss of the last settled byte. This damages the first message, unless the byte belongs to a message that was
    /// cut off earlier.
    fn damage(&mut self) {
        let settled = self.settled;
        if let Some(message) = self.outstanding.front_mut() {
            message.damaged |= settled > message.end - message.size;
        }
    }
}

impl Receivers {
    pub(super) fn new(spec: &[FlowSpec], part: PartNo, ends: Ends<ReceiverNo>) -> Self {
        let receiver = |flow: &FlowSpec| Receiver {
            books: Books::default(),
            expected: flow.traffic.sends_messages().then(Box::default),
        };
        let own = |(index, _): &(usize, &FlowSpec)| ends.of(FlowId(*index as u32)).0 == part;
        let flows: Table<ReceiverNo, Receiver> =
            spec.iter().enumerate().filter(own).map(|(_, flow)| receiver(flow)).collect();
        Self {
            part,
            ended: Vec::new(),
            #[cfg(debug_assertions)]
            in_order: vec![Time::ZERO; flows.len()],
            ends,
            flows,
        }
    }

    /// The receiver of a flow, which is in this partition.
    #[inline]
    fn number(&self, flow: FlowId) -> ReceiverNo {
        self.ends.of(flow).1
    }

    /// The other partition in which the receiver of a flow is, if it is not in this one.
    #[inline]
    fn elsewhere(&self, flow: FlowId) -> Option<PartNo> {
        let (part, _) = self.ends.of(flow);
        (part != self.part).then_some(part)
    }

    /// Loads the receiver of a flow.
    #[inline]
    pub(super) fn prefetch(&self, flow: FlowId) {
        prefetch(&self.flows[self.number(flow)]);
    }

    /// The counts of a flow.
    pub(super) fn books(&self, flow: FlowId) -> &Books {
        &self.flows[self.number(flow)].books
    }

    /// The counts of all its flows, in order.
    pub(super) fn into_books(self) -> impl Iterator<Item = Books> {
        self.flows.into_iter().map(|receiver| receiver.books)
    }

    /// Expects a message that has begun.
    fn expect(&mut self, flow: FlowId, message: Message) {
        let number = self.number(flow);
        if let Some(expected) = &mut self.flows[number].expected {
            expected.outstanding.push_back(message);
        }
    }

    /// Records that a message was cut off because its flow stopped.
    pub(super) fn cut(&mut self, flow: FlowId, message: &Message) {
        self.ended.push(Ended::incomplete(flow, message, Fate::Unfinished));
    }

    /// Cuts off the messages that are not complete after the first `sent` bytes of a flow.
    fn cut_after(&mut self, flow: FlowId, sent: u64) {
        let number = self.number(flow);
        let Some(expected) = &mut self.flows[number].expected else { return };
        for message in std::mem::take(&mut expected.outstanding).iter() {
            if message.end <= sent {
                expected.outstanding.push_back(*message);
            } else {
                self.ended.push(Ended::incomplete(flow, message, Fate::Unfinished));
            }
        }
    }

    /// Records the loss of a frame.
    fn lose(&mut self, flow: FlowId, sent_at: Time, bytes: u16) {
        let number = self.number(flow);
        let Receiver { books, expected } = &mut self.flows[number];
        books.lose(bytes);
        if let Some(expected) = expected {
            expected.lost.push(Reverse((sent_at, bytes)));
        }
    }

    /// Begins measurement.
    pub(super) fn restart(&mut self) {
        self.flows.iter_mut().for_each(|receiver| receiver.books.restart());
    }

    /// Settles frames of a flow that were lost and sent before `before`.
    pub(super) fn settle_losses(&mut self, flow: FlowId, before: Time) {
        let number = self.number(flow);
        let Some(expected) = &mut self.flows[number].expected else { return };
        if !expected.lost.is_empty() {
            for message in expected.settle_losses(before) {
                self.ended.push(Ended::incomplete(flow, &message, Fate::Damaged));
            }
        }
    }

    /// Ends a run: records a flow's messages that have begun and are incomplete.
    pub(super) fn end_messages(&mut self, flow: FlowId) {
        let number = self.number(flow);
        let Some(expected) = &mut self.flows[number].expected else { return };
        for message in std::mem::take(&mut expected.outstanding).iter() {
            let fate = if message.damaged { Fate::Damaged } else { Fate::Unfinished };
            self.ended.push(Ended::incomplete(flow, message, fate));
        }
    }

    /// Prepares for the receivers of flows to groups.
    pub(super) fn expect_members(&mut self, count: usize) {
        #[cfg(debug_assertions)]
        self.in_order.resize(self.flows.len() + count, Time::ZERO);
        #[cfg(not(debug_assertions))]
        let _ = count;
    }

    /// Checks that frames of a flow, or of a group's receiver, are delivered in order, each once per station.
    #[cfg(debug_assertions)]
    fn check_order(&mut self, receiver: usize, sent_at: Time) {
        let last = std::mem::replace(&mut self.in_order[receiver], sent_at);
        assert!(
            last < sent_at || last == Time::ZERO,
            "a frame for receiver {receiver} was delivered out of order or twice"
        );
    }

    /// Bytes of the receiving sides.
    pub(super) fn bytes(&self) -> usize {
        let expected = self.flows.iter().filter_map(|receiver| receiver.expected.as_deref());
        let own = |expected: &Expected| {
            size_of::<Expected>()
                + expected.outstanding.heap_bytes()
                + expected.lost.capacity() * size_of::<(Time, u16)>()
        };
        self.flows.len() * size_of::<Receiver>() + expected.map(own).sum::<usize>()
    }

    /// The largest number of bytes that a flow needs while few of its messages are in transit.
    pub(super) fn bytes_of(flow: &FlowSpec) -> usize {
        let messages =
            if flow.traffic.sends_messages() { size_of::<Expected>() + 4 * size_of::<Message>() } else { 0 };
        size_of::<Receiver>() + messages
    }
}

impl Receivers {
    /// Records the arrival of a data frame at its station.
    #[inline(always)]
    pub(super) fn deliver(&mut self, groups: &mut Groups, frame: Frame, at: Time) {
        if groups.include(frame) {
            return self.deliver_copy(groups, frame, at);
        }
        let number = self.number(frame.flow());
        #[cfg(debug_assertions)]
        self.check_order(number.place(), frame.sent_at());
        let Receiver { books, expected } = &mut self.flows[number];
        books.deliver(frame.bytes(), at - frame.sent_at());
        let Some(expected) = expected else { return };
        if !expected.lost.is_empty() {
            for message in expected.settle_losses(frame.sent_at()) {
                self.ended.push(Ended::incomplete(frame.flow(), &message, Fate::Damaged));
            }
        }
        expected.settled += u64::from(frame.bytes());
        while let Some(message) = expected.complete() {
            let fate = if message.damaged { Fate::Damaged } else { Fate::Completed };
            let Message { size, offered, .. } = message;
            self.ended.push(Ended { flow: frame.flow(), fate, size, offered, completed: at });
        }
    }

    /// Records the arrival of a copy of a frame at a station of its group.
    #[inline(never)]
    fn deliver_copy(&mut self, groups: &mut Groups, frame: Frame, at: Time) {
        let delay = at - frame.sent_at();
        let member = groups.deliver(frame, delay);
        #[cfg(debug_assertions)]
        self.check_order(self.flows.len() + member, frame.sent_at());
        #[cfg(not(debug_assertions))]
        let _ = member;
        let number = self.number(frame.flow());
        self.flows[number].books.deliver(frame.bytes(), delay);
    }
}

impl Context {
    /// Records the loss of a data frame at a queue of a side.
    pub(super) fn lose(&mut self, side: Side, frame: Frame) {
        self.lose_of(frame.flow(), frame.sent_at(), frame.bytes());
        if self.groups.include(frame) {
            self.groups.lose(side, frame);
        }
    }

    /// Records the loss of a frame of a flow.
    pub(super) fn lose_of(&mut self, flow: FlowId, sent_at: Time, bytes: u16) {
        match self.receivers.elsewhere(flow) {
            None => self.receivers.lose(flow, sent_at, bytes),
            Some(part) => self.dispatch(part, Parcel::Loss { flow, sent_at, bytes }),
        }
    }

    /// Announces a message that has begun to its receiver.
    pub(super) fn expect(&mut self, flow: FlowId, message: Message) {
        match self.receivers.elsewhere(flow) {
            None => self.receivers.expect(flow, message),
            Some(part) => self.dispatch(part, Parcel::Message { flow, message }),
        }
    }

    /// Cuts off the messages that are not complete after the first `sent` bytes of a flow.
    pub(super) fn cut_off(&mut self, flow: FlowId, sent: u64) {
        match self.receivers.elsewhere(flow) {
            None => self.receivers.cut_after(flow, sent),
            Some(part) => self.dispatch(part, Parcel::CutOff { flow, sent }),
        }
    }
}
