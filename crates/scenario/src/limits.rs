//! The limits of a scenario.

use setpoint_units::{Bytes, TimeDelta};

/// Maximum number of stations and bridges.
pub(crate) const MAX_NODES: u64 = 100_000;
/// Maximum number of links.
pub(crate) const MAX_LINKS: u64 = 500_000;
/// Maximum number of flows in a scenario.
pub(crate) const MAX_FLOWS: usize = 200_000;
/// Maximum number of changes in a scenario.
pub(crate) const MAX_CHANGES: usize = 1_000_000;
/// Maximum number of messages that an entry lists.
pub(crate) const MAX_LISTED: u64 = 1_000_000;
/// Maximum number of messages in a CSV file.
pub(crate) const MAX_FILE_MESSAGES: usize = 10_000_000;
/// Maximum size of a message in a CSV file, as in a scenario.
pub(crate) const MAX_FILE_SIZE: Bytes = Bytes::new(1_000_000_000_000);
/// Maximum number of iterations of a job.
pub(crate) const MAX_ITERATIONS: u64 = 100_000;
/// Maximum number of parts of a pipeline.
pub(crate) const MAX_PARTS: u64 = 100_000;
/// Maximum time that any transmission may take: a tenth of the longest representable time.
pub(crate) const LONGEST: TimeDelta = TimeDelta::from_secs(1_000_000);
/// Maximum frame length, determined by the length field of a simulated frame.
pub(crate) const MAX_FRAME: Bytes = Bytes::new(65_535);
