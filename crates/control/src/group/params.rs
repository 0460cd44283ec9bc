//! How the limiter of a group works.

use setpoint_units::TimeDelta;

use crate::ReactionPointParams;
use crate::parameter::choice;

choice! {
    /// What a limiter of a group does with the notifications of several congestion points.
    #[derive(Default)]
    GroupRule {
        #[default]
        EveryNotification = "every-notification", "Every notification changes the one rate, wherever it comes from.";
        SlowestPath = "slowest-path", "Each congestion point has a rate of its own, and the smallest of them counts: CR = min r_i.";
        WorstPoint = "worst-point", "Only the congestion point in the worst state is obeyed (QCN/BS).";
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
