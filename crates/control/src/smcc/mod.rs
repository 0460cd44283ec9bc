//! Sliding mode congestion control (SMCC).
//!
//! The [`CongestionPoint`] sends the offset of the queue from its target and its change since the last sample as
//! two numbers, of either sign. The [`ReactionPoint`] looks at their signs first: moving away from the target
//! (state A) it corrects by the offset, coming back (state B) by the change, equation (25):
//!
//! ```text
//! r <- r - a Qoff    in state A, where Qoff and dQ have the same sign
//! r <- r - b dQ      in state B, where they differ
//! ```
//!
//! Source: Jiang, Ren, Shu, Wu and Lin, "Sliding mode congestion control for data center Ethernet networks",
//! IEEE Transactions on Computers 64 (9), 2015; sections and equations are numbered as there. Where the paper
//! is silent, the choice is told in the module that makes it and in `docs/algorithms/smcc.md`.

mod cp;
mod params;
mod rp;

pub use cp::CongestionPoint;
pub use params::{Association, CpParams, PARAMETERS, Params, RpParams};
pub use rp::{ReactionPoint, State};
