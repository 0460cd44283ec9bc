//! Messages that wait for other messages.
//!
//! A message waits for any number of messages that its own station receives or sends, and then for its computation time.
//! For a message that the station receives, it waits until the last byte has arrived; for a message that the station sends,
//! until the last byte has left the station. No information about other stations is needed, so a dependency never crosses
//! the network faster than a frame.

use setpoint_units::{Bytes, TimeDelta};

use crate::ids::MessageId;

/// A message of [`Traffic::Dependent`](super::Traffic::Dependent).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DependentMessage {
    /// Its size. A message of size zero is a computation: it is not sent, and it is complete when it is released. Messages
    /// of the same station can wait for it.
    pub size: Bytes,
    /// The time between the end of the last wait and the release of the message.
    pub gap: TimeDelta,
    /// The messages that it waits for. Without any, it waits only for the start of its flow.
    pub after: Box<[MessageId]>,
}

impl DependentMessage {
    /// A message that waits only for the start of its flow.
    pub fn new(size: Bytes) -> Self {
        Self { size, gap: TimeDelta::ZERO, after: Box::default() }
    }

    /// The message, waiting for the given messages.
    #[must_use]
    pub fn after(self, messages: impl IntoIterator<Item = MessageId>) -> Self {
        Self { after: messages.into_iter().collect(), ..self }
    }

    /// The message, released after a computation time.
    #[must_use]
    pub fn with_gap(self, gap: TimeDelta) -> Self {
        Self { gap, ..self }
    }

    /// Whether it is a computation, which sends nothing.
    pub fn is_computation(&self) -> bool {
        self.size.is_zero()
    }
}
