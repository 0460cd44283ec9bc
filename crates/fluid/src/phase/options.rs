//! Choices in QCN's equations where the paper is ambiguous.

/// The choices. Each default is the option closest to packet networks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlaneOptions {
    /// How the rate decreases.
    pub decrease: Decrease,
    /// The sources that receive a sample.
    pub notifications: Notifications,
    /// The rate to which fast recovery returns.
    pub target: RecoveryTarget,
}

/// The subsystem of rate decrease.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decrease {
    /// Equation (17): a fraction of the current rate, limited by the largest cut per message.
    #[default]
    Nonlinear,
    /// Equation (19), the linearisation of (17) at the set point, without the limit on cuts.
    Linearised,
}

/// How often a source is notified of congestion, which turns the gain per message into a rate of change.
///
/// The paper's dr/dt = Gd Fb r has no unit of time. With p the probability that a frame is sampled:
///
/// ```text
/// per source     p r messages a second:  N r' = -N G F r p r = -G F p (A + y)^2 / N
/// every sample   pC messages a second:   N r' = -N G F r pC  = -G F pC (A + y)
/// ```
///
/// The first describes packet networks. The second has the form of (17), and is the paper's model
/// if its unit of time is one sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Notifications {
    /// The source of the sampled frame receives the sample.
    #[default]
    PerSource,
    /// Every source receives every sample.
    EverySample,
}

/// R(0), the rate to which fast recovery returns.
///
/// It decides whether theorem 2 can hold at all. Messages continue until the feedback is zero, and the last
/// of them hardly change the rate. If R(0) is the rate before the latest message, recovery leads to a rate
/// below the available bandwidth, N R(0) - A is negative, and (24) fails for every T. The theorem holds for
/// the first option, although the paper's wording describes the second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecoveryTarget {
    /// The rate at which the descent began: messages without a completed cycle in between keep the target.
    /// This is the standard's extra fast recovery.
    #[default]
    DescentBegan,
    /// The rate just before the latest message, one message interval ago: the paper's wording in section 2.2,
    /// and QCN without extra fast recovery.
    LatestMessage,
}
