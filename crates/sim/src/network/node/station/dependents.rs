//! Messages that wait for other messages of the same station.
//!
//! A message is released by events at its own station: the arrival of the last frame of a message, the departure of one, or
//! the end of a computation. A release therefore never crosses from one partition to another, and does not depend on how the
//! network is divided.

use setpoint_units::Time;

use super::lane::LaneState;
use super::{Sender, Stations};
use crate::frame::Frame;
use crate::ids::{MessageId, PortId};
use crate::index::SenderNo;
use crate::network::node::context::Context;
use crate::network::node::followers::{Awaited, Followers};
use crate::network::node::milestones::LastFrame;

impl Stations {
    /// Sets the table of messages that wait for other messages.
    pub(in crate::network) fn follow_with(&mut self, followers: Followers) {
        self.followers = followers;
    }

    /// Handles the arrival of a frame that may end a message for which other messages wait.
    #[cold]
    #[inline(never)]
    pub(super) fn follow_arrival(&mut self, cx: &mut Context, link: PortId, frame: Frame, at: Time) {
        cx.cross(link, frame, at);
        for message in std::mem::take(&mut cx.receivers.completed) {
            cx.milestones.completed.push((message, at));
            self.release_followers(cx, message, Awaited::Arrival, at);
        }
    }

    /// Flags a frame that may end a message for which other messages wait. In a run in which paths change, a frame may be
    /// overtaken by the last one.
    pub(super) fn flagged(cx: &Context, sender: &Sender, frame: Frame) -> Frame {
        let source = &sender.source;
        let may_end = source.message_sent().is_some() || cx.routes.may_change() && source.has_numbers();
        if may_end { frame.ending_message() } else { frame }
    }

    /// Handles the departure of the last frame of a message.
    #[cold]
    #[inline(never)]
    pub(super) fn follow_departure(&mut self, cx: &mut Context, sender: SenderNo, number: u32, ended: Time) {
        let message = MessageId { flow: self.flow_of(sender), number };
        let conversation = self.senders[sender].conversation;
        cx.milestones.sent.push(LastFrame { message, conversation, begun: cx.now, ended });
        self.release_followers(cx, message, Awaited::Departure, ended);
    }

    /// Records for the messages of a flow that the flow has started.
    pub(super) fn start_dependents(&mut self, cx: &mut Context, sender: SenderNo) {
        let flow = self.flow_of(sender);
        let numbers = 0..self.senders[sender].source.dependents();
        self.satisfy(cx, numbers.map(|number| (MessageId { flow, number }, cx.now)).collect());
    }

    /// Ends the wait of this station's messages for an event of a message, at the given time.
    fn release_followers(&mut self, cx: &mut Context, message: MessageId, event: Awaited, at: Time) {
        let met = self.followers.of(message, event).map(|follower| (follower, at)).collect();
        self.satisfy(cx, met);
    }

    /// Records that conditions of messages are met at the given times. A computation that this releases ends at once, and
    /// ends the waits of other messages.
    fn satisfy(&mut self, cx: &mut Context, mut met: Vec<(MessageId, Time)>) {
        while let Some((message, at)) = met.pop() {
            let sender = self.ends.of(message.flow).1;
            let Some(release) = self.senders[sender].source.satisfy(message.number, at) else { continue };
            cx.milestones.released.push((message, release.at));
            if release.is_computation {
                cx.milestones.completed.push((message, release.at));
                let followers = self.followers.of(message, Awaited::Departure);
                met.extend(followers.map(|follower| (follower, release.at)));
            } else {
                self.offer_later(cx, sender);
            }
        }
    }

    /// Re-evaluates a flow with a new message. A lane that has a frame to send finds the message later by itself.
    fn offer_later(&mut self, cx: &mut Context, sender: SenderNo) {
        let lane = self.senders[sender].lane;
        if matches!(self.lanes[lane].state, LaneState::Idle | LaneState::Pending) {
            self.reconsider(cx, lane);
        }
    }
}
