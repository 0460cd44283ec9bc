//! Approximately fair QCN (AF-QCN).
//!
//! QCN tells every source the same at the same queue; which of them hears it is left to chance. AF-QCN adds a
//! second controller to the [`CongestionPoint`], which measures what each account brings and makes the
//! feedback stronger for those above their share of the link. Shares are in proportion to weights, and an
//! account may have a bound. The reaction point is QCN's, unchanged.
//!
//! Source: Kabbani, Alizadeh, Yasuda, Pan and Prabhakar, "AF-QCN: approximate fairness with quantized congestion
//! notification for multi-tenanted data centers" (2010), section III. Equations and remarks are numbered as
//! there; equation (1) is the feedback of [`qcn::CongestionPoint`](crate::qcn::CongestionPoint), in six bits.
//!
//! Choices where the source is silent:
//! * The rounding of equation (4) is a parameter ([`Rounding`]). It decides whether an account within its share
//!   hears of a slight congestion at all.
//! * An interval ends at the first arrival at or after its end; what came before counts for it. The first
//!   begins with the first arrival. Intervals without arrivals let the estimates decay, all at once.
//! * The bytes to the next sample follow QCN's own feedback, not the combined one: how often to sample is a
//!   matter of congestion.
//! * What QCN's part is where there is no congestion ([`Uncongested`]): equation (4) refers to (1), which is then
//!   negative, and a few lines on to six bits, which are then zero. It decides whether fairness is paid for
//!   with utilisation; by default it is not. A notification's offset and growth are QCN's.
//! * An account for which the table has no room, or whose bound is below the threshold of activity, is not
//!   active: its feedback is QCN's part alone.

mod cp;
mod params;
mod share;

pub use cp::CongestionPoint;
pub use params::{CpParams, PARAMETERS, Params, Rounding, Uncongested};
pub use share::{Claim, Level};
