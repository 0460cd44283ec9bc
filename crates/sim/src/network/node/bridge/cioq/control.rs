//! Messages between inputs and outputs, which may be on different bridges.
//!
//! All messages take the same time. Messages to a bridge arrive in the order in which they were sent; of messages sent at
//! the same time, those from bridges with lower numbers arrive first.

use setpoint_units::Time;

use super::super::set::BridgeSet;
use super::Cioq;
use crate::events::Event;
use crate::index::{BridgeNo, Number, SlotNo};
use crate::network::node::bridge_message::{ControlMessage, TimedMessage};
use crate::network::node::context::Context;
use crate::network::node::remote::RemoteMessage;
use crate::ring::Ring;

/// The messages in transit to a bridge, in order of arrival.
#[derive(Clone, Debug, Default)]
pub(super) struct Inbox {
    messages: Ring<TimedMessage>,
    /// The time at which the valid [`Event::Control`] is due; any other event of this kind that fires is outdated.
    armed: Option<Time>,
}

impl Inbox {
    /// Adds a message. Returns whether its arrival must be scheduled.
    #[inline]
    fn post(&mut self, timed: TimedMessage) -> bool {
        self.messages.insert_back(timed, |last| (last.at, last.from) <= (timed.at, timed.from));
        let first = self.armed.is_none_or(|armed| timed.at < armed);
        if first {
            self.armed = Some(timed.at);
        }
        first
    }

    /// The first message.
    #[inline]
    pub(super) fn first(&self) -> Option<&ControlMessage> {
        self.messages.front().map(|timed| &timed.message)
    }

    /// The time at which the next message arrives; the caller must schedule its arrival.
    #[inline]
    fn next(&mut self) -> Option<Time> {
        self.armed = self.messages.front().map(|timed| timed.at);
        self.armed
    }

    /// Removes the first message if it has arrived by now.
    #[inline]
    fn take(&mut self, now: Time) -> Option<ControlMessage> {
        let timed = self.messages.front().filter(|timed| timed.at <= now)?;
        let message = timed.message;
        self.messages.pop_front();
        Some(message)
    }

    /// The slots whose frames have left their outputs, according to the messages in transit.
    pub(super) fn acknowledged(&self) -> impl Iterator<Item = SlotNo> {
        self.messages.iter().filter_map(|timed| match timed.message {
            ControlMessage::Acknowledge(slot) => Some(slot),
            _ => None,
        })
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.messages.heap_bytes()
    }
}

impl BridgeSet<Cioq> {
    /// Sends a message from one bridge to another, or within one.
    #[inline]
    pub(super) fn send_message(
        &mut self,
        cx: &mut Context,
        from: BridgeNo,
        to: BridgeNo,
        message: ControlMessage,
    ) {
        let cioq = &mut self.buffers;
        if cioq.rules.control_delay.is_zero() {
            self.receive_message(cx, to, message);
            return;
        }
        let timed = TimedMessage { at: cx.now + cioq.rules.control_delay, from, message };
        if cioq.is_here(to) {
            self.post(cx, to, timed);
        } else {
            cx.dispatch(cx.part_of[to.place()], RemoteMessage::Control { to, message: timed });
        }
    }

    /// Adds a message to those in transit to a bridge.
    #[inline]
    pub(in crate::network) fn post(&mut self, cx: &mut Context, to: BridgeNo, timed: TimedMessage) {
        if self.buffers.inboxes[to].post(timed) {
            cx.events.push(timed.at, Event::Control(to));
        }
    }

    /// Handles the messages for a bridge that have arrived.
    #[inline]
    pub(in crate::network) fn control(&mut self, cx: &mut Context, bridge: BridgeNo) {
        if self.buffers.inboxes[bridge].armed != Some(cx.now) {
            // Outdated: an earlier message from another partition has moved the event forward.
            cx.events.discount();
            return;
        }
        // No message can be sent and arrive at the same time.
        while let Some(message) = self.buffers.inboxes[bridge].take(cx.now) {
            self.receive_message(cx, bridge, message);
        }
        if let Some(at) = self.buffers.inboxes[bridge].next() {
            cx.events.push(at, Event::Control(bridge));
        }
    }

    #[inline]
    fn receive_message(&mut self, cx: &mut Context, bridge: BridgeNo, message: ControlMessage) {
        match message {
            ControlMessage::Request { input, output, class, units } => {
                self.request(cx, bridge, (input, output, class), units);
            }
            ControlMessage::Grant { input, output, class, record } => {
                self.inject(cx, bridge, (input, output, class), record);
            }
            ControlMessage::Acknowledge(slot) => self.free_input(cx, bridge, slot),
            ControlMessage::Notify(frame) => self.send_notification(cx, frame),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_sent_together_arrive_in_the_order_of_their_bridges() {
        let mut inbox = Inbox::default();
        let timed = |at, from, slot| TimedMessage {
            at: Time::from_picos(at),
            from: BridgeNo(from),
            message: ControlMessage::Acknowledge(SlotNo(slot)),
        };
        assert!(inbox.post(timed(5, 3, 0)));
        for (at, from, slot) in [(5, 7, 1), (5, 3, 2), (5, 1, 3), (6, 2, 4), (6, 0, 5)] {
            assert!(!inbox.post(timed(at, from, slot)));
        }
        let mut order = Vec::new();
        while let Some(ControlMessage::Acknowledge(slot)) = inbox.take(Time::from_picos(5)) {
            order.push(slot.0);
        }
        assert_eq!(order, [3, 0, 2, 1]);
        assert_eq!(inbox.messages.len(), 2);
        assert!(matches!(inbox.take(Time::from_picos(6)), Some(ControlMessage::Acknowledge(SlotNo(5)))));
    }
}
