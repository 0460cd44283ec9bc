//! The messages of a flow that wait for other messages.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::Arc;

use setpoint_units::Time;

use super::{Message, Supply};
use crate::traffic::{DependentMessage, MessageOrder};

/// A message is *released* when all its waits have ended and its computation time has passed. Released messages are sent in
/// the order in which they were released; at equal times, in the order of the list.
#[derive(Clone, Debug)]
pub(super) struct Dependents {
    list: Arc<[DependentMessage]>,
    order: MessageOrder,
    /// For each message, what it still waits for.
    waits: Box<[Wait]>,
    /// Messages whose time of release is known, except those that have been offered.
    due: BinaryHeap<Reverse<(Time, u32)>>,
    /// Messages that have been offered and have not begun.
    offered: VecDeque<(Time, u32)>,
    /// The last time at which the end of an earlier message allowed a waiting message to begin.
    pub(super) made_way: Time,
    /// Independent messages that have begun and are not completely sent.
    pub(super) active: u32,
    /// The message that begins with the next frame, if any.
    pub(super) beginning: Option<Message>,
    /// The message that is being sent, or was sent last, if messages are sent in order.
    pub(super) current: u32,
    /// Bytes of all messages that have begun so far.
    begun: u64,
}

/// The conditions that a message still waits for.
#[derive(Clone, Copy, Debug)]
struct Wait {
    /// The number of conditions that are not met: one for each message, and the start of the flow.
    missing: u32,
    /// The latest time at which a condition was met.
    last: Time,
}

/// The release of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Release {
    pub(crate) at: Time,
    pub(crate) is_computation: bool,
}

impl Dependents {
    pub(super) fn new(list: Arc<[DependentMessage]>, order: MessageOrder) -> Self {
        let wait =
            |message: &DependentMessage| Wait { missing: message.after.len() as u32 + 1, last: Time::ZERO };
        Self {
            waits: list.iter().map(wait).collect(),
            list,
            order,
            due: BinaryHeap::new(),
            offered: VecDeque::new(),
            made_way: Time::ZERO,
            active: 0,
            beginning: None,
            current: 0,
            begun: 0,
        }
    }

    /// The number of messages.
    pub(super) fn len(&self) -> u32 {
        self.list.len() as u32
    }

    /// Records that a condition of a message is met at the given time, which may be later than the current time. Returns the
    /// release of the message if that was its last condition.
    pub(super) fn satisfy(&mut self, number: u32, at: Time) -> Option<Release> {
        let DependentMessage { size, gap, .. } = self.list[number as usize];
        let wait = &mut self.waits[number as usize];
        wait.missing -= 1;
        wait.last = wait.last.max(at);
        if wait.missing > 0 {
            return None;
        }
        let at = wait.last.saturating_add(gap);
        if !size.is_zero() {
            self.due.push(Reverse((at, number)));
        }
        Some(Release { at, is_computation: size.is_zero() })
    }

    /// The time at which the next message will be offered.
    pub(super) fn next_at(&self) -> Time {
        self.due.peek().map_or(Time::MAX, |Reverse((at, _))| *at)
    }

    /// Offers the next message.
    pub(super) fn offer(&mut self) {
        self.offered.extend(self.due.pop().map(|Reverse(message)| message));
    }

    pub(super) fn are_independent(&self) -> bool {
        self.order == MessageOrder::Independent
    }

    /// Whether independent messages have been offered and have not begun.
    pub(super) fn is_waiting(&self) -> bool {
        self.are_independent() && !self.offered.is_empty()
    }

    /// The supply of a flow with independent messages while some of them are waiting.
    pub(super) fn supply(&self) -> Supply {
        if self.active < MessageOrder::MOST_AT_ONCE { Supply::Message } else { Supply::None }
    }

    /// Starts the first message that has been offered.
    pub(super) fn begin(&mut self) -> Option<Message> {
        let (offered, number) = self.offered.pop_front()?;
        let size = self.list[number as usize].size.get();
        self.begun += size;
        self.current = number;
        let waited = self.made_way.saturating_since(offered);
        Some(Message { size, offered, end: self.begun, waited, begun: Time::ZERO, number: Some(number) })
    }

    /// Removes the messages that have been offered but have sent nothing, and calls `visit` for each.
    pub(super) fn take_waiting(&mut self, now: Time, mut visit: impl FnMut(&Message)) {
        self.beginning.take().iter().for_each(&mut visit);
        for (offered, number) in std::mem::take(&mut self.offered) {
            let size = self.list[number as usize].size.get();
            let waited = now.saturating_since(offered);
            visit(&Message { size, offered, end: 0, waited, begun: Time::ZERO, number: Some(number) });
        }
    }

    /// Discards everything that has not been offered.
    pub(super) fn discard(&mut self) {
        self.due.clear();
    }

    /// The number of heap bytes that a list needs, excluding the list itself.
    pub(super) fn heap_bytes_of(list: &[DependentMessage]) -> usize {
        // All messages may be released and offered at once.
        let one = size_of::<Wait>() + 2 * size_of::<Reverse<(Time, u32)>>() + 2 * size_of::<(Time, u32)>();
        size_of::<Self>() + list.len() * one
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        size_of::<Self>()
            + self.waits.len() * size_of::<Wait>()
            + self.due.capacity() * size_of::<Reverse<(Time, u32)>>()
            + self.offered.capacity() * size_of::<(Time, u32)>()
    }
}
