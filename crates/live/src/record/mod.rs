//! Measurements that bridges and stations share.

mod port;

pub(crate) use port::{PortRecord, PortState};
