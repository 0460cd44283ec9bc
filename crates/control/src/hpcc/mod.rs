//! HPCC: congestion control by the reports of bridges, which travel in frames and return with acknowledgements.
//!
//! Every bridge writes its queue, the bytes that the port has sent, the time and the rate of the port into passing
//! frames. A receiver's [`NotificationPoint`] returns the reports, and the source's [`ReactionPoint`] computes from
//! them how heavily each port is used, and sets a window and a rate so that the use of the busiest port approaches the
//! share η.
//!
//! Source, called "HPCC" below: the simulator of Li et al., "HPCC: high precision congestion control" (SIGCOMM 2019),
//! github.com/alibaba-edu/High-Precision-Congestion-Control, commit 9f4be2a9. The text of the paper was not available;
//! statements about it are marked as unverified.

mod choices;
mod params;
mod profiles;
mod rp;

pub use choices::{References, Updates};
pub use params::{NpParams, PARAMETERS, Params, RpParams};
pub use profiles::PROFILES;
pub use rp::ReactionPoint;

/// An HPCC notification point.
pub type NotificationPoint = crate::acknowledging::Acknowledger<NpParams>;
