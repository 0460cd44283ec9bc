//! Frames that a bridge did not forward, and why.

use setpoint_wire::WireError;

/// Frames that a bridge did not forward, and other events worth counting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BridgeCounters {
    /// Frames received.
    pub received: u64,
    /// Truncated frames.
    pub truncated: u64,
    /// Frames of a known format with a forbidden value, such as a CNM whose version is not 0, or with a tag after the
    /// CN-TAG.
    pub invalid: u64,
    /// Frames whose source is a group address.
    pub bad_source: u64,
    /// MAC control frames with an unknown opcode or a wrong destination.
    pub bad_control: u64,
    /// Frames to addresses that bridges do not forward, such as those of the spanning tree protocol.
    pub link_local: u64,
    /// Frames whose destination is reached through the port at which they arrived.
    pub filtered: u64,
    /// Frames sent to all ports because their destination is unknown or a group.
    pub flooded: u64,
    /// Frames that arrived at an edge with a priority under congestion notification, and were assigned another one.
    pub remapped: u64,
    /// CN-TAGs removed from outgoing frames.
    pub untagged: u64,
    /// Frames dropped at a full buffer or by a congestion point, in priorities that may be dropped.
    pub dropped: u64,
    /// Frames lost in a lossless priority, which must never happen.
    pub lost: u64,
    /// Frames dropped because their output is down.
    pub no_link: u64,
    /// Notifications sent.
    pub notifications: u64,
    /// Frames marked (CE), including those that had been marked before.
    pub marked: u64,
    /// Frames dropped instead of marked, because they are not ECN-capable. They also count as dropped.
    pub unmarkable_dropped: u64,
    /// Frames of lossless priorities forwarded without a mark, because they are not ECN-capable.
    pub unmarkable_forwarded: u64,
    /// Congestion notification packets forwarded, if the algorithm marks frames.
    pub cnps: u64,
    /// LLDP announcements received.
    pub announcements: u64,
}

impl BridgeCounters {
    pub(super) fn refuse(&mut self, error: &WireError) {
        match error {
            WireError::Truncated { .. } => self.truncated += 1,
            _ => self.invalid += 1,
        }
    }
}
