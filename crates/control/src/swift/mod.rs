//! Swift: a window that follows the round-trip time, with a target that grows with the number of hops and with small windows.
//!
//! Bridges take no part. A receiver's [`NotificationPoint`] acknowledges, and the source's [`ReactionPoint`] compares each
//! round-trip time with its target.
//!
//! Source, called "htsim" below: github.com/ultraethernet/uet-htsim, commit 40ccb052, file swift.cpp. The values there carry
//! the comment that they are guesses. The text of the paper (Kumar et al., "Swift: delay is simple and effective for
//! congestion control in the datacenter", SIGCOMM 2020) was not available.

mod choices;
mod params;
mod rp;

pub use choices::Delay;
pub use params::{NpParams, PARAMETERS, Params, RpParams};
pub use rp::ReactionPoint;

/// A Swift notification point.
pub type NotificationPoint = crate::acknowledging::Acknowledger<NpParams>;
