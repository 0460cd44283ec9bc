//! Events, ordered by time, then by kind, then by component.
//!
//! The order of events at equal times is part of the model, and results depend on it. It does not depend on when an
//! event was scheduled, so each component processes its own events in the same order, whatever happens elsewhere.
//! Starts and stops come first, then the ends of pauses, then departures, then timers and work inside bridges, then
//! arrivals: a port that becomes free at the instant at which a frame arrives has already finished its transmission by
//! then. Events with the same time, kind and component are interchangeable.

mod queue;

use crate::ids::PortId;
use crate::index::{BridgeNo, Conversation, LaneNo, PortNo, RecordNo, SenderNo, SlotNo, StationNo};

pub(crate) use queue::EventQueue;

/// An event, with the component that handles it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A flow stops.
    Stop(SenderNo),
    /// A flow starts.
    Start(SenderNo),
    /// A pause may have expired at a bridge's port, or the time allowed to obey a pause frame has passed.
    PortPauseEnd(PortNo),
    /// A pause may have expired at a station, or the time allowed to obey a pause frame has passed.
    StationPauseEnd(StationNo),
    /// A bridge's port has finished a transmission and has more frames waiting.
    Ready(PortNo),
    /// A station may have something to send.
    Send(StationNo),
    /// A reaction point's timer expires.
    ReactionTimer(LaneNo),
    /// A station's reaction delay ends, and its reaction point acts on a notification.
    React(StationNo),
    /// The timer of a conversation's notification point expires.
    Answer(Conversation),
    /// An input must renew a pause that it requested.
    PauseRefresh(PortNo),
    /// An input that has paused its sender samples its buffer.
    KeepAlive(PortNo),
    /// Cells waiting at a link between a leaf and a spine may continue.
    CellRoom(PortNo),
    /// The first frame in the crossbar from an input reaches its output.
    Crossed(PortNo),
    /// The last cell of the frame in a bridge's slot reaches a spine.
    Left(BridgeNo, SlotNo),
    /// The last cell of the frame described by a bridge's record reaches its output.
    Complete(BridgeNo, RecordNo),
    /// Messages for the inputs and outputs of a bridge arrive.
    Control(BridgeNo),
    /// The first cell in flight to a port of a spine reaches it.
    CellArrives(PortNo),
    /// The first frame in flight from a port reaches the other end of the link.
    Arrive(PortId),
}

/// The bit position of the kind in a packed event, above the component's number.
const KIND_SHIFT: u32 = 56;
/// The bit position of a bridge's number, above the number of a slot or record inside it.
const BRIDGE_SHIFT: u32 = 32;

impl Event {
    #[inline]
    fn pack(self) -> u64 {
        let inside = |bridge: BridgeNo, number: u32| u64::from(bridge.0) << BRIDGE_SHIFT | u64::from(number);
        let alone = u64::from;
        let (kind, number) = match self {
            Self::Stop(sender) => (0, alone(sender.0)),
            Self::Start(sender) => (1, alone(sender.0)),
            Self::PortPauseEnd(port) => (2, alone(port.0)),
            Self::StationPauseEnd(station) => (3, alone(station.0)),
            Self::Ready(port) => (4, alone(port.0)),
            Self::Send(station) => (5, alone(station.0)),
            Self::ReactionTimer(lane) => (6, alone(lane.0)),
            Self::React(station) => (7, alone(station.0)),
            Self::Answer(conversation) => (8, alone(conversation.0)),
            Self::PauseRefresh(input) => (9, alone(input.0)),
            Self::KeepAlive(input) => (10, alone(input.0)),
            Self::CellRoom(port) => (11, alone(port.0)),
            Self::Crossed(input) => (12, alone(input.0)),
            Self::Left(bridge, slot) => (13, inside(bridge, slot.0)),
            Self::Complete(bridge, record) => (14, inside(bridge, record.0)),
            Self::Control(bridge) => (15, alone(bridge.0)),
            Self::CellArrives(port) => (16, alone(port.0)),
            Self::Arrive(port) => (17, alone(port.0)),
        };
        kind << KIND_SHIFT | number
    }

    #[inline]
    fn unpack(key: u64) -> Self {
        let number = key as u32;
        let bridge = || BridgeNo((key >> BRIDGE_SHIFT) as u32 & ((1 << (KIND_SHIFT - BRIDGE_SHIFT)) - 1));
        match key >> KIND_SHIFT {
            0 => Self::Stop(SenderNo(number)),
            1 => Self::Start(SenderNo(number)),
            2 => Self::PortPauseEnd(PortNo(number)),
            3 => Self::StationPauseEnd(StationNo(number)),
            4 => Self::Ready(PortNo(number)),
            5 => Self::Send(StationNo(number)),
            6 => Self::ReactionTimer(LaneNo(number)),
            7 => Self::React(StationNo(number)),
            8 => Self::Answer(Conversation(number)),
            9 => Self::PauseRefresh(PortNo(number)),
            10 => Self::KeepAlive(PortNo(number)),
            11 => Self::CellRoom(PortNo(number)),
            12 => Self::Crossed(PortNo(number)),
            13 => Self::Left(bridge(), SlotNo(number)),
            14 => Self::Complete(bridge(), RecordNo(number)),
            15 => Self::Control(BridgeNo(number)),
            16 => Self::CellArrives(PortNo(number)),
            _ => Self::Arrive(PortId(number)),
        }
    }
}
