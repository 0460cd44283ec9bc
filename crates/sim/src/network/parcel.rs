//! What partitions send to each other. Parcels are delivered at the end of a window, before they take effect.

use setpoint_units::Time;

use super::bridge::{Arriving, Letter};
use super::context::Context;
use crate::frame::{Frame, InFlight};
use crate::ids::{FlowId, PortId};
use crate::index::{BridgeNo, Number, PartNo, PortNo, RecordNo, SlotNo};
use crate::traffic::source::Message;

/// Something for another partition.
#[derive(Clone, Copy, Debug)]
pub(super) enum Parcel {
    /// A frame that can no longer be recalled.
    Frame { link: PortId, flying: InFlight },
    /// A message to a bridge.
    Letter { to: BridgeNo, letter: Letter },
    /// A frame is on its way to an output of a bridge.
    Announcement { to: BridgeNo, record: RecordNo, frame: Frame, slot: SlotNo, cells: u16 },
    /// A cell on its way to a port of a spine.
    Cell { port: PortNo, arriving: Arriving },
    /// When a cell will have arrived at a leaf.
    CellExpected { to: BridgeNo, record: RecordNo, at: Time },
    /// When a leaf can use freed room at a spine.
    Room { port: PortNo, usable: Time },
    /// A message of a flow has begun.
    Message { flow: FlowId, message: Message },
    /// A flow has stopped; what it has not sent is cut off.
    CutOff { flow: FlowId, sent: u64 },
    /// A frame of a flow has been lost.
    Loss { flow: FlowId, sent_at: Time, bytes: u16 },
}

/// The parcels of a partition for each of the others.
#[derive(Clone, Debug, Default)]
pub(super) struct Outbox {
    parcels: Vec<Vec<Parcel>>,
}

impl Outbox {
    /// An outbox for a number of partitions.
    pub(super) fn new(parts: usize) -> Self {
        Self { parcels: vec![Vec::new(); parts] }
    }

    /// The parcels for a partition.
    pub(super) fn parcels_for(&mut self, part: PartNo) -> &mut Vec<Parcel> {
        &mut self.parcels[part.place()]
    }
}

impl Context {
    /// Sends a parcel to another partition.
    #[inline]
    pub(super) fn dispatch(&mut self, to: PartNo, parcel: Parcel) {
        self.outbox.parcels_for(to).push(parcel);
    }
}
