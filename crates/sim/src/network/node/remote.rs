//! Messages between partitions. Messages are delivered at the end of a window, before they take effect.

use crate::frame::{Frame, InFlight};
use crate::ids::PortId;
use crate::index::{BridgeNo, Conversation, Number, PartNo, RecordNo, SlotNo};
use crate::network::node::books::Loss;
use crate::network::node::bridge_message::{CellUpdate, TimedMessage};
use crate::network::node::reports::Report;
use crate::traffic::source::Message;

/// A message to another partition.
#[derive(Clone, Copy, Debug)]
pub(in crate::network) enum RemoteMessage {
    /// A frame that can no longer be recalled.
    Frame { link: PortId, flying: InFlight },
    /// A message to a bridge.
    Control { to: BridgeNo, message: TimedMessage },
    /// A frame is in transit to an output of a bridge.
    Announcement { to: BridgeNo, record: RecordNo, frame: Frame, slot: SlotNo, cells: u16 },
    /// A message has begun.
    Message { conversation: Conversation, message: Message },
    /// A flow has stopped; its unsent data are cut off.
    CutOff { conversation: Conversation, sent: u64 },
    /// A frame has been lost.
    Loss { conversation: Conversation, loss: Loss },
}

/// Everything that one partition sends to another in a window.
#[derive(Clone, Debug, Default)]
pub(in crate::network) struct Batch {
    pub(in crate::network) messages: Vec<RemoteMessage>,
    pub(in crate::network) cells: Vec<CellUpdate>,
    /// The reports that travel with the frames among the messages, in the same order.
    #[expect(clippy::vec_box, reason = "reports are large and move between partitions as pointers")]
    pub(in crate::network) reports: Vec<Box<Report>>,
}

impl Batch {
    pub(in crate::network) fn is_empty(&self) -> bool {
        self.messages.is_empty() && self.cells.is_empty()
    }
}

/// The batches of a partition, one for each of the others.
#[derive(Clone, Debug, Default)]
pub(in crate::network) struct Outbox {
    batches: Vec<Batch>,
}

impl Outbox {
    /// An outbox for the given number of partitions.
    pub(in crate::network) fn new(parts: usize) -> Self {
        Self { batches: vec![Batch::default(); parts] }
    }

    /// The batch for a partition.
    #[inline]
    pub(in crate::network) fn batch_for(&mut self, part: PartNo) -> &mut Batch {
        &mut self.batches[part.place()]
    }
}
