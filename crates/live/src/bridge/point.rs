//! The congestion point of an output queue, and its statistics.

use setpoint_control::{
    Admission, Arrival, CongestionPoint, Departure, FlowKey, Mark, Observe, PointId, Signal,
};
use setpoint_sim::{ControlSpec, Dwell, Priority as SpecPriority, Purpose, RandomStream};
use setpoint_units::Time;

/// The congestion point of a queue, and measurements of the queue.
#[derive(Debug)]
pub(super) struct Point {
    point: CongestionPoint,
    entropy: RandomStream,
    pub(super) dwell: Dwell,
    /// The largest length since the last sample of the series.
    pub(super) largest: u64,
    pub(super) dropped_frames: u64,
    pub(super) dropped: u64,
    pub(super) notifications: u64,
    /// Frames that were marked. The congestion point also decides to mark frames that cannot be marked.
    pub(super) marked: u64,
    /// Samples taken by earlier congestion points, which were replaced when parameters changed.
    earlier_samples: u64,
}

impl Point {
    /// The congestion point of a queue, if its priority has one.
    pub(super) fn new(control: &ControlSpec, seed: u64, id: PointId, priority: SpecPriority) -> Self {
        Self {
            point: congestion_point(control, id, priority),
            entropy: RandomStream::new(seed, Purpose::CongestionPoint, id.0),
            dwell: Dwell::new(),
            largest: 0,
            dropped_frames: 0,
            dropped: 0,
            notifications: 0,
            marked: 0,
            earlier_samples: 0,
        }
    }

    /// Replaces the congestion point, which starts from its initial state.
    pub(super) fn replace(&mut self, control: &ControlSpec, id: PointId, priority: SpecPriority) {
        self.earlier_samples += self.point.counters().samples;
        self.point = congestion_point(control, id, priority);
    }

    /// Passes a frame to the congestion point.
    pub(super) fn observe(&mut self, arrival: &Arrival, outbox: &mut Vec<(FlowKey, Signal)>) {
        if !self.point.passes(arrival.frame) {
            self.point.on_enqueue(arrival, &mut self.entropy, outbox);
        }
    }

    /// Whether a congestion point that drops frames admits this one.
    pub(super) fn admit(&mut self, arrival: &Arrival) -> Admission {
        self.point.admit(arrival, &mut self.entropy)
    }

    /// Decides whether to mark a frame that enters the queue.
    pub(super) fn mark(&mut self, arrival: &Arrival) -> Mark {
        self.point.mark(arrival, &mut self.entropy)
    }

    /// Decides whether to mark a frame that leaves the queue.
    pub(super) fn on_dequeue(&mut self, departure: &Departure) -> Mark {
        self.point.on_dequeue(departure, &mut self.entropy)
    }

    /// Frames that were marked; none if the congestion point never marks.
    pub(super) fn marked_frames(&self) -> Option<u64> {
        self.point.marks().map(|_| self.marked)
    }

    /// Records that the queue has had the given length until now.
    pub(super) fn leave(&mut self, length: u64, now: Time) {
        self.dwell.leave(length, now);
    }

    pub(super) fn samples(&self) -> u64 {
        self.earlier_samples + self.point.counters().samples
    }
}

fn congestion_point(control: &ControlSpec, id: PointId, priority: SpecPriority) -> CongestionPoint {
    match control.priorities.contains(priority) {
        true => CongestionPoint::for_audience(&control.congestion_point, id, control.audience),
        false => CongestionPoint::None,
    }
}
