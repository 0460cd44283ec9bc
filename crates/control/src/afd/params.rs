//! The parameters of AFD.

use setpoint_units::{Bytes, Rate, TimeDelta};

use super::table::PARAMETERS;
use crate::algorithm::Misfit;
use crate::parameter::{Percent, Power};

/// The parameters of AFD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// The queue length Q_ref that is aimed at.
    pub set_point: Bytes,
    /// The interval Ts over which arrivals are counted.
    pub interval: TimeDelta,
    /// The weight of the last interval in an estimate.
    pub smoothing: Power,
    /// The gain a₁ on the queue at the end of this interval.
    pub a1: Percent,
    /// The gain a₂ on the queue at the end of the one before.
    pub a2: Percent,
    /// The most that the fair share may be, but for a set point in an interval.
    pub max_share: Rate,
    /// How many accounts can be held.
    pub entries: u32,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            set_point: Bytes::new(50_000),
            interval: TimeDelta::from_micros(100),
            smoothing: Power::of_two(0),
            a1: Percent::new(18),
            a2: Percent::new(17),
            max_share: Rate::from_gbps(10),
            entries: 1_024,
        }
    }
}

impl Params {
    /// Whether every parameter is within its range and the loop has an end.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), Misfit> {
        for parameter in PARAMETERS {
            parameter.check(parameter.read(self))?;
        }
        let (a1, a2) = (self.a1, self.a2);
        if a1 > a2 {
            return Ok(());
        }
        let message = alloc::format!(
            "afd.cp.a1 is {a1}, which must be above afd.cp.a2, which is {a2}, or the queue would not come to its \
             set point"
        );
        Err(Misfit::new("afd.cp.a1", &message))
    }
}
