//! IEEE 802.1Qau quantised congestion notification (QCN).
//!
//! A bridge's [`CongestionPoint`] compares a queue with its set point and notifies the sources of sampled frames, in
//! six bits, of how far and how fast the queue departs from it. A source's [`ReactionPoint`] cuts its rate in proportion
//! and then recovers, first to its previous rate, then beyond. Nothing else passes between the two: the congestion
//! point keeps no state per flow, and the reaction point measures nothing.
//!
//! [`PARAMETERS`] lists the parameters; [`crate::Params::preset`] returns values for a link speed.
//!
//! Sources: pseudo-code revision 2.2 of the task group and clauses 30 to 33 of IEEE 802.1Q, which differ in details
//! that are available as parameters here, and Alizadeh et al., "Data center transport mechanisms: congestion
//! control theory and IEEE standardization" (Allerton 2008).
//!
//! The text of the clauses was not available. Managed objects, their defaults and clause numbers come from
//! IEEE8021-CN-MIB; everything else about clause 32 follows the simulator ns3-rdma, and the pseudo-code follows a
//! transcription and the simulator ns-3-dcn. Statements from memory are marked as unverified.

mod choices;
mod cp;
mod feedback;
mod params;
mod rp;

pub use choices::{
    FirstSample, HyperGrowth, OldQueue, Phases, Quantizer, RecoveryFeedback, Release, Rules, Sampling, Target,
};
pub use cp::{CongestionPoint, mark_interval};
pub use params::{CpParams, PARAMETERS, Params, RpParams};
pub use rp::{ReactionPoint, RpPhase, Stages};
