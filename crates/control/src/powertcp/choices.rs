//! The choices among the parameters of PowerTCP.

use crate::parameter::choice;

choice! {
    /// The measurement of power.
    Measure {
        Telemetry = "telemetry", "The queues and rates that bridges report (PowerTCP).";
        Delay = "delay", "The round-trip time and its gradient; bridges take no part (θ-PowerTCP).";
    }
}
