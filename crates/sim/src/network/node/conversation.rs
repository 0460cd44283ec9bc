//! Conversations: frames that stay in order and share a limiter.
//!
//! A flow whose messages are sent in order is one conversation. If its messages are independent, each of them is a conversation
//! of its own, as if it were a flow. (IEEE 802.1AX uses the term for frames whose order must be preserved.)
//!
//! Conversations are numbered without a table: with `n` flows, numbers below `n` are flows, and message `m` of flow `f` has the
//! number `(m + 1) n + f`. They depend neither on the other flows' traffic nor on how the network is divided.

use setpoint_control::FlowKey;

use crate::ids::FlowId;
use crate::index::Conversation;

/// The conversations of a network.
#[derive(Clone, Copy, Debug)]
pub(in crate::network) struct Conversations {
    /// The number of flows, or one if there are no flows.
    flows: u32,
}

impl Conversation {
    /// A flow whose messages are sent in order.
    #[inline]
    pub(crate) fn of_flow(flow: FlowId) -> Self {
        Self(flow.0)
    }

    /// The key by which congestion points identify it.
    #[inline]
    pub(in crate::network) fn key(self) -> FlowKey {
        FlowKey(self.0)
    }

    /// The conversation that congestion points identify by a key.
    pub(in crate::network) fn of_key(key: FlowKey) -> Self {
        Self(key.0)
    }
}

impl Conversations {
    pub(in crate::network) fn new(flows: usize) -> Self {
        Self { flows: (flows as u32).max(1) }
    }

    /// The flow of a conversation.
    #[inline]
    pub(in crate::network) fn flow_of(self, conversation: Conversation) -> FlowId {
        // A division takes longer than a comparison, and most networks have no independent messages.
        FlowId(if conversation.0 < self.flows { conversation.0 } else { conversation.0 % self.flows })
    }

    /// A message of a flow whose messages are independent. Numbers beyond [`Conversations::numbers`] wrap around.
    pub(in crate::network) fn of_message(self, flow: FlowId, number: u32) -> Conversation {
        Conversation((number % self.numbers() + 1) * self.flows + flow.0)
    }

    /// The number of different message numbers that a flow can have.
    pub(in crate::network) fn numbers(self) -> u32 {
        u32::MAX / self.flows - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_and_flows_have_different_numbers() {
        let conversations = Conversations::new(7);
        let mut seen: Vec<u32> = (0..7).collect();
        for number in 0..5 {
            for flow in (0..7).map(FlowId) {
                let message = conversations.of_message(flow, number);
                assert_eq!(conversations.flow_of(message), flow);
                seen.push(message.0);
            }
        }
        assert_eq!(seen, (0..42).collect::<Vec<u32>>());
        assert_eq!(conversations.flow_of(Conversation::of_flow(FlowId(6))), FlowId(6));
    }

    #[test]
    fn numbers_return_before_they_leave_their_range() {
        for flows in [1, 3, 1 << 24] {
            let conversations = Conversations::new(flows);
            let last = FlowId(flows as u32 - 1);
            let highest = conversations.of_message(last, conversations.numbers() - 1);
            assert_eq!(conversations.flow_of(highest), last);
            let first = conversations.of_message(last, 0);
            assert_eq!(conversations.of_message(last, conversations.numbers()), first);
        }
    }
}
