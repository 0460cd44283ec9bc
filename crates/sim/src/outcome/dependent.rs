//! The results of messages that wait for other messages.

use setpoint_units::{Time, TimeDelta};

use crate::ids::{MessageId, PortId};

/// A message of [`Traffic::Dependent`](crate::traffic::Traffic::Dependent). Times after the end of the run are `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DependentOutcome {
    /// The message.
    pub message: MessageId,
    /// The time at which it was released: everything that it waits for had happened, and its computation time had passed.
    pub released: Option<Time>,
    /// The time at which its last byte had left the station. For a computation, the time of its release.
    pub sent: Option<Time>,
    /// The time at which its last byte arrived. For a computation, the time of its release.
    pub completed: Option<Time>,
    /// The time from release to `sent` in an empty network at the initial link rates, for a flow without a cap.
    pub ideal_sent: TimeDelta,
    /// The time from release to `completed` in an empty network at the initial link rates, for a flow without a cap.
    pub ideal: TimeDelta,
}

/// One hop of a message's last frame: from a node, over a link, to the next node.
///
/// The passages of a message begin at its release and end at its completion without a gap. The differences between
/// [`Passage::time`] and `ideal` therefore add up to the difference between the time that the message took and its ideal
/// time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The message.
    pub message: MessageId,
    /// The port that sent the frame over the link.
    pub port: PortId,
    /// The time at which the frame arrived at the port's node; at the first port, the time at which the message was released.
    pub from: Time,
    /// The time at which the frame arrived at the far end of the link.
    pub until: Time,
    /// The time between the two in an empty network at the initial link rates.
    pub ideal: TimeDelta,
    /// The time between the two for which the port was paused before it sent the frame.
    pub paused: TimeDelta,
}

impl Passage {
    /// The time that the frame took.
    pub fn time(&self) -> TimeDelta {
        self.until - self.from
    }
}
