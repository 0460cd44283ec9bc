//! Whether parameters fit together.

use setpoint_units::Rate;

use super::{PARAMETERS, Params};
use crate::Misfit;
use crate::fit::{RateBounds, check_ranges};

impl Params {
    /// Whether every parameter is within its range and they fit together, and fit a port of `line_rate` if
    /// it is known.
    ///
    /// # Errors
    /// The first thing that is wrong, parameters out of range before those that do not fit each other.
    pub fn check(&self, line_rate: Option<Rate>) -> Result<(), Misfit> {
        check_ranges(PARAMETERS, self)?;
        let (min, max) = (self.rp.min_rate, self.rp.max_rate);
        RateBounds { min_key: "smcc.rp.min_rate", max_key: "smcc.rp.max_rate", min, max }.check(line_rate)?;
        let (small, large) = (self.rp.state_a_small, self.rp.state_a);
        if self.rp.two_stage.is_on() && small > large {
            let message = alloc::format!(
                "smcc.rp.state_a_small is {small}, above smcc.rp.state_a, which is {large}; it is meant for \
                 small changes of the queue"
            );
            return Err(Misfit::new("smcc.rp.state_a_small", &message));
        }
        Ok(())
    }
}
