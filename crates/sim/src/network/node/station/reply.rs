//! Replies of receivers: a station sends them before its own data, and its reaction points act on those that it receives.

use setpoint_control::Reply;
use setpoint_units::Time;

use super::{Station, Stations};
use crate::events::Event;
use crate::frame::Frame;
use crate::index::{Conversation, HopNo, ReportNo, StationNo};
use crate::network::node::context::{Context, Rules};
use crate::network::node::link::End;
use crate::network::node::reports::Content;
use crate::spec::Reaction;

impl Context {
    /// The frame of a reply, which is sent back along the path that ends with the given hop.
    fn reply(&self, (conversation, hop): (Conversation, HopNo), sent_at: Time) -> Frame {
        let Rules { notification_bytes: bytes, notification_class: class, .. } = self.rules;
        Frame::reply(conversation, hop, bytes, class, sent_at)
    }

    /// The frame of an acknowledgement, whose content is added to a report.
    fn acknowledgement(
        &mut self,
        way: (Conversation, HopNo),
        sent_at: Time,
        (content, report): (Content, ReportNo),
    ) -> Frame {
        self.reports.set_content(report, content);
        self.reply(way, sent_at).with_report(report)
    }
}

impl Stations {
    /// Passes a data frame that has just been delivered to its flow's notification point, and sends the reply, if there is
    /// one. Background traffic receives no replies.
    #[inline(never)]
    pub(super) fn answer(&mut self, cx: &mut Context, station: StationNo, frame: Frame, at: Time) {
        if cx.routes.facts(cx.routes.flow_of(frame)).reaction == Reaction::Uncontrolled {
            return cx.discard_report(frame);
        }
        let way = (frame.conversation(), frame.advanced().hop());
        let report = cx.telemetry_of(frame);
        let hops = report.map_or(&[][..], |report| cx.reports.hops(report));
        let reply = match cx.receivers.answer(frame, at, hops) {
            Some(Reply::Acknowledgement(content)) => {
                // An acknowledgement that repeats all telemetry of the frame takes over its report.
                let report = report.filter(|_| std::ptr::eq(content.hops, hops));
                let others = if report.is_some() { Vec::new() } else { content.hops.to_vec() };
                let (sent_at, content) = (content.sent_at, Content::from(&content));
                let report = report.unwrap_or_else(|| {
                    cx.discard_report(frame);
                    cx.reports.put_hops(&others)
                });
                Some(cx.acknowledgement(way, sent_at, (content, report)))
            }
            other => {
                let replies = other.is_some();
                cx.discard_report(frame);
                replies.then(|| cx.reply(way, Time::ZERO))
            }
        };
        self.reply(cx, station, reply);
        self.arm_answer(cx, frame.conversation());
    }

    /// Handles the timer event of a conversation's notification point.
    pub(in crate::network) fn answer_by_timer(&mut self, cx: &mut Context, conversation: Conversation) {
        let (first, length) = cx.routes.way_of(conversation);
        let last = cx.routes.ports(first, length)[length as usize - 1];
        let (End::Station(station) | End::BrokenToStation(station)) = cx.links[last].to else {
            unreachable!("a path ends at a station")
        };
        let way = (conversation, HopNo(first.0 + length));
        let reply = cx.receivers.on_timer(conversation, cx.now).map(|reply| match reply {
            Reply::Acknowledgement(content) => {
                let report = cx.reports.put_hops(content.hops);
                cx.acknowledgement(way, content.sent_at, (Content::from(&content), report))
            }
            Reply::Congestion => cx.reply(way, Time::ZERO),
        });
        self.reply(cx, station, reply);
        self.arm_answer(cx, conversation);
    }

    /// Schedules at most one event per timer: an event that fires early is rescheduled.
    fn arm_answer(&mut self, cx: &mut Context, conversation: Conversation) {
        if let Some(due) = cx.receivers.arm_timer(conversation) {
            cx.events.push(due.max(cx.now), Event::Answer(conversation));
        }
    }

    /// Queues the reply of a receiver at its station, if there is one.
    fn reply(&mut self, cx: &mut Context, number: StationNo, reply: Option<Frame>) {
        if let Some(reply) = reply {
            self.stations[number].replies.push_back(reply);
            self.send_replies(cx, number);
        }
    }

    /// Sends the first waiting reply of a station if the port is free, and schedules the next transmission. Replies come before
    /// data: a data frame that was due now is rescheduled.
    pub(super) fn send_replies(&mut self, cx: &mut Context, number: StationNo) {
        if self.stations[number].port.free_at <= cx.now && self.send_reply(cx, number) {
            let station = &mut self.stations[number];
            if station.armed < station.port.free_at {
                station.armed = Time::MAX;
            }
        }
        self.kick::<true>(cx, number);
    }

    /// Sends the first waiting reply of a station whose port is free. Returns whether there was one.
    #[inline]
    pub(super) fn send_reply(&mut self, cx: &mut Context, number: StationNo) -> bool {
        let station = &mut self.stations[number];
        let Some(reply) = station.next_reply() else { return false };
        station.replies.pop_front();
        station.port.transmit(cx, reply, cx.now);
        true
    }
}

impl Station {
    /// The next reply that the station may send.
    #[inline]
    pub(super) fn next_reply(&self) -> Option<Frame> {
        let reply = self.replies.front().copied()?;
        (self.port.paused & (1 << reply.class()) == 0).then_some(reply)
    }
}
