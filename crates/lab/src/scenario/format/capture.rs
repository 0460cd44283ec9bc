//! The frames that a run writes to a capture.

use setpoint_sim::Priority;
use setpoint_units::{Bytes, TimeDelta};
use setpoint_wire::{OffsetSign, PriorityPlace, QueueUnit};

use super::declare::{choice, tables};
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
        /// Most octets kept of each frame, from 60 B to 65535 B. 128 B hold all headers and any notification.
        snap_length: Bytes = "128 B";
        /// Sign of the queue offset in a notification: negative-when-congested (set point minus queue length) or
        /// positive-when-congested.
        queue_offset: OffsetSign = "negative-when-congested",
            origin "the pseudo-code of QCN and cpQOffset, IEEE 802.1Q 32.8; the manuals of some switches have the other sign";
        /// Unit of the queue offset and the queue delta in a notification: 64-octets or octets.
        queue_unit: QueueUnit = "64-octets", origin "IEEE 802.1Q 33.4, not checked against the text";
        /// Position of the sampled frame's priority in its field of 16 bits: upper-bits or lower-bits.
        priority_place: PriorityPlace = "upper-bits",
            origin "not checked against IEEE 802.1Q; the firmware of one network card uses the lower bits";
    }
}

choice!(OffsetSign {
    "negative-when-congested" => NegativeWhenCongested,
    "positive-when-congested" => PositiveWhenCongested,
});
choice!(QueueUnit { "64-octets" => Octets64, "octets" => Octet });
choice!(PriorityPlace { "upper-bits" => UpperBits, "lower-bits" => LowerBits });
