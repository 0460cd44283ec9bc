//! Backward congestion notification (BCN), the proposal that QCN grew out of.
//!
//! The [`CongestionPoint`] samples regularly and sends offset and difference of the queue; the
//! [`ReactionPoint`] makes the feedback of them and changes its rate by additive increase and multiplicative
//! decrease, equation (2) of the SMCC paper. Since only feedback raises a rate, a source must be known to the
//! point it obeys: its frames carry that point's name, the **rate-regulation tag**, and only a frame so tagged
//! can bring a positive notification. A queue beyond the severe threshold **stops** the source of a sampled
//! frame for a random time.
//!
//! Sources: Bergamasco and Pan, "Backward congestion notification version 2.0" (IEEE 802.1, September 2005), by way
//! of Jiang and others (the SMCC paper), section 2.2; names and limits of parameters as in Linux's `dcbnl` and
//! the ixgbe driver. **The text of the proposal was not at hand**: the rules of tags, the stop and the
//! defaults of the 802.1au baseline are remembered, and what is only remembered is marked as unverified.

mod cp;
mod params;
mod rp;
mod stop;

pub use cp::CongestionPoint;
pub use params::{CpParams, PARAMETERS, Params, RpParams};
pub use rp::ReactionPoint;
