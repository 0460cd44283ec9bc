//! Approximate fair dropping (AFD).
//!
//! An active queue management scheme: it drops frames of accounts above their fair share before they are queued, with
//! exactly the probability that lets only their share through. The share is not computed from weights and rates; it
//! is found by a control loop that keeps the queue at a reference length. AFD sends no notifications and has no
//! reaction point.
//!
//! Source: Pan, Breslau, Prabhakar and Shenker, "Approximate fairness through differential dropping" (2003), as
//! described by Kabbani et al., "AF-QCN" (2010), section II-B, equations (2) and (3). The first paper measures
//! rates with a shadow buffer of sampled packets; the second counts the arrivals of an interval, as this module does.
//!
//! **Units.** Mfair and Mᵢ are in bytes per interval, and queue lengths are in bytes. a₁ and a₂ are therefore
//! dimensionless: the change in the share, in bytes per interval, for each byte by which the queue deviates.
//!
//! **Stability.** Let accounts of a total weight N be above their shares. In an interval the queue grows by N Mfair
//! minus the capacity of the link, so that with (2) the deviation e of the queue has the characteristic equation
//!
//! ```text
//! z² - (2 - N a₁) z + (1 - N a₂) = 0
//! ```
//!
//! whose roots are within the unit circle if a₁ > a₂, N a₂ < 2 and N (a₁ + a₂) < 4. With the values 1.8 and 1.7 that
//! implementations quote from the first paper, this holds only for N = 1 in these units. The defaults are a tenth of
//! these values. The loop is then stable up to N = 11, with little ringing up to N = 8, where the smaller root is
//! -0.38. The larger root is near 0.94 for all N of at least 2, so that errors in the share decay within about
//! twenty intervals.
//!
//! Departures and choices:
//! * Weights: the share of account i is Wᵢ Mfair. Bounds ([`Tenant::max`](crate::Tenant::max)) are ignored.
//! * Mfair stays between zero and Q_ref plus the bytes that a link of [`Params::max_share`] carries in an
//!   interval; it starts at this maximum. Without the maximum it would wind up while the queue is short;
//!   without Q_ref a single account could not fill an empty queue to its set point.
//! * An interval is closed by the first arrival at or after its end, and Q is the queue length that this frame finds.
//!   If several intervals have ended, the same Q is used for each of them, because no frame arrived in between.
//! * Mfair is rounded down to a multiple of 1/256 byte. The drop probability is exact to 32 random bits, and no entropy is
//!   drawn for an account within its share.
//! * Frames of an account without an estimate, because it is new or has no entry in the table, are not dropped.

mod cp;
mod params;

pub use cp::CongestionPoint;
pub use params::{PARAMETERS, Params};
