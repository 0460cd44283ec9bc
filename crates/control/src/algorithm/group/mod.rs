//! Group traffic: one limiter whose frames pass several congestion points.
//!
//! Bridges copy a frame to a group where the paths to its receivers separate, and queue and sample each copy
//! separately. The one reaction point of the flow therefore receives notifications from several congestion
//! points, each with the id of its sender, and has to derive one rate from them. There are three rules:
//!
//! * [`GroupRule::EveryNotification`], the behaviour of the standard's source: it ignores the ids, so that k points
//!   that are congested at the same time cut the rate k times. Mliki et al. call this *legacy QCN* ("Performance
//!   evaluation of legacy QCN for multicast and multiple unicast traffic transmission", 2016).
//! * [`GroupRule::SlowestPath`], section 3 of the same paper: a group of N receivers is treated as N sessions to one
//!   receiver each, and CR = min r_i. See [`SlowestPath`].
//! * [`GroupRule::WorstPoint`], *QCN with bottleneck selection* (Tanisawa and Yamamoto 2014): the source selects the
//!   most congested point and follows only that one. See [`WorstPoint`].
//!
//! The rules decide which points to follow, not how, so they apply to the reaction points of every algorithm.
//! [`ReactionPoint::for_group`](crate::ReactionPoint::for_group) creates a reaction point for a group; with the first
//! rule it is a plain one.
//!
//! The rule is a property of the station, not of an algorithm, so it is not in the algorithms' parameter tables;
//! scenarios set it next to `placement` and `marking`. See `docs/algorithms/multicast.md`.

mod rp;
mod slowest_path;
mod worst_point;

use setpoint_units::TimeDelta;

pub use rp::ReactionPoint;
pub use slowest_path::SlowestPath;
pub use worst_point::WorstPoint;

use crate::ReactionPointParams;
use crate::parameter::choice;

choice! {
    /// How the limiter of a group responds to notifications from several congestion points.
    #[derive(Default)]
    GroupRule {
        #[default]
        EveryNotification = "every-notification", "Every notification changes the one rate, whichever point sent it.";
        SlowestPath = "slowest-path", "Each congestion point has its own rate, and the lowest one applies: CR = min r_i.";
        WorstPoint = "worst-point", "Only the most congested point is followed (QCN/BS).";
    }
}

/// The group rule of a limiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupParams {
    /// The rule.
    pub rule: GroupRule,
    /// For [`GroupRule::WorstPoint`]: how long the worst point stays selected after its last notification. With zero no
    /// point stays selected, and every notification is accepted.
    pub memory: TimeDelta,
}

impl Default for GroupParams {
    fn default() -> Self {
        Self { rule: GroupRule::default(), memory: TimeDelta::from_millis(50) }
    }
}

/// The parameters of a group's reaction point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// The parameters of the plain reaction points.
    pub point: ReactionPointParams,
    /// The group rule.
    pub group: GroupParams,
}
