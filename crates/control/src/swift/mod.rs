//! Swift: a window that follows the round-trip time, with a target that grows with the number of hops and with small windows.
//!
//! Bridges take no part. A receiver's [`NotificationPoint`] acknowledges, and the source's [`ReactionPoint`] compares each
//! round-trip time with its target.
//!
//! Sources, with the names used for them below:
//! * "htsim": github.com/ultraethernet/uet-htsim, commit 40ccb052, file swift.cpp. The values there carry the comment that
//!   they are guesses.
//! * "Swift'20": Kumar et al., "Swift: delay is simple and effective for congestion control in the datacenter" (SIGCOMM
//!   2020). It gives the rules, but hardly any values.

mod choices;
mod params;
mod rp;

pub use choices::Delay;
pub use params::{NpParams, PARAMETERS, Params, RpParams};
pub use rp::ReactionPoint;

/// A Swift notification point.
pub type NotificationPoint = crate::acknowledging::Acknowledger<NpParams>;
