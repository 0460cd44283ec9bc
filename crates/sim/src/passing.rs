//! Frames as they appear to an observer of a link.

use setpoint_control::{Mark, Signal};
use setpoint_units::{Bytes, Time};

use crate::ids::{FlowId, PortId, Priority, PrioritySet};
use crate::spec::Side;

/// A frame that a port begins to transmit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassingFrame {
    /// The time at which its transmission begins.
    pub at: Time,
    /// The port that transmits it.
    pub port: PortId,
    /// Its length, including the frame check sequence.
    pub length: Bytes,
    /// Its content.
    pub content: PassingContent,
}

/// The content of a passing frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassingContent {
    /// Data of a flow.
    Data {
        /// The flow.
        flow: FlowId,
        /// The flow's priority.
        priority: Priority,
        /// Its congestion mark.
        mark: Mark,
    },
    /// A notification in transit to the source of a flow.
    Notification {
        /// The flow.
        flow: FlowId,
        /// The priority of the notification.
        priority: Priority,
        /// The congestion point that sent it.
        from: PointPlace,
        /// Its content. Queue lengths are exact up to ±8 MB.
        signal: Signal,
    },
    /// A reply in transit from the receiver of a flow to its source.
    Reply {
        /// The flow.
        flow: FlowId,
        /// The priority of the reply.
        priority: Priority,
        /// Whether it acknowledges frames; otherwise it reports marks.
        acknowledges: bool,
    },
    /// A PAUSE frame, for the far end of the link.
    Pause {
        /// The time in quanta of 512 bit times; 0 ends a pause.
        quanta: u16,
    },
    /// A PFC frame, for the far end of the link.
    Pfc {
        /// The priorities that must stop.
        stop: PrioritySet,
        /// The priorities that may resume.
        resume: PrioritySet,
        /// The time for which the priorities in `stop` must stop, in quanta of 512 bit times.
        quanta: u16,
    },
}

/// The location of a congestion point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointPlace {
    /// The port that its output queue feeds, or the port that feeds its input buffer over its link.
    pub port: PortId,
    /// Whether it is at an output or at an input of its bridge.
    pub side: Side,
    /// The priority of its queue.
    pub priority: Priority,
}
