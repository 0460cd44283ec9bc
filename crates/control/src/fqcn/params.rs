//! The parameters that FQCN adds to those of QCN, and what its congestion point is made from.

use crate::arrivals::ENTRIES;
use crate::misfit::{Misfit, check_ranges};
use crate::parameter::parameters;
use crate::qcn;

parameters! {
    /// The parameters that FQCN adds to those of QCN.
    pub struct Params = "fqcn.cp" {
        /// How many flows can be counted between two samples. One that finds no place is not notified. Each
        /// takes 48 to 64 bytes of memory, for every queue that sees traffic.
        entries: u32 {
            default: 1_024, range: ENTRIES,
            origin: "own choice",
        }
    }
}

/// What a congestion point of FQCN is made from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpParams {
    /// Of the congestion point of QCN.
    pub qcn: qcn::CpParams,
    /// Of the table of flows.
    pub flows: Params,
}

impl Params {
    /// Whether every parameter is within its range.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), Misfit> {
        check_ranges(PARAMETERS, self)
    }
}
