//! Bridges with buffers at their inputs.

use setpoint_control::parameter::Percent;
use setpoint_units::{Bytes, TimeDelta};

/// How the bridges of a network move frames from their inputs to their outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bridges {
    /// A frame that arrives is put into the queue of its output at once.
    OutputQueued,
    /// Combined input and output queues: a frame waits in the buffer of its input, in a virtual output queue,
    /// until the arbiter of its output has granted it room there. Bridges that are joined by spines
    /// ([`crate::topology::NodeKind::Spine`]) are one bridge, and what crosses it does so in cells.
    Cioq(Cioq),
}

/// A bridge with combined input and output queues. Room at an output is [`crate::Spec::buffer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cioq {
    /// Room of an input port for each priority.
    pub input_buffer: Bytes,
    /// Buffers are given out in units of this size: a frame takes as many as it needs, the last one whole.
    pub unit: Bytes,
    /// How fast an input sends into a crossbar, in terms of the rate that its link has at the start. Of no effect
    /// between spines.
    pub speedup: Percent,
    /// How long a request takes from an input to the arbiter of an output; grants, acknowledgements and
    /// notifications take as long the other way.
    pub control_delay: TimeDelta,
    /// How long an input keeps a frame.
    pub delivery: Delivery,
    /// What crosses spines.
    pub cells: Cells,
}

/// How long an input keeps a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// Until all of it has left for the output.
    Plain,
    /// Until the output has begun to send it on and said so: a copy is there if it should be lost inside.
    Reliable,
}

/// Cells, and the spines that switch them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cells {
    /// What a cell holds of a frame at most. A frame's last cell may be shorter.
    pub payload: Bytes,
    /// What a cell has of its own.
    pub header: Bytes,
    /// Room for cells at each input of a spine.
    pub spine_input: u32,
    /// Room for cells at each output of a spine.
    pub spine_output: u32,
    /// Which of a leaf's links a cell takes.
    pub spraying: Spraying,
}

/// Which of a leaf's links to spines a cell takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spraying {
    /// One after another, whichever frame the cells belong to.
    RoundRobin,
    /// Each with the same probability.
    Random,
}

impl Cioq {
    /// Units that a buffer has at most: they are counted in 32 bits, with a frame's to spare.
    pub const MOST_UNITS: u64 = 1 << 31;
    /// Units that an input buffer has at most where each has a word in the culprit array, of up to eight priorities
    /// and for each port.
    pub const MOST_WORDS: u64 = 1 << 24;

    /// What of a buffer can be given out.
    #[must_use]
    pub fn whole_units(&self, room: Bytes) -> Bytes {
        self.unit * (room.get() / self.unit.get())
    }

    /// Units that a number of bytes takes.
    #[must_use]
    #[inline]
    pub fn units(&self, bytes: Bytes) -> u32 {
        u32::try_from(bytes.get().div_ceil(self.unit.get())).unwrap_or(u32::MAX)
    }
}
