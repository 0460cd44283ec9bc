//! DCQCN: parameters and the fixed point of its fluid model.
//!
//! Source of the equations: Zhu, Ghobadi, Misra, Padhye, "ECN or delay: lessons learnt from analysis of DCQCN and
//! TIMELY" (CoNEXT 2016), figure "DCQCN fluid model". The equations are in `model/dcqcn.rs`.

mod point;

use setpoint_control::parameter::{Percent, Power};
use setpoint_units::{Bytes, Rate, TimeDelta};

use crate::Pi;

pub use point::{Approximation, FixedPoint, fixed_point};

/// Parameters of DCQCN. The defaults are those of the CoNEXT paper for 40 Gb/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// How the congestion point marks frames.
    pub marking: Marking,
    /// τ: the least time between two notifications to a source.
    pub notification_interval: TimeDelta,
    /// τ′: the interval of α's updates.
    pub alpha_interval: TimeDelta,
    /// T: the timer for rate increases.
    pub increase_timer: TimeDelta,
    /// B: the bytes that a source sends between two rate increases.
    pub byte_counter: Bytes,
    /// F: the number of increases in fast recovery.
    pub recovery_stages: u32,
    /// g: the weight of a new sample in α.
    pub gain: Power,
    /// R_AI: the step of active increase.
    pub active_increase: Rate,
    /// The minimum rate of a source. The paper has none.
    pub min_rate: Rate,
}

/// How the congestion point marks frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Marking {
    /// By the queue length, as random early detection does.
    Red(Red),
    /// By a proportional-integral controller, which holds the queue at its reference.
    Pi(Pi),
}

/// Marking by queue length: the probability is zero up to Kmin, rises linearly to Pmax at Kmax, and is one above
/// Kmax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Red {
    /// Kmin.
    pub kmin: Bytes,
    /// Kmax.
    pub kmax: Bytes,
    /// Pmax: the probability at Kmax.
    pub largest: Percent,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            marking: Marking::Red(Red {
                kmin: Bytes::new(5_000),
                kmax: Bytes::new(200_000),
                largest: Percent::new(1),
            }),
            notification_interval: TimeDelta::from_micros(50),
            alpha_interval: TimeDelta::from_micros(55),
            increase_timer: TimeDelta::from_micros(55),
            byte_counter: Bytes::new(10_000_000),
            recovery_stages: 5,
            gain: Power::of_two(-8),
            active_increase: Rate::from_mbps(40),
            min_rate: Rate::from_mbps(10),
        }
    }
}
