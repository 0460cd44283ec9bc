//! Sliding mode congestion control (SMCC).
//!
//! The [`CongestionPoint`] sends two signed numbers: the offset of the queue from its target, and its change since the
//! last sample. The [`ReactionPoint`] first considers their signs. If the queue moves away from its target (state A), it
//! corrects by the offset; if the queue returns (state B), by the change, equation (25):
//!
//! ```text
//! r <- r - a Qoff    in state A, where Qoff and dQ have the same sign
//! r <- r - b dQ      in state B, where they differ
//! ```
//!
//! Source: Jiang, Ren, Shu, Wu and Lin, "Sliding mode congestion control for data center Ethernet networks", IEEE
//! Transactions on Computers 64 (9), 2015, whose section and equation numbers are used here. Where the paper does
//! not specify the behaviour, the module that makes the choice states it, as does `docs/algorithms/smcc.md`.

mod cp;
mod params;
mod rp;

pub use cp::CongestionPoint;
pub use params::{Association, CpParams, PARAMETERS, Params, RpParams, Sampling};
pub use rp::{ReactionPoint, State};
