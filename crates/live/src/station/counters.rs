//! Frames that a station did not send, deliver or obey, and why.

use setpoint_wire::WireError;

/// Frames that a station did not send, deliver or obey, and other events worth counting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StationCounters {
    /// Frames received from the link.
    pub received: u64,
    /// Frames delivered to programs.
    pub delivered: u64,
    /// Truncated frames.
    pub truncated: u64,
    /// Frames of a known format with a forbidden value, such as a CNM whose version is not 0.
    pub invalid: u64,
    /// MAC control frames with an unknown opcode or a wrong destination.
    pub bad_control: u64,
    /// Frames for other stations.
    pub not_ours: u64,
    /// Frames from programs dropped because too many frames of their flow are already waiting.
    pub refused: u64,
    /// Frames received with a mark (CE), if the algorithm marks frames.
    pub marked: u64,
    /// Congestion notification packets sent to the sources of marked frames.
    pub cnps: u64,
    /// Congestion notification packets that were not sent because too many frames of the station's own were waiting.
    pub cnps_dropped: u64,
    /// Notifications that changed a rate limiter.
    pub obeyed: u64,
    /// Notifications for a flow that does not exist, or that does not match the notification.
    pub unknown_flow: u64,
    /// Notifications in excess of the number of frames that the flow has sent.
    pub too_many: u64,
    /// Notifications from more congestion points than a station can distinguish.
    pub unknown_point: u64,
    /// Notifications ignored because no rate limiter was available for the flow.
    pub no_limiter: u64,
    /// LLDP announcements received.
    pub announcements: u64,
}

impl StationCounters {
    pub(super) fn refuse(&mut self, error: &WireError) {
        match error {
            WireError::Truncated { .. } => self.truncated += 1,
            _ => self.invalid += 1,
        }
    }
}
