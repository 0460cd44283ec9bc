//! Fair QCN (FQCN): feedback to every flow that causes congestion, in proportion to its contribution.
//!
//! The congestion point samples and measures like QCN's, and counts the arrivals of every flow since the last
//! sample. At a sample with congestion it notifies every flow above its share (the paper's "overrated" flows)
//! instead of the source of the sampled frame, and divides the feedback among them in proportion to their
//! arrivals. The reaction point is QCN's, unchanged.
//!
//! Sources: Zhang and Ansari, "On mitigating TCP incast in data center networks" (INFOCOM 2011) and "Fair quantized
//! congestion notification in data center networks" (2013, with weights). The papers were not available; the rule
//! comes from summaries of them, so its details are unverified:
//!
//! ```text
//! Fb(i) = Aᵢ / Σ Aₖ · Fb       k over the flows with Aₖ ≥ Wₖ / Σ Wⱼ · Σ Aⱼ
//! ```
//!
//! Choices:
//! * A is counted in bytes, because frames differ in length. The summary counts packets.
//! * Fb is QCN's six-bit value, and Fb(i) is rounded down; a flow whose share rounds to zero is not notified. With more
//!   than Fb flows above their shares, it can happen that no flow is notified.
//! * A flow exactly at its share counts as above it. Otherwise no flow would be notified if all flows send equally,
//!   or if there is only one.
//! * Flows are notified in the order in which they entered the table. A flow that finds no free entry is neither
//!   counted nor notified.
//! * A flow has the weight of its tenant ([`Tenant::weight`](crate::Tenant::weight)).
//! * The queue offset and growth in a notification are those of QCN. The notification counter counts every
//!   notification.

mod cp;
mod params;

pub use cp::CongestionPoint;
pub use params::{CpParams, PARAMETERS, Params};
