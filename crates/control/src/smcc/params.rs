//! The parameters of SMCC's two points, described in [`PARAMETERS`](super::PARAMETERS).

use setpoint_units::{Bytes, Rate};

use crate::parameter::{Percent, Switch, choice};

/// The parameters of a congestion point and of the reaction points it talks to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Params {
    /// Of the congestion point.
    pub cp: CpParams,
    /// Of the reaction point.
    pub rp: RpParams,
}

/// The parameters of a congestion point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpParams {
    /// The queue length that is aimed at, q0.
    pub set_point: Bytes,
    /// Bytes between samples, 1/p.
    pub sample_base: Bytes,
    /// Spread of the bytes between samples to either side.
    pub jitter: Percent,
}

/// The parameters of a reaction point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RpParams {
    /// Ra, the change of the rate in state A where the offset is the reference; R_large with two stages.
    pub state_a: Rate,
    /// Rb, the change of the rate in state B where the difference is the reference.
    pub state_b: Rate,
    /// The offset or difference at which the change is all of Ra or Rb.
    pub reference: Bytes,
    /// Whether Ra depends on the difference (section 4.4).
    pub two_stage: Switch,
    /// T1, the difference above which Ra is the large one.
    pub threshold: Bytes,
    /// R_small, the change in state A where the difference is at most T1.
    pub state_a_small: Rate,
    /// Which points are obeyed.
    pub association: Association,
    /// The rate is never below this.
    pub min_rate: Rate,
    /// The rate is never above this; none is the rate of the port.
    pub max_rate: Option<Rate>,
}

choice! {
    /// Which congestion points a source obeys.
    Association {
        Congested = "congested", "The last point that slowed it down while the queue there was above the set point, and no other: BCN's rule.";
        LastSlowed = "last-slowed", "Whoever slows it down, and the last that did for more.";
        Off = "off", "Every point, for less and for more.";
    }
}

impl Default for CpParams {
    fn default() -> Self {
        Self { set_point: Bytes::new(64_000), sample_base: Bytes::new(150_000), jitter: Percent::new(15) }
    }
}

impl Default for RpParams {
    fn default() -> Self {
        Self {
            state_a: Rate::from_mbps(2_560),
            state_b: Rate::from_mbps(640),
            reference: Bytes::new(64_000),
            two_stage: Switch::Off,
            threshold: Bytes::new(8_000),
            state_a_small: Rate::from_mbps(1_280),
            association: Association::Congested,
            min_rate: Rate::from_mbps(5),
            max_rate: None,
        }
    }
}
