//! IEEE 802.1Qau quantised congestion notification.

mod cp;
mod feedback;
mod params;
mod rp;

pub use cp::{CongestionPoint, mark_interval};
pub use params::{CpParams, FirstSample, OldQueue, Params, Quantizer, Release, RpParams, Rules, Sampling};
pub use rp::{ReactionPoint, RpPhase, Stages};
