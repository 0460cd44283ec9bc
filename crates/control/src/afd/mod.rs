//! Approximate fair dropping (AFD).
//!
//! An active queue management scheme: frames of accounts that bring more than their fair share are dropped
//! before the queue, with just the probability that lets their share through. The share is not computed from
//! weights and rates but found by a loop that holds the queue at a reference length. Nobody is notified; there
//! is no reaction point.
//!
//! Source: Pan, Breslau, Prabhakar and Shenker, "Approximate fairness through differential dropping" (2003), as
//! described by Kabbani and others, "AF-QCN" (2010), section II-B, whose equations (2) and (3) these are. The
//! first paper measures rates with a shadow buffer of sampled packets; the second counts what comes in an
//! interval, and so does this.
//!
//! **Units.** Mfair and Mᵢ are bytes in an interval, queue lengths are bytes, so that a₁ and a₂ are numbers: how
//! many bytes per interval the share moves for each byte that the queue is off.
//!
//! **Stability.** Let accounts of a total weight N be above their shares. In an interval the queue grows by
//! N Mfair less what the link carries, so that with (2) the deviation e of the queue obeys
//!
//! ```text
//! z² - (2 - N a₁) z + (1 - N a₂) = 0
//! ```
//!
//! whose roots are within the unit circle if a₁ > a₂, N a₂ < 2 and N (a₁ + a₂) < 4. With the 1.8 and 1.7 that
//! implementations quote from the first paper that is so for N = 1 only, in these units. The defaults are a
//! tenth of them: stable up to N = 11, and hardly ringing up to N = 8, where the lesser root is -0.38. The other
//! is near 0.94 for any N from 2 on, so that errors of the share die out in some twenty intervals.
//!
//! Departures and choices:
//! * Weights: the share of account i is Wᵢ Mfair. Bounds ([`Tenant::max`](crate::Tenant::max)) are not read.
//! * Mfair is held between nothing and what a link of [`Params::max_share`] carries in an interval and Q_ref, where
//!   it begins. Without an upper end it would wind up while the queue is short; without Q_ref a single account
//!   could not bring an empty queue to its set point.
//! * An interval ends at the first arrival at or after its end, and Q is the queue that this frame finds. If
//!   several have ended since, Q stands for the queue at each of their ends: nothing has come meanwhile.
//! * Mfair is rounded down to a 256th of a byte. Drops are exact to the 32 bits that are drawn, and nothing
//!   is drawn for an account within its share.
//! * An account without an estimate, new or without a place in the table, is not dropped from.

mod cp;
mod params;

pub use cp::CongestionPoint;
pub use params::{PARAMETERS, Params};
