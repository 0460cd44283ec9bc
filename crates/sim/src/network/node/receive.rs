//! Records of delivered and lost frames.
//!
//! A data frame that reaches its station changes only statistics, so its arrival is not an event. The frame stays
//! on its link and is recorded on the next access, with its actual arrival time.

use std::collections::BTreeMap;

use setpoint_control::{
    Answer, Counters, Delivery, HopReport, NotificationPoint, NotificationPointParams, Reply,
};
use setpoint_units::{Bytes, Time, TimeDelta};

use crate::controllers::MakeNotificationPoint;
use crate::frame::Frame;
use crate::ids::{FlowId, MessageId};
#[cfg(debug_assertions)]
use crate::index::Number;
use crate::index::{Conversation, PartNo, ReceiverNo, Table};
use crate::network::node::books::{Books, Loss};
use crate::network::node::conversation::Conversations;
use crate::network::node::expected::{Expected, Sequence};
use crate::network::node::multicast::Groups;
use crate::network::node::places::Ends;
use crate::outcome::Fate;
use crate::prefetch::prefetch;
use crate::spec::FlowSpec;
use crate::traffic::source::Message;

/// The receiving sides of the flows whose destinations are stations of a partition.
pub(in crate::network) struct Receivers {
    part: PartNo,
    ends: Ends<ReceiverNo>,
    conversations: Conversations,
    /// In the order of their flows.
    flows: Table<ReceiverNo, Receiver>,
    /// Messages whose fate is known but that have not been recorded yet.
    pub(in crate::network) ended: Vec<Ended>,
    /// Messages for which others may wait that have just arrived completely.
    pub(in crate::network) completed: Vec<MessageId>,
    /// The parameters of notification points.
    params: NotificationPointParams,
    /// Makes notification points that replace those given by the parameters.
    make: Option<MakeNotificationPoint>,
    /// The order in which frames arrive.
    #[cfg(debug_assertions)]
    sequence: Sequence,
    /// For each flow and then each receiver of a group, when the last delivered frame was sent: a check that frames stay in
    /// order.
    #[cfg(debug_assertions)]
    in_order: Vec<Time>,
}

/// The receiving side of a flow. For a flow to a group, `books` is the sum over all receivers. Occupies one cache line.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(in crate::network) struct Receiver {
    books: Books,
    /// Present if the flow sends messages.
    expected: Option<Box<Expected>>,
    /// Present once it has observed a delivery.
    answering: Option<Box<Answering>>,
}

/// The notification points of a flow: one for the flow, or one for each independent message that is in transit.
#[derive(Clone, Debug, Default)]
struct Answering {
    own: Option<AnsweringPoint>,
    of_messages: BTreeMap<Conversation, AnsweringPoint>,
    /// Counters of the points that have been removed.
    past: Counters,
}

impl Answering {
    /// The point of the flow, or of one of its messages.
    fn point(&mut self, flow: FlowId, conversation: Conversation) -> Option<&mut AnsweringPoint> {
        if conversation == Conversation::of_flow(flow) {
            self.own.as_mut()
        } else {
            self.of_messages.get_mut(&conversation)
        }
    }

    /// The point of the flow, or of one of its messages, which `make` creates if it does not exist.
    fn point_or(
        &mut self,
        flow: FlowId,
        conversation: Conversation,
        make: impl FnOnce() -> AnsweringPoint,
    ) -> &mut AnsweringPoint {
        if conversation == Conversation::of_flow(flow) {
            self.own.get_or_insert_with(make)
        } else {
            self.of_messages.entry(conversation).or_insert_with(make)
        }
    }

    /// The counters of all its points.
    fn counters(self) -> Counters {
        let mut counters = self.past;
        let points = self.own.into_iter().chain(self.of_messages.into_values());
        points.for_each(|entry| counters += entry.point.counters());
        counters
    }
}

/// A notification point, with the state that the network keeps for it.
#[derive(Clone, Debug)]
struct AnsweringPoint {
    point: NotificationPoint,
    /// Bytes of an independent message that have been delivered or lost.
    settled: u64,
    /// The time at which its timer event fires.
    timer_armed: Option<Time>,
}

/// A message whose fate is known. Ordered by the time at which it was offered, then by flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::network) struct Ended {
    pub(in crate::network) offered: Time,
    pub(in crate::network) flow: FlowId,
    pub(in crate::network) size: u64,
    pub(in crate::network) fate: Fate,
    /// The time at which its last byte arrived; valid only for a completed message.
    pub(in crate::network) completed: Time,
    /// The time that it waited for earlier messages of its flow.
    pub(in crate::network) waited: TimeDelta,
    pub(in crate::network) conversation: Conversation,
}

impl Ended {
    /// A message of a flow whose fate became known at the given time.
    fn new(flow: FlowId, conversation: Conversation, message: &Message, fate: Fate, now: Time) -> Self {
        let Message { size, offered, waited, .. } = *message;
        Self { flow, fate, size, offered, completed: now, waited, conversation }
    }

    /// A message that was not sent completely.
    pub(in crate::network) fn unfinished(
        flow: FlowId,
        conversation: Conversation,
        message: &Message,
    ) -> Self {
        Self::new(flow, conversation, message, Fate::Unfinished, Time::MAX)
    }
}

impl Receivers {
    pub(in crate::network) fn new(
        spec: &[FlowSpec],
        params: NotificationPointParams,
        part: PartNo,
        ends: Ends<ReceiverNo>,
        sequence: Sequence,
    ) -> Self {
        let expected = |id: FlowId, flow: &FlowSpec| {
            Expected::new(flow.message_order(), Conversation::of_flow(id), sequence)
        };
        let receiver = |(id, flow): (FlowId, &FlowSpec)| Receiver {
            books: Books::default(),
            expected: flow.traffic.sends_messages().then(|| Box::new(expected(id, flow))),
            answering: None,
        };
        let own = |(id, _): &(FlowId, &FlowSpec)| ends.of(*id).0 == part;
        let numbered = spec.iter().enumerate().map(|(index, flow)| (FlowId(index as u32), flow));
        let flows: Table<ReceiverNo, Receiver> = numbered.filter(own).map(receiver).collect();
        Self {
            part,
            conversations: Conversations::new(spec.len()),
            ended: Vec::new(),
            completed: Vec::new(),
            params,
            make: None,
            #[cfg(debug_assertions)]
            sequence,
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

    /// The partition that contains the receiver of a flow, if it is not this one.
    #[inline]
    pub(in crate::network) fn elsewhere(&self, flow: FlowId) -> Option<PartNo> {
        let (part, _) = self.ends.of(flow);
        (part != self.part).then_some(part)
    }

    /// Prefetches the receiver of a flow.
    #[inline]
    pub(in crate::network) fn prefetch(&self, flow: FlowId) {
        prefetch(&self.flows[self.number(flow)]);
    }

    /// The counts of a flow.
    pub(in crate::network) fn books(&self, flow: FlowId) -> &Books {
        &self.flows[self.number(flow)].books
    }

    /// The counts of all its flows and the counters of their notification points, in order.
    pub(in crate::network) fn into_books(self) -> impl Iterator<Item = (Books, Counters)> {
        let counters =
            |answering: Option<Box<Answering>>| answering.map(|one| one.counters()).unwrap_or_default();
        self.flows.into_iter().map(move |receiver| (receiver.books, counters(receiver.answering)))
    }

    /// Records that a message has begun.
    pub(in crate::network) fn expect(&mut self, conversation: Conversation, message: Message) {
        let number = self.number(self.conversations.flow_of(conversation));
        if let Some(expected) = &mut self.flows[number].expected {
            expected.expect(conversation, message);
        }
    }

    /// Records that a message was cut off before it had sent anything.
    pub(in crate::network) fn cut(&mut self, flow: FlowId, conversation: Conversation, message: &Message) {
        self.ended.push(Ended::unfinished(flow, conversation, message));
    }

    /// Applies a change to the messages of a flow that are in transit, and records those whose fate it determines.
    fn with_expected(
        &mut self,
        flow: FlowId,
        change: impl FnOnce(&mut Expected, &mut dyn FnMut(Conversation, &Message, Fate)),
    ) {
        let number = self.number(flow);
        let Some(expected) = &mut self.flows[number].expected else { return };
        let ended = &mut self.ended;
        let mut end = |conversation, message: &Message, fate| {
            ended.push(Ended::new(flow, conversation, message, fate, Time::MAX));
        };
        change(expected, &mut end);
    }

    /// Cuts off the messages that are not complete after the first `sent` bytes of a conversation.
    pub(in crate::network) fn cut_after(&mut self, conversation: Conversation, sent: u64) {
        let flow = self.conversations.flow_of(conversation);
        self.with_expected(flow, |expected, end| expected.cut_after(conversation, sent, end));
    }

    /// Records the loss of a frame.
    pub(in crate::network) fn lose(&mut self, conversation: Conversation, loss: Loss) {
        let Loss { sent_at, bytes, cause } = loss;
        let flow = self.conversations.flow_of(conversation);
        let number = self.number(flow);
        self.flows[number].books.lose(bytes, cause);
        if let Some(answering) = &mut self.flows[number].answering
            && let Some(entry) = answering.point(flow, conversation)
        {
            entry.settled += u64::from(bytes);
        }
        self.with_expected(flow, |expected, end| expected.lose(conversation, sent_at, bytes, end));
    }

    /// Begins measurement.
    pub(in crate::network) fn restart(&mut self) {
        self.flows.iter_mut().for_each(|receiver| receiver.books.restart());
    }

    /// Settles the lost frames of a flow that were sent before `before`.
    pub(in crate::network) fn settle_losses(&mut self, flow: FlowId, before: Time) {
        self.with_expected(flow, |expected, end| expected.settle_losses(before, end));
    }

    /// Ends a run: records a flow's messages that have begun and are incomplete.
    pub(in crate::network) fn end_messages(&mut self, flow: FlowId) {
        self.with_expected(flow, |expected, end| expected.finish(end));
    }

    /// Reserves entries for the receivers of flows to groups.
    pub(in crate::network) fn expect_members(&mut self, count: usize) {
        #[cfg(debug_assertions)]
        self.in_order.resize(self.flows.len() + count, Time::ZERO);
        #[cfg(not(debug_assertions))]
        let _ = count;
    }

    /// Checks that the frames of a flow, or those to one receiver of a group, are delivered in order, each once per station.
    #[cfg(debug_assertions)]
    fn check_order(&mut self, receiver: usize, sent_at: Time) {
        let last = std::mem::replace(&mut self.in_order[receiver], sent_at);
        assert!(
            last < sent_at || last == Time::ZERO || self.sequence == Sequence::Any,
            "a frame for receiver {receiver} was delivered out of order or twice"
        );
    }

    /// Bytes used by the receiving sides.
    pub(in crate::network) fn bytes(&self) -> usize {
        let expected = self.flows.iter().filter_map(|receiver| receiver.expected.as_deref());
        let own = |expected: &Expected| size_of::<Expected>() + expected.heap_bytes();
        self.flows.len() * size_of::<Receiver>() + expected.map(own).sum::<usize>()
    }

    /// The largest number of bytes that a flow needs while few of its messages are in transit. Independent messages are not
    /// included.
    pub(in crate::network) fn bytes_of(flow: &FlowSpec) -> usize {
        let messages =
            if flow.traffic.sends_messages() { size_of::<Expected>() + Expected::BYTES_OF_FEW } else { 0 };
        size_of::<Receiver>() + messages
    }
}

impl Receivers {
    /// Records the arrival of a data frame at its station.
    #[inline(always)]
    pub(in crate::network) fn deliver(&mut self, groups: &mut Groups, frame: Frame, at: Time) {
        if groups.include(frame) {
            return self.deliver_copy(groups, frame, at);
        }
        let flow = self.conversations.flow_of(frame.conversation());
        let number = self.number(flow);
        #[cfg(debug_assertions)]
        if frame.conversation() == Conversation::of_flow(flow) {
            self.check_order(number.place(), frame.sent_at());
        }
        let Receiver { books, expected, .. } = &mut self.flows[number];
        books.deliver(frame.bytes(), at - frame.sent_at());
        if expected.is_some() {
            self.deliver_of_message(flow, frame, at);
        }
    }

    /// Records the arrival of a frame that belongs to a message.
    #[inline(never)]
    fn deliver_of_message(&mut self, flow: FlowId, frame: Frame, at: Time) {
        let number = self.number(flow);
        let Some(expected) = &mut self.flows[number].expected else { return };
        let (ended, completed) = (&mut self.ended, &mut self.completed);
        expected.deliver(
            frame.conversation(),
            frame.sent_at(),
            frame.bytes(),
            |conversation, message, fate| {
                ended.push(Ended::new(flow, conversation, message, fate, at));
                if let (Some(number), Fate::Completed) = (message.number, fate) {
                    completed.push(MessageId { flow, number });
                }
            },
        );
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
        let number = self.number(self.conversations.flow_of(frame.conversation()));
        self.flows[number].books.deliver(frame.bytes(), delay);
    }
}

impl Receivers {
    /// From now on, uses `make` to create notification points in place of those given by the parameters.
    pub(in crate::network) fn make_notification_points(&mut self, make: Option<MakeNotificationPoint>) {
        self.make = make;
    }

    /// Passes a data frame that has just been delivered to the notification point of its conversation, and returns its
    /// reply.
    pub(in crate::network) fn answer<'a>(
        &mut self,
        frame: Frame,
        at: Time,
        hops: &'a [HopReport],
    ) -> Option<Reply<'a>> {
        let conversation = frame.conversation();
        let flow = self.conversations.flow_of(conversation);
        let number = self.number(flow);
        let Self { flows, make, params, .. } = self;
        let Receiver { books, answering, expected } = &mut flows[number];
        let answering = answering.get_or_insert_default();
        let entry = answering.point_or(flow, conversation, || {
            let point = match make {
                Some(make) => NotificationPoint::Custom(make()),
                None => NotificationPoint::new(params),
            };
            AnsweringPoint { point, settled: 0, timer_armed: None }
        });
        entry.settled += u64::from(frame.bytes());
        let is_message = conversation != Conversation::of_flow(flow);
        let settled = Bytes::new(if is_message { entry.settled } else { books.ended() });
        let (sent_at, mark) = (frame.sent_at(), frame.mark());
        let delivery = Delivery { now: at, frame: frame.size(), sent_at, mark, settled, hops };
        let reply = entry.point.on_delivery(&delivery);
        if is_message && expected.as_ref().is_none_or(|expected| !expected.contains(conversation)) {
            let counters = entry.point.counters();
            answering.past += counters;
            answering.of_messages.remove(&conversation);
        }
        reply
    }

    /// The time at which the timer event of a conversation's notification point must be scheduled, if it is not
    /// scheduled yet.
    pub(in crate::network) fn arm_timer(&mut self, conversation: Conversation) -> Option<Time> {
        let flow = self.conversations.flow_of(conversation);
        let number = self.number(flow);
        let entry = self.flows[number].answering.as_mut()?.point(flow, conversation)?;
        let due = entry.point.timer()?;
        if entry.timer_armed.is_some_and(|armed| armed <= due) {
            return None;
        }
        entry.timer_armed = Some(due);
        Some(due)
    }

    /// Handles the timer event of a conversation's notification point, which may fire early, and returns the reply.
    pub(in crate::network) fn on_timer(
        &mut self,
        conversation: Conversation,
        now: Time,
    ) -> Option<Reply<'static>> {
        let flow = self.conversations.flow_of(conversation);
        let number = self.number(flow);
        let entry = self.flows[number].answering.as_mut()?.point(flow, conversation)?;
        if entry.timer_armed != Some(now) {
            return None;
        }
        entry.timer_armed = None;
        entry.point.timer().filter(|due| *due <= now)?;
        entry.point.on_timer(now)
    }
}
