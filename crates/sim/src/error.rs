//! Errors in a spec, and reasons why a run stops early.

use setpoint_units::{Bytes, PartsPerMillion, Time};

use crate::clock::MAX_CLOCK_TOLERANCE;
use crate::ids::{FlowId, GroupId, LinkId, MessageId, NodeId, PortId, Priority};
use crate::memory::MemoryPart;

/// An inconsistent or impossible spec.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// A station has no link, or more than one.
    #[error("station {0:?} has {1} links; a station must have exactly one")]
    StationLinks(NodeId, usize),
    /// A flow begins or ends at a bridge.
    #[error("flow {0:?} begins or ends at {1:?}, which is not a station")]
    NotAStation(FlowId, NodeId),
    /// A flow's source is also its destination.
    #[error("flow {0:?} has the same source and destination")]
    Loop(FlowId),
    /// There is no path to the flow's destination.
    #[error("flow {0:?} cannot reach its destination")]
    Unreachable(FlowId),
    /// There is no path to a member of a flow's group.
    #[error("flow {0:?} cannot reach {1:?}, a member of its group")]
    UnreachableMember(FlowId, NodeId),
    /// A group has no initial members, and no station ever joins it.
    #[error("{0:?} has no members")]
    EmptyGroup(GroupId),
    /// A member of a group is a bridge.
    #[error("{1:?} is a member of {0:?} but not a station")]
    NotAMember(GroupId, NodeId),
    /// A group lists the same member twice.
    #[error("{1:?} is listed twice as a member of {0:?}")]
    MemberTwice(GroupId, NodeId),
    /// A station joins a group it is already in, or leaves one it is not in.
    #[error("change {0} makes a station join a group it is already in, or leave a group it is not in")]
    Membership(usize),
    /// A flow's destination group does not exist.
    #[error("flow {0:?} is addressed to {1:?}, which does not exist")]
    UnknownGroup(FlowId, GroupId),
    /// A flow's source is a member of the group it sends to.
    #[error("flow {0:?} is addressed to {1:?}, but its source is a member of that group")]
    InOwnGroup(FlowId, GroupId),
    /// A message flow is addressed to a group.
    #[error("flow {0:?} sends messages to a group, but they would reach each member at a different time")]
    GroupMessages(FlowId),
    /// A flow with dependent messages is stopped or started again.
    #[error("flow {0:?} sends messages that wait for others; such a flow starts once and does not stop")]
    DependentStops(FlowId),
    /// A message waits for a message that does not exist.
    #[error("message {} of flow {:?} waits for message {} of flow {:?}, which does not exist", .0.number, .0.flow, .1.number, .1.flow)]
    UnknownMessage(MessageId, MessageId),
    /// A message waits for a message of other stations.
    #[error(
        "message {} of flow {:?} waits for message {} of flow {:?}, which its station neither sends nor receives; let that station send it a message", .0.number, .0.flow, .1.number, .1.flow
    )]
    ForeignMessage(MessageId, MessageId),
    /// A message waits for itself, directly or indirectly.
    #[error("message {} of flow {:?} waits for itself, through the messages that it waits for", .0.number, .0.flow)]
    DependencyCycle(MessageId),
    /// A frame is empty or longer than 65 535 bytes.
    #[error("flow {0:?} has frames of {1}; a frame must be 1 B to 65535 B long")]
    FrameSize(FlowId, Bytes),
    /// A notification frame is empty or longer than 65 535 bytes.
    #[error("notification frames are {0} long; a frame must be 1 B to 65535 B long")]
    NotificationSize(Bytes),
    /// The preamble and gap together are longer than any frame.
    #[error("the overhead per frame is {0}; the maximum is 65535 B")]
    Overhead(Bytes),
    /// The clock tolerance is larger than the simulator supports.
    #[error("the clock tolerance is {0}; the maximum is {MAX_CLOCK_TOLERANCE}")]
    ClockTolerance(PartsPerMillion),
    /// The traffic has no bytes, or all of it arrives at once.
    #[error("flow {0:?} has traffic with {1}")]
    Traffic(FlowId, &'static str),
    /// A port is so slow, or a delay so long, that events would exceed the range of time.
    #[error(
        "transmissions of {0:?} could end beyond the range of time; shorten the run or its delays, or make the port faster"
    )]
    BeyondTime(PortId),
    /// A congestion-control parameter is out of range or inconsistent with the others.
    #[error(transparent)]
    Parameter(setpoint_control::Misfit),
    /// Congestion points drop frames of a priority under flow control.
    #[error("congestion points drop frames of priority {}, which flow control protects from loss", .0.get())]
    DropsLossless(Priority),
    /// The measurement of messages would end before measurement begins.
    #[error("messages are measured until {0}, but measurement has not begun by then")]
    NoMessagesMeasured(Time),
    /// The measurement interval would begin after the end of the run.
    #[error("measurement begins at {0}, after the end of the run")]
    NothingMeasured(Time),
    /// The bridge model and the placement of congestion points are incompatible.
    #[error("{0}")]
    Bridges(&'static str),
    /// A spine does not have exactly one link to every leaf, or is linked to another kind of node.
    #[error("{0:?} is a spine; a spine must have exactly one link to every leaf and no other links")]
    Spine(NodeId),
    /// An input buffer cannot hold the frames that arrive after the bridge requests a pause.
    #[error("an input buffer of {room} cannot hold the {needed} of xoff and headroom that {port:?} needs")]
    InputTooSmall {
        /// The port that sends to the input.
        port: PortId,
        /// XOFF and headroom, in whole units.
        needed: Bytes,
        /// The buffer, in whole units.
        room: Bytes,
    },
    /// The reserves and the headroom pool of a bridge leave no space for a frame in its shared buffer.
    #[error(
        "a shared buffer of {size} cannot hold the reserves ({reserves}), the headroom pool ({headroom_pool}) of {bridge:?} and one frame: it is {short_by} too small"
    )]
    SharedTooSmall {
        /// The bridge.
        bridge: NodeId,
        /// The buffer.
        size: Bytes,
        /// The sum of the reserves.
        reserves: Bytes,
        /// The headroom pool.
        headroom_pool: Bytes,
        /// The missing space.
        short_by: Bytes,
    },
    /// A single frame does not fit into a buffer.
    #[error("flow {0:?} has frames of {1}, which do not fit into a buffer of {2}")]
    FrameBeyondBuffer(FlowId, Bytes, Bytes),
    /// XON is above XOFF.
    #[error("xon ({1}) is above xoff ({0})")]
    XonAboveXoff(Bytes, Bytes),
    /// A flow's weight is zero.
    #[error("flow {0:?} has weight 0; a weight must be at least 1")]
    ZeroWeight(FlowId),
    /// A change names a flow or port that does not exist.
    #[error("change {0} names something that does not exist")]
    UnknownTarget(usize),
    /// A link fails while it is down, or recovers while it is up.
    #[error("change {0} makes a link fail while it is down, or recover while it is up")]
    LinkState(usize),
    /// A link between a leaf and a spine fails.
    #[error("{0:?} is inside a distributed bridge; only links between bridges and stations can fail")]
    FailureInside(LinkId),
    /// The network has more components than the simulator's indices can address.
    #[error("{0} {1}; the simulator supports at most {2}")]
    TooMany(usize, &'static str, usize),
    /// The sample interval is zero.
    #[error("the sample interval is zero")]
    ZeroInterval,
    /// Points defined outside the simulator cannot replace those of the spec.
    #[error("controllers defined outside the simulator cannot run in this scenario: {0}")]
    Controllers(&'static str),
    /// The network cannot carry the replies of receivers.
    #[error("this control cannot run in this network: {0}")]
    Replies(&'static str),
    /// The pause time is zero quanta.
    #[error("a pause of 0 quanta would release the link; set at least 1")]
    ZeroQuanta,
}

/// The reason why a run stopped before its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SimError {
    /// The spec is invalid.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A frame of a lossless priority found no buffer space.
    #[error("a frame of flow {flow:?} was lost at {at} at the input from {port:?}, priority {}: {occupied} of {room} were occupied, although the priority is lossless", priority.get())]
    Lost {
        /// The time at which the frame was lost.
        at: Time,
        /// The port that sent the frame to the bridge where it was lost.
        port: PortId,
        /// The frame's priority.
        priority: Priority,
        /// The frame's flow.
        flow: FlowId,
        /// Bytes from this input that the bridge held.
        occupied: Bytes,
        /// Bytes from this input that the bridge may hold.
        room: Bytes,
    },
    /// A flow's byte counts do not balance: a bug in the simulator.
    #[error(
        "the books of flow {flow:?} do not balance at {at}: {sent} sent and {copied} copied, but {delivered} delivered, {dropped} dropped, {unwanted} unwanted, {queued} queued and {in_flight} in flight"
    )]
    Unbalanced {
        /// The time at which the imbalance was found.
        at: Time,
        /// The flow.
        flow: FlowId,
        /// Bytes that left the station.
        sent: Bytes,
        /// Bytes of copies that bridges created, for a flow to a group.
        copied: Bytes,
        /// Bytes that arrived.
        delivered: Bytes,
        /// Bytes dropped.
        dropped: Bytes,
        /// Bytes discarded at a bridge with no member of the group behind it.
        unwanted: Bytes,
        /// Bytes in queues.
        queued: Bytes,
        /// Bytes on links.
        in_flight: Bytes,
    },
    /// The run exceeded its memory limit.
    #[error(
        "the run uses {used} of memory at {at}, above its limit of {limit}; {part} of it is for {}: {}",
        most.name(),
        most.remedy()
    )]
    OutOfMemory {
        /// The time at which the limit was exceeded.
        at: Time,
        /// Memory in use.
        used: Bytes,
        /// The memory limit.
        limit: Bytes,
        /// The part that uses the most memory.
        most: MemoryPart,
        /// Memory used by that part.
        part: Bytes,
    },
    /// The monitor asked to stop.
    #[error("stopped at {at}")]
    Stopped {
        /// The time at which the run stopped.
        at: Time,
    },
}

impl SimError {
    /// The port at which a frame was lost; used to order losses at the same time.
    pub(crate) fn port(&self) -> Option<PortId> {
        match self {
            Self::Lost { port, .. } => Some(*port),
            _ => None,
        }
    }
}
