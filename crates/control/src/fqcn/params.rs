//! The parameters of FQCN.

use setpoint_units::{Bytes, Rate};

use crate::arrivals::ENTRIES;
use crate::misfit::Misfit;
use crate::parameter::{Parameter, parameters};
use crate::qcn;
use crate::scheme::Scheme;

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

impl Scheme for Params {
    const EXPLANATION: &'static str = "FQCN (Zhang and Ansari 2011): QCN that does not choose the notified flow at random. When a sample finds congestion, the \
        congestion point notifies every flow that has sent more than its share since the last sample, with feedback in \
        proportion to its arrivals. The reaction points are those of QCN.";
    const TABLES: &'static [&'static [Parameter]] = &[qcn::PARAMETERS, PARAMETERS];

    fn fit(params: &crate::Params, line_rate: Option<Rate>) -> Result<(), Misfit> {
        params.qcn.fit(line_rate)
    }

    fn set_point(params: &crate::Params) -> Option<Bytes> {
        qcn::Params::set_point(params)
    }

    fn min_rate(params: &crate::Params) -> Option<Rate> {
        qcn::Params::min_rate(params)
    }
}
