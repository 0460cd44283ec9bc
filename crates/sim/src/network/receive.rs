//! Arrivals at stations.
//!
//! A data frame that reaches its station changes only statistics, so its arrival is not an event. It waits in
//! its link's ring and is recorded on the next access, with its actual arrival time.

use std::cmp::Reverse;

use setpoint_units::Time;

use super::Network;
use super::flow::Ended;
use crate::frame::{Frame, FrameKind, InFlight};
use crate::outcome::Fate;
use crate::traffic::source::Message;

impl Network {
    /// Records the data frames that have arrived over a link to a station by now.
    #[inline]
    pub(super) fn deliver_due(&mut self, index: u32) {
        while let Some(flying) = self.ports[index as usize].flight.front()
            && flying.at <= self.now
            && flying.frame.kind == FrameKind::Data
        {
            let InFlight { at, frame } = *flying;
            self.ports[index as usize].flight.pop_front();
            self.deliver(&frame, at);
        }
    }

    /// Handles all frames that have arrived over a link to a station by now.
    pub(super) fn receive_due(&mut self, index: u32) {
        while let Some(&InFlight { at, frame }) = self.ports[index as usize].flight.front() {
            if at > self.now {
                break;
            }
            self.ports[index as usize].flight.pop_front();
            match frame.kind {
                FrameKind::Data => self.deliver(&frame, at),
                FrameKind::Notification => self.receive_notification(frame),
                FrameKind::Pause => self.apply_pause(index ^ 1, frame.pause_content()),
                FrameKind::Cell => unreachable!("cells stay inside bridges"),
            }
        }
    }

    #[inline]
    fn deliver(&mut self, frame: &Frame, at: Time) {
        if self.groups.include(frame) {
            return self.deliver_copy(frame, at);
        }
        #[cfg(debug_assertions)]
        self.recorder.check_order(frame.flow as usize, frame.sent_at());
        let flow = &mut self.flows[frame.flow as usize];
        if flow.books.lost.is_some() {
            self.recorder.damaged(frame.flow, &flow.settle_losses(frame.sent_at()));
        }
        flow.books.deliver(frame.bytes, at - frame.sent_at());
        while let Some(message) = flow.source.complete(flow.books.settled) {
            let fate = if message.damaged { Fate::Damaged } else { Fate::Completed };
            let Message { size, offered, .. } = message;
            self.recorder.messages.push(Ended { flow: frame.flow, fate, size, offered, completed: at });
        }
    }
}

impl super::Flow {
    /// Settles lost frames that were sent before `before`; they will never arrive. Each belongs to
    /// one message. Returns the messages that end with the loss of their last frame.
    #[cold]
    pub(super) fn settle_losses(&mut self, before: Time) -> Vec<Message> {
        let Some(mut lost) = self.books.lost.take() else { return Vec::new() };
        let mut ended = Vec::new();
        while let Some(&Reverse((sent_at, bytes))) = lost.peek()
            && sent_at < before
        {
            lost.pop();
            self.books.settled += u64::from(bytes);
            self.source.damage(self.books.settled);
            ended.extend(self.source.complete(self.books.settled));
        }
        self.books.lost = if lost.is_empty() { None } else { Some(lost) };
        ended
    }
}
