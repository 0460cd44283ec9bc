//! Confidence intervals over seeds, and differences on common seeds.
//!
//! Runs with different seeds are independent replications, so the mean of a metric over seeds has a Student's t
//! interval ([`Interval`]). The interval assumes that the mean over seeds is approximately normal; docs/results.md
//! states how it behaves for skewed metrics, and the tests measure it.
//!
//! Two variants that ran with the same seeds share the random numbers for traffic and clocks. Their difference
//! ([`Difference`]) is therefore computed seed by seed, which removes the part of the variation that both share.
//! If several variants are compared at once, each interval is widened (Bonferroni), so that all of them together cover
//! the true differences with a probability of 95 %.

mod difference;
mod interval;
mod spread;
mod student;

pub use difference::Difference;
pub use interval::{FEWEST_SEEDS, Interval, LEVEL};
pub use spread::Spread;
