//! TIMELY: congestion control by the round-trip time, which acknowledgements show.
//!
//! Bridges take no part. A receiver's [`NotificationPoint`] acknowledges batches of frames, and the source's
//! [`ReactionPoint`] compares the round-trip time and its gradient with thresholds.
//!
//! Sources, with the names used for them below:
//! * "TIMELY'15": Mittal et al., "TIMELY: RTT-based congestion control for the datacenter" (SIGCOMM 2015).
//! * "CoNEXT'16": Zhu, Ghobadi, Misra and Padhye, "ECN or delay: lessons learnt from analysis of DCQCN and TIMELY", with
//!   the LaTeX source and the MATLAB files of its authors (github.com/jitupadhye-zz/rdma, commit e7e9160c).
//! * "ns3-rdma": the branch `timely` of the simulator of the same authors (github.com/bobzhuyb/ns3-rdma).
//! * "HPCC": the simulator of Li et al., "HPCC: high precision congestion control" (2019),
//!   github.com/alibaba-edu/High-Precision-Congestion-Control, file rdma-hw.cc.

mod choices;
mod params;
mod profiles;
mod rp;

pub use choices::{Delay, HyperIncrease, Rule, Steady, Updates};
pub use params::{NpParams, PARAMETERS, Params, RpParams};
pub use profiles::PROFILES;
pub use rp::ReactionPoint;

/// A TIMELY notification point.
pub type NotificationPoint = crate::acknowledging::Acknowledger<NpParams>;
