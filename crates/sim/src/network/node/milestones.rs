//! Milestones of the messages of [`Traffic::Dependent`](crate::traffic::Traffic::Dependent): release, departure and arrival.
//!
//! Every partition records the milestones that it observes; they are put together at the end of the run
//! ([`crate::network::dependents`]).

use setpoint_units::Time;

use crate::ids::{MessageId, PortId};
use crate::index::Conversation;

/// The milestones of a partition, in the order in which it observed them.
#[derive(Clone, Debug, Default)]
pub(in crate::network) struct Milestones {
    /// Messages whose time of release is known.
    pub(in crate::network) released: Vec<(MessageId, Time)>,
    /// Messages of which the station has sent the last frame.
    pub(in crate::network) sent: Vec<LastFrame>,
    /// Messages that have arrived completely, and computations that have ended.
    pub(in crate::network) completed: Vec<(MessageId, Time)>,
    /// Arrivals of frames that may end a message.
    pub(in crate::network) crossings: Vec<Crossing>,
}

/// The last frame of a message at its station.
#[derive(Clone, Copy, Debug)]
pub(in crate::network) struct LastFrame {
    pub(in crate::network) message: MessageId,
    pub(in crate::network) conversation: Conversation,
    /// The beginning of its transmission, which identifies the frame in its conversation.
    pub(in crate::network) begun: Time,
    /// The end of its transmission.
    pub(in crate::network) ended: Time,
}

/// The arrival of a frame at the far end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::network) struct Crossing {
    pub(in crate::network) conversation: Conversation,
    /// The time at which the frame left its station.
    pub(in crate::network) sent_at: Time,
    pub(in crate::network) arrived: Time,
    /// The port that sent it over the link.
    pub(in crate::network) port: PortId,
}

impl Milestones {
    /// Adds the milestones of another partition, and leaves it without any.
    pub(in crate::network) fn append(&mut self, other: &mut Self) {
        self.released.append(&mut other.released);
        self.sent.append(&mut other.sent);
        self.completed.append(&mut other.completed);
        self.crossings.append(&mut other.crossings);
    }

    /// The largest number of bytes that a message needs on a path with the given number of links. Lists double when they
    /// grow.
    pub(in crate::network) fn bytes_of_message(links: usize) -> usize {
        let one = 2 * size_of::<(MessageId, Time)>() + size_of::<LastFrame>();
        2 * (one + links * size_of::<Crossing>())
    }

    /// Bytes on the heap.
    pub(in crate::network) fn heap_bytes(&self) -> usize {
        (self.released.capacity() + self.completed.capacity()) * size_of::<(MessageId, Time)>()
            + self.sent.capacity() * size_of::<LastFrame>()
            + self.crossings.capacity() * size_of::<Crossing>()
    }
}
