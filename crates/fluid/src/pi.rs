//! Proportional-integral control of the queue.

use setpoint_units::Bytes;

use crate::{Bottleneck, Refused};

/// A proportional-integral controller: dp/dt = K1 dq/dt + K2 (q - reference).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pi {
    /// The queue that it holds.
    pub reference: Bytes,
    /// K1, per byte.
    pub proportional_per_byte: f64,
    /// K2, per byte and second.
    pub integral_per_byte_s: f64,
}

/// The same controller in frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PiGains {
    pub(crate) reference: f64,
    pub(crate) proportional: f64,
    pub(crate) integral: f64,
}

impl PiGains {
    pub(crate) fn new(pi: &Pi, bottleneck: &Bottleneck) -> Result<Self, Refused> {
        let positive = |gain: f64, key: &'static str| {
            if gain > 0.0 && gain.is_finite() { Ok(gain) } else { Err(Refused::Gain(key)) }
        };
        let frame = bottleneck.frame.get() as f64;
        Ok(Self {
            reference: bottleneck.frames(pi.reference),
            proportional: frame * positive(pi.proportional_per_byte, "proportional_per_byte")?,
            integral: frame * positive(pi.integral_per_byte_s, "integral_per_byte_s")?,
        })
    }
}
