//! The parameters of AIMD's two points, described in [`PARAMETERS`](super::PARAMETERS).

use setpoint_units::{Bytes, Rate};

use crate::parameter::{Percent, Power, choice};

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
    /// Bytes between samples.
    pub sample_base: Bytes,
    /// Spread of the bytes between samples to either side.
    pub jitter: Percent,
}

/// The parameters of a reaction point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RpParams {
    /// Weight of the queue's growth against its offset, w.
    pub weight: Power,
    /// The queue length of which the largest feedback is 1 + 2w times as much.
    pub reference: Bytes,
    /// How a negative feedback acts.
    pub decrease: Decrease,
    /// Part of the rate that the largest negative feedback takes away, if that is multiplicative.
    pub largest_decrease: Percent,
    /// What the largest positive feedback adds, and the largest negative takes away if that is additive.
    pub largest_increase: Rate,
    /// Whether the Averaging Principle is used.
    pub averaging: Averaging,
    /// Bytes sent between a message and the averaging.
    pub averaging_bytes: Bytes,
    /// The rate is never below this.
    pub min_rate: Rate,
    /// The rate is never above this; none is the rate of the port.
    pub max_rate: Option<Rate>,
}

choice! {
    /// How a negative feedback acts.
    Decrease {
        Multiplicative = "multiplicative", "It takes a part of the rate away.";
        Additive = "additive", "It takes away as much as a positive one of the same size would add, whatever the rate.";
    }
}

choice! {
    /// Whether the Averaging Principle is used.
    Averaging {
        Off = "off", "A message changes the rate, and that is all.";
        On = "on", "Half an interval later the rate goes half of the way back: system 1 of theorem 1.";
        Equivalent = "equivalent", "A message acts with 3/4 of its feedback less 1/4 of the one before: system 2 of theorem 1.";
    }
}

impl Default for CpParams {
    fn default() -> Self {
        Self { set_point: Bytes::new(30_000), sample_base: Bytes::new(150_000), jitter: Percent::new(15) }
    }
}

impl Default for RpParams {
    fn default() -> Self {
        Self {
            weight: Power::of_two(1),
            reference: Bytes::new(30_000),
            decrease: Decrease::Multiplicative,
            largest_decrease: Percent::new(50),
            largest_increase: Rate::from_gbps(1),
            averaging: Averaging::Off,
            averaging_bytes: Bytes::new(75_000),
            min_rate: Rate::from_mbps(10),
            max_rate: None,
        }
    }
}
