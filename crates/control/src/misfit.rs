//! Checks that parameters fit together.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

use setpoint_units::Rate;

use crate::parameter::ParameterError;

/// The reason why parameters cannot be used together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The parameter that causes the problem.
    pub key: String,
    /// A sentence that describes the problem.
    pub message: String,
}

impl Misfit {
    /// Creates a problem with a parameter.
    pub fn new(key: &str, message: &impl ToString) -> Self {
        Self { key: String::from(key), message: message.to_string() }
    }
}

impl From<ParameterError> for Misfit {
    fn from(error: ParameterError) -> Self {
        Self::new(error.key(), &error)
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for Misfit {}

/// Checks that the minimum rate of an algorithm's reaction points is at most their maximum rate, and at most
/// `line_rate` if it is known.
pub(crate) fn check_rates(
    algorithm: &str,
    min: Rate,
    max: Option<Rate>,
    line_rate: Option<Rate>,
) -> Result<(), Misfit> {
    let above = |limit: &str, rate: Rate| {
        let message = format!("{algorithm}.rp.min_rate is {min}, above {limit}, which is {rate}");
        Err(Misfit::new(&format!("{algorithm}.rp.min_rate"), &message))
    };
    match (max, line_rate) {
        (Some(max), _) if max < min => above(&format!("{algorithm}.rp.max_rate"), max),
        (_, Some(line)) if line < min => above("the rate of a port", line),
        _ => Ok(()),
    }
}
