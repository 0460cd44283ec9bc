//! The parameters of the AF controller, and what a congestion point of AF-QCN is made from.

use setpoint_units::{Bytes, Rate, TimeDelta};

use super::table::PARAMETERS;
use crate::algorithm::Misfit;
use crate::parameter::{Percent, Power, choice};
use crate::qcn;

/// The parameters of the AF controller. Those of QCN are apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// The part α of the AF controller in the feedback.
    pub alpha: Percent,
    /// The interval Ts over which arrivals are counted.
    pub interval: TimeDelta,
    /// The weight β of the last interval in an estimate.
    pub smoothing: Power,
    /// What an active account brings more than in an interval.
    pub active_threshold: Bytes,
    /// How many accounts can be held.
    pub entries: u32,
    /// How the feedback becomes a whole number.
    pub rounding: Rounding,
}

choice! {
    /// How the weighted sum of two feedbacks becomes a whole number.
    Rounding {
        Down = "down", "To the next smaller: an active account within its share does not hear of a QCN feedback of 1.";
        Nearest = "nearest", "To the nearest, a half up.";
        Up = "up", "To the next larger: whatever is more than nothing is heard.";
    }
}

/// What a congestion point of AF-QCN is made from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpParams {
    /// Of the congestion point of QCN.
    pub qcn: qcn::CpParams,
    /// Of the AF controller.
    pub af: Params,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            alpha: Percent::from_hundredths(1_250),
            interval: TimeDelta::from_millis(1),
            smoothing: Power::of_two(-3),
            active_threshold: Bytes::new(20_000),
            entries: 1_024,
            rounding: Rounding::Down,
        }
    }
}

impl Params {
    /// Whether every parameter is within its range, and some account could be active at a port of
    /// `line_rate` if it is known.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self, line_rate: Option<Rate>) -> Result<(), Misfit> {
        for parameter in PARAMETERS {
            parameter.check(parameter.read(self))?;
        }
        let most = line_rate.map(|rate| (rate, rate * self.interval));
        match most {
            Some((rate, most)) if self.active_threshold >= most => Err(Misfit::new(
                "af-qcn.cp.active_threshold",
                &alloc::format!(
                    "af-qcn.cp.active_threshold is {}, no less than the {most} that a port of {rate} carries in \
                     af-qcn.cp.interval, so that no account would ever be active",
                    self.active_threshold
                ),
            )),
            _ => Ok(()),
        }
    }
}
