//! The limits of the engine in a browser.

use setpoint_page::{Limits, Place};
use setpoint_units::Bytes;

/// A worker can address 4 GB. A run must leave room for its results, for copies of them on their way to the page, and for other
/// runs.
pub(crate) const LIMITS: Limits =
    Limits { scenario: 200_000, memory: Bytes::new(1_000_000_000), place: Place::Browser };
