//! A flow's messages in transit, as recorded at its destination.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use setpoint_units::Time;

use crate::index::Conversation;
use crate::outcome::Fate;
use crate::ring::Ring;
use crate::spec::MessageOrder;
use crate::traffic::source::Message;

/// Messages that have begun but are not completely delivered.
///
/// The methods call `end` for every message whose fate becomes known, with its conversation.
#[derive(Clone, Debug)]
pub(in crate::network) enum Expected {
    /// Messages sent one after another.
    InOrder(InOrder),
    /// Messages sent at the same time.
    Independent(Independent),
    /// Messages sent one after another, whose frames may overtake each other.
    Overtaking(Overtaking),
}

/// The order in which the frames of a conversation arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::network) enum Sequence {
    /// The order in which they were sent.
    Sent,
    /// Any order: the path may change after a link has failed.
    Any,
}

/// A message that has begun, and whether it has lost a frame.
#[derive(Clone, Copy, Debug, Default)]
struct Begun {
    message: Message,
    damaged: bool,
}

impl Begun {
    fn new(message: Message) -> Self {
        Self { message, damaged: false }
    }

    /// Its fate once all its bytes have arrived or are lost.
    fn settled(&self) -> Fate {
        if self.damaged { Fate::Damaged } else { Fate::Completed }
    }

    /// Its fate at the end of the run.
    fn unsettled(&self) -> Fate {
        if self.damaged { Fate::Damaged } else { Fate::Unfinished }
    }
}

/// Messages that are sent one after another.
#[derive(Clone, Debug)]
pub(in crate::network) struct InOrder {
    /// The flow.
    conversation: Conversation,
    outstanding: Ring<Begun>,
    /// The number of message bytes, in sending order, whose fate is known: delivered or lost.
    settled: u64,
    /// Lost frames that were sent after the last delivered frame.
    lost: LostFrames,
}

/// Send times and lengths of lost frames; the one sent earliest is on top. Frames lost at several
/// bridges need not be lost in the order in which they were sent.
type LostFrames = BinaryHeap<Reverse<(Time, u16)>>;

/// Messages that are sent at the same time, each in a separate conversation.
#[derive(Clone, Debug)]
pub(in crate::network) struct Independent {
    outstanding: BTreeMap<Conversation, Partial>,
    #[cfg(debug_assertions)]
    sequence: Sequence,
}

/// Messages that are sent one after another, in a run in which paths change. The time at which a frame was sent determines
/// its message.
#[derive(Clone, Debug)]
pub(in crate::network) struct Overtaking {
    /// The flow.
    conversation: Conversation,
    /// By the time at which the first frame was sent. A message that was cut off remains listed: some of its frames may
    /// still arrive.
    outstanding: BTreeMap<Time, (Partial, IsCut)>,
}

/// Whether a message was cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IsCut {
    No,
    Yes,
}

/// A message of which some bytes have arrived or are lost.
#[derive(Clone, Copy, Debug)]
struct Partial {
    begun: Begun,
    /// Bytes that have arrived or are lost.
    settled: u64,
    /// The time at which the last delivered frame was sent: a check that frames stay in order.
    #[cfg(debug_assertions)]
    last: Option<Time>,
}

impl Partial {
    fn new(message: Message) -> Self {
        Self {
            begun: Begun::new(message),
            settled: 0,
            #[cfg(debug_assertions)]
            last: None,
        }
    }

    fn is_settled(&self) -> bool {
        self.settled >= self.begun.message.size
    }
}

impl Expected {
    pub(in crate::network) fn new(
        order: MessageOrder,
        conversation: Conversation,
        sequence: Sequence,
    ) -> Self {
        match order {
            MessageOrder::InOrder if sequence == Sequence::Any => {
                Self::Overtaking(Overtaking { conversation, outstanding: BTreeMap::new() })
            }
            MessageOrder::InOrder => Self::InOrder(InOrder {
                conversation,
                outstanding: Ring::default(),
                settled: 0,
                lost: LostFrames::new(),
            }),
            MessageOrder::Independent => Self::Independent(Independent {
                outstanding: BTreeMap::new(),
                #[cfg(debug_assertions)]
                sequence,
            }),
        }
    }

    /// Adds a message that has begun.
    pub(in crate::network) fn expect(&mut self, conversation: Conversation, message: Message) {
        match self {
            Self::InOrder(messages) => messages.outstanding.push_back(Begun::new(message)),
            Self::Independent(messages) => {
                messages.outstanding.insert(conversation, Partial::new(message));
            }
            Self::Overtaking(messages) => {
                messages.outstanding.insert(message.begun, (Partial::new(message), IsCut::No));
            }
        }
    }

    /// Whether an independent message is still in transit.
    pub(in crate::network) fn contains(&self, conversation: Conversation) -> bool {
        match self {
            Self::InOrder(_) | Self::Overtaking(_) => true,
            Self::Independent(messages) => messages.outstanding.contains_key(&conversation),
        }
    }

    /// Records the arrival of a frame.
    #[inline]
    pub(in crate::network) fn deliver(
        &mut self,
        conversation: Conversation,
        sent_at: Time,
        bytes: u16,
        mut end: impl FnMut(Conversation, &Message, Fate),
    ) {
        match self {
            Self::InOrder(messages) => messages.deliver(sent_at, bytes, &mut end),
            Self::Independent(messages) => messages.deliver(conversation, sent_at, bytes, end),
            Self::Overtaking(messages) => messages.settle(sent_at, bytes, &mut end, |_| {}),
        }
    }

    /// Records the loss of a frame.
    pub(in crate::network) fn lose(
        &mut self,
        conversation: Conversation,
        sent_at: Time,
        bytes: u16,
        mut end: impl FnMut(Conversation, &Message, Fate),
    ) {
        match self {
            Self::InOrder(messages) => messages.lost.push(Reverse((sent_at, bytes))),
            Self::Independent(messages) => messages.lose(conversation, bytes, end),
            Self::Overtaking(messages) => {
                messages.settle(sent_at, bytes, &mut end, |begun| begun.damaged = true);
            }
        }
    }

    /// Settles the lost frames that were sent before `before`.
    pub(in crate::network) fn settle_losses(
        &mut self,
        before: Time,
        mut end: impl FnMut(Conversation, &Message, Fate),
    ) {
        if let Self::InOrder(messages) = self
            && !messages.lost.is_empty()
        {
            messages.settle_losses(before, &mut end);
        }
    }

    /// Cuts off the messages of a conversation that are not complete after its first `sent` bytes.
    pub(in crate::network) fn cut_after(
        &mut self,
        conversation: Conversation,
        sent: u64,
        mut end: impl FnMut(Conversation, &Message, Fate),
    ) {
        match self {
            Self::InOrder(messages) => {
                for begun in std::mem::take(&mut messages.outstanding).iter() {
                    if begun.message.end <= sent {
                        messages.outstanding.push_back(*begun);
                    } else {
                        end(conversation, &begun.message, Fate::Unfinished);
                    }
                }
            }
            Self::Independent(messages) => {
                if let Some(partial) = messages.outstanding.remove(&conversation) {
                    end(conversation, &partial.begun.message, Fate::Unfinished);
                }
            }
            Self::Overtaking(messages) => {
                for (Partial { begun, .. }, is_cut) in messages.outstanding.values_mut() {
                    if *is_cut == IsCut::No && begun.message.end > sent {
                        *is_cut = IsCut::Yes;
                        end(conversation, &begun.message, Fate::Unfinished);
                    }
                }
            }
        }
    }

    /// Ends the run.
    pub(in crate::network) fn finish(&mut self, mut end: impl FnMut(Conversation, &Message, Fate)) {
        match self {
            Self::InOrder(messages) => {
                for begun in std::mem::take(&mut messages.outstanding).iter() {
                    end(messages.conversation, &begun.message, begun.unsettled());
                }
            }
            Self::Independent(messages) => {
                for (conversation, Partial { begun, .. }) in std::mem::take(&mut messages.outstanding) {
                    end(conversation, &begun.message, begun.unsettled());
                }
            }
            Self::Overtaking(messages) => {
                let outstanding = std::mem::take(&mut messages.outstanding).into_values();
                for (Partial { begun, .. }, _) in outstanding.filter(|(_, is_cut)| *is_cut == IsCut::No) {
                    end(messages.conversation, &begun.message, begun.unsettled());
                }
            }
        }
    }

    /// Bytes on the heap.
    pub(in crate::network) fn heap_bytes(&self) -> usize {
        match self {
            Self::InOrder(messages) => {
                messages.outstanding.heap_bytes()
                    + messages.lost.capacity() * size_of::<Reverse<(Time, u16)>>()
            }
            Self::Independent(messages) => messages.outstanding.len() * Self::BYTES_OF_MESSAGE,
            Self::Overtaking(messages) => messages.outstanding.len() * Self::BYTES_OF_MESSAGE,
        }
    }

    /// The largest number of bytes that an independent message takes while it is in transit. The nodes of a B-tree are at
    /// least half full.
    pub(in crate::network) const BYTES_OF_MESSAGE: usize =
        2 * (size_of::<Conversation>() + size_of::<Partial>()) + 16;

    /// The largest number of bytes that messages sent in order take while only a few are in transit.
    pub(in crate::network) const BYTES_OF_FEW: usize = 4 * size_of::<Begun>();
}

impl InOrder {
    #[inline]
    fn deliver(&mut self, sent_at: Time, bytes: u16, end: &mut impl FnMut(Conversation, &Message, Fate)) {
        if !self.lost.is_empty() {
            self.settle_losses(sent_at, end);
        }
        self.settled += u64::from(bytes);
        while let Some(begun) = self.complete() {
            end(self.conversation, &begun.message, begun.settled());
        }
    }

    /// Removes and returns the first message if its fate is known.
    #[inline]
    fn complete(&mut self) -> Option<Begun> {
        if self.outstanding.front()?.message.end <= self.settled {
            self.outstanding.pop_front()
        } else {
            None
        }
    }

    /// Settles lost frames that were sent before `before`; they will never arrive. Each belongs to
    /// one message. Some messages end with the loss of their last frame.
    #[cold]
    fn settle_losses(&mut self, before: Time, end: &mut impl FnMut(Conversation, &Message, Fate)) {
        while let Some(&Reverse((sent_at, bytes))) = self.lost.peek()
            && sent_at < before
        {
            self.lost.pop();
            self.settled += u64::from(bytes);
            self.damage();
            if let Some(begun) = self.complete() {
                end(self.conversation, &begun.message, Fate::Damaged);
            }
        }
    }

    /// Records the loss of the last settled byte. This marks the first message as damaged, unless the byte belongs to a message
    /// that was cut off earlier.
    fn damage(&mut self) {
        let settled = self.settled;
        if let Some(Begun { message, damaged }) = self.outstanding.front_mut() {
            *damaged |= settled > message.end - message.size;
        }
    }
}

impl Independent {
    fn deliver(
        &mut self,
        conversation: Conversation,
        sent_at: Time,
        bytes: u16,
        end: impl FnMut(Conversation, &Message, Fate),
    ) {
        // A message that was cut off is no longer listed, but some of its frames may still arrive.
        let Some(partial) = self.outstanding.get_mut(&conversation) else { return };
        #[cfg(debug_assertions)]
        assert!(
            partial.last.replace(sent_at).is_none_or(|last| last < sent_at) || self.sequence == Sequence::Any,
            "a frame of {conversation:?} was delivered out of order or twice"
        );
        #[cfg(not(debug_assertions))]
        let _ = sent_at;
        partial.settled += u64::from(bytes);
        self.end_if_settled(conversation, end);
    }

    fn lose(
        &mut self,
        conversation: Conversation,
        bytes: u16,
        end: impl FnMut(Conversation, &Message, Fate),
    ) {
        let Some(partial) = self.outstanding.get_mut(&conversation) else { return };
        partial.settled += u64::from(bytes);
        partial.begun.damaged = true;
        self.end_if_settled(conversation, end);
    }

    fn end_if_settled(
        &mut self,
        conversation: Conversation,
        mut end: impl FnMut(Conversation, &Message, Fate),
    ) {
        if self.outstanding.get(&conversation).is_some_and(Partial::is_settled)
            && let Some(Partial { begun, .. }) = self.outstanding.remove(&conversation)
        {
            end(conversation, &begun.message, begun.settled());
        }
    }
}

impl Overtaking {
    /// Records that a frame that was sent at a given time has arrived or is lost.
    fn settle(
        &mut self,
        sent_at: Time,
        bytes: u16,
        end: &mut impl FnMut(Conversation, &Message, Fate),
        change: impl FnOnce(&mut Begun),
    ) {
        let Some((&first, (partial, is_cut))) = self.outstanding.range_mut(..=sent_at).next_back() else {
            return;
        };
        partial.settled += u64::from(bytes);
        change(&mut partial.begun);
        if !partial.is_settled() {
            return;
        }
        if *is_cut == IsCut::No {
            end(self.conversation, &partial.begun.message, partial.begun.settled());
        }
        self.outstanding.remove(&first);
    }
}
