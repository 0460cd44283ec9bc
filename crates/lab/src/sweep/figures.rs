//! The figures by which variants are compared.
//!
//! Some are of the network as a whole ([`RUN_FIGURES`]), some of one queue and its port ([`QUEUE_FIGURES`]). Which queue
//! that is, is decided for all runs together ([`super::watched`]), so that those of every queue are kept until then.

use std::collections::{BTreeMap, BTreeSet};

use crate::metrics::moments::share;
use crate::metrics::quantile;
use crate::results::{Bounded, GroupSummary, MessageClass, QueueSummary, Settling, Summary};

/// The names of all figures, in the order of the columns of `sweep.csv`.
pub const FIGURES: [&str; 30] = [
    "throughput_bps",
    "utilisation_share",
    "queue_mean_bytes",
    "queue_deviation_bytes",
    "queue_error_bytes",
    "queue_p99_bytes",
    "jain_index",
    "jain_index_windowed_mean",
    "loss_share",
    "notifications",
    "notifications_per_frame",
    "paused_s",
    "settling_s",
    "messages_completed",
    "messages_unfinished",
    "messages_damaged",
    "messages_not_completed_share",
    "fct_mean_s",
    "fct_p50_s",
    "fct_p99_s",
    "slowdown_p50",
    "slowdown_p99",
    "feedback_overhead",
    "notifications_per_source_peak",
    "group_rate_mean_bps",
    "group_jain_index",
    "group_loss_share",
    "group_feedback_overhead",
    "group_notifications_per_source_mean",
    "group_notifications_per_source_peak",
];

/// The figures that may be lower bounds, because some messages were not completed.
pub const BOUNDED: [&str; 5] = ["fct_mean_s", "fct_p50_s", "fct_p99_s", "slowdown_p50", "slowdown_p99"];

/// How a figure is taken from a summary; none where the run does not have it.
type OfRun = fn(&Summary) -> Option<f64>;
/// How a figure is taken from a queue of a summary.
type OfQueue = fn(&Summary, &QueueSummary) -> Option<f64>;
/// How a figure that may be a lower bound is taken from the messages of a summary.
type OfMessages = fn(&MessageClass) -> Option<Bounded>;

const RUN_FIGURES: [(&str, OfRun); 19] = [
    ("throughput_bps", |summary| Some(summary.total.throughput_bps)),
    ("jain_index", |summary| summary.total.jain_index),
    ("jain_index_windowed_mean", |summary| summary.total.jain_index_windowed_mean),
    ("loss_share", |summary| Some(summary.total.loss_share)),
    ("notifications", |summary| Some(summary.total.notifications as f64)),
    ("notifications_per_frame", |summary| Some(summary.total.notifications_per_frame)),
    ("paused_s", |summary| Some(summary.total.paused_s)),
    ("messages_completed", |summary| Some(judged(summary)?.completed as f64)),
    ("messages_unfinished", |summary| Some(judged(summary)?.unfinished as f64)),
    ("messages_damaged", |summary| Some(judged(summary)?.damaged as f64)),
    ("messages_not_completed_share", |summary| {
        let messages = judged(summary)?;
        Some(share((messages.unfinished + messages.damaged) as f64, messages.count() as f64))
    }),
    ("feedback_overhead", |summary| Some(summary.total.feedback_overhead)),
    ("notifications_per_source_peak", |summary| Some(summary.total.notifications_per_source_peak)),
    ("group_rate_mean_bps", |summary| least(summary, |group| Some(group.rate_mean_bps))),
    ("group_jain_index", |summary| least(summary, |group| group.jain_index)),
    ("group_loss_share", |summary| most(summary, |group| group.loss_share)),
    ("group_feedback_overhead", |summary| most(summary, |group| group.feedback_overhead)),
    ("group_notifications_per_source_mean", |summary| {
        most(summary, |group| group.notifications_per_source_mean)
    }),
    ("group_notifications_per_source_peak", |summary| {
        most(summary, |group| group.notifications_per_source_peak)
    }),
];

const MESSAGE_FIGURES: [(&str, OfMessages); 5] = [
    ("fct_mean_s", MessageClass::fct_mean),
    ("fct_p50_s", |class| class.fct_at(0.5)),
    ("fct_p99_s", |class| class.fct_at(0.99)),
    ("slowdown_p50", |class| class.slowdown_at(0.5)),
    ("slowdown_p99", |class| class.slowdown_at(0.99)),
];

const QUEUE_FIGURES: [(&str, OfQueue); 6] = [
    ("utilisation_share", |summary, queue| utilisation(summary, &queue.port)),
    ("queue_mean_bytes", |_, queue| Some(queue.mean_bytes)),
    ("queue_deviation_bytes", |_, queue| Some(queue.deviation_bytes)),
    ("queue_error_bytes", |_, queue| distance(queue)),
    ("queue_p99_bytes", |_, queue| quantile::at(&queue.quantiles, 0.99)),
    ("settling_s", |_, queue| queue.settling.and_then(Settling::seconds)),
];

/// The figures of a run, those of its queues apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    pub(super) figures: BTreeMap<String, f64>,
    /// Figures that are only known to be at least their value.
    pub(super) lower_bounds: BTreeSet<String>,
    /// The queues in the order of the summary, the busiest first.
    pub(super) queues: Vec<KeptQueue>,
    /// The place of the queue that the run by itself is judged by.
    pub(super) own: Option<usize>,
}

/// The figures of one queue.
#[derive(Clone, Debug)]
pub(super) struct KeptQueue {
    pub(super) name: String,
    pub(super) port: String,
    pub(super) mean: f64,
    /// Whether a congestion point acts on it; input buffers make outputs full by design.
    pub(super) acted_on: bool,
    figures: [Option<f64>; QUEUE_FIGURES.len()],
}

impl Kept {
    pub(super) fn of(summary: &Summary) -> Self {
        let mut kept = Self { own: summary.watched(), ..Self::default() };
        for (name, take) in RUN_FIGURES {
            kept.figures.extend(take(summary).map(|value| (name.to_owned(), value)));
        }
        for (name, take) in MESSAGE_FIGURES {
            let Some(figure) = judged(summary).and_then(take) else { continue };
            kept.figures.insert(name.to_owned(), figure.value);
            kept.lower_bounds.extend(figure.is_lower_bound.then(|| name.to_owned()));
        }
        if summary.queues.is_empty() {
            let busiest = summary.ports.iter().map(|port| port.utilisation_share).max_by(f64::total_cmp);
            kept.figures.extend(busiest.map(|share| ("utilisation_share".to_owned(), share)));
        }
        kept.queues = summary.queues.iter().map(|queue| KeptQueue::of(summary, queue)).collect();
        kept
    }

    /// Adds the figures of one of the queues to those of the run.
    pub(super) fn with_queue(mut self, place: Option<usize>) -> Self {
        if let Some(queue) = place.and_then(|place| self.queues.get(place)) {
            let figures = QUEUE_FIGURES.iter().zip(queue.figures);
            self.figures.extend(figures.filter_map(|((name, _), value)| Some(((*name).to_owned(), value?))));
        }
        self
    }
}

impl KeptQueue {
    fn of(summary: &Summary, queue: &QueueSummary) -> Self {
        Self {
            name: queue.name.clone(),
            port: queue.port.clone(),
            mean: queue.mean_bytes,
            acted_on: summary.is_acted_on(queue),
            figures: QUEUE_FIGURES.map(|(_, take)| take(summary, queue)),
        }
    }
}

/// The smallest of a figure of groups.
fn least(summary: &Summary, figure: fn(&GroupSummary) -> Option<f64>) -> Option<f64> {
    summary.groups.iter().filter_map(figure).min_by(f64::total_cmp)
}

/// The largest of a figure of groups.
fn most(summary: &Summary, figure: fn(&GroupSummary) -> f64) -> Option<f64> {
    summary.groups.iter().map(figure).max_by(f64::total_cmp)
}

/// Root mean square distance of a queue from its set point, if it has one.
fn distance(queue: &QueueSummary) -> Option<f64> {
    let offset = queue.mean_bytes - queue.set_point_bytes? as f64;
    Some((queue.deviation_bytes * queue.deviation_bytes + offset * offset).sqrt())
}

/// Of a port that sent nothing there is no entry.
fn utilisation(summary: &Summary, port: &str) -> Option<f64> {
    let found = summary.ports.iter().find(|entry| entry.name == port);
    Some(found.map_or(0.0, |port| port.utilisation_share))
}

/// The messages by which a run is judged.
fn judged(summary: &Summary) -> Option<&MessageClass> {
    summary.messages.as_ref()?.judged()
}
