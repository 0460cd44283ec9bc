//! The results of links.

use setpoint_units::Bytes;

use crate::ids::LinkId;
use crate::lossless::LinkBudget;

/// The frames that a link lost because it failed, over the whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailedLink {
    /// The link.
    pub link: LinkId,
    /// Losses from its first node to its second.
    pub forward: LinkLosses,
    /// Losses from its second node to its first.
    pub backward: LinkLosses,
}

/// The frames lost in one direction of a link that failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkLosses {
    /// Data frames that were on the link when it failed.
    pub in_flight_frames: u64,
    /// Their bytes.
    pub in_flight: Bytes,
    /// Data frames that a bridge sent to the link after it had failed.
    pub sent_frames: u64,
    /// Their bytes.
    pub sent: Bytes,
    /// Notifications, replies and pause frames lost in either of these two ways.
    pub control_frames: u64,
}

impl LinkLosses {
    /// The sum of two counts.
    #[must_use]
    pub fn with(self, other: &Self) -> Self {
        Self {
            in_flight_frames: self.in_flight_frames + other.in_flight_frames,
            in_flight: self.in_flight + other.in_flight,
            sent_frames: self.sent_frames + other.sent_frames,
            sent: self.sent + other.sent,
            control_frames: self.control_frames + other.control_frames,
        }
    }
}

/// The frames that a flow lost on links that had failed, over the whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FailureLosses {
    /// Frames.
    pub frames: u64,
    /// Their bytes.
    pub bytes: Bytes,
    /// The frames among them that were lost while no path to the destination was known.
    pub unreachable_frames: u64,
}

/// The headroom that a link under flow control used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkOutcome {
    /// The headroom it has and the headroom it needs.
    pub budget: LinkBudget,
    /// The largest excess over the threshold in any counter of its input, over the whole run.
    pub used: Bytes,
}
