//! Measurements that bridges and stations have in common.

mod port;

pub(crate) use port::{PortRecord, PortState};
