//! What a run leaves behind.

use setpoint_control::{CpCounters, CulpritCounters, RpCounters};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use crate::ids::{FlowId, NodeId, PortId, Priority};
use crate::lossless::LinkBudget;
use crate::spec::Side;

/// Everything that was measured. Series have one entry per sample interval, the first at the end
/// of the first interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// When the run ended.
    pub end: Time,
    /// The length of an interval of the series.
    pub sample_interval: TimeDelta,
    /// Statistics cover the run from here to the end.
    pub measure_from: Time,
    /// Events processed.
    pub events: u64,
    /// Data frames that crossed a link, once per link; between leaves and spines of a distributed bridge, cells.
    pub packet_hops: u64,
    /// One per flow, indexed by [`FlowId`].
    pub flows: Vec<FlowOutcome>,
    /// One per bridge port and priority that carries a flow, ordered by port and priority; output queues come
    /// before input buffers.
    pub queues: Vec<QueueOutcome>,
    /// One per port that sent something or was paused, ordered by port; not those between leaves and spines of a
    /// distributed bridge.
    pub ports: Vec<PortOutcome>,
    /// Messages that were delivered in full, in the order of completion. Of more than a million messages of all
    /// fates, those offered before [`Outcome::measure_from`] are left out, and of more than that a random million is
    /// kept.
    pub messages: Vec<MessageOutcome>,
    /// Messages that were not delivered in full, in the order in which they were offered, within the same bound.
    pub messages_incomplete: Vec<IncompleteMessage>,
    /// How many messages there were of each fate, whether or not they are among those kept.
    pub message_counts: MessageCounts,
    /// Notifications that congestion points sent in the whole run, by their quantised feedback from 0 to 63.
    pub feedback: Vec<u64>,
    /// What went on inside bridges with input buffers.
    pub fabric: FabricOutcome,
    /// Who was asked to pause, and because of whom.
    pub congestion_trees: CongestionTrees,
    /// The first deadlock of flow control: from then on its ports never sent again.
    pub deadlock: Option<Deadlock>,
    /// One per link that brings frames under flow control to a bridge, ordered by port.
    pub links: Vec<LinkOutcome>,
}

/// How much of its headroom a link under flow control used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkOutcome {
    /// What it was given and what it needs.
    pub budget: LinkBudget,
    /// The most that its input held above the threshold, in one counter and the whole run.
    pub used: Bytes,
}

/// What became of a flow. Of one to a group, frames and bytes that arrived or were dropped are copies: together with
/// what is under way they are what the station sent and what bridges added ([`Copies`]).
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
    /// Frames that were dropped.
    pub dropped_frames: u64,
    /// Bytes that were dropped.
    pub dropped: Bytes,
    /// Notifications that reached its station.
    pub notifications: u64,
    /// When the first of them did.
    pub first_notified: Option<Time>,
    /// What bridges made of its frames, if it goes to a group.
    pub copies: Copies,
    /// The stations that are members of its group at any time, in ascending order; none for a flow to one station.
    pub receivers: Vec<ReceiverOutcome>,
    /// Counters of the reaction points it was behind, over the whole run.
    pub reaction: RpCounters,
    /// One-way delay of delivered frames, from leaving the station to full arrival: sum and largest,
    /// from [`Outcome::measure_from`] on.
    pub delay_sum: u128,
    /// Largest one-way delay.
    pub delay_max: TimeDelta,
    /// Frames in `delay_sum`.
    pub delay_frames: u64,
    /// Bytes that arrived in each interval.
    pub delivered_series: Vec<u64>,
    /// The rate of its limiter at the end of each interval, none without a limiter.
    pub limit_series: Vec<Option<Rate>>,
    /// Notifications that reached its station in each interval.
    pub notification_series: Vec<u32>,
    /// How long it was delayed by congestion that it did not cause: it had data to deliver while a port on its path was
    /// paused, for its priority, in a tree whose root is not on its path. Over the whole run; time in which it ran out of data
    /// between two looks is left out, so that this is never too long.
    pub victim: TimeDelta,
}

/// What bridges made of the frames of a flow to a group, over the whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copies {
    /// Frames beyond the one that came in, where paths part.
    pub created_frames: u64,
    /// Their bytes.
    pub created: Bytes,
    /// Frames that ended at a bridge because there was no member behind any of its ports.
    pub unwanted_frames: u64,
    /// Their bytes.
    pub unwanted: Bytes,
}

/// What became of a flow's frames for one member of its group.
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
    /// Frames that would have arrived, had no bridge dropped them. One that is dropped before paths part is lost to all
    /// members behind.
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

/// What became of one output queue or input buffer of a bridge.
#[derive(Clone, Debug, PartialEq)]
pub struct QueueOutcome {
    /// The port that it feeds, or the port at the other end of the link that feeds it.
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
    /// Counters of its congestion point. A sample of background traffic gives no notification.
    pub congestion_point: CpCounters,
    /// How its congestion point searched for flows to blame.
    pub culprits: CulpritCounters,
    /// Length at the end of each interval, in bytes.
    pub length_series: Vec<u64>,
    /// Largest length within each interval, in bytes.
    pub largest_series: Vec<u64>,
    /// Time-weighted mean length in each interval, in bytes, rounded down.
    pub mean_series: Vec<u64>,
    /// How long it may grow; none where flow control sees to it that no frame is dropped here.
    pub limit: Option<Bytes>,
    /// Notifications sent in each interval.
    pub notification_series: Vec<u32>,
}

/// What became of a port.
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
    /// Time in which at least one priority was paused, from [`Outcome::measure_from`] on.
    pub paused: TimeDelta,
    /// PAUSE or PFC frames received that stopped it (not refreshes of a pause).
    pub pauses: u64,
    /// Data bytes sent in each interval.
    pub sent_series: Vec<u64>,
    /// Time spent transmitting in each interval.
    pub busy_series: Vec<TimeDelta>,
    /// Time paused in each interval.
    pub paused_series: Vec<TimeDelta>,
}

/// What went on inside bridges with input buffers, over the whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FabricOutcome {
    /// Cells that were sent from leaves.
    pub cells: u64,
    /// Cells that waited at a leaf because the spine had no room for them.
    pub waited_at_leaves: u64,
    /// Cells that waited at the input of a spine because its output had no room for them.
    pub waited_at_spines: u64,
    /// Frames that were complete before an older one of their virtual output queue and had to wait for it.
    pub resequenced: u64,
}

/// How pauses spread.
///
/// An input that asks its sender to pause does so because frames wait for an output, its cause: the one for which it
/// holds the most. If that output is itself paused, the congestion began further on: causes are followed from pause to
/// pause to the first output that is not paused, the root of the tree. A port is paused, here, from the request to the
/// release.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CongestionTrees {
    /// Who was paused because of whom, ordered by the paused port, then by cause and root.
    pub pauses: Vec<PauseCause>,
    /// The most ports that were asked to pause at once.
    pub widest: u32,
    /// The largest depth of a tree: 1 where ports that feed the root's bridge were paused.
    pub deepest: u32,
}

/// The pauses of one port for one cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PauseCause {
    /// The port that was asked to pause.
    pub paused: PortId,
    /// The output that its frames waited for, at the bridge it feeds.
    pub cause: PortId,
    /// Where the congestion began.
    pub root: PortId,
    /// Its distance from the root: 1 at the root's bridge. The largest, if the root was reached by several ways.
    pub depth: u32,
    /// How often.
    pub pauses: u64,
    /// For how long in all, from the request to the release or the end, over the whole run. Priorities that are
    /// paused at the same time count each for itself.
    pub time: TimeDelta,
}

/// A cycle of ports each of which is paused until the next one sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// When it was seen, at the end of a sample interval: it began since the one before, or, in a large network where
    /// looking costs much, a few intervals ago.
    pub at: Time,
    /// The ports of the cycle, from the lowest on. What each has sent fills the input at its far end and waits for
    /// the next; the last waits for the first.
    pub cycle: Vec<PortId>,
    /// The priority that is stuck; none with PAUSE, which stops a link as a whole.
    pub priority: Option<Priority>,
    /// How many ports waited for ever when the run ended, in the cycle or behind it.
    pub stuck: u32,
}

/// How long a queue dwelt at which length.
#[derive(Clone, Debug, PartialEq)]
pub struct DwellStatistics {
    /// Time-weighted mean in bytes.
    pub mean: f64,
    /// Time-weighted standard deviation in bytes.
    pub deviation: f64,
    /// Share of the time at length zero.
    pub empty: f64,
    /// Time spent per step of length: entry `i` covers lengths from `i * step`, inclusive, to
    /// `(i + 1) * step`, exclusive; the last also everything above. Trailing zeros are cut.
    pub dwell: Vec<TimeDelta>,
    /// The width of an entry of `dwell`.
    pub step: Bytes,
}

impl DwellStatistics {
    /// The length below which the queue was for a share `probability` of the time, in bytes: the
    /// position within a step is interpolated.
    #[must_use]
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

/// A message that arrived in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageOutcome {
    /// Its flow.
    pub flow: FlowId,
    /// Its size.
    pub size: Bytes,
    /// When it was offered.
    pub offered: Time,
    /// When its last byte arrived.
    pub completed: Time,
    /// How long it would have taken on an empty network with the rates it has at the start, by a flow
    /// without a cap.
    pub ideal: TimeDelta,
}

/// A message that had not arrived in full when the run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IncompleteMessage {
    /// Its flow.
    pub flow: FlowId,
    /// Its size.
    pub size: Bytes,
    /// When it was offered.
    pub offered: Time,
    /// What became of it.
    pub fate: Fate,
    /// How long it would have taken, as in [`MessageOutcome`].
    pub ideal: TimeDelta,
}

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It arrived in full.
    Completed,
    /// It was under way at the end, or its flow was stopped before it was sent in full.
    Unfinished,
    /// It lost at least one frame, which nobody sends again: it can never arrive in full.
    Damaged,
}

/// How many messages had each fate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fates {
    /// Messages that arrived in full.
    pub completed: u64,
    /// Messages under way at the end, or cut off.
    pub unfinished: u64,
    /// Messages that lost at least one frame.
    pub damaged: u64,
}

impl Fates {
    /// All of them.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.completed + self.unfinished + self.damaged
    }
}

/// All messages of a run, by the time at which they were offered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MessageCounts {
    /// Offered before [`Outcome::measure_from`].
    pub before: Fates,
    /// Offered from then on.
    pub measured: Fates,
}

impl MessageCounts {
    /// The fates of all messages.
    #[must_use]
    pub const fn total(self) -> Fates {
        Fates {
            completed: self.before.completed + self.measured.completed,
            unfinished: self.before.unfinished + self.measured.unfinished,
            damaged: self.before.damaged + self.measured.damaged,
        }
    }
}
