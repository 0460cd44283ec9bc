//! The parameters of BCN's two points, described in [`PARAMETERS`](super::PARAMETERS).

use setpoint_units::{Bytes, Rate, TimeDelta};

use crate::parameter::{Percent, Power, Switch};

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
    /// The queue length that is aimed at, Qeq.
    pub set_point: Bytes,
    /// Weight of the queue's growth against its offset, w. Both points need it, and must agree.
    pub weight: Power,
    /// Bytes between samples.
    pub sample_base: Bytes,
    /// Spread of the bytes between samples to either side.
    pub jitter: Percent,
    /// Whether sources are stopped.
    pub severe_stop: Switch,
    /// The queue length beyond which they are, Qsc.
    pub severe_threshold: Bytes,
}

/// The parameters of a reaction point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RpParams {
    /// Weight of the queue's growth against its offset, w: that of the congestion points.
    pub weight: Power,
    /// The queue length of which the largest feedback is 1 + 2w times as much.
    pub reference: Bytes,
    /// Part of the rate that the largest negative feedback takes away.
    pub largest_decrease: Percent,
    /// What the largest positive feedback adds.
    pub largest_increase: Rate,
    /// The longest a first stop lasts, Tmax.
    pub stop_time: TimeDelta,
    /// How many times that the longest stop is after stops in a row.
    pub back_off: Power,
    /// Whether the rate rises without feedback.
    pub drift: Switch,
    /// How long without feedback, td.
    pub drift_interval: TimeDelta,
    /// By how much, rd.
    pub drift_increase: Rate,
    /// The rate is never below this, and this after a stop.
    pub min_rate: Rate,
    /// The rate is never above this; none is the rate of the port.
    pub max_rate: Option<Rate>,
}

impl Default for CpParams {
    fn default() -> Self {
        Self {
            set_point: Bytes::new(24_000),
            weight: Power::of_two(1),
            sample_base: Bytes::new(150_000),
            jitter: Percent::new(15),
            severe_stop: Switch::On,
            severe_threshold: Bytes::new(102_400),
        }
    }
}

impl Default for RpParams {
    fn default() -> Self {
        Self {
            weight: Power::of_two(1),
            reference: Bytes::new(24_000),
            largest_decrease: Percent::new(50),
            largest_increase: Rate::from_gbps(1),
            stop_time: TimeDelta::from_micros(100),
            back_off: Power::of_two(4),
            drift: Switch::Off,
            drift_interval: TimeDelta::from_millis(1),
            drift_increase: Rate::from_mbps(10),
            min_rate: Rate::from_mbps(10),
            max_rate: None,
        }
    }
}
