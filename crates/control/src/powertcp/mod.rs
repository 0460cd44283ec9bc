//! PowerTCP: congestion control by power, the product of a port's arrival rate (current) and of the bytes on its link and in
//! its queue (voltage).
//!
//! Bridges report their state as with HPCC. θ-PowerTCP computes power from the round-trip time and its gradient instead.
//!
//! Source, called "ns3-datacenter" below: the simulator of Addanki, Michel and Schmid, "PowerTCP: pushing the performance limits
//! of datacenter networks" (NSDI 2022), github.com/inet-tub/ns3-datacenter, file rdma-hw.cc. Its parameters differ
//! from the text of the paper; see docs/algorithms/powertcp.md.

mod choices;
mod params;
mod profiles;
mod rp;

pub use choices::Measure;
pub use params::{NpParams, PARAMETERS, Params, RpParams};
pub use profiles::PROFILES;
pub use rp::ReactionPoint;

/// A PowerTCP notification point.
pub type NotificationPoint = crate::acknowledging::Acknowledger<NpParams>;
