//! Backward congestion notification (BCN), the proposal that QCN grew out of.
//!
//! The [`CongestionPoint`] samples regularly and sends the offset and difference of the queue. The [`ReactionPoint`]
//! computes the feedback from them and changes its rate by additive increase and multiplicative decrease, equation (2)
//! of the SMCC paper. Since only feedback raises a rate, the point that limits a source must recognise it: the source's
//! frames carry the id of that point, the **rate-regulation tag**, and only a tagged frame can cause a positive
//! notification. A queue above the severe threshold **stops** the source of a sampled frame for a random time.
//!
//! Sources: Bergamasco and Pan, "Backward congestion notification version 2.0" (IEEE 802.1, September 2005), as
//! described by Jiang et al. (the SMCC paper), section 2.2; parameter names and limits are those of Linux's `dcbnl`
//! and the ixgbe driver. **The text of the proposal was not available**: the rules for tags and stops and the
//! defaults of the 802.1au baseline are from memory and marked as unverified.

mod cp;
mod params;
mod rp;
mod stop;

pub use cp::CongestionPoint;
pub use params::{CpParams, PARAMETERS, Params, RpParams};
pub use rp::ReactionPoint;
