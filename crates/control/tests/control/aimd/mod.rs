//! AIMD with feedback: changes and averaging worked out by hand, theorem 1 checked on the simulator's own code,
//! and properties.

mod closed_loop;
mod congestion_point;
mod properties;
mod reaction_point;
mod theorem_1;

use crate::entropy;

use setpoint_control::aimd::ReactionPoint;
use setpoint_control::{Notification, PointId, QuantizedFeedback, React, Update};
use setpoint_units::{Bytes, Rate, Time};

const LINE: Rate = Rate::from_gbps(10);

/// Qoff and dQ with the paper's signs: positive above the set point and while the queue grows.
fn heard(offset: i64, difference: i64) -> Notification {
    Notification {
        feedback: QuantizedFeedback::default(),
        queue_offset: offset.saturating_neg(),
        queue_delta: difference,
    }
}

fn tell(point: &mut ReactionPoint, offset: i64, difference: i64) -> Update {
    point.on_feedback(Time::ZERO, &heard(offset, difference).sent_by(PointId(1)), &mut entropy::Forbidden)
}

fn send(point: &mut ReactionPoint, bytes: u64) -> Update {
    point.on_sent(Bytes::new(bytes), &mut entropy::Forbidden)
}
