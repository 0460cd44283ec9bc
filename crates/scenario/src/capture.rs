//! The frames of a run that a capture contains.

use setpoint_control::Answers;
use setpoint_sim::{ControlSpec, PassingContent, PassingFrame, PortId, PrioritySet, Spec};
use setpoint_units::{Bytes, Time};
use setpoint_wire::Conventions;

use crate::limits::MAX_FRAME;

/// Default maximum number of octets kept per frame: enough for all headers and any notification.
const SNAP_LENGTH: Bytes = Bytes::new(128);

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
    pub fn everything(spec: &Spec, conventions: Conventions) -> Self {
        Self {
            ports: spec.topology.ports().filter(|port| !spec.topology.is_inside(*port)).collect(),
            priorities: PrioritySet::ALL,
            from: Time::ZERO,
            until: Time::MAX,
            snap_length: default_snap_length(&spec.control),
            conventions,
        }
    }

    /// Whether a frame that passes one of the ports is captured.
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

/// The default maximum number of octets kept per frame. If receivers reply, flows are captured as RoCEv2, and decoders
/// report frames without their last octets, the invariant CRC, as malformed.
pub(crate) fn default_snap_length(control: &ControlSpec) -> Bytes {
    match control.notification_point.answers() {
        Answers::Never => SNAP_LENGTH,
        Answers::MarkedFrames | Answers::EveryFrame => MAX_FRAME,
    }
}
