//! The choices among the parameters of Swift.

use crate::parameter::choice;

choice! {
    /// The delay that is compared with the target.
    Delay {
        RoundTrip = "round-trip", "The round-trip time (htsim).";
        Queueing = "queueing", "The round-trip time minus that of the idle path, so that one target fits all paths.";
    }
}
