//! Arrivals at stations.
//!
//! A data frame that reaches its station changes nothing but books, so it is no event: it waits in the
//! ring of its link until somebody looks, and is then booked with the time at which it arrived.

use setpoint_units::Time;

use super::Network;
use super::flow::Completion;
use crate::frame::{Frame, FrameKind, InFlight};

impl Network {
    /// Books the data frames that have arrived over a link to a station by now.
    #[inline]
    pub(super) fn deliver_due(&mut self, index: u32) {
        while let Some(&InFlight { at, frame }) = self.ports[index as usize].flight.front() {
            if at > self.now || frame.kind != FrameKind::Data {
                break;
            }
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
        let flow = &mut self.flows[frame.flow as usize];
        if !flow.books.lost.is_empty() {
            flow.settle_losses(frame.sent_at());
        }
        flow.books.deliver(frame.bytes, at - frame.sent_at());
        while let Some(message) = flow.source.complete(flow.books.settled) {
            let damaged = std::mem::take(&mut flow.books.damaged);
            let done =
                Completion { flow: frame.flow, size: message.size, offered: message.offered, completed: at };
            self.recorder.complete(done, damaged);
        }
    }
}

impl super::Flow {
    /// Frames lost before one that was sent at `before` will not come any more.
    #[cold]
    fn settle_losses(&mut self, before: Time) {
        while let Some(&(sent_at, bytes)) = self.books.lost.front() {
            if sent_at >= before {
                break;
            }
            self.books.lost.pop_front();
            self.books.settled += u64::from(bytes);
            self.books.damaged = true;
        }
    }
}
