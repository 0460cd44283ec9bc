//! What a run leaves on disk, and in memory for those who draw it.
//!
//! A result folder holds `summary.json` ([`Summary`]), `manifest.json` ([`Manifest`]), the series as
//! CSV, the messages as CSV and `topology.json`; [`RunRecord`] is all of it together. Every key that holds a quantity ends in its unit
//! (`_bytes`, `_bps`, `_s`, or `_share` for a fraction from 0 to 1).

mod digest;
mod fabric;
mod flow;
mod flow_control;
mod group;
mod messages;
mod printed;
mod queue;
mod settling;
mod trees;

use serde::{Deserialize, Serialize};

pub use digest::digest;
pub use fabric::FabricSummary;
pub use flow::FlowSummary;
pub use flow_control::{FlowControlSummary, LinkGroup, LinkSummary};
pub use group::{GroupSummary, ReceiverSummary};
pub use messages::{MessageClass, MessageSummary};
pub use queue::{CulpritSummary, QueueSummary, Side, queue_name};
pub use setpoint_units::quantity::Bounded;
pub use settling::{Settling, Unsettled};
pub use trees::{DeadlockSummary, PauseSummary, TreesSummary};

/// One finished run, complete: everything that is stored and drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// Where the run comes from.
    pub manifest: Manifest,
    /// The figures.
    pub summary: Summary,
    /// The curves.
    pub series: Series,
    /// The network, for drawing.
    pub topology: TopologyView,
    /// Messages that were delivered in full; all of them up to a million, in the order of completion, else a
    /// random choice of the measured ones. Empty where no flow sends messages.
    #[serde(default)]
    pub messages: Vec<MessageRecord>,
}

/// Where a result comes from: enough to repeat it to the byte.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of Setpoint.
    pub version: String,
    /// Name of the scenario.
    pub scenario: String,
    /// One or two sentences from the scenario file.
    pub description: String,
    /// The scenario text: as it was read or, of a file that extends others, what they say together.
    pub scenario_text: String,
    /// What was set on the command line or by a sweep, as `key = value`, in order.
    pub overrides: Vec<(String, String)>,
    /// The seed.
    pub seed: u64,
    /// SHA-256 over the summary, the series and the messages: see [`digest()`].
    pub digest: String,
    /// Every parameter that was in force.
    pub parameters: Vec<ParameterRow>,
}

/// One parameter of the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParameterRow {
    /// The key in a scenario file, such as `qcn.cp.set_point`.
    pub key: String,
    /// The managed object of IEEE 802.1Q, where there is one.
    pub managed_object: Option<String>,
    /// The value with its unit.
    pub value: String,
    /// The default with its unit.
    pub default: String,
    /// Where the default comes from: clause, paper, table.
    pub origin: String,
    /// Whether the value differs from the default.
    pub changed: bool,
}

/// The figures of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Simulated time.
    pub duration_s: f64,
    /// Statistics cover the run from here on.
    pub measure_from_s: f64,
    /// Events processed.
    pub events: u64,
    /// Data frames that crossed a link, once per link.
    pub packet_hops: u64,
    /// The whole network in a few figures.
    pub total: TotalSummary,
    /// One per flow.
    pub flows: Vec<FlowSummary>,
    /// One per queue in use, the busiest first.
    pub queues: Vec<QueueSummary>,
    /// One per port in use.
    pub ports: Vec<PortSummary>,
    /// Completion of messages; none where no flow sends messages.
    pub messages: Option<MessageSummary>,
    /// What happened when, and how long the network took to settle.
    pub events_at: Vec<EventSummary>,
    /// How pauses spread.
    #[serde(default)]
    pub congestion_trees: TreesSummary,
    /// The first deadlock of flow control, if there was one.
    #[serde(default)]
    pub deadlock: Option<DeadlockSummary>,
    /// Thresholds and headroom of the links under PAUSE or PFC; none without flow control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow_control: Option<FlowControlSummary>,
    /// What went on between leaves and spines, where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fabric: Option<FabricSummary>,
    /// Groups that somebody sends to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<GroupSummary>,
}

impl Summary {
    /// The queue by which a run is judged: the busiest or, in bridges with input buffers, the busiest of those that a
    /// congestion point acts on. Where congestion points are at inputs, outputs are full by design.
    #[must_use]
    pub fn watched_queue(&self) -> Option<&QueueSummary> {
        self.watched().and_then(|index| self.queues.get(index))
    }

    /// Its place in the list.
    pub(crate) fn watched(&self) -> Option<usize> {
        let watched = self.queues.iter().position(|queue| self.is_acted_on(queue));
        watched.or_else(|| (!self.queues.is_empty()).then_some(0))
    }

    /// Whether a queue is one by which a run may be judged: any of bridges with output queues, else one that a congestion
    /// point acts on.
    pub(crate) fn is_acted_on(&self, queue: &QueueSummary) -> bool {
        let has_inputs = self.queues.iter().any(|queue| !queue.side.is_output());
        !has_inputs || queue.set_point_bytes.is_some() || queue.notifications > 0
    }
}

/// The network as a whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TotalSummary {
    /// Sum of the flows' rates; a flow to a group counts once, as one of its receivers has it.
    pub throughput_bps: f64,
    /// Frames dropped.
    pub dropped_frames: u64,
    /// Frames dropped over frames sent; of flows to groups, lost over due at their receivers.
    pub loss_share: f64,
    /// Notifications sent by congestion points.
    pub notifications: u64,
    /// Notifications over data frames sent.
    pub notifications_per_frame: f64,
    /// Notifications that reached stations over data frames sent.
    #[serde(default)]
    pub feedback_overhead: f64,
    /// The most notifications that one station received in any 100 ms, per second.
    #[serde(default)]
    pub notifications_per_source_peak: f64,
    /// Time in which ports were paused, summed over ports.
    pub paused_s: f64,
    /// Whether the configuration allowed no loss.
    pub lossless: bool,
    /// Jain's index of the flows' mean rates.
    pub jain_index: Option<f64>,
    /// Jain's index in windows: mean over windows.
    pub jain_index_windowed_mean: Option<f64>,
    /// Jain's index in windows: smallest.
    pub jain_index_windowed_min: Option<f64>,
    /// Length of these windows.
    pub jain_window_s: f64,
}

/// One port.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PortSummary {
    /// `from->to`.
    pub name: String,
    /// Data bytes sent over the whole run.
    pub sent_bytes: u64,
    /// Share of the measured time spent transmitting.
    pub utilisation_share: f64,
    /// Share of the measured time in which it was paused.
    pub paused_share: f64,
    /// How often it was paused.
    pub pauses: u64,
}

/// Something that happened at a given time, and what followed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventSummary {
    /// When.
    pub at_s: f64,
    /// What, in a few words.
    pub label: String,
    /// Whether the watched queue settled before the next event, and when.
    pub settling: Settling,
}

/// The curves of a run; all vectors are as long as `time_s`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// End of each interval.
    pub time_s: Vec<f64>,
    /// Per flow.
    pub flows: Vec<FlowSeries>,
    /// Per queue, in the order of [`Summary::queues`].
    pub queues: Vec<QueueSeries>,
    /// Per port, in the order of [`Summary::ports`].
    pub ports: Vec<PortSeries>,
}

/// Curves of a flow.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FlowSeries {
    /// Its name.
    pub name: String,
    /// Rate of delivery in each interval.
    pub rate_bps: Vec<f64>,
    /// Rate of its limiter at the end of each interval; none without a limiter.
    pub limit_bps: Vec<Option<f64>>,
    /// Notifications in each interval.
    pub notifications: Vec<u32>,
}

/// Curves of a queue.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QueueSeries {
    /// `port/priority`.
    pub name: String,
    /// Length at the end of each interval.
    pub length_bytes: Vec<f64>,
    /// Largest length within each interval.
    #[serde(default)]
    pub largest_bytes: Vec<f64>,
    /// Notifications in each interval.
    pub notifications: Vec<u32>,
}

/// Curves of a port.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PortSeries {
    /// `from->to`.
    pub name: String,
    /// Share of each interval spent transmitting.
    pub utilisation_share: Vec<f64>,
    /// Share of each interval in which it was paused.
    pub paused_share: Vec<f64>,
}

/// A message that was delivered in full.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MessageRecord {
    /// Its flow, as an index into [`Summary::flows`].
    pub flow: usize,
    /// Its size.
    pub size_bytes: u64,
    /// When it was offered.
    pub offered_s: f64,
    /// When its last byte arrived.
    pub completed_s: f64,
    /// How long it would have taken on an empty network at the flow's full rate.
    pub ideal_s: f64,
    /// How long it took; not the difference of two rounded instants.
    pub fct_s: f64,
}

/// The network, for drawing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TopologyView {
    /// Nodes.
    pub nodes: Vec<NodeView>,
    /// Links, by index of node.
    pub links: Vec<LinkView>,
}

/// A node, for drawing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeView {
    /// Its name.
    pub name: String,
    /// Whether it is a bridge (else a station). Spines of a rack fabric are parts of one.
    pub bridge: bool,
    /// Whether it is a spine of a rack fabric: it switches cells and has no queues of frames.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub spine: bool,
    /// Column in which it stands.
    pub layer: u16,
}

/// A link, for drawing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkView {
    /// Index of one node.
    pub first: usize,
    /// Index of the other.
    pub second: usize,
    /// Rate with unit.
    pub rate: String,
    /// Delay with unit.
    pub delay: String,
    /// Share of time spent transmitting, the busier direction; none for links to the spines of a rack fabric, which carry cells
    /// and are not measured.
    pub utilisation_share: Option<f64>,
    /// Share of time paused, the worse direction.
    pub paused_share: f64,
}
