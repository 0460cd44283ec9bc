//! BCN: equation (2) worked out by hand, which sources get which messages, stop and drift, and properties.

mod closed_loop;
mod congestion_point;
mod properties;
mod reaction_point;
mod stop;

use crate::entropy;

use setpoint_control::bcn::{ReactionPoint, RpParams};
use setpoint_control::{Notification, PointId, QuantizedFeedback, React, Signal, Update};
use setpoint_units::{Rate, Time};

const LINE: Rate = Rate::from_gbps(10);
const HERE: PointId = PointId(1);
const THERE: PointId = PointId(2);

/// Qoff and dQ with the papers' signs: positive above the set point and while the queue grows. BCN(0,0) is a stop.
fn heard(offset: i64, difference: i64) -> Signal {
    if (offset, difference) == (0, 0) {
        return Signal::Stop;
    }
    Signal::Notification(Notification {
        feedback: QuantizedFeedback::default(),
        queue_offset: offset.saturating_neg(),
        queue_delta: difference,
    })
}

fn tell(point: &mut ReactionPoint, from: PointId, offset: i64, difference: i64) -> Update {
    tell_at(point, Time::ZERO, from, offset, difference)
}

fn tell_at(point: &mut ReactionPoint, now: Time, from: PointId, offset: i64, difference: i64) -> Update {
    point.on_feedback(now, &heard(offset, difference).sent_by(from), &mut entropy::Constant(u32::MAX))
}

/// A source that the point has slowed down to 5 Gb/s with Fb = -120 kB, the largest feedback by default.
fn at_half(params: RpParams) -> ReactionPoint {
    let mut point = ReactionPoint::new(params, LINE);
    tell(&mut point, HERE, 120_000, 0);
    assert_eq!(point.rate(), Rate::from_gbps(5));
    point
}
