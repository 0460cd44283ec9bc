//! TIMELY and patched TIMELY: the parameters of their fluid models.
//!
//! Source of the equations: Zhu, Ghobadi, Misra, Padhye, "ECN or delay: lessons learnt from analysis of DCQCN and
//! TIMELY" (CoNEXT 2016), figure "TIMELY fluid model" and section "Patched TIMELY". The equations are in
//! `model/timely.rs`.

use setpoint_control::parameter::Percent;
use setpoint_units::{Bytes, Rate, TimeDelta};

use crate::Pi;

/// Parameters of TIMELY. The defaults are those that the CoNEXT paper gives for 10 Gb/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// The rate computation between the two thresholds.
    pub variant: Variant,
    /// δ: the additive increase per update.
    pub increase: Rate,
    /// β: the multiplicative decrease.
    pub decrease: Percent,
    /// α: the weight of a new sample in the gradient.
    pub smoothing: Percent,
    /// T_low: the queueing delay below which rates always rise.
    pub low: TimeDelta,
    /// T_high: the queueing delay above which rates always fall.
    pub high: TimeDelta,
    /// D_minRTT: the unit of the gradient, and the shortest time between updates.
    pub min_rtt: TimeDelta,
    /// Seg: the bytes that a source sends between two updates.
    pub segment: Bytes,
    /// The minimum rate of a source. The paper has none.
    pub min_rate: Rate,
    /// The part of the measured delay that is not queueing: the round-trip time of the idle path. The paper's model has none,
    /// since its sources compare the queueing delay with the thresholds.
    pub idle_rtt: TimeDelta,
}

/// The rate computation between the two thresholds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Variant {
    /// TIMELY: the rate follows the gradient of the delay.
    Original,
    /// Patched TIMELY: the rate follows the queue, weighted by the gradient.
    Patched,
    /// Patched TIMELY with a proportional-integral controller at every source in place of the queue's offset.
    PatchedPi(Pi),
}

impl Params {
    /// The parameters of patched TIMELY: β = 0.008.
    #[must_use]
    pub fn patched() -> Self {
        Self { variant: Variant::Patched, decrease: Percent::from_hundredths(80), ..Self::default() }
    }
}

impl Default for Params {
    fn default() -> Self {
        Self {
            variant: Variant::Original,
            increase: Rate::from_mbps(10),
            decrease: Percent::new(80),
            smoothing: Percent::from_hundredths(8_750),
            low: TimeDelta::from_micros(50),
            high: TimeDelta::from_micros(500),
            min_rtt: TimeDelta::from_micros(20),
            segment: Bytes::new(16_000),
            min_rate: Rate::from_mbps(10),
            idle_rtt: TimeDelta::ZERO,
        }
    }
}
