//! Whether parameters fit together.

use core::fmt;

use setpoint_units::Rate;

use super::params::{Params, Sampling};
use super::table::PARAMETERS;
use crate::parameter::{ParameterError, Percent};

/// Why parameters cannot be used together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// One of them is out of its range.
    Parameter(ParameterError),
    /// The least rate is above the largest.
    MinRateAboveMaxRate {
        /// The least rate.
        min: Rate,
        /// The largest rate.
        max: Rate,
    },
    /// The least rate is above that of the port.
    MinRateAboveLineRate {
        /// The least rate.
        min: Rate,
        /// The rate of the port.
        line: Rate,
    },
    /// Samples would become rarer as congestion grows.
    ProbabilitiesReversed {
        /// Without congestion.
        lowest: Percent,
        /// At the largest feedback.
        highest: Percent,
    },
    /// Both clocks are off: a rate once cut would stay so.
    NeverRises,
}

impl Params {
    /// Whether every parameter is within its range and they fit together, and fit a port of `line_rate` if
    /// it is known.
    ///
    /// # Errors
    /// The first thing that is wrong, parameters out of range before those that do not fit each other.
    pub fn check(&self, line_rate: Option<Rate>) -> Result<(), CheckError> {
        for parameter in PARAMETERS {
            parameter.check(parameter.read(self)).map_err(CheckError::Parameter)?;
        }
        self.check_sampling()?;
        self.check_rates(line_rate)?;
        let rises = self.rp.byte_counter.is_on() || self.rp.timer.is_on();
        if rises { Ok(()) } else { Err(CheckError::NeverRises) }
    }

    fn check_sampling(&self) -> Result<(), CheckError> {
        let (lowest, highest) = (self.cp.lowest_probability, self.cp.highest_probability);
        if self.cp.sampling == Sampling::Linear && lowest > highest {
            return Err(CheckError::ProbabilitiesReversed { lowest, highest });
        }
        Ok(())
    }

    fn check_rates(&self, line_rate: Option<Rate>) -> Result<(), CheckError> {
        let min = self.rp.min_rate;
        if let Some(max) = self.rp.max_rate.filter(|max| *max < min) {
            return Err(CheckError::MinRateAboveMaxRate { min, max });
        }
        if let Some(line) = line_rate.filter(|line| *line < min) {
            return Err(CheckError::MinRateAboveLineRate { min, line });
        }
        Ok(())
    }
}

impl CheckError {
    /// The parameter to point at.
    #[must_use]
    pub fn key(&self) -> &str {
        match self {
            Self::Parameter(error) => error.key(),
            Self::MinRateAboveMaxRate { .. } | Self::MinRateAboveLineRate { .. } => "qcn.rp.min_rate",
            Self::ProbabilitiesReversed { .. } => "qcn.cp.lowest_probability",
            Self::NeverRises => "qcn.rp.timer",
        }
    }
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parameter(error) => error.fmt(f),
            Self::MinRateAboveMaxRate { min, max } => {
                write!(f, "qcn.rp.min_rate is {min}, above qcn.rp.max_rate, which is {max}")
            }
            Self::MinRateAboveLineRate { min, line } => {
                write!(f, "qcn.rp.min_rate is {min}, above the rate of a port, which is {line}")
            }
            Self::ProbabilitiesReversed { lowest, highest } => write!(
                f,
                "qcn.cp.lowest_probability is {lowest}, above qcn.cp.highest_probability, which is {highest}"
            ),
            Self::NeverRises => f.write_str(
                "qcn.rp.byte_counter and qcn.rp.timer are both off, so that no rate would ever rise",
            ),
        }
    }
}

impl core::error::Error for CheckError {}
