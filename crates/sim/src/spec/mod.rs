//! What to simulate: plain data, complete, with nothing left to default.

mod cioq;
mod group;

use setpoint_control::{CongestionPointParams, GroupParams, Marking, ReactionPointParams};
use setpoint_units::{Bytes, PartsPerMillion, Rate, Time, TimeDelta};

use crate::ids::{FlowId, GroupId, NodeId, PortId, Priority, PrioritySet};
use crate::topology::Topology;
use crate::traffic::Traffic;

pub use cioq::{Bridges, Cells, Cioq, Delivery, Spraying};
pub use group::{Destination, GroupSpec};

/// A whole experiment: a network, what crosses it, and what happens to both over time.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Nodes and links.
    pub topology: Topology,
    /// The flows, indexed by [`FlowId`].
    pub flows: Vec<FlowSpec>,
    /// The multicast groups, indexed by [`GroupId`].
    pub groups: Vec<GroupSpec>,
    /// Congestion points, reaction points and how they talk.
    pub control: ControlSpec,
    /// Link-level flow control.
    pub flow_control: FlowControl,
    /// How bridges work inside.
    pub bridges: Bridges,
    /// Room for waiting frames per output port and priority of a bridge. In an output-queued bridge a priority
    /// that is under flow control is bounded by its input thresholds instead and may go beyond this.
    pub buffer: Bytes,
    /// Preamble and gap added to every frame on the wire.
    pub overhead: Bytes,
    /// How far the clock of a station may be off, either way; each has a fixed offset, drawn from the seed.
    pub clock_tolerance: PartsPerMillion,
    /// What changes while the run goes on, in any order.
    pub changes: Vec<TimedChange>,
    /// How often queues and rates are sampled.
    pub sample_interval: TimeDelta,
    /// What is kept of the samples.
    pub recording: Recording,
    /// Statistics are taken from here on (series are recorded from the start).
    pub measure_from: Time,
    /// How long the run lasts.
    pub duration: TimeDelta,
    /// From this every random stream is derived.
    pub seed: u64,
}

/// What is kept of the samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recording {
    /// All of them, as series.
    Series,
    /// The last one: memory then does not grow with the number of samples.
    LastSample,
}

/// One flow.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowSpec {
    /// A name for people.
    pub name: String,
    /// The sending station.
    pub source: NodeId,
    /// Who receives them.
    pub destination: Destination,
    /// The priority of its frames.
    pub priority: Priority,
    /// Length of a full frame; the last frame of a message may be shorter.
    pub frame: Bytes,
    /// What there is to send.
    pub traffic: Traffic,
    /// When it starts.
    pub start: Time,
    /// When it stops offering frames, if it does.
    pub stop: Option<Time>,
    /// Its share of the station's port among flows that wait for it, and of a link where congestion points
    /// divide it.
    pub weight: u32,
    /// On whose account its frames are at congestion points that divide a link: flows of one number are
    /// counted together, and should have one weight and one `max`.
    pub tenant: u32,
    /// The most that congestion points which divide a link are to give its tenant; none for no bound. Nothing
    /// holds the sender to it, as `cap` does.
    pub max: Option<Rate>,
    /// The most it may send at, if that is less than its port's rate.
    pub cap: Option<Rate>,
    /// Whether it can be notified and its rate be limited.
    pub reaction: Reaction,
}

/// Whether a flow takes part in congestion control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// Its frames are sampled and notifications limit its rate.
    Controlled,
    /// Congestion points count and sample its frames like any others, and send it no notifications: background traffic.
    Uncontrolled,
}

/// Congestion control in the network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ControlSpec {
    /// At the ports of bridges that `placement` says, for every priority in `priorities`.
    pub congestion_point: CongestionPointParams,
    /// Where congestion points are.
    pub placement: Placement,
    /// Whom a congestion point at an input tells. One at an output, where frames leave as they came, tells the
    /// source of the frame it sampled.
    pub marking: Marking,
    /// Whether congestion points at inputs go on sampling while their input has asked its sender to pause, and
    /// after how many bytes at the link's rate each time, from the request on.
    pub keep_alive: Option<Bytes>,
    /// Behind every rate limiter of a station.
    pub reaction_point: ReactionPointParams,
    /// What a limiter of a flow to a group does with the notifications of several congestion points.
    pub group: GroupParams,
    /// The priorities that are congestion controlled.
    pub priorities: PrioritySet,
    /// Which frames a congestion point sees where frames are dropped.
    pub sampled: SampledFrames,
    /// How many rate limiters a station has for each priority. A flow notified when all are taken joins
    /// one of them; where there are none, no flow is limited.
    pub limiters_per_station: u32,
    /// The priority of notification frames.
    pub notification_priority: Priority,
    /// The length of a notification frame.
    pub notification_size: Bytes,
    /// Time between the arrival of a notification and the limiter's obeying it.
    pub reaction_delay: TimeDelta,
}

/// At which ports of a bridge congestion points are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// At outputs, as in IEEE 802.1Qau: each watches the queue of its output.
    #[default]
    Outputs,
    /// At inputs: each watches the buffer of its input. Only bridges with input buffers have room for them.
    Inputs,
    /// At outputs and inputs.
    Both,
}

impl Placement {
    /// Whether there are congestion points at a side of a bridge.
    #[must_use]
    pub const fn includes(self, side: Side) -> bool {
        matches!((self, side), (Self::Both, _) | (Self::Outputs, Side::Output) | (Self::Inputs, Side::Input))
    }
}

/// A side of a bridge: where frames come in or where they leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Frames leave.
    Output,
    /// Frames come in.
    Input,
}

/// The frames among which a congestion point takes its samples. Where nothing is dropped they are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SampledFrames {
    /// Those that enter the queue.
    #[default]
    Enqueued,
    /// All that come, dropped or not. A dropped one is shown with the queue as it is, without the frame.
    Arriving,
}

/// Link-level flow control from the occupancy of a bridge's inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowControl {
    /// None: a full buffer drops.
    None,
    /// IEEE 802.3x: one threshold per input port, the whole link pauses.
    Pause(PauseParams),
    /// IEEE 802.1Qbb: thresholds per input port and priority; other priorities may drop.
    Pfc(PauseParams, PrioritySet),
}

impl FlowControl {
    /// Thresholds, if there is any flow control.
    #[must_use]
    pub const fn params(&self) -> Option<PauseParams> {
        match self {
            Self::None => None,
            Self::Pause(params) | Self::Pfc(params, _) => Some(*params),
        }
    }

    /// The priorities that lose nothing.
    #[must_use]
    pub const fn protected(&self) -> PrioritySet {
        match self {
            Self::None => PrioritySet::NONE,
            Self::Pause(_) => PrioritySet::ALL,
            Self::Pfc(_, priorities) => *priorities,
        }
    }

    /// How many counters an input has for protected priorities that are in use.
    #[must_use]
    pub(crate) const fn counters(&self, used: PrioritySet) -> u32 {
        match self {
            Self::None => 0,
            Self::Pause(_) => 1,
            Self::Pfc(..) => used.0.count_ones(),
        }
    }
}

/// When to pause the sender of a link, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PauseParams {
    /// Occupancy above which the link is paused.
    pub xoff: Bytes,
    /// Occupancy at or below which it is released.
    pub xon: Bytes,
    /// Room above `xoff` for what is still on its way.
    pub headroom: Headroom,
    /// Pause time in quanta of 512 bit times.
    pub quanta: u16,
}

/// Room for frames that arrive after a pause was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Headroom {
    /// As much as each link needs so that no frame is lost in this run: see [`crate::link_budgets`].
    Automatic,
    /// A fixed amount; too little of it and the run stops at the first frame without room.
    Fixed(Bytes),
}

/// Something that happens at a given time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedChange {
    /// When.
    pub at: Time,
    /// What.
    pub change: Change,
}

/// A change to the network or its traffic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// A port transmits at another rate, from its next frame on. Between a leaf and a spine, cells that were given
    /// room before that still go at the old rate.
    PortRate(PortId, Rate),
    /// A flow starts to offer frames (again).
    StartFlow(FlowId),
    /// A flow stops offering frames; what has left the station goes on.
    StopFlow(FlowId),
    /// A flow gets another weight.
    Weight(FlowId, u32),
    /// A flow's tenant is given another bound at congestion points that divide a link, or none.
    Max(FlowId, Option<Rate>),
    /// A flow is capped, or freed of its cap.
    Cap(FlowId, Option<Rate>),
    /// A station becomes a member of a group: bridges copy for it what they receive from now on.
    Join(GroupId, NodeId),
    /// A station is no longer a member of a group: bridges copy nothing more for it. What is on its way already still
    /// arrives, and counts.
    Leave(GroupId, NodeId),
    /// Reaction points get other parameters and keep their state.
    ReactionPoint(ReactionPointParams),
}
