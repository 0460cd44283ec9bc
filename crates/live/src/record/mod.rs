//! What bridges and stations measure in the same way.

mod port;
pub(crate) mod thin;

pub(crate) use port::{PortRecord, PortState};
