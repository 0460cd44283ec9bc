//! The frames of a run that a capture contains.

use setpoint_sim::{PassingContent, PassingFrame, PortId, PrioritySet, Spec};
use setpoint_units::{Bytes, Time};
use setpoint_wire::Conventions;

/// Default maximum number of octets kept per frame: enough for all headers and any notification.
pub const SNAP_LENGTH: Bytes = Bytes::new(128);

/// The frames to capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The ports, in ascending order.
    pub ports: Vec<PortId>,
    /// The priorities. PFC frames are captured if they address one of these, and PAUSE frames always.
    pub priorities: PrioritySet,
    /// The start of the window, inclusive.
    pub from: Time,
    /// The end of the window, exclusive.
    pub until: Time,
    /// Maximum number of octets kept per frame.
    pub snap_length: Bytes,
    /// How notifications are encoded.
    pub conventions: Conventions,
}

impl Capture {
    /// Every frame on every link that carries frames.
    #[must_use]
    pub fn everything(spec: &Spec, conventions: Conventions) -> Self {
        Self {
            ports: spec.topology.ports().filter(|port| !spec.topology.is_inside(*port)).collect(),
            priorities: PrioritySet::ALL,
            from: Time::ZERO,
            until: Time::MAX,
            snap_length: SNAP_LENGTH,
            conventions,
        }
    }

    /// Whether a frame that passes one of the ports is captured.
    #[must_use]
    pub fn includes(&self, frame: &PassingFrame) -> bool {
        let chosen = match frame.content {
            PassingContent::Data { priority, .. }
            | PassingContent::Notification { priority, .. }
            | PassingContent::Reply { priority, .. } => self.priorities.contains(priority),
            PassingContent::Pause { .. } => true,
            PassingContent::Pfc { stop, resume, .. } => (stop.0 | resume.0) & self.priorities.0 != 0,
        };
        chosen && (self.from..self.until).contains(&frame.at)
    }
}
