//! What FQCN adds to QCN's parameters, and what its congestion point is made from.

use super::table::PARAMETERS;
use crate::algorithm::Misfit;
use crate::qcn;

/// The parameters that FQCN adds to those of QCN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// How many flows can be counted.
    pub entries: u32,
}

/// What a congestion point of FQCN is made from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpParams {
    /// Of the congestion point of QCN.
    pub qcn: qcn::CpParams,
    /// Of the table of flows.
    pub flows: Params,
}

impl Default for Params {
    fn default() -> Self {
        Self { entries: 1_024 }
    }
}

impl Params {
    /// Whether every parameter is within its range.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), Misfit> {
        for parameter in PARAMETERS {
            parameter.check(parameter.read(self))?;
        }
        Ok(())
    }
}
