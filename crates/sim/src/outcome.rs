//! The results of a run.

mod dependent;
mod links;
mod pauses;
mod sources;

use setpoint_control::{Counters, CpCounters, CulpritCounters};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use crate::ids::{FlowId, NodeId, PortId, Priority};
use crate::lossless::SharedBudget;
use crate::spec::Side;

pub use dependent::{DependentOutcome, Passage};
pub use links::{FailedLink, FailureLosses, LinkLosses, LinkOutcome};
pub use pauses::PauseChange;
pub use sources::{RoundTrips, SourceOutcome};

/// Everything that was measured in a run. Each series has one entry per sample interval; the first entry is
/// taken at the end of the first interval.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The time at which the run ended.
    pub end: Time,
    /// The sample interval of the series.
    pub sample_interval: TimeDelta,
    /// The time at which measurement began; statistics cover the time from then to the end.
    pub measure_from: Time,
    /// Messages offered at or after this time are not measured, but they load the network until the end so that
    /// earlier messages complete under load.
    pub measure_messages_until: Option<Time>,
    /// Events processed.
    pub events: u64,
    /// Data frames that crossed a link, counted once per link; between leaves and spines of a distributed
    /// bridge, cells.
    pub packet_hops: u64,
    /// One entry per flow, indexed by [`FlowId`].
    pub flows: Vec<FlowOutcome>,
    /// One entry per flow whose source has received an acknowledgement, ordered by flow.
    pub sources: Vec<SourceOutcome>,
    /// One entry per bridge port and priority that carries a flow, ordered by port and priority; output
    /// queues come before input buffers.
    pub queues: Vec<QueueOutcome>,
    /// One entry per port that sent anything or was paused, ordered by port; ports between leaves and spines
    /// of a distributed bridge are not included.
    pub ports: Vec<PortOutcome>,
    /// Messages that were delivered completely, in order of completion. If a run has more than a million
    /// messages, counting every fate, those offered outside the measurement interval are left out; if there
    /// are still more, a random million is kept.
    pub messages: Vec<MessageOutcome>,
    /// Messages that were not delivered completely, in the order in which they were offered, subject to the
    /// same limit.
    pub messages_incomplete: Vec<IncompleteMessage>,
    /// The number of messages with each fate, including messages that were not kept.
    pub message_counts: MessageCounts,
    /// Notifications sent by congestion points over the whole run, by quantised feedback from 0 to 63.
    pub feedback: Vec<u64>,
    /// Counters from inside bridges with input buffers.
    pub fabric: FabricOutcome,
    /// The ports that were paused, and the congestion that caused the pauses.
    pub congestion_trees: CongestionTrees,
    /// The first flow-control deadlock; its ports never sent again.
    pub deadlock: Option<Deadlock>,
    /// One entry per link that carries frames under flow control to a bridge, ordered by port.
    pub links: Vec<LinkOutcome>,
    /// One entry per bridge with a shared buffer, in the order of the topology.
    pub shared_buffers: Vec<SharedBufferOutcome>,
    /// One entry per link that failed, in the order of the topology.
    pub failed_links: Vec<FailedLink>,
    /// The changes of the paused priorities of all ports, in chronological order, if the spec records them; those at the same
    /// time are ordered by port.
    pub pauses: Option<Vec<PauseChange>>,
    /// One entry per message that waits for other messages, in the order of the spec.
    pub dependents: Vec<DependentOutcome>,
    /// The hops of the last frames of messages that arrived, in the order of the spec; those of a message are in the
    /// order of its path.
    pub passages: Vec<Passage>,
}

/// The use of a bridge's shared buffer, over the whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedBufferOutcome {
    /// The bridge and the parts of its buffer.
    pub budget: SharedBudget,
    /// The largest use of the shared pool.
    pub shared_peak: Bytes,
    /// The largest use of the headroom pool.
    pub headroom_peak: Bytes,
    /// How often an input paused its sender.
    pub pauses: u64,
    /// Frames that were stored in headroom.
    pub headroom_frames: u64,
    /// Frames dropped because their output queue was at its dynamic threshold.
    pub dropped_above_threshold: u64,
    /// Frames dropped because the shared pool was full.
    pub dropped_by_full_pool: u64,
}

/// The results of a flow. For a flow to a group, delivered and dropped frames are copies; together with the
/// copies in transit they add up to the frames that the station sent and the copies that bridges created
/// ([`Copies`]).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlowOutcome {
    /// Frames that left the station, over the whole run.
    pub sent_frames: u64,
    /// Bytes that left the station, over the whole run.
    pub sent: Bytes,
    /// Frames that arrived, over the whole run.
    pub delivered_frames: u64,
    /// Bytes that arrived, over the whole run.
    pub delivered: Bytes,
    /// Bytes that arrived from [`Outcome::measure_from`] on.
    pub delivered_measured: Bytes,
    /// Frames dropped because of congestion, over the whole run.
    pub dropped_frames: u64,
    /// Bytes dropped because of congestion, over the whole run.
    pub dropped: Bytes,
    /// Frames lost on links that had failed.
    pub lost_on_links: Rarely<FailureLosses>,
    /// Notifications that reached its station, over the whole run.
    pub notifications: u64,
    /// The time at which the first notification arrived.
    pub first_notified: Option<Time>,
    /// Copies of its frames that bridges created, if it goes to a group.
    pub copies: Rarely<Copies>,
    /// The stations that are members of its group at some time during the run, in ascending order; empty for
    /// a flow to one station.
    pub receivers: Vec<ReceiverOutcome>,
    /// Counters of the reaction points that limited it, over the whole run.
    pub reaction: Rarely<Counters>,
    /// Counters of the notification points that replied to its frames, over the whole run.
    pub replies: Rarely<Counters>,
    /// Round-trip times that its acknowledgements show.
    pub round_trips: Rarely<RoundTrips>,
    /// Sum of the one-way delays of delivered frames, from leaving the station to complete arrival, in
    /// picoseconds, from [`Outcome::measure_from`] on.
    pub delay_sum: u128,
    /// Largest one-way delay.
    pub delay_max: TimeDelta,
    /// Number of frames in `delay_sum`.
    pub delay_frames: u64,
    /// Bytes that arrived in each interval.
    pub delivered_series: Vec<u64>,
    /// The rate of its limiter at the end of each interval, or `None` without a limiter.
    pub limit_series: Vec<Option<Rate>>,
    /// Notifications that reached its station in each interval.
    pub notification_series: Vec<u32>,
    /// The time for which the flow was delayed by congestion that it did not cause: it had data to deliver while a port
    /// on its path was paused, for its priority, in a tree whose root is not on its path. Covers the whole run. An
    /// interval between two observations in which the flow ran out of data does not count, so this is a lower bound.
    pub victim: TimeDelta,
}

/// A value that is the default for most flows and takes memory only for the other flows.
///
/// ```
/// use setpoint_sim::{Copies, Rarely};
///
/// let few = Rarely::from(Copies { created_frames: 3, ..Copies::default() });
/// assert_eq!(few.get().created_frames, 3);
/// assert_eq!(Rarely::from(Copies::default()), Rarely::default());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rarely<T>(Option<Box<T>>);

impl<T: Clone + Default> Rarely<T> {
    /// The value.
    pub fn get(&self) -> T {
        self.0.as_deref().cloned().unwrap_or_default()
    }
}

impl<T> Default for Rarely<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Default + PartialEq> From<T> for Rarely<T> {
    fn from(value: T) -> Self {
        Self((value != T::default()).then(|| Box::new(value)))
    }
}

/// How bridges changed the frame count of a flow to a group, over the whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copies {
    /// Copies that bridges created where paths diverge, not counting the original.
    pub created_frames: u64,
    /// Their bytes.
    pub created: Bytes,
    /// Frames discarded at a bridge because none of its ports led to a member.
    pub unwanted_frames: u64,
    /// Their bytes.
    pub unwanted: Bytes,
}

/// The results of a flow for one member of its group.
#[derive(Clone, Debug, PartialEq)]
pub struct ReceiverOutcome {
    /// The member.
    pub station: NodeId,
    /// Frames that arrived, over the whole run.
    pub delivered_frames: u64,
    /// Bytes that arrived, over the whole run.
    pub delivered: Bytes,
    /// Bytes that arrived from [`Outcome::measure_from`] on while it was a member.
    pub delivered_measured: Bytes,
    /// Frames that would have arrived if no bridge had dropped them. A frame dropped before its paths diverge
    /// is lost to every member behind that bridge.
    pub lost_frames: u64,
    /// Their bytes.
    pub lost: Bytes,
    /// One-way delay of delivered frames, as in [`FlowOutcome`].
    pub delay_sum: u128,
    /// Largest one-way delay.
    pub delay_max: TimeDelta,
    /// Frames in `delay_sum`.
    pub delay_frames: u64,
    /// Bytes that arrived in each interval while it was a member.
    pub delivered_series: Vec<u64>,
}

/// The results of one output queue or input buffer of a bridge.
#[derive(Clone, Debug, PartialEq)]
pub struct QueueOutcome {
    /// The port that an output queue feeds, or the port that feeds an input buffer over its link.
    pub port: PortId,
    /// Whether it is an output queue or an input buffer.
    pub side: Side,
    /// The priority.
    pub priority: Priority,
    /// Length over time, from [`Outcome::measure_from`] on.
    pub length: DwellStatistics,
    /// Largest length in the whole run.
    pub peak: Bytes,
    /// Frames dropped here.
    pub dropped_frames: u64,
    /// Bytes dropped here.
    pub dropped: Bytes,
    /// Counters of its congestion point. A sample of background traffic causes no notification.
    pub congestion_point: CpCounters,
    /// Frames that its congestion point marked; none if it never marks.
    pub marked_frames: Option<u64>,
    /// Counters of its congestion point's search for the flow to notify.
    pub culprits: CulpritCounters,
    /// Length at the end of each interval, in bytes.
    pub length_series: Vec<u64>,
    /// Largest length within each interval, in bytes.
    pub largest_series: Vec<u64>,
    /// Time-weighted mean length in each interval, in bytes, rounded down.
    pub mean_series: Vec<u64>,
    /// The largest length it may reach; `None` where flow control prevents drops.
    pub limit: Option<Bytes>,
    /// Notifications sent in each interval.
    pub notification_series: Vec<u32>,
    /// Frames marked in each interval.
    pub mark_series: Vec<u32>,
}

/// The results of a port.
#[derive(Clone, Debug, PartialEq)]
pub struct PortOutcome {
    /// The port.
    pub port: PortId,
    /// Data frames sent, over the whole run.
    pub sent_frames: u64,
    /// Data bytes sent, over the whole run.
    pub sent: Bytes,
    /// Time spent transmitting, from [`Outcome::measure_from`] on.
    pub busy: TimeDelta,
    /// Time during which at least one priority was paused, from [`Outcome::measure_from`] on.
    pub paused: TimeDelta,
    /// PAUSE or PFC frames received that paused the port, not counting renewals.
    pub pauses: u64,
    /// Data bytes sent in each interval.
    pub sent_series: Vec<u64>,
    /// Time spent transmitting in each interval.
    pub busy_series: Vec<TimeDelta>,
    /// Time paused in each interval.
    pub paused_series: Vec<TimeDelta>,
}

/// Counters from inside bridges with input buffers, over the whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FabricOutcome {
    /// Cells sent by leaves.
    pub cells: u64,
    /// Cells that waited at a leaf because the spine had no buffer space for them.
    pub waited_at_leaves: u64,
    /// Cells that waited at the input of a spine because its output had no buffer space for them.
    pub waited_at_spines: u64,
    /// Frames that arrived completely before an older frame from the same virtual output queue and had to
    /// wait for it.
    pub resequenced: u64,
}

/// How pauses spread.
///
/// An input pauses its sender because frames wait for an output. The cause is the output for
/// which the input holds the most bytes. If that output is paused too, the congestion started
/// further downstream: causes are followed from pause to pause to the first output that is not
/// paused, the root of the tree. Here a port counts as paused from the request to the release.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CongestionTrees {
    /// Pauses by paused port, cause and root, in that order.
    pub pauses: Vec<PauseCause>,
    /// The largest number of ports that were paused at the same time.
    pub widest: u32,
    /// The largest depth of a tree: 1 if only ports that feed the root's bridge were paused.
    pub deepest: u32,
}

/// All pauses of one port with the same cause and root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PauseCause {
    /// The port that was asked to pause.
    pub paused: PortId,
    /// The output that its frames waited for, at the bridge that the port feeds.
    pub cause: PortId,
    /// The output where the congestion started.
    pub root: PortId,
    /// Its distance from the root: 1 at the root's bridge; the largest distance if several paths led to the
    /// root.
    pub depth: u32,
    /// The number of pauses.
    pub pauses: u64,
    /// Total time from request to release or the end, over the whole run. Priorities paused at the same time
    /// count separately.
    pub time: TimeDelta,
}

/// A cycle of ports in which each is paused until the next one sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// The time at which it was detected, which is the end of a sample interval. It began after the previous interval,
    /// or a few intervals earlier in a large network, where the search is expensive and runs less often.
    pub at: Time,
    /// The ports in the cycle, starting with the lowest. The frames that each port sent fill the input at its far
    /// end and wait for the next port; those that the last port sent wait for the first.
    pub cycle: Vec<PortId>,
    /// The deadlocked priority; `None` with PAUSE, which stops the whole link.
    pub priority: Option<Priority>,
    /// The number of ports blocked forever when the run ended, in the cycle or behind it.
    pub stuck: u32,
}

/// The distribution of a queue's length over time.
///
/// ```
/// use setpoint_sim::DwellStatistics;
/// use setpoint_units::{Bytes, TimeDelta};
///
/// // Three quarters of the time below 1 kB, one quarter from 1 kB to 2 kB.
/// let dwell = vec![TimeDelta::from_micros(75), TimeDelta::from_micros(25)];
/// let length = DwellStatistics { mean: 750.0, deviation: 500.0, empty: 0.0, dwell, step: Bytes::new(1_000) };
/// assert_eq!(length.quantile(0.75), 1_000.0);
/// assert_eq!(length.quantile(0.9).round(), 1_600.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DwellStatistics {
    /// Time-weighted mean in bytes.
    pub mean: f64,
    /// Time-weighted standard deviation in bytes.
    pub deviation: f64,
    /// Fraction of the time at length zero.
    pub empty: f64,
    /// Time spent in each length step: entry `i` covers lengths from `i * step` (inclusive) to
    /// `(i + 1) * step` (exclusive); the last entry also covers all greater lengths. Trailing
    /// zeros are omitted.
    pub dwell: Vec<TimeDelta>,
    /// The width of an entry of `dwell`.
    pub step: Bytes,
}

impl DwellStatistics {
    /// The length in bytes below which the queue was for a fraction `probability` of the time, interpolated within
    /// a step.
    pub fn quantile(&self, probability: f64) -> f64 {
        let total: f64 = self.dwell.iter().map(|span| span.as_picos() as f64).sum();
        let mut wanted = probability.clamp(0.0, 1.0) * total;
        let step = self.step.get() as f64;
        for (index, span) in self.dwell.iter().enumerate() {
            let span = span.as_picos() as f64;
            if span > 0.0 && wanted <= span {
                return (index as f64 + wanted / span) * step;
            }
            wanted -= span;
        }
        self.dwell.len() as f64 * step
    }
}

/// A message that was delivered completely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageOutcome {
    /// Its flow.
    pub flow: FlowId,
    /// Its size.
    pub size: Bytes,
    /// The time at which it was offered.
    pub offered: Time,
    /// The time at which its last byte arrived.
    pub completed: Time,
    /// The time that it waited for earlier messages of its flow: until the one before it had been sent or, if messages
    /// are independent, until fewer than the maximum number were being sent.
    pub waited: TimeDelta,
    /// The time that it would have taken in an empty network at the initial link rates, for a flow without a cap.
    pub ideal: TimeDelta,
}

/// A message that was not delivered completely by the end of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IncompleteMessage {
    /// Its flow.
    pub flow: FlowId,
    /// Its size.
    pub size: Bytes,
    /// The time at which it was offered.
    pub offered: Time,
    /// The reason why it is incomplete.
    pub fate: Fate,
    /// The time that it waited for earlier messages of its flow, as in [`MessageOutcome`]. If it never began, the wait
    /// lasts until the end of the run or until its flow stopped.
    pub waited: TimeDelta,
    /// The time that it would have taken in an empty network, as in [`MessageOutcome`].
    pub ideal: TimeDelta,
}

/// How a message ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// It was delivered completely.
    Completed,
    /// It was in transit at the end, or its flow stopped before sending all of it.
    Unfinished,
    /// It lost at least one frame. Frames are not retransmitted, so it can never be complete.
    Damaged,
}

/// The number of messages with each fate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fates {
    /// Messages that were delivered completely.
    pub completed: u64,
    /// Messages in transit at the end, or cut off when their flow stopped.
    pub unfinished: u64,
    /// Messages that lost at least one frame.
    pub damaged: u64,
}

impl Fates {
    /// The number of all messages.
    pub const fn total(self) -> u64 {
        self.completed + self.unfinished + self.damaged
    }
}

/// All messages of a run, split by the time at which they were offered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MessageCounts {
    /// Offered before [`Outcome::measure_from`].
    pub before: Fates,
    /// Offered in the measurement interval.
    pub measured: Fates,
    /// Offered from [`Outcome::measure_messages_until`] on.
    pub after: Fates,
}

/// When a message was offered, relative to the measurement interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offered {
    /// Before the measurement interval.
    Before,
    /// In the measurement interval.
    Measured,
    /// After the measurement interval.
    After,
}

impl Offered {
    /// The period to which a time belongs if messages are measured from `from` and, if given, until `until`.
    pub fn at(offered: Time, from: Time, until: Option<Time>) -> Self {
        match until {
            _ if offered < from => Self::Before,
            Some(until) if offered >= until => Self::After,
            _ => Self::Measured,
        }
    }
}

impl Outcome {
    /// The period that contains the given time: before, in or after the measurement interval.
    pub fn offered(&self, at: Time) -> Offered {
        Offered::at(at, self.measure_from, self.measure_messages_until)
    }
}

impl MessageCounts {
    /// The fates of all messages.
    pub const fn total(self) -> Fates {
        let Self { before, measured, after } = self;
        Fates {
            completed: before.completed + measured.completed + after.completed,
            unfinished: before.unfinished + measured.unfinished + after.unfinished,
            damaged: before.damaged + measured.damaged + after.damaged,
        }
    }
}
