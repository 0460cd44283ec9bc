//! The encoding of notifications as octets.

use setpoint_wire::{OffsetSign, PriorityPlace, QueueUnit};

use super::declare::{choice, tables};

tables! {
    pub(crate) struct Wire {
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
