//! Messages to the receivers of flows, which may be in other partitions, and to the partitions themselves.

use super::Context;
use crate::frame::Frame;
use crate::index::{Conversation, PartNo};
use crate::network::node::books::{Loss, LossCause};
use crate::network::node::remote::RemoteMessage;
use crate::spec::Side;
use crate::traffic::source::Message;

impl Context {
    /// Records the loss of a data frame on the given side of a bridge.
    pub(in crate::network) fn lose(&mut self, side: Side, frame: Frame, cause: LossCause) {
        let (sent_at, bytes) = (frame.sent_at(), frame.bytes());
        self.lose_of(frame.conversation(), Loss { sent_at, bytes, cause });
        if self.groups.include(frame) {
            self.groups.lose(side, frame, cause);
        }
    }

    /// The partition of a conversation's receiver, if it is not this one.
    fn elsewhere(&self, conversation: Conversation) -> Option<PartNo> {
        self.receivers.elsewhere(self.routes.conversations().flow_of(conversation))
    }

    /// Records the loss of a frame of a conversation.
    pub(in crate::network) fn lose_of(&mut self, conversation: Conversation, loss: Loss) {
        match self.elsewhere(conversation) {
            None => self.receivers.lose(conversation, loss),
            Some(part) => self.dispatch(part, RemoteMessage::Loss { conversation, loss }),
        }
    }

    /// Announces to its receiver a message that has begun.
    #[inline(never)]
    pub(in crate::network) fn expect(&mut self, conversation: Conversation, message: Message) {
        match self.elsewhere(conversation) {
            None => self.receivers.expect(conversation, message),
            Some(part) => self.dispatch(part, RemoteMessage::Message { conversation, message }),
        }
    }

    /// Cuts off the messages that are not complete after the first `sent` bytes of a conversation.
    pub(in crate::network) fn cut_off(&mut self, conversation: Conversation, sent: u64) {
        match self.elsewhere(conversation) {
            None => self.receivers.cut_after(conversation, sent),
            Some(part) => self.dispatch(part, RemoteMessage::CutOff { conversation, sent }),
        }
    }

    /// Sends a message to another partition.
    #[inline]
    pub(in crate::network) fn dispatch(&mut self, to: PartNo, message: RemoteMessage) {
        self.outbox.batch_for(to).messages.push(message);
    }
}
