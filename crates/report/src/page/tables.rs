//! Rows of the tables, with all values as text.

use std::collections::BTreeMap;

use setpoint_record::results::{
    CounterSummary, EventSummary, FlowSummary, Frames, PortSummary, QueueSummary, RunRecord,
};
use setpoint_scenario::ParameterRow;

use crate::figures::{events as merged_events, port_text, quantile};
use crate::words::capital;
use setpoint_units::quantity::{Unit, grouped};

pub(super) struct FlowRow {
    pub(super) name: String,
    pub(super) path: String,
    pub(super) rate: String,
    pub(super) deviation: String,
    pub(super) sent: String,
    pub(super) delivered: String,
    pub(super) dropped: String,
    /// Whether a frame was lost.
    pub(super) alarm: bool,
    pub(super) notifications: String,
    pub(super) delay_mean: String,
    pub(super) delay_max: String,
    pub(super) reactions: String,
}

/// The content of the last column in the table of flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reactions {
    /// Number of cycles in each phase of QCN.
    Cycles,
    /// Notifications that lowered, raised and stopped the rate, for algorithms that send all three.
    Directions,
}

impl Reactions {
    pub(super) fn of(flows: &[FlowSummary]) -> Self {
        let has_directions = flows.iter().any(|flow| flow.increases + flow.stops > 0);
        if has_directions { Self::Directions } else { Self::Cycles }
    }

    pub(super) fn heading(self) -> &'static str {
        match self {
            Self::Cycles => "Cycles FR · AI · HAI",
            Self::Directions => "Lowered · raised · stopped",
        }
    }

    pub(super) fn meaning(self) -> &'static str {
        match self {
            Self::Cycles => {
                "Cycles of the reaction point in fast recovery, active increase and hyper-active increase"
            }
            Self::Directions => {
                "Notifications to which the reaction point responded: rate lowered, raised, stopped"
            }
        }
    }

    fn counts(self, flow: &FlowSummary) -> [u64; 3] {
        match self {
            Self::Cycles => {
                [flow.fast_recovery_cycles, flow.active_increase_cycles, flow.hyper_increase_cycles]
            }
            Self::Directions => [flow.decreases, flow.increases, flow.stops],
        }
    }
}

impl FlowRow {
    pub(super) fn new(flow: &FlowSummary, reactions: Reactions, frames: Frames) -> Self {
        // A station cannot observe what happens to its frames after sending them.
        let beyond = |count: u64| {
            if frames == Frames::Station { "–".to_owned() } else { grouped(count as f64) }
        };
        let delay = |delay: Option<f64>| Unit::Seconds.text(delay.unwrap_or(f64::NAN));
        Self {
            name: flow.name.clone(),
            path: format!("{} → {}", flow.source, flow.destination),
            rate: Unit::BitsPerSecond.text(flow.rate_bps),
            deviation: Unit::BitsPerSecond.text(flow.rate_deviation_bps),
            sent: grouped(flow.sent_frames as f64),
            delivered: beyond(flow.delivered_frames),
            dropped: beyond(flow.dropped_frames),
            alarm: flow.dropped_frames > 0,
            notifications: grouped(flow.notifications as f64),
            delay_mean: delay(flow.delay_mean_s),
            delay_max: delay(flow.delay_max_s),
            reactions: reactions.counts(flow).map(|count| grouped(count as f64)).join(" · "),
        }
    }
}

/// A counter of the flows' points, summed over all flows.
pub(super) struct CounterRow {
    pub(super) role: String,
    pub(super) counter: String,
    pub(super) count: String,
    /// Number of flows for which it is not zero.
    pub(super) flows: String,
}

/// The counters of all flows.
pub(super) fn counters(flows: &[FlowSummary]) -> Vec<CounterRow> {
    let row = |total: CounterSummary| {
        let is_same = |one: &CounterSummary| (&one.role, &one.counter) == (&total.role, &total.counter);
        let counting = flows.iter().filter(|flow| flow.counters.iter().any(is_same)).count();
        CounterRow {
            role: capital(total.role.title()),
            counter: total.title(),
            count: grouped(total.count as f64),
            flows: grouped(counting as f64),
        }
    };
    FlowSummary::counter_totals(flows).into_iter().map(row).collect()
}

pub(super) struct QueueRow {
    pub(super) name: String,
    pub(super) set_point: String,
    pub(super) mean: String,
    pub(super) deviation: String,
    pub(super) median: String,
    pub(super) high: String,
    pub(super) peak: String,
    pub(super) empty: String,
    pub(super) dropped: String,
    /// Whether a frame was lost.
    pub(super) alarm: bool,
    pub(super) samples: String,
    pub(super) notifications: String,
}

impl QueueRow {
    pub(super) fn new(queue: &QueueSummary) -> Self {
        let at = |probability| Unit::Bytes.text(quantile(&queue.quantiles, probability).unwrap_or(f64::NAN));
        Self {
            name: port_text(&queue.name),
            set_point: Unit::Bytes.text(queue.set_point_bytes.map_or(f64::NAN, |bytes| bytes as f64)),
            mean: Unit::Bytes.text(queue.mean_bytes),
            deviation: Unit::Bytes.text(queue.deviation_bytes),
            median: at(0.5),
            high: at(0.99),
            peak: Unit::Bytes.text(queue.peak_bytes as f64),
            empty: Unit::Share.text(queue.empty_share),
            dropped: grouped(queue.dropped_frames as f64),
            alarm: queue.dropped_frames > 0,
            samples: grouped(queue.samples as f64),
            notifications: grouped(queue.notifications as f64),
        }
    }
}

pub(super) struct PortRow {
    pub(super) name: String,
    pub(super) sent: String,
    pub(super) utilisation: String,
    pub(super) paused: String,
    pub(super) pauses: String,
    /// Whether it was ever paused.
    pub(super) alarm: bool,
}

impl PortRow {
    pub(super) fn new(port: &PortSummary) -> Self {
        Self {
            name: port_text(&port.name),
            sent: Unit::Bytes.text(port.sent_bytes as f64),
            utilisation: Unit::Share.text(port.utilisation_share),
            paused: Unit::Share.text(port.paused_share),
            pauses: grouped(port.pauses as f64),
            alarm: port.pauses > 0,
        }
    }
}

pub(super) struct EventRow {
    pub(super) number: usize,
    pub(super) at: String,
    pub(super) label: String,
    pub(super) settling: String,
}

/// The events with their numbers in figures.
pub(super) fn events(record: &RunRecord) -> Vec<EventRow> {
    let row = |event: setpoint_plot::Event| {
        // Events at the same time share a settling time.
        let settling = record.summary.events_at.iter().find(|other| other.at_s == event.at);
        let text = |event: &EventSummary| event.settling.text(record.sample_interval());
        EventRow {
            number: event.number,
            at: Unit::Seconds.text(event.at),
            label: event.label,
            settling: settling.map_or_else(String::new, text),
        }
    };
    merged_events(record).into_iter().map(row).collect()
}

/// Parameters whose keys share all but the last part.
pub(super) struct ParameterGroup<'a> {
    pub(super) name: String,
    pub(super) rows: Vec<&'a ParameterRow>,
}

/// Groups parameters by their keys without the last part, in the order of first appearance.
pub(super) fn parameters(rows: &[ParameterRow]) -> Vec<ParameterGroup<'_>> {
    let mut groups: Vec<ParameterGroup<'_>> = Vec::new();
    let mut index: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows {
        let name = row.key.rsplit_once('.').map_or("", |(group, _)| group);
        let place = *index.entry(name).or_insert_with(|| {
            let name = if name.is_empty() { "scenario".into() } else { name.to_string() };
            groups.push(ParameterGroup { name, rows: Vec::new() });
            groups.len() - 1
        });
        groups[place].rows.push(row);
    }
    groups
}

/// The amount of simulation work, in words.
pub(super) fn work(record: &RunRecord) -> String {
    if record.manifest.frames.are_real() {
        return format!("{} frames received", Unit::Count.text(record.summary.events as f64));
    }
    let summary = &record.summary;
    let (events, hops) = (grouped(summary.events as f64), grouped(summary.packet_hops as f64));
    format!("{events} events, {hops} packet-hops")
}
