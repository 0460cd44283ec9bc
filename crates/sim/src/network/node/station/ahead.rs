//! Prefetching the state of a station that is about to send.

use super::Stations;
use super::schedule::Schedule;
use crate::frame::Frame;
use crate::index::StationNo;
use crate::network::node::context::Context;
use crate::prefetch::prefetch;

impl Stations {
    /// Prefetches the state needed when a reply reaches its source.
    #[inline]
    pub(in crate::network) fn look_at_feedback(&self, cx: &Context, frame: Frame, depth: u32) {
        cx.look_at_report(frame, depth);
        let home = self.sender_of(cx.routes.flow_of(frame));
        match depth {
            0 => prefetch(&self.senders[home]),
            1 => prefetch(&self.lanes[self.senders[home].lane]),
            _ => {
                if let Some(limiter) = &self.lanes[self.senders[home].lane].limiter {
                    prefetch(&**limiter);
                }
                if let Some(limiters) = &self.senders[home].limiters {
                    prefetch(&**limiters);
                }
            }
        }
    }

    /// Prefetches the state that a station needs to send, following one more reference at each depth.
    #[inline]
    pub(in crate::network) fn look_at(&self, number: StationNo, depth: u32) {
        let station = &self.stations[number];
        match (depth, &station.schedule) {
            (0, _) => {
                prefetch(&station.port.free_at);
                prefetch(&station.schedule);
            }
            (_, Schedule::Single(lane)) if depth == 1 => {
                prefetch(&self.lanes[*lane]);
                prefetch(&self.senders[lane.resident()]);
            }
            (1, Schedule::Several(queues)) => prefetch(&**queues),
            (2, Schedule::Several(queues)) => queues.look_at_pending(),
            (3, Schedule::Several(queues)) => {
                if let Some(lane) = queues.probably_next() {
                    prefetch(&self.lanes[lane]);
                    prefetch(&self.senders[lane.resident()]);
                }
            }
            _ => (),
        }
    }
}
