//! Measurements that bridges and stations share.

mod port;
pub(crate) mod thin;

pub(crate) use port::{PortRecord, PortState};
