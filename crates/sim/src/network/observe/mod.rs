//! Observers of a run: time series, conservation, the consequences of flow control, messages, and frames that pass a port.

pub(in crate::network) mod books;
pub(in crate::network) mod deadlock;
pub(in crate::network) mod messages;
pub(in crate::network) mod passing;
pub(in crate::network) mod recorder;
pub(in crate::network) mod trees;
pub(in crate::network) mod victims;
pub(in crate::network) mod watch;
