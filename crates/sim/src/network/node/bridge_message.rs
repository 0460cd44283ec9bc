//! Messages between the inputs and outputs of bridges, and between leaves and spines.

use setpoint_units::Time;

use crate::frame::Frame;
use crate::index::{BridgeNo, PortNo, RecordNo, SlotNo};

/// A cell: a part of a frame in transit to a leaf.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::network) struct Cell {
    /// The leaf's record of its frame.
    pub(in crate::network::node) record: RecordNo,
    /// The index of the leaf among the leaves.
    pub(in crate::network::node) leaf: u16,
    pub(in crate::network::node) bytes: u16,
}

/// A cell in flight to a spine, with its arrival time.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::network) struct Arriving {
    pub(in crate::network::node) at: Time,
    pub(in crate::network::node) cell: Cell,
}

/// A message between an input and an output.
#[derive(Clone, Copy, Debug)]
pub(in crate::network) enum ControlMessage {
    /// An input has another frame for an output.
    Request { input: PortNo, output: PortNo, class: u8, units: u32 },
    /// An input may send its next frame for an output, which has a record of it.
    Grant { input: PortNo, output: PortNo, class: u8, record: RecordNo },
    /// The frame in a slot of the bridge has left its output.
    Acknowledge(SlotNo),
    /// A congestion point at an output sends a notification.
    Notify(Frame),
}

/// A message in transit.
#[derive(Clone, Copy, Debug)]
pub(in crate::network) struct TimedMessage {
    pub(in crate::network::node) at: Time,
    pub(in crate::network::node) from: BridgeNo,
    pub(in crate::network::node) message: ControlMessage,
}

impl Default for TimedMessage {
    /// A placeholder for the unused entries of a ring.
    fn default() -> Self {
        Self { at: Time::ZERO, from: BridgeNo(0), message: ControlMessage::Acknowledge(SlotNo(0)) }
    }
}

/// A message about a cell. It is kept small because every cell causes three of them: 18 for a frame of 1522 bytes.
#[derive(Clone, Copy, Debug)]
pub(in crate::network) enum CellUpdate {
    /// The cell is in flight to a port of a spine.
    Coming { port: PortNo, arriving: Arriving },
    /// A leaf, which has a record of the cell's frame, will have received the cell at time `at`.
    Expected { leaf: BridgeNo, record: RecordNo, at: Time },
    /// From `usable` on, a port of a leaf can reuse the cell's buffer space at the spine.
    Room { port: PortNo, usable: Time },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn updates_are_small() {
        assert!(size_of::<CellUpdate>() <= 24);
    }
}
