//! Why a spec cannot be run, and why a run stopped.

use setpoint_units::{Bytes, PartsPerMillion, Time};

use crate::clock::MAX_CLOCK_TOLERANCE;
use crate::ids::{FlowId, GroupId, NodeId, PortId, Priority};
use crate::memory::MemoryPart;

/// A spec that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// A station has no link, or several.
    #[error("station {0:?} has {1} links; a station has exactly one")]
    StationLinks(NodeId, usize),
    /// A flow begins or ends at a bridge.
    #[error("flow {0:?} begins or ends at {1:?}, which is not a station")]
    NotAStation(FlowId, NodeId),
    /// A flow goes from a station to itself.
    #[error("flow {0:?} has the same source and destination")]
    Loop(FlowId),
    /// There is no path.
    #[error("flow {0:?} cannot reach its destination")]
    Unreachable(FlowId),
    /// There is no path to a member of a flow's group.
    #[error("flow {0:?} cannot reach {1:?}, a member of its group")]
    UnreachableMember(FlowId, NodeId),
    /// A group has no members from the start, and nobody joins it.
    #[error("{0:?} has no members")]
    EmptyGroup(GroupId),
    /// A member of a group is a bridge.
    #[error("{1:?} is a member of {0:?} and is not a station")]
    NotAMember(GroupId, NodeId),
    /// A member is named twice.
    #[error("{1:?} is a member of {0:?} twice")]
    MemberTwice(GroupId, NodeId),
    /// A station joins a group that it is in, or leaves one that it is not in.
    #[error("change {0} lets a station join a group that it is in, or leave one that it is not in")]
    Membership(usize),
    /// A flow goes to a group that is not there.
    #[error("flow {0:?} goes to {1:?}, which does not exist")]
    UnknownGroup(FlowId, GroupId),
    /// A flow's source is a member of the group it sends to.
    #[error("flow {0:?} goes to {1:?}, of which its own source is a member")]
    InOwnGroup(FlowId, GroupId),
    /// A flow of messages goes to a group.
    #[error("flow {0:?} sends messages to a group, whose members would complete each at a time of their own")]
    GroupMessages(FlowId),
    /// A frame is empty or longer than 65 535 bytes.
    #[error("flow {0:?} has frames of {1}; a frame has from 1 B to 65535 B")]
    FrameSize(FlowId, Bytes),
    /// A notification frame is empty or longer than 65 535 bytes.
    #[error("notification frames of {0}; a frame has from 1 B to 65535 B")]
    NotificationSize(Bytes),
    /// Preamble and gap are longer than any frame.
    #[error("an overhead of {0} per frame; at most 65535 B")]
    Overhead(Bytes),
    /// Clocks that are off by more than a clock is.
    #[error("clocks that are off by up to {0}; at most {MAX_CLOCK_TOLERANCE}")]
    ClockTolerance(PartsPerMillion),
    /// Traffic that has no bytes, or arrives all at once.
    #[error("flow {0:?} has traffic with {1}")]
    Traffic(FlowId, &'static str),
    /// A port is so slow, or a delay so long, that events would lie beyond the range of time.
    #[error(
        "what {0:?} sends could take longer than time can be counted; make the run or delays shorter, or the port faster"
    )]
    BeyondTime(PortId),
    /// A parameter of congestion control is out of its range, or does not fit the others.
    #[error(transparent)]
    Parameter(setpoint_control::Misfit),
    /// Congestion points drop frames of a priority under flow control.
    #[error("congestion points drop frames of priority {}, which flow control is to keep from loss", .0.get())]
    DropsLossless(Priority),
    /// Statistics would begin after the end.
    #[error("measurement begins at {0}, after the end")]
    NothingMeasured(Time),
    /// Bridges cannot be as the spec says, or congestion points cannot be where it says.
    #[error("{0}")]
    Bridges(&'static str),
    /// A spine is not joined to every leaf by one link, or is joined to something else.
    #[error("{0:?} is a spine; a spine has exactly one link to every leaf and no others")]
    Spine(NodeId),
    /// The buffer of an input cannot hold what arrives after a pause was asked for.
    #[error(
        "an input buffer of {room} cannot hold the {needed} that may arrive over {port:?}: xoff and headroom"
    )]
    InputTooSmall {
        /// The port whose frames come in.
        port: PortId,
        /// XOFF and what may arrive after it, in whole units.
        needed: Bytes,
        /// The room, in whole units.
        room: Bytes,
    },
    /// A single frame does not fit into the buffer.
    #[error("flow {0:?} has frames of {1}, which do not fit into a buffer of {2}")]
    FrameBeyondBuffer(FlowId, Bytes, Bytes),
    /// XON above XOFF.
    #[error("xon ({1}) is above xoff ({0})")]
    XonAboveXoff(Bytes, Bytes),
    /// A weight of zero.
    #[error("flow {0:?} has weight 0; a weight is at least 1")]
    ZeroWeight(FlowId),
    /// A change names a flow or port that does not exist.
    #[error("change {0} names something that does not exist")]
    UnknownTarget(usize),
    /// The network is larger than the engine's ids.
    #[error("{0} {1}, and the engine holds at most {2}")]
    TooMany(usize, &'static str, usize),
    /// The sample interval is zero.
    #[error("the sample interval is zero")]
    ZeroInterval,
    /// No pause quanta.
    #[error("a pause of 0 quanta releases the link; give at least 1")]
    ZeroQuanta,
}

/// Why a run stopped before its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SimError {
    /// The spec makes no sense.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A frame had no room where none may be lost.
    #[error("a frame of flow {flow:?} was lost at {at} at the input from {port:?}, priority {}: {occupied} of {room} were occupied although the priority is lossless", priority.get())]
    Lost {
        /// When.
        at: Time,
        /// The port whose frames had no room at the bridge it feeds.
        port: PortId,
        /// The priority.
        priority: Priority,
        /// The flow.
        flow: FlowId,
        /// Bytes held of this input.
        occupied: Bytes,
        /// Bytes that may be held.
        room: Bytes,
    },
    /// The books of a flow do not balance: a bug in the simulator.
    #[error(
        "the books of flow {flow:?} do not balance at {at}: {sent} sent and {copied} copied, but {delivered} delivered, {dropped} dropped, {unwanted} unwanted, {queued} queued and {in_flight} in flight"
    )]
    Unbalanced {
        /// When.
        at: Time,
        /// The flow.
        flow: FlowId,
        /// Bytes that left the station.
        sent: Bytes,
        /// Bytes that bridges added, of a flow to a group.
        copied: Bytes,
        /// Bytes that arrived.
        delivered: Bytes,
        /// Bytes dropped.
        dropped: Bytes,
        /// Bytes that ended at a bridge with no member of the group behind it.
        unwanted: Bytes,
        /// Bytes in queues.
        queued: Bytes,
        /// Bytes on links.
        in_flight: Bytes,
    },
    /// The run has more events than the engine can keep in order.
    #[error("the run is too long: it stopped at {at} after {events} events; make it shorter or smaller")]
    TooLong {
        /// When.
        at: Time,
        /// Events so far.
        events: u64,
    },
    /// More frames are inside a distributed bridge than the engine can tell apart.
    #[error("more than {most} frames are inside the fabric at {at}; make buffers smaller or frames longer")]
    TooCrowded {
        /// When.
        at: Time,
        /// How many there can be.
        most: usize,
    },
    /// The run has grown beyond the memory it may take.
    #[error(
        "the run takes {used} of memory at {at}, and the limit is {limit}; {part} of it for {}: {}",
        most.name(),
        most.remedy()
    )]
    OutOfMemory {
        /// When.
        at: Time,
        /// What it takes.
        used: Bytes,
        /// What it may take.
        limit: Bytes,
        /// What takes most.
        most: MemoryPart,
        /// How much that takes.
        part: Bytes,
    },
    /// The monitor asked to stop.
    #[error("stopped at {at}")]
    Stopped {
        /// When.
        at: Time,
    },
}
