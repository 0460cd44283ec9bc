//! Checks of parameters that algorithms have in common.

use setpoint_units::Rate;

use crate::Misfit;
use crate::parameter::Parameter;

/// Whether every parameter of a table is within its range.
pub(crate) fn check_ranges<P>(table: &[Parameter<P>], params: &P) -> Result<(), Misfit> {
    table.iter().try_for_each(|parameter| Ok(parameter.check(parameter.read(params))?))
}

/// The least and the largest rate of a reaction point, and what they are called.
pub(crate) struct RateBounds {
    pub(crate) min_key: &'static str,
    pub(crate) max_key: &'static str,
    pub(crate) min: Rate,
    pub(crate) max: Option<Rate>,
}

impl RateBounds {
    /// Whether they fit each other, and fit a port of `line_rate` if it is known.
    pub(crate) fn check(&self, line_rate: Option<Rate>) -> Result<(), Misfit> {
        let Self { min_key, max_key, min, max } = self;
        if let Some(max) = max.filter(|max| max < min) {
            let message = alloc::format!("{min_key} is {min}, above {max_key}, which is {max}");
            return Err(Misfit::new(min_key, &message));
        }
        if let Some(line) = line_rate.filter(|line| line < min) {
            let message = alloc::format!("{min_key} is {min}, above the rate of a port, which is {line}");
            return Err(Misfit::new(min_key, &message));
        }
        Ok(())
    }
}
