//! Fair QCN (FQCN): feedback to all who cause a congestion, each by its part in it.
//!
//! The congestion point samples, measures and paces its samples as QCN's does, and counts what every flow has
//! brought since the last sample. At a sample with congestion it does not notify the source of the sampled frame
//! but every overrated flow, that is, every one above the equal share, among whom the feedback is divided in proportion to what they
//! brought. The reaction point is QCN's, unchanged.
//!
//! Sources: Zhang and Ansari, "On mitigating TCP incast in data center networks" (INFOCOM 2011) and "Fair quantized
//! congestion notification in data center networks" (2013, with weights). The papers were not at hand; the rule
//! is taken from summaries of them, so its details are unverified:
//!
//! ```text
//! Fb(i) = Aᵢ / Σ Aₖ · Fb       k over the flows with Aₖ ≥ Wₖ / Σ Wⱼ · Σ Aⱼ
//! ```
//!
//! Choices:
//! * A is counted in bytes, since frames differ in length. The summary counts packets.
//! * Fb is QCN's six bits, and Fb(i) is rounded down; a flow whose part rounds to zero is not notified. With more
//!   than Fb flows above their shares it may be that nobody is.
//! * A flow at its share counts as above it. Otherwise nobody would be told where all bring the same, or where there
//!   is only one.
//! * Flows are notified in the order in which they came into the table. A flow that finds no place there is not
//!   notified and not counted.
//! * Weights are those of the flow's tenant ([`Tenant::weight`](crate::Tenant::weight)).
//! * A notification's queue offset and growth are QCN's. The counter of notifications counts each of them.

mod cp;
mod params;

pub use cp::CongestionPoint;
pub use params::{CpParams, PARAMETERS, Params};
