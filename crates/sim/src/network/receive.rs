//! Arrivals at stations.
//!
//! A data frame that reaches its station changes nothing but books, so it is no event: it waits in the
//! ring of its link until somebody looks, and is then booked with the time at which it arrived.

use std::cmp::Reverse;

use setpoint_units::Time;

use super::Network;
use super::flow::Completion;
use crate::frame::{Frame, FrameKind, InFlight};

impl Network {
    /// Books the data frames that have arrived over a link to a station by now.
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

    /// Handles everything that has arrived over a link to a station by now.
    pub(super) fn receive_due(&mut self, index: u32) {
        while let Some(&InFlight { at, frame }) = self.ports[index as usize].flight.front() {
            if at > self.now {
                break;
            }
            self.ports[index as usize].flight.pop_front();
            match frame.kind {
                FrameKind::Data => self.deliver(&frame, at),
                FrameKind::Notification => self.hear(frame),
                FrameKind::Pause => self.obey_pause(index ^ 1, frame.pause_content()),
            }
        }
    }

    #[inline]
    fn deliver(&mut self, frame: &Frame, at: Time) {
        if self.flows[frame.flow as usize].books.lost.is_some() {
            self.settle_losses(frame.flow, frame.sent_at());
        }
        let flow = &mut self.flows[frame.flow as usize];
        flow.books.deliver(frame.bytes, at - frame.sent_at());
        while let Some(message) = flow.source.complete(flow.books.settled) {
            let done =
                Completion { flow: frame.flow, size: message.size, offered: message.offered, completed: at };
            self.recorder.complete(done, message.damaged);
        }
    }

    /// Frames lost before one that was sent at `before` will not come any more. A frame belongs to one
    /// message, and a message whose last frame is lost ends with it.
    #[cold]
    pub(super) fn settle_losses(&mut self, flow: u32, before: Time) {
        let flow = &mut self.flows[flow as usize];
        let Some(mut lost) = flow.books.lost.take() else { return };
        while let Some(&Reverse((sent_at, bytes))) = lost.peek()
            && sent_at < before
        {
            lost.pop();
            flow.books.settled += u64::from(bytes);
            flow.source.damage(flow.books.settled);
            if flow.source.complete(flow.books.settled).is_some() {
                self.recorder.damaged();
            }
        }
        flow.books.lost = if lost.is_empty() { None } else { Some(lost) };
    }
}
