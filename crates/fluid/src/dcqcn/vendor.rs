//! DCQCN under the vendor's rules.

use setpoint_control::parameter::Fraction;
use setpoint_units::{Rate, TimeDelta};

use super::Red;

/// Parameters of DCQCN under the vendor's rules: α is updated periodically, the rate is cut at most once per interval, and
/// only a timer raises it. A cut makes the rate the target of recovery if the timer has completed a cycle since the last
/// cut. The equations are in `gains/vendor.rs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vendor {
    /// How the congestion point marks frames.
    pub marking: Red,
    /// The minimum time between two notifications to a source; zero if every mark is reported.
    pub notification_interval: TimeDelta,
    /// τ′: the interval of α's updates.
    pub alpha_interval: TimeDelta,
    /// D: the interval of the checks that may cut the rate.
    pub decrease_interval: TimeDelta,
    /// T: the timer for rate increases.
    pub increase_timer: TimeDelta,
    /// F: the number of increases in fast recovery, which are followed by one of additive increase.
    pub recovery_stages: u32,
    /// g: the weight of a new sample in α.
    pub gain: Fraction,
    /// R_AI: the step of additive increase.
    pub active_increase: Rate,
    /// R_HAI: the step of hyper increase.
    pub hyper_increase: Rate,
    /// The minimum rate of a source.
    pub min_rate: Rate,
}
