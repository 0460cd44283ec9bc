//! Marks in the ECN field of IP packets (RFC 3168).
//!
//! A congestion point decides for every frame of its queue, as in the simulator. A frame that it decides to mark is marked
//! with CE if its sender has declared that it reacts to marks (ECT). Other frames, including those without an IP packet,
//! cannot be marked. RFC 3168, section 5, lets a router drop them instead, so that senders without ECN do not crowd out the
//! others; this bridge does so in priorities that may be dropped. Frames of a lossless priority must
//! not be dropped, so the bridge forwards them unmarked and counts them.

use setpoint_control::{Arrival, Departure, Mark};
use setpoint_units::{Bytes, Time};
use setpoint_wire::{Ecn, Priority, ecn};

use super::Bridge;
use super::input::protects;
use super::output::Waiting;

/// The fate of a frame after a congestion point has decided whether to mark it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is forwarded, with or without a mark.
    Forwarded,
    /// It is dropped.
    Dropped,
}

impl Bridge {
    /// Passes a frame that enters a queue to a congestion point that marks arriving frames.
    pub(super) fn mark_arriving(
        &mut self,
        to: usize,
        priority: Priority,
        arrival: &Arrival,
        waiting: &mut Waiting,
    ) -> Fate {
        if !self.plan.control.congestion_point.needs().marks {
            return Fate::Forwarded;
        }
        let mark = self.ports[to].points[usize::from(priority.number())].mark(arrival);
        self.apply(to, priority, mark, waiting)
    }

    /// Passes a frame that leaves a queue, or that bypasses an empty one, to a congestion point that marks departing
    /// frames. The queue no longer includes the frame.
    pub(super) fn mark_departing(
        &mut self,
        now: Time,
        port: usize,
        priority: Priority,
        waiting: &mut Waiting,
    ) -> Fate {
        let (true, Some(flow)) = (self.plan.control.congestion_point.needs().departures, waiting.flow) else {
            return Fate::Forwarded;
        };
        let index = usize::from(priority.number());
        let (frame, rest) = (Bytes::new(waiting.length), Bytes::new(self.ports[port].output.lengths[index]));
        let departure = Departure { now, frame, queue: rest + frame, flow };
        let mark = self.ports[port].points[index].on_dequeue(&departure);
        self.apply(port, priority, mark, waiting)
    }

    fn apply(&mut self, port: usize, priority: Priority, mark: Mark, waiting: &mut Waiting) -> Fate {
        if mark == Mark::Clear {
            return Fate::Forwarded;
        }
        match ecn::mark(&mut waiting.octets) {
            Ok(Ecn::Ce) => {
                self.counters.marked += 1;
                self.ports[port].points[usize::from(priority.number())].marked += 1;
                Fate::Forwarded
            }
            _ if protects(&self.plan.flow_control, priority) => {
                self.counters.unmarkable_forwarded += 1;
                Fate::Forwarded
            }
            _ => {
                self.counters.unmarkable_dropped += 1;
                Fate::Dropped
            }
        }
    }

    /// Counts a frame that is dropped, and keeps its buffer for reuse.
    pub(super) fn discard(&mut self, port: usize, priority: Priority, waiting: Waiting) {
        self.counters.dropped += 1;
        let point = &mut self.ports[port].points[usize::from(priority.number())];
        (point.dropped_frames, point.dropped) = (point.dropped_frames + 1, point.dropped + waiting.length);
        if let Some(flow) = waiting.planned {
            self.record.drop(flow, waiting.length);
        }
        self.spare.push(waiting.octets);
    }
}
