//! Group traffic: one limiter whose frames meet several congestion points.
//!
//! A frame to a group is copied where the ways to its receivers part, and each copy is queued, sampled and
//! told of on its own. So the one reaction point of the flow hears from several congestion points, each
//! notification with the name of its sender, and has to make one rate of them. There are three rules:
//!
//! * [`GroupRule::EveryNotification`], what the standard's source does: it does not look at names, so k
//!   points that are congested together cut the rate k times. Mliki and others call this *legacy QCN*
//!   ("Performance evaluation of legacy QCN for multicast and multiple unicast traffic transmission", 2016).
//! * [`GroupRule::SlowestPath`], section 3 of the same paper: a group of N receivers is taken for N sessions
//!   to one receiver each, and CR = min r_i. See [`SlowestPath`].
//! * [`GroupRule::WorstPoint`], *QCN with bottleneck selection* (Tanisawa and Yamamoto 2014): the point in
//!   the worst state is selected and only that one obeyed. See [`WorstPoint`].
//!
//! The rules are about whom to obey and not about how, so they are around a reaction point of any algorithm.
//! [`ReactionPoint::for_group`](crate::ReactionPoint::for_group) gives one; with the first rule it is the
//! plain point itself.
//!
//! The rule belongs to the station and not to an algorithm, so it is no parameter in the algorithms' tables;
//! scenarios have it beside `placement` and `marking`. The chapter is `docs/algorithms/multicast.md`.

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
    /// What a limiter of a group does with the notifications of several congestion points.
    #[derive(Default)]
    GroupRule {
        #[default]
        EveryNotification = "every-notification", "Every notification changes the one rate, whichever point sent it.";
        SlowestPath = "slowest-path", "Each congestion point has its own rate, and the lowest one applies: CR = min r_i.";
        WorstPoint = "worst-point", "Only the most congested point is followed (QCN/BS).";
    }
}

/// How a limiter of a group works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupParams {
    /// Whom it obeys.
    pub rule: GroupRule,
    /// For [`GroupRule::WorstPoint`]: how long the worst point stays that without having been heard. With
    /// zero it never does, and every notification is obeyed.
    pub memory: TimeDelta,
}

impl Default for GroupParams {
    fn default() -> Self {
        Self { rule: GroupRule::default(), memory: TimeDelta::from_millis(50) }
    }
}

/// The parameters of a reaction point of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Of the reaction points inside.
    pub point: ReactionPointParams,
    /// Of what is around them.
    pub group: GroupParams,
}
