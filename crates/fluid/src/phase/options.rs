//! How the equations of QCN are read where the paper can be read in two ways.

/// The choices, each with what is nearest to packets as its default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlaneOptions {
    /// How the rate falls.
    pub decrease: Decrease,
    /// Who hears a sample.
    pub notifications: Notifications,
    /// What the rate recovers to.
    pub target: RecoveryTarget,
}

/// The subsystem of rate decrease.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decrease {
    /// Equation (17): a part of the rate that there is, and no more than the largest cut in a message.
    #[default]
    Nonlinear,
    /// Equation (19), its linearisation at the set point, without a largest cut.
    Linearised,
}

/// How often a source hears of congestion, which is what makes a rate of change of the gain per message.
///
/// The paper's dr/dt = Gd Fb r has no unit of time. With p the chance of a frame to be sampled:
///
/// ```text
/// per source     p r messages a second:  N r' = -N G F r p r = -G F p (A + y)^2 / N
/// every sample   pC messages a second:   N r' = -N G F r pC  = -G F pC (A + y)
/// ```
///
/// The first is what happens to packets. The second has the form of (17), and is what the paper's model says if a
/// unit of its time is a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Notifications {
    /// A sample is heard by the source whose frame it hits.
    #[default]
    PerSource,
    /// Every sample is heard by every source.
    EverySample,
}

/// R(0), the rate that fast recovery leads back to.
///
/// It decides whether theorem 2 can hold at all. Messages do not stop before the feedback is zero, and the last of
/// them hardly change the rate; where R(0) is the rate before the latest of them, recovery leads to a rate below
/// the available bandwidth, N R(0) - A is negative, and (24) fails for every T. The theorem is about the
/// first reading, although the paper's words are the second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecoveryTarget {
    /// The rate at which the descent began: messages between which no cycle is completed keep the target. This is
    /// the standard's extra fast recovery.
    #[default]
    DescentBegan,
    /// The rate just before the latest message, which is one interval between messages ago: the paper's words in
    /// section 2.2, and QCN without extra fast recovery.
    LatestMessage,
}
