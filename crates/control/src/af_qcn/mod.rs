//! Approximately fair QCN (AF-QCN).
//!
//! QCN's feedback depends only on the queue, and the source that receives it is chosen at random. AF-QCN adds a second
//! controller to the [`CongestionPoint`], which measures the arrivals of each account and strengthens the feedback for
//! accounts above their share of the link. Shares are proportional to weights, and an account may have a bound. The
//! reaction point is QCN's, unchanged.
//!
//! Source: Kabbani, Alizadeh, Yasuda, Pan and Prabhakar, "AF-QCN: approximate fairness with quantized congestion
//! notification for multi-tenanted data centers" (2010), section III, whose equation and remark numbers are used
//! here. Equation (1) is the feedback of [`qcn::CongestionPoint`](crate::qcn::CongestionPoint), in six bits.
//!
//! Choices where the paper does not specify the behaviour:
//! * The rounding of equation (4) is a parameter ([`Rounding`]). It decides whether an account within its share
//!   is notified of slight congestion at all.
//! * The first interval starts with the first arrival. An interval is closed by the first arrival at or after its end,
//!   which does not count towards it. If several intervals passed without arrivals, the estimates decay for all of
//!   them at that arrival.
//! * The number of bytes to the next sample follows from QCN's own feedback, not from the combined feedback: the
//!   sampling rate depends on congestion alone.
//! * QCN's part without congestion is a parameter ([`Uncongested`]): equation (4) refers to (1), which is then negative,
//!   and a few lines later to six bits, which are then zero. The choice decides whether fairness costs utilisation; by
//!   default it does not. The queue offset and growth in a notification are those of QCN.
//! * An account that has no entry in the table, or whose bound is below the activity threshold, is not active: it
//!   receives only QCN's part of the feedback.

mod cp;
mod params;
mod share;

pub use cp::CongestionPoint;
pub use params::{CpParams, PARAMETERS, Params, Rounding, Uncongested};
pub use share::{Claim, Level};
