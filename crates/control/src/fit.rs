//! Checks of parameters that algorithms have in common.

use setpoint_units::Rate;

use crate::Misfit;
use crate::parameter::Parameter;

/// Whether every parameter of a table is within its range.
pub(crate) fn check_ranges<P>(table: &[Parameter<P>], params: &P) -> Result<(), Misfit> {
    table.iter().try_for_each(|parameter| Ok(parameter.check(parameter.read(params))?))
}

/// Whether the least and the largest rate of an algorithm's reaction points fit each other, and fit a port of
/// `line_rate` if it is known.
pub(crate) fn check_rates(
    algorithm: &str,
    min: Rate,
    max: Option<Rate>,
    line_rate: Option<Rate>,
) -> Result<(), Misfit> {
    let above = |limit: &str, rate: Rate| {
        let message = alloc::format!("{algorithm}.rp.min_rate is {min}, above {limit}, which is {rate}");
        Err(Misfit::new(&alloc::format!("{algorithm}.rp.min_rate"), &message))
    };
    match (max, line_rate) {
        (Some(max), _) if max < min => above(&alloc::format!("{algorithm}.rp.max_rate"), max),
        (_, Some(line)) if line < min => above("the rate of a port", line),
        _ => Ok(()),
    }
}
