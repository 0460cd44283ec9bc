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
        RateBounds { min_key: "bcn.rp.min_rate", max_key: "bcn.rp.max_rate", min, max }.check(line_rate)?;
        let (severe, set_point) = (self.cp.severe_threshold, self.cp.set_point);
        if self.cp.severe_stop.is_on() && severe <= set_point {
            let message = alloc::format!(
                "bcn.cp.severe_threshold is {severe}, not above bcn.cp.set_point, which is {set_point}"
            );
            return Err(Misfit::new("bcn.cp.severe_threshold", &message));
        }
        Ok(())
    }
}
