//! The parameters of FQCN.

use setpoint_units::Rate;

use crate::arrivals::ENTRIES;
use crate::misfit::Misfit;
use crate::parameter::parameters;
use crate::qcn;
use crate::scheme::Scheme;

parameters! {
    /// The parameters that FQCN adds to those of QCN.
    pub struct Params = "fqcn.cp" {
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

impl Scheme for Params {
    const EXPLANATION: &'static str = "FQCN (Zhang and Ansari 2011): QCN that does not choose the notified flow at random. When a sample finds congestion, the \
        congestion point notifies every flow that has sent more than its share since the last sample, with feedback in \
        proportion to its arrivals. The reaction points are those of QCN.";

    fn fit(&self, _line_rate: Option<Rate>) -> Result<(), Misfit> {
        Ok(())
    }
}
