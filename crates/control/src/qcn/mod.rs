//! IEEE 802.1Qau quantised congestion notification (QCN).
//!
//! A bridge's [`CongestionPoint`] measures a queue against its set point and tells the sources of sampled
//! frames, in six bits, how far and how fast it is running away. A source's [`ReactionPoint`] cuts its rate in
//! proportion and then works its way back, first to the rate it had, then beyond. Nothing else passes between
//! the two: the congestion point keeps no state per flow and the reaction point measures nothing.
//!
//! [`PARAMETERS`] is the table of all that can be set; [`crate::Params::preset`] gives values for a speed of links.
//!
//! Sources: pseudo-code revision 2.2 of the task group and clauses 30 to 33 of IEEE 802.1Q, which differ in
//! points that are parameters here, and Alizadeh and others, "Data center transport mechanisms: congestion
//! control theory and IEEE standardization" (Allerton 2008).
//!
//! The text of the clauses was not at hand. Managed objects, their defaults and clause numbers are those of
//! IEEE8021-CN-MIB; the rest of what is said of clause 32 follows the simulator ns3-rdma, and the pseudo-code a
//! transcription and the simulator ns-3-dcn. What is only remembered is marked as unverified.

mod choices;
mod cp;
mod feedback;
mod params;
mod rp;

pub use choices::{FirstSample, OldQueue, Quantizer, Release, Rules, Sampling};
pub use cp::{CongestionPoint, mark_interval};
pub use params::{CpParams, PARAMETERS, Params, RpParams};
pub use rp::{ReactionPoint, RpPhase, Stages};
