//! The frames that a run writes to a capture.

use setpoint_sim::Priority;
use setpoint_units::{Bytes, TimeDelta};

use super::declare::tables;
use super::values::{List, Names};

tables! {
    pub(crate) struct Capture {
        /// Ports whose frames are captured as they leave, written as from->to: a name, a pattern or a list.
        ports: Option<Names>, "all, except links inside a distributed bridge";
        /// Priorities of the captured frames. PFC frames are captured if they address one of these, PAUSE frames always.
        priorities: Option<List<Priority>> [1..=8], "all";
        /// Time at which the capture begins.
        from: TimeDelta = "0 s";
        /// Time at which the capture ends.
        until: Option<TimeDelta>, "the end of the run";
        /// Maximum number of octets kept from each frame, from 60 B to 65535 B. 128 B hold all headers and any
        /// notification; Wireshark reports shortened RoCEv2 frames as malformed.
        snap_length: Option<Bytes>, "128 B; whole frames if receivers reply";
    }
}
