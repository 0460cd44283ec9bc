//! The kinds of bridges, and bridges with input buffers.

use setpoint_control::parameter::Percent;
use setpoint_units::{Bytes, TimeDelta};

use super::SharedBuffer;

/// How the bridges of a network move frames from their inputs to their outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bridges {
    /// An arriving frame enters its output queue at once.
    OutputQueued,
    /// Like output-queued bridges, but all ports share one buffer with dynamic thresholds.
    SharedBuffer(SharedBuffer),
    /// Combined input and output queues: a frame waits in its input's buffer, in a virtual output queue,
    /// until the arbiter of its output grants it buffer space there. Bridges joined by spines
    /// ([`crate::topology::NodeKind::Spine`]) form one distributed bridge, and frames cross it in cells.
    Cioq(Cioq),
}

/// A bridge with combined input and output queues. [`crate::Spec::buffer`] sets the buffer size at an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cioq {
    /// Buffer size at an input port for each priority.
    pub input_buffer: Bytes,
    /// The allocation unit of buffers: a frame occupies a whole number of units, rounded up.
    pub unit: Bytes,
    /// The rate at which an input sends into a crossbar, relative to its link's initial rate. Has no effect on cells
    /// that cross spines.
    pub speedup: Percent,
    /// The time that a request takes from an input to an output's arbiter. Grants, acknowledgements and
    /// notifications take the same time in the other direction.
    pub control_delay: TimeDelta,
    /// The time for which an input keeps a frame.
    pub delivery: Delivery,
    /// The cells that cross spines.
    pub cells: Cells,
}

/// The time for which an input keeps a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// Until the whole frame has left for the output.
    Plain,
    /// Until the output has begun to send the frame and its acknowledgement has arrived, so that a copy
    /// exists if the frame is lost inside the bridge.
    Reliable,
}

/// Cells, and the spines that switch them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cells {
    /// Maximum number of bytes of a frame in one cell. The last cell of a frame may be shorter.
    pub payload: Bytes,
    /// The header of a cell.
    pub header: Bytes,
    /// Buffer size at each input of a spine, in cells.
    pub spine_input: u32,
    /// Buffer size at each output of a spine, in cells.
    pub spine_output: u32,
    /// The rule by which a leaf chooses a link for a cell.
    pub spraying: Spraying,
}

/// The rule by which a leaf chooses the link to a spine for a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spraying {
    /// The links in turn, regardless of the frame to which a cell belongs.
    RoundRobin,
    /// A random link, each with the same probability.
    Random,
}

impl Cioq {
    /// Maximum number of units in a buffer: units are counted in 32 bits, and one more frame must fit without overflow.
    pub const MOST_UNITS: u64 = 1 << 31;
    /// Maximum number of units in an input buffer if each unit has a word in the culprit array; every port has one
    /// such array for each of up to eight priorities.
    pub const MOST_WORDS: u64 = 1 << 24;

    /// The part of a buffer that consists of whole units.
    pub fn whole_units(&self, room: Bytes) -> Bytes {
        self.unit * (room.get() / self.unit.get())
    }

    /// The number of units that the given number of bytes occupies.
    #[inline]
    pub fn units(&self, bytes: Bytes) -> u32 {
        u32::try_from(bytes.get().div_ceil(self.unit.get())).unwrap_or(u32::MAX)
    }
}
