//! SMCC: the paper's equations worked out by hand, its states, which point a source obeys, and properties.

mod closed_loop;
mod congestion_point;
mod equations;
mod properties;
mod reaction_point;

use crate::entropy;

use setpoint_control::smcc::{Params, ReactionPoint};
use setpoint_control::{Notification, PointId, Preset, QuantizedFeedback, React, Update};
use setpoint_units::{Rate, Time};

const LINE: Rate = Rate::from_gbps(1);
const HERE: PointId = PointId(1);
const THERE: PointId = PointId(2);

/// The paper's values: a = 256 Mb/s / 64 kB = 4000 b/s and b = 64 Mb/s / 64 kB = 1000 b/s per byte.
fn paper() -> Params {
    setpoint_control::Params::preset(Preset::OneG).smcc
}

/// Qoff and dQ with the paper's signs: positive above the target and while the queue grows.
fn heard(offset: i64, difference: i64) -> Notification {
    Notification {
        feedback: QuantizedFeedback::default(),
        queue_offset: offset.saturating_neg(),
        queue_delta: difference,
    }
}

fn tell(point: &mut ReactionPoint, from: PointId, offset: i64, difference: i64) -> Update {
    point.on_feedback(Time::ZERO, &heard(offset, difference).sent_by(from), &mut entropy::Forbidden)
}

/// A source that the point has slowed down to 500 Mb/s: 125 kB above the target at 4000 b/s per byte.
fn at_half(params: setpoint_control::smcc::RpParams) -> ReactionPoint {
    let mut point = ReactionPoint::new(params, LINE);
    tell(&mut point, HERE, 125_000, 125_000);
    assert_eq!(point.rate(), Rate::from_mbps(500));
    point
}
