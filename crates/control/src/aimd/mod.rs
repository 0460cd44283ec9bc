//! Additive increase, multiplicative decrease by feedback of both signs, with and without the Averaging
//! Principle.
//!
//! The Averaging Principle makes a control loop bear longer lags without knowing them: half a sampling interval
//! after a message changed the rate, the rate goes half of the way back. QCN's fast recovery is this, five
//! times. The [`ReactionPoint`] can do without it, with it (system 1 of theorem 1), or with the change of
//! feedback that the theorem proves equal (system 2), so that the theorem can be tried on the code that runs.
//!
//! Source: Alizadeh and others, "Data center transport mechanisms: congestion control theory and IEEE
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
