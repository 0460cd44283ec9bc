//! Bridges with combined input and output queues (CIOQ): crossbars and distributed fabrics of leaves and
//! spines.
//!
//! An arriving frame is stored in its input's buffer, in the virtual output queue for its output, and a
//! request goes to that output's arbiter ([`input`], [`slots`]). The arbiter grants space in the output's buffer to the
//! requesting queues in turn, one frame each ([`arbiter`]). A frame with a grant crosses the bridge: over the crossbar
//! ([`crossing`]), or in cells over all links of its leaf, through the spines, to its output's leaf ([`cells`]). There it is
//! reassembled, put back into order and queued at its output ([`output`], [`expected`]). Buffer space is reserved for it at
//! the output from the grant to its departure, so nothing is ever lost inside a bridge, and cells never wait for space at
//! the far end.
//!
//! Leaves and spines share no state: they exchange cells and messages ([`control`]), which take time, and announce when each
//! cell will have arrived.
//!
//! * Source: Chrysos et al., "Unbiased QCN for scalable server-fabrics" (IBM RZ 3880, 2014), section
//!   II-A.
//! * Each port and priority has its own buffer, allocated in units. Buffer space and PAUSE thresholds are
//!   counted in units; congestion points count bytes.
//! * An input holds a frame until the whole frame has reached the next stage (the output for a crossbar, the
//!   spines for cells), so that an internal link can resend corrupted data. With
//!   [`Delivery::Reliable`](crate::Delivery) it holds the frame until the output acknowledges its departure.
//! * Frames between ports of the same leaf cross the leaf's own crossbar, not the spines.
//! * Requests, grants, acknowledgements and notifications from outputs each take
//!   [`Cioq::control_delay`](crate::Cioq) and use no bandwidth. Notifications in transit do not wait in
//!   virtual output queues. Notifications that wait at an output occupy space in its buffer without a grant, and
//!   are dropped if it has no free space.
//! * Cells of all priorities share the spines' buffers, whose outputs take them in order of arrival. They
//!   never get stuck, since space is reserved for them at the far end.

mod ahead;
mod arbiter;
mod backlog;
mod books;
mod buffering;
mod build;
mod cells;
mod control;
mod crossing;
mod expected;
mod input;
mod interior;
mod memory;
mod output;
mod pool;
mod slots;
mod updates;

use std::ops::Range;

use setpoint_control::{CulpritArray, Marking};
use setpoint_random::RandomStream;
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use crate::index::{BridgeNo, PortNo, QueueNo, RecordNo, SlotNo, Stretch, Table, VoqNo};
use crate::outcome::FabricOutcome;
use crate::ring::Ring;
use crate::spec::Delivery;

use super::set::BridgeSet;
use arbiter::Arbiter;
pub(in crate::network) use build::keeps_culprits;
use control::Inbox;
use expected::{Expected, Records};
use interior::Interior;
pub(in crate::network) use memory::{SLOT_BYTES, fixed_bytes};
use slots::{Slots, Voqs};

/// The bridges with input buffers in a partition.
#[derive(Clone, Debug)]
pub(in crate::network) struct Cioq {
    rules: Rules,
    data: DataClasses,
    /// The bridges of this partition.
    own: Range<BridgeNo>,
    /// For each port, its bridge.
    bridge_of: Table<PortNo, BridgeNo>,
    /// For each port, its index among the ports of its bridge that lead outside; the leaves together count as one bridge.
    ranks: Table<PortNo, u32>,
    /// For each bridge, frames at its inputs.
    slots: Table<BridgeNo, Slots>,
    /// For each bridge, frames that its outputs expect or store.
    records: Table<BridgeNo, Records>,
    /// For each bridge, the messages in transit to it.
    inboxes: Table<BridgeNo, Inbox>,
    inputs: Stretch<PortNo, Edge>,
    /// Virtual output queues. Each input has one for each output of its bridge and each class that flows use,
    /// starting at [`Edge::voqs`].
    voqs: Voqs,
    /// Lists of expected frames. Each output has one for each input of its bridge and each class that flows use, in
    /// the same order.
    expected: Stretch<VoqNo, Expected>,
    /// One arbiter for each output queue; the entries for input buffers are unused.
    arbiters: Stretch<QueueNo, Arbiter>,
    /// The slots of a frame's copies while they are being stored; kept so that storing a frame does not allocate memory.
    asking: Vec<SlotNo>,
    /// Leaves and spines, if any.
    interior: Option<Interior>,
    counters: FabricOutcome,
}

/// The classes that flows use; notifications may have one of their own.
#[derive(Clone, Copy, Debug)]
struct DataClasses {
    /// One bit each.
    set: u8,
    count: u32,
}

impl DataClasses {
    /// The rank of a class among the classes that flows use.
    #[inline]
    fn rank_of(self, class: u8) -> u32 {
        (self.set & ((1 << class) - 1)).count_ones()
    }
}

#[derive(Clone, Copy, Debug)]
struct Rules {
    unit: u64,
    /// Units per class in an input's buffer.
    input_units: u32,
    /// Units per class in an output's buffer.
    output_units: u32,
    control_delay: TimeDelta,
    delivery: Delivery,
    marking: Marking,
    keep_alive: Option<Bytes>,
}

/// An input of a bridge.
#[derive(Clone, Debug)]
struct Edge {
    /// The rank of its first virtual output queue, counting one queue per output; multiplied by the number of data
    /// classes, it gives the number of the queue.
    voqs: u32,
    /// Units in use, by class.
    used: [u32; 8],
    /// The owners of these units, if notifications depend on them.
    culprits: Option<Box<CulpritArray>>,
    entropy: RandomStream,
    /// The rate at which it sends into the crossbar.
    crossbar_rate: Rate,
    /// The time at which the crossbar will have accepted all frames sent so far.
    crossbar_free: Time,
    /// Frames in the crossbar, with the time at which each will have reached its output completely.
    crossing: Ring<(Time, SlotNo, RecordNo)>,
    /// The rate of the port that feeds it.
    feeding_rate: Rate,
    /// The time at which the next clocked sample of a paused class is due, by class.
    clock: [Time; 8],
}

impl Cioq {
    /// Whether a bridge is in this partition.
    #[inline]
    fn is_here(&self, bridge: BridgeNo) -> bool {
        self.own.contains(&bridge)
    }

    /// The number for a port, another port of its bridge and a class that flows use. It identifies the virtual output queue
    /// at an input for an output, or the frames that an output expects from an input.
    #[inline]
    fn pair(&self, own: PortNo, other: PortNo, class: u8) -> VoqNo {
        let first = self.inputs[own].voqs;
        VoqNo((first + self.ranks[other]) * self.data.count + self.data.rank_of(class))
    }
}

impl Rules {
    #[inline]
    fn units(&self, bytes: u16) -> u32 {
        u64::from(bytes).div_ceil(self.unit) as u32
    }
}

impl BridgeSet<Cioq> {
    /// The time that a frame takes from arrival at an input to arrival at an output in an otherwise empty network.
    pub(super) fn idle_crossing(&self, input: PortNo, output: PortNo, bytes: u16) -> TimeDelta {
        let cioq = &self.buffers;
        let inside = match &cioq.interior {
            Some(interior) if cioq.bridge_of[input] != cioq.bridge_of[output] => {
                interior.idle_time(&self.core.ports, cioq.bridge_of[input], bytes)
            }
            _ => cioq.inputs[input].crossbar_rate.time_to_send(Bytes::new(u64::from(bytes))),
        };
        cioq.rules.control_delay * 2 + inside
    }
}
