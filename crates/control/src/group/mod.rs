//! Group traffic: one limiter whose frames meet several congestion points.

use setpoint_units::TimeDelta;

/// What a limiter of a group does with the notifications of several congestion points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GroupRule {
    /// Every notification changes the one rate, wherever it comes from.
    #[default]
    EveryNotification,
    /// Each congestion point has a rate of its own, and the smallest of them counts: CR = min r_i.
    SlowestPath,
    /// Only the congestion point in the worst state is obeyed (QCN/BS).
    WorstPoint,
}

/// How a limiter of a group works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupParams {
    /// Whom it obeys.
    pub rule: GroupRule,
    /// For [`GroupRule::WorstPoint`]: how long the worst point stays that without having been heard.
    pub memory: TimeDelta,
}

impl Default for GroupParams {
    fn default() -> Self {
        Self { rule: GroupRule::default(), memory: TimeDelta::from_millis(50) }
    }
}
