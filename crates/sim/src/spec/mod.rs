//! The input of a simulation: plain, complete data without defaults.

mod cioq;
mod group;
mod scheduling;
mod shared_buffer;

use setpoint_control::{
    Algorithm, Answers, Audience, CongestionPointParams, GroupParams, Marking, NotificationPointParams, Path,
    React, ReactionPoint, ReactionPointParams,
};
use setpoint_units::{Bytes, PartsPerMillion, Rate, Time, TimeDelta};

use crate::ids::{FlowId, GroupId, LinkId, NodeId, PortId, Priority, PrioritySet};
use crate::topology::Topology;
use crate::traffic::Traffic;

pub use crate::traffic::MessageOrder;
pub use cioq::{Bridges, Cells, Cioq, Delivery, Spraying};
pub use group::{Destination, GroupSpec};
pub use scheduling::{Ets, Scheduling};
pub use shared_buffer::{Alpha, HeadroomPool, SharedBuffer};

/// A complete experiment: a network, its traffic, and the changes to both over time.
///
/// ```
/// use setpoint_control::{Audience, CongestionPointParams, GroupParams, Marking, NotificationPointParams, ReactionPointParams};
/// use setpoint_sim::topology::Star;
/// use setpoint_sim::{
///     Bridges, ControlSpec, FlowControl, Placement, Priority, PrioritySet, Recording, SampledFrames, SimError,
///     Scheduling, Spec, SpecError, Unwatched, simulate, validate,
/// };
/// use setpoint_units::{Bytes, PartsPerMillion, Rate, Time, TimeDelta};
///
/// // An idle network without congestion control.
/// let spec = Spec {
///     topology: Star { stations: 2, rate: Rate::from_gbps(10), delay: TimeDelta::from_micros(1) }.build(),
///     flows: Vec::new(),
///     groups: Vec::new(),
///     control: ControlSpec {
///         congestion_point: CongestionPointParams::None,
///         notification_point: NotificationPointParams::None,
///         reaction_point: ReactionPointParams::None,
///         placement: Placement::Outputs,
///         marking: Marking::Arrival,
///         keep_alive: None,
///         group: GroupParams::default(),
///         priorities: PrioritySet::NONE,
///         sampled: SampledFrames::Enqueued,
///         audience: Audience::Sampled,
///         limiters_per_station: 0,
///         notification_priority: Priority::new(6).unwrap(),
///         notification_size: Bytes::new(64),
///         reaction_delay: TimeDelta::ZERO,
///     },
///     flow_control: FlowControl::None,
///     bridges: Bridges::OutputQueued,
///     scheduling: Scheduling::Strict,
///     buffer: Bytes::new(150_000),
///     overhead: Bytes::new(20),
///     clock_tolerance: PartsPerMillion::ZERO,
///     changes: Vec::new(),
///     rerouting_delay: TimeDelta::ZERO,
///     sample_interval: TimeDelta::from_micros(100),
///     recording: Recording::Series,
///     records_pauses: false,
///     measure_from: Time::ZERO,
///     measure_messages_until: None,
///     duration: TimeDelta::from_millis(1),
///     seed: 1,
/// };
/// let outcome = simulate(&spec, &mut Unwatched)?;
/// assert_eq!(outcome.end, Time::ZERO + TimeDelta::from_millis(1));
/// assert_eq!(outcome.packet_hops, 0);
///
/// let unsampled = Spec { sample_interval: TimeDelta::ZERO, ..spec };
/// assert_eq!(validate(&unsampled), Err(SpecError::ZeroInterval));
/// # Ok::<(), SimError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Spec {
    /// Nodes and links.
    pub topology: Topology,
    /// The flows, indexed by [`FlowId`].
    pub flows: Vec<FlowSpec>,
    /// The multicast groups, indexed by [`GroupId`].
    pub groups: Vec<GroupSpec>,
    /// Congestion points, reaction points and notifications.
    pub control: ControlSpec,
    /// Link-level flow control.
    pub flow_control: FlowControl,
    /// The internal structure of bridges.
    pub bridges: Bridges,
    /// How ports choose among priorities.
    pub scheduling: Scheduling,
    /// Buffer space for waiting frames per output port and priority of a bridge. In an output-queued bridge,
    /// input thresholds limit a priority under flow control instead, and its queue may exceed this size. Bridges with a shared
    /// buffer do not use it.
    pub buffer: Bytes,
    /// Preamble and gap added to every frame on the wire.
    pub overhead: Bytes,
    /// The largest clock offset of a station in either direction. Each station has a fixed offset, drawn from
    /// the seed.
    pub clock_tolerance: PartsPerMillion,
    /// Changes during the run, in any order.
    pub changes: Vec<TimedChange>,
    /// The time from the failure or recovery of a link until routes take it into account.
    pub rerouting_delay: TimeDelta,
    /// The interval at which queues and rates are sampled.
    pub sample_interval: TimeDelta,
    /// The samples to keep.
    pub recording: Recording,
    /// Whether to list the changes of the paused priorities of every port in [`Outcome::pauses`](crate::Outcome::pauses).
    pub records_pauses: bool,
    /// The time at which statistics begin (series are recorded from the start).
    pub measure_from: Time,
    /// Messages offered at or after this time are not measured. If `None`, all messages up to the end are measured.
    pub measure_messages_until: Option<Time>,
    /// The duration of the run.
    pub duration: TimeDelta,
    /// The seed of every random stream.
    pub seed: u64,
}

impl Spec {
    /// Whether any link fails during the run.
    pub fn has_failures(&self) -> bool {
        self.changes.iter().any(|timed| matches!(timed.change, Change::LinkDown(_)))
    }

    /// Whether `buffer` limits the queues of any flow. In output-queued bridges, input thresholds limit the queues under
    /// flow control instead; a shared buffer limits all queues.
    pub fn buffer_limits_flows(&self) -> bool {
        let protected = self.flow_control.protected();
        match self.bridges {
            Bridges::OutputQueued => !self.flows.iter().all(|flow| protected.contains(flow.priority)),
            Bridges::SharedBuffer(_) => false,
            Bridges::Cioq(_) => true,
        }
    }

    /// The shared buffer of each bridge, if bridges have one.
    pub fn shared_buffer(&self) -> Option<&SharedBuffer> {
        match &self.bridges {
            Bridges::SharedBuffer(shared) => Some(shared),
            Bridges::OutputQueued | Bridges::Cioq(_) => None,
        }
    }
}

/// The samples that a run keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recording {
    /// All samples, as series.
    Series,
    /// Only the last sample, so that memory does not grow with the number of samples.
    LastSample,
}

/// One flow.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowSpec {
    /// The name shown to users.
    pub name: String,
    /// The sending station.
    pub source: NodeId,
    /// The receiving station or group.
    pub destination: Destination,
    /// The priority of its frames.
    pub priority: Priority,
    /// Length of a full frame; the last frame of a message may be shorter.
    pub frame: Bytes,
    /// The data it has to send.
    pub traffic: Traffic,
    /// The order in which its messages are sent, if its traffic consists of several.
    pub messages: MessageOrder,
    /// The time at which it starts.
    pub start: Time,
    /// The time at which it stops offering frames, if ever.
    pub stop: Option<Time>,
    /// Its share of the station's port among waiting flows, and of a link where congestion points divide the
    /// bandwidth.
    pub weight: u32,
    /// The account to which congestion points that divide a link charge its frames. Flows with the
    /// same number are counted together and should have the same weight and `max`.
    pub tenant: u32,
    /// The maximum bandwidth that its tenant should get at congestion points that divide a link, or `None`
    /// for no maximum. Unlike `cap`, it does not limit the sender directly.
    pub max: Option<Rate>,
    /// The highest rate at which it may send, if lower than its port's rate. If its messages are independent, this applies
    /// to each message.
    pub cap: Option<Rate>,
    /// Whether it can be notified and rate-limited.
    pub reaction: Reaction,
}

impl FlowSpec {
    /// Whether each of its messages is sent like a separate flow. A flow with a single message needs no separate treatment.
    pub(crate) fn sends_independent_messages(&self) -> bool {
        let is_single = matches!(self.traffic, Traffic::Message { .. });
        self.messages == MessageOrder::Independent && self.traffic.sends_messages() && !is_single
    }

    /// The order in which its messages are sent, if it has several.
    pub(crate) fn message_order(&self) -> MessageOrder {
        if self.sends_independent_messages() { MessageOrder::Independent } else { MessageOrder::InOrder }
    }
}

/// Whether a flow takes part in congestion control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// Its frames are sampled, and notifications limit its rate.
    Controlled,
    /// Background traffic: congestion points count and sample its frames like any others but send it no
    /// notifications.
    Uncontrolled,
}

/// Congestion control in the network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ControlSpec {
    /// The congestion points at the ports given by `placement`, for every priority in `priorities`.
    pub congestion_point: CongestionPointParams,
    /// Where congestion points are.
    pub placement: Placement,
    /// The rule by which a congestion point at an input chooses the flow that it notifies. A congestion point at an
    /// output, where frames leave in order of arrival, notifies the source of the sampled frame.
    pub marking: Marking,
    /// The keep-alive interval in bytes at the link rate: an input that has paused its sender
    /// continues to sample its buffer at this interval, starting at the request. `None` disables
    /// it.
    pub keep_alive: Option<Bytes>,
    /// The notification point of every flow, at its receiver.
    pub notification_point: NotificationPointParams,
    /// The reaction point of every rate limiter in a station.
    pub reaction_point: ReactionPointParams,
    /// How the limiter of a flow to a group combines notifications from several congestion points.
    pub group: GroupParams,
    /// The priorities under congestion control.
    pub priorities: PrioritySet,
    /// The frames that a congestion point observes if frames are dropped.
    pub sampled: SampledFrames,
    /// The flows that a congestion point at an output notifies. At inputs only [`Audience::Sampled`] is
    /// possible.
    pub audience: Audience,
    /// Rate limiters per station and priority. A flow that is notified when all are in use shares
    /// one of them. With zero limiters, no flow is limited.
    pub limiters_per_station: u32,
    /// The priority of notifications and replies.
    pub notification_priority: Priority,
    /// The length of a notification or reply.
    pub notification_size: Bytes,
    /// Time between the arrival of a notification or reply and the limiter's reaction.
    pub reaction_delay: TimeDelta,
}

impl ControlSpec {
    /// Whether receivers acknowledge frames, so that sources know round-trip times and bytes in flight.
    pub fn acknowledges(&self) -> bool {
        self.notification_point.answers() == Answers::EveryFrame
    }

    /// Whether its congestion points mark frames.
    pub fn marks(&self) -> bool {
        let needs = self.congestion_point.needs();
        needs.marks || needs.departures
    }

    /// Whether its reaction points compute the load of their paths.
    pub fn computes_load(&self) -> bool {
        ReactionPoint::new(&self.reaction_point, &Path::at(Rate::MIN)).load().is_some()
    }

    /// The algorithm of its congestion points or, if bridges have none, of its notification points.
    pub const fn algorithm(&self) -> Algorithm {
        match self.congestion_point.algorithm() {
            Algorithm::None => self.notification_point.algorithm(),
            algorithm => algorithm,
        }
    }

    /// Whether receivers may send replies with one of the given priorities.
    pub(crate) fn replies_in(&self, priorities: PrioritySet) -> bool {
        self.notification_point.answers() != Answers::Never && priorities.contains(self.notification_priority)
    }
}

/// The ports of a bridge that have congestion points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// Outputs, as in IEEE 802.1Qau: each congestion point observes its output's queue.
    #[default]
    Outputs,
    /// Inputs: each congestion point observes its input's buffer. Requires bridges with input buffers.
    Inputs,
    /// Outputs and inputs.
    Both,
}

impl Placement {
    /// Whether this side of a bridge has congestion points.
    pub const fn includes(self, side: Side) -> bool {
        matches!((self, side), (Self::Both, _) | (Self::Outputs, Side::Output) | (Self::Inputs, Side::Input))
    }
}

/// A side of a bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The side where frames leave.
    Output,
    /// The side where frames arrive.
    Input,
}

/// The frames that a congestion point samples. The choice matters only if frames are dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SampledFrames {
    /// Frames that enter the queue.
    #[default]
    Enqueued,
    /// All arriving frames. A dropped frame is sampled with the current queue length, which does not include
    /// it.
    Arriving,
}

/// Link-level flow control, based on the occupancy of a bridge's inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowControl {
    /// None: a full buffer drops frames.
    None,
    /// IEEE 802.3x: one threshold per input port; a pause stops the whole link.
    Pause(PauseParams),
    /// IEEE 802.1Qbb: thresholds per input port and priority, for the given priorities; frames of
    /// other priorities may be dropped.
    Pfc(PauseParams, PrioritySet),
}

impl FlowControl {
    /// The thresholds, if flow control is on.
    pub const fn params(&self) -> Option<PauseParams> {
        match self {
            Self::None => None,
            Self::Pause(params) | Self::Pfc(params, _) => Some(*params),
        }
    }

    /// The lossless priorities.
    pub const fn protected(&self) -> PrioritySet {
        match self {
            Self::None => PrioritySet::NONE,
            Self::Pause(_) => PrioritySet::ALL,
            Self::Pfc(_, priorities) => *priorities,
        }
    }

    /// The number of counters that an input has for the protected priorities in use.
    pub(crate) const fn counters(&self, used: PrioritySet) -> u32 {
        match self {
            Self::None => 0,
            Self::Pause(_) => 1,
            Self::Pfc(..) => used.0.count_ones(),
        }
    }
}

/// The rules for pausing the sender of a link: thresholds and durations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PauseParams {
    /// The occupancy above which the bridge pauses the sender.
    pub xoff: Bytes,
    /// The occupancy at or below which it releases the sender.
    pub xon: Bytes,
    /// Buffer space above `xoff` for frames still in transit.
    pub headroom: Headroom,
    /// Pause time in quanta of 512 bit times.
    pub quanta: u16,
    /// The time that a sender takes to obey a pause frame. It takes the same time to obey a release.
    pub response: PauseResponse,
}

/// The time that a sender takes to obey a pause frame, counted from the arrival of the frame at the sender's MAC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PauseResponse {
    /// A fixed time.
    Fixed(TimeDelta),
    /// The longest time that IEEE 802.3, 31B.3.7, allows at the speed of the link, minus the delay of the sender's
    /// interface, which the standard includes.
    Ieee8023,
    /// The longest time that IEEE 802.1Q, 36.1.3, allows.
    Ieee8021Q,
}

impl PauseResponse {
    /// A sender obeys at once.
    pub const IMMEDIATE: Self = Self::Fixed(TimeDelta::ZERO);
}

/// Buffer space for frames that arrive after the decision to pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Headroom {
    /// The amount that each link needs so that no frame is lost in this run; see [`crate::link_budgets`].
    Automatic,
    /// A fixed amount. If it is too small, the run stops at the first frame that finds no buffer space.
    Fixed(Bytes),
}

/// A change at a given time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedChange {
    /// The time at which it takes effect.
    pub at: Time,
    /// The change itself.
    pub change: Change,
}

/// A change to the network or its traffic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// A port's rate changes, starting with its next frame. Between a leaf and a spine, cells for
    /// which buffer space is already reserved are still sent at the old rate.
    PortRate(PortId, Rate),
    /// A link fails in both directions. Frames on it are lost, and so are all frames that bridges send to it until routes
    /// avoid it ([`Spec::rerouting_delay`]). A station whose link has failed holds its frames. Pauses end at both ends.
    LinkDown(LinkId),
    /// A link that failed carries frames again.
    LinkUp(LinkId),
    /// A flow starts or resumes offering frames.
    StartFlow(FlowId),
    /// A flow stops offering frames; frames that have left the station continue.
    StopFlow(FlowId),
    /// A flow's weight changes.
    Weight(FlowId, u32),
    /// The maximum bandwidth of a flow's tenant, at congestion points that divide a link, changes
    /// or is removed.
    Max(FlowId, Option<Rate>),
    /// A flow's cap changes or is removed.
    Cap(FlowId, Option<Rate>),
    /// A station joins a group: from then on, bridges copy the frames that they receive to this station too.
    Join(GroupId, NodeId),
    /// A station leaves a group: bridges create no further copies for it. Frames already in transit still
    /// arrive and count.
    Leave(GroupId, NodeId),
    /// Reaction points get new parameters and keep their state.
    ReactionPoint(ReactionPointParams),
}
