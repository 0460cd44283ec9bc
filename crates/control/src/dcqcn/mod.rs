//! DCQCN: congestion control for RoCEv2, with marks instead of notifications from bridges.
//!
//! A bridge's [`CongestionPoint`] marks frames with a probability that grows with the queue (RED). A receiver's
//! [`NotificationPoint`] reports marks to the source, in congestion notification packets (CNPs) or in acknowledgements.
//! The source's [`ReactionPoint`] estimates how often it is notified (α), cuts its rate by α/2, and recovers like QCN.
//!
//! Several algorithms have this name. [`Rules`] selects the version of the papers, which acts on every CNP, or
//! that of the HPCC simulator, which acts periodically, as network cards do. Smaller differences are separate
//! parameters. A [profile](PROFILES) is a set of parameters from one source.
//!
//! Sources, with the names used for them below:
//! * "CoNEXT'16": Zhu, Ghobadi, Misra and Padhye, "ECN or delay: lessons learnt from analysis of DCQCN and TIMELY", with
//!   the LaTeX source and the MATLAB files of its authors (github.com/jitupadhye-zz/rdma, commit e7e9160c).
//! * "ns3-rdma": the simulator of the same authors (github.com/bobzhuyb/ns3-rdma, commit e8a27d02).
//! * "HPCC": the simulator of Li et al., "HPCC: high precision congestion control" (2019), which has the vendor's version
//!   (github.com/alibaba-edu/High-Precision-Congestion-Control, commit 9f4be2a9).
//! * "htsim": github.com/ultraethernet/uet-htsim, commit 40ccb052.
//! * "ConnectX": the documentation of NVIDIA's DCQCN parameters and published outputs of `mlxconfig`.
//!
//! "DCQCN'15" is the original paper: Zhu et al., "Congestion control for large-scale RDMA deployments" (SIGCOMM 2015). It
//! has the rules and parameters of CoNEXT'16, except for names of variables, with hyper increase without an increment. Its
//! frames are marked on arrival, and marks between two CNPs cause a CNP at the end of the interval.

mod choices;
mod cp;
mod np;
mod params;
mod profiles;
mod rp;

pub use choices::{AlphaOrder, Marking, Phases, Release, Reports, Rules, TargetUpdate};
pub use cp::CongestionPoint;
pub use np::NotificationPoint;
pub use params::{CpParams, NpParams, PARAMETERS, Params, RpParams};
pub use profiles::PROFILES;
pub use rp::{Alpha, Phase, ReactionPoint};
