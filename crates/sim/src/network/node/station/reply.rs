//! Replies of receivers: a station sends them before its own data, and its reaction points act on those that it receives.

use setpoint_control::Reply;
use setpoint_units::Time;

use super::Stations;
use crate::events::Event;
use crate::frame::Frame;
use crate::index::{Conversation, HopNo, StationNo};
use crate::network::node::context::Context;
use crate::network::node::link::End;
use crate::spec::Reaction;

impl Stations {
    /// Passes a data frame that has just been delivered to its flow's notification point, and sends the reply, if there is
    /// one. Background traffic receives no replies.
    #[inline(never)]
    pub(super) fn answer(&mut self, cx: &mut Context, station: StationNo, frame: Frame, at: Time) {
        let report = cx.take_report(frame);
        if cx.routes.facts(cx.routes.flow_of(frame)).reaction != Reaction::Uncontrolled {
            let way = (frame.conversation(), frame.advanced().hop());
            let hops = report.as_ref().map_or(&[][..], |report| &report.hops);
            if let Some(reply) = cx.receivers.answer(frame, at, hops) {
                self.reply(cx, station, way, reply);
            }
            self.arm_answer(cx, frame.conversation());
        }
        if let Some(report) = report {
            cx.reports.recycle(report);
        }
    }

    /// Handles the timer event of a conversation's notification point.
    pub(in crate::network) fn answer_by_timer(&mut self, cx: &mut Context, conversation: Conversation) {
        let (first, length) = cx.routes.way_of(conversation);
        let last = cx.routes.ports(first, length)[length as usize - 1];
        let (End::Station(station) | End::BrokenToStation(station)) = cx.links[last].to else {
            unreachable!("a path ends at a station")
        };
        let way = (conversation, HopNo(first.0 + length));
        if let Some(reply) = cx.receivers.on_timer(conversation, cx.now) {
            self.reply(cx, station, way, reply);
        }
        self.arm_answer(cx, conversation);
    }

    /// Schedules at most one event per timer: an event that fires early is rescheduled.
    fn arm_answer(&mut self, cx: &mut Context, conversation: Conversation) {
        if let Some(due) = cx.receivers.arm_timer(conversation) {
            cx.events.push(due.max(cx.now), Event::Answer(conversation));
        }
    }

    /// Queues a reply at the station of a receiver. An acknowledgement carries a report; a congestion notification does
    /// not.
    fn reply(
        &mut self,
        cx: &mut Context,
        number: StationNo,
        (conversation, hop): (Conversation, HopNo),
        reply: Reply<'_>,
    ) {
        let (bytes, class) = (cx.rules.notification_bytes, cx.rules.notification_class);
        let reply = match reply {
            Reply::Congestion => Frame::reply(conversation, hop, bytes, class, Time::ZERO),
            Reply::Acknowledgement(content) => {
                let frame = Frame::reply(conversation, hop, bytes, class, content.sent_at);
                frame.with_report(cx.reports.put_content(&content))
            }
        };
        self.stations[number].replies.push_back(reply);
        self.send_replies(cx, number);
    }

    /// Handles the event at which a station may send a reply.
    pub(in crate::network) fn reply_due(&mut self, cx: &mut Context, number: StationNo) {
        let station = &mut self.stations[number];
        if station.reply_armed == cx.now {
            station.reply_armed = Time::MAX;
            self.send_replies(cx, number);
        }
    }

    /// Sends the first waiting reply of a station if the port is free, and schedules the next. Replies come before data: a
    /// data frame that was due now is rescheduled.
    pub(super) fn send_replies(&mut self, cx: &mut Context, number: StationNo) {
        let station = &mut self.stations[number];
        let Some(&reply) = station.replies.front() else { return };
        if station.port.paused & (1 << reply.class()) != 0 {
            return;
        }
        if station.port.free_at <= cx.now {
            station.replies.pop_front();
            station.port.transmit(cx, reply, cx.now);
            if station.armed < station.port.free_at {
                station.armed = Time::MAX;
                self.kick(cx, number);
            }
        }
        let station = &mut self.stations[number];
        let due = station.port.free_at;
        if !station.replies.is_empty() && due < station.reply_armed {
            station.reply_armed = due;
            cx.events.push(due, Event::Reply(number));
        }
    }
}
