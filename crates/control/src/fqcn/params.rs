//! The parameters of FQCN.

use crate::arrivals::ENTRIES;
use crate::parameter::parameters;
use crate::qcn;

parameters! {
    /// The parameters that FQCN adds to those of QCN.
    pub struct Params of fqcn = "fqcn.cp" {
        /// The number of flows that can be counted between two samples. A flow that finds no free entry is
        /// not notified. Each entry takes 48 to 64 bytes of memory, for every queue that sees traffic.
        entries: u32 {
            default: 1_024, range: ENTRIES,
            origin: "our choice",
        }
    }
}

/// The parameters of an FQCN congestion point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpParams {
    /// The parameters that it shares with QCN.
    pub qcn: qcn::CpParams,
    /// The table of flows.
    pub flows: Params,
}
