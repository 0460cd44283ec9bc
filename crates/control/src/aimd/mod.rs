//! Additive increase, multiplicative decrease driven by feedback of both signs, with and without the Averaging
//! Principle.
//!
//! The Averaging Principle makes a control loop tolerate longer delays without having to measure them: half a
//! sampling interval after a message has changed the rate, the rate moves halfway back. QCN's fast recovery
//! repeats this five times. The [`ReactionPoint`] works without the principle, with it (system 1 of theorem
//! 1), or with the modified feedback that the theorem proves equivalent (system 2), so that the theorem can be
//! tested on the code itself.
//!
//! Source: Alizadeh et al., "Data center transport mechanisms: congestion control theory and IEEE
//! standardization" (Allerton 2008), section III. **The pages that define the paper's AIMD scheme are missing from
//! our copy**; theorem 1 and its systems are complete. The AIMD scheme here is BCN's, equation (2) of the SMCC
//! paper, without tags and stops.

mod cp;
mod params;
mod quarters;
mod rp;

pub use cp::CongestionPoint;
pub use params::{Averaging, CpParams, Decrease, PARAMETERS, Params, RpParams};
pub use rp::ReactionPoint;
