//! The figures for a run: `summary.json`.

use super::keyed::keyed;
use super::{
    CulpritSummary, DeadlockSummary, EntrySummary, FabricSummary, FailedLinkSummary, FlowControlSummary,
    FlowSummary, GroupSummary, HpccSlowdown, JobSummary, MessageSummary, QueueSummary, Settling,
    SharedBufferSummary, SizeClass, SlowdownBin, TreesSummary, Unsettled,
};

keyed! {
    /// The figures for a run.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Summary {
        /// Simulated time.
        pub duration_s: f64 = Seconds,
        /// Start of the measurement interval, which lasts until the end of the run.
        pub measure_from_s: f64 = Seconds,
        /// End of the measurement interval for messages: see [Messages](#messages). Omitted if it is the end of the
        /// run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub measure_messages_until_s: Option<f64> = Seconds,
        /// Events that the simulator processed; whole run.
        pub events: u64,
        /// Data frames that crossed a link, counted once per link; whole run.
        pub packet_hops: u64,
        /// The network as a whole.
        pub total: TotalSummary,
        /// One entry per flow.
        pub flows: Vec<FlowSummary>,
        /// One entry per queue in use, the one with the largest mean first.
        pub queues: Vec<QueueSummary>,
        /// One entry per port that sent a frame or was paused.
        pub ports: Vec<PortSummary>,
        /// Message completion: see [Messages](#messages). `null` if no flow sends messages.
        pub messages: Option<MessageSummary>,
        /// Events of the scenario: flows that start or stop, and changes by `[[at]]`.
        pub events_at: Vec<EventSummary>,
        /// Spread of pauses: see [Congestion trees](#congestion-trees).
        #[serde(default)]
        pub congestion_trees: TreesSummary,
        /// The first flow-control deadlock: see [Deadlock](#deadlock). `null` if there was none.
        #[serde(default)]
        pub deadlock: Option<DeadlockSummary>,
        /// Links under PAUSE or PFC. Omitted without flow control.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub flow_control: Option<FlowControlSummary>,
        /// The buffers that the ports of each bridge share, in the order of the bridges. Omitted if bridges have none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub shared_buffers: Vec<SharedBufferSummary>,
        /// The links that failed, in the order of the topology. Omitted if none did.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub failed_links: Vec<FailedLinkSummary>,
        /// Cells between leaves and spines; whole run. Omitted without a rack fabric.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub fabric: Option<FabricSummary>,
        /// Groups that a station sends to: see [Groups](#groups). Omitted without groups.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub groups: Vec<GroupSummary>,
        /// One entry per `[[flows]]` of the scenario: see [Entries](#entries). Omitted if the scenario has none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub entries: Vec<EntrySummary>,
        /// One entry per job of the scenario: see [Jobs](#jobs). Omitted if the scenario has none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub jobs: Vec<JobSummary>,
        /// Short, medium and large messages: see [Size classes](#size-classes). Omitted if no flow sends messages.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub size_classes: Vec<SizeClass>,
        /// Slowdown by message size: see [Slowdown by size](#slowdown-by-size). Omitted if no flow sends messages.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub slowdown_by_size: Vec<SlowdownBin>,
        /// Slowdown by HPCC's definition: see [HPCC's slowdown](#hpccs-slowdown). Omitted if no flow sends messages.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub hpcc_slowdowns: Vec<HpccSlowdown>,
    }
}

impl Summary {
    /// The queue by which a run is judged: the busiest queue or, in bridges with input buffers, the busiest queue that
    /// a congestion point acts on. With congestion points at inputs, outputs are full by design.
    pub fn watched_queue(&self) -> Option<&QueueSummary> {
        self.watched().and_then(|index| self.queues.get(index))
    }

    /// The index of the watched queue in the list.
    pub fn watched(&self) -> Option<usize> {
        let watched = self.queues.iter().position(|queue| self.is_acted_on(queue));
        watched.or_else(|| (!self.queues.is_empty()).then_some(0))
    }

    /// Whether a run may be judged by a queue: any queue of an output-queued bridge, otherwise a queue that a
    /// congestion point acts on.
    pub fn is_acted_on(&self, queue: &QueueSummary) -> bool {
        let has_inputs = self.queues.iter().any(|queue| !queue.side.is_output());
        !has_inputs || queue.set_point_bytes.is_some() || queue.notifications > 0
    }

    /// The messages of unfinished jobs that were not released, and therefore not offered.
    pub fn not_released(&self) -> usize {
        self.jobs.iter().filter_map(|job| job.unfinished.as_ref()).map(|unfinished| unfinished.waiting).sum()
    }

    /// Whether figures exclude the beginning of the run. If so, figures for the whole run must be marked.
    pub fn skips_beginning(&self) -> bool {
        self.measure_from_s > 0.0
    }

    /// Whether the message figures cover a message that was offered at this time.
    pub fn measures_message(&self, offered_s: f64) -> bool {
        offered_s >= self.measure_from_s
            && self.measure_messages_until_s.is_none_or(|until| offered_s < until)
    }

    /// The reason why settling is not meaningful after any event of the run; none if it is meaningful after at least
    /// one.
    pub fn why_nothing_settles(&self) -> Option<Unsettled> {
        Unsettled::of_all(self.events_at.iter().map(|event| event.settling))
    }

    /// The port that transmitted for the largest share of the time, the first in case of a tie.
    pub fn busiest_port(&self) -> Option<&PortSummary> {
        self.ports.iter().rev().max_by(|a, b| a.utilisation_share.total_cmp(&b.utilisation_share))
    }

    /// Flows that sent a frame.
    pub fn senders(&self) -> usize {
        self.flows.iter().filter(|flow| flow.sent_frames > 0).count()
    }

    /// Number of pauses of all ports in the whole run.
    pub fn pauses(&self) -> u64 {
        self.ports.iter().map(|port| port.pauses).sum()
    }

    /// Flows that were delayed by congestion they did not cause, the longest delay first.
    pub fn victims(&self) -> Vec<&FlowSummary> {
        let mut victims: Vec<&FlowSummary> = self.flows.iter().filter(|flow| flow.victim_s > 0.0).collect();
        victims.sort_by(|a, b| b.victim_s.total_cmp(&a.victim_s));
        victims
    }

    /// The searches of all congestion points together; none if there were no searches.
    pub fn culprits(&self) -> Option<CulpritSummary> {
        let all = self.queues.iter().filter_map(|queue| queue.culprits);
        all.reduce(|sum, one| sum.and(&one)).filter(|sum| sum.searches > 0)
    }
}

keyed! {
    /// The network as a whole.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct TotalSummary {
        /// Sum of the flows' rates over the measurement interval. A multicast flow counts once: its rate,
        /// `flows[].rate_bps`, covers only the time in which its group has members, and is multiplied by the share of
        /// that time (`groups[].occupied_share`).
        pub throughput_bps: f64 = BitsPerSecond,
        /// Frames dropped; whole run.
        pub dropped_frames: u64,
        /// Frames lost on links that had failed, which are not dropped frames; whole run. Omitted if it is 0.
        #[serde(default, skip_serializing_if = "none")]
        pub lost_on_links_frames: u64,
        /// Dropped frames divided by sent frames; for flows to groups, lost frames divided by the frames due at
        /// receivers. Whole run.
        pub loss_share: f64 = Share,
        /// Notifications that congestion points sent; whole run.
        pub notifications: u64,
        /// Notifications that congestion points sent, divided by data frames that stations sent; whole run. Above 1 if
        /// bridges send several notifications per frame.
        pub notifications_per_frame: f64,
        /// Notifications that reached stations, divided by data frames that stations sent; whole run.
        #[serde(default)]
        pub feedback_overhead: f64,
        /// Largest number of notifications that one station received for all its flows in any 100 ms, per second: see
        /// [Feedback](#feedback). Whole run.
        #[serde(default)]
        pub notifications_per_source_peak: f64 = PerSecond,
        /// Frames that congestion points marked, counted at each of them; whole run. Omitted if the algorithm does not mark
        /// frames.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub marked_frames: Option<u64>,
        /// Acknowledgements that reached stations; whole run. Omitted if there were none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub acknowledgements: Option<u64>,
        /// Bytes of acknowledgements that reached stations, divided by bytes of data that stations sent; whole run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub acknowledgement_share: Option<f64> = Share,
        /// Mean round-trip time that acknowledgements show; measurement interval.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub round_trip_mean_s: Option<f64> = Seconds,
        /// Mean window of sources at the ends of sample intervals; measurement interval. Omitted without windows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub window_mean_bytes: Option<f64> = Bytes,
        /// Mean load of paths that sources had computed last at the ends of sample intervals; measurement interval. Omitted
        /// if the algorithm does not compute one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub load_mean: Option<f64>,
        /// Time for which ports were paused, summed over ports; measurement interval.
        pub paused_s: f64 = Seconds,
        /// Whether flow control covers every flow, which makes the network lossless.
        pub lossless: bool,
        /// Jain's index of the flows' mean rates: see [Fairness](#fairness).
        pub jain_index: Option<f64>,
        /// Mean of Jain's index over windows.
        pub jain_index_windowed_mean: Option<f64>,
        /// Minimum of Jain's index over windows.
        pub jain_index_windowed_min: Option<f64>,
        /// Length of these windows.
        pub jain_window_s: f64 = Seconds,
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn none(count: &u64) -> bool {
    *count == 0
}

keyed! {
    /// One port.
    #[derive(Clone, Debug, PartialEq)]
    pub struct PortSummary {
        /// `from->to`.
        pub name: String,
        /// Data bytes sent; whole run.
        pub sent_bytes: u64 = Bytes,
        /// Share of the time spent transmitting, including preambles, gaps and notifications.
        pub utilisation_share: f64 = Share,
        /// Share of the time in which at least one priority was paused.
        pub paused_share: f64 = Share,
        /// Number of times it was paused; whole run.
        pub pauses: u64,
    }
}

keyed! {
    /// An event, and whether the watched queue settled after it.
    #[derive(Clone, Debug, PartialEq)]
    pub struct EventSummary {
        /// When it happened.
        pub at_s: f64 = Seconds,
        /// Description of the event, in a few words.
        pub label: String,
        /// Whether the watched queue settled before the next event.
        pub settling: Settling,
    }
}
