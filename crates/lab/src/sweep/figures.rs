//! The figures by which variants are compared.

use std::collections::BTreeMap;

use crate::metrics::quantile;
use crate::results::{GroupSummary, MessageClass, QueueSummary, Summary};

/// How a figure is taken from a summary; none where the run does not have it.
type Take = fn(&Summary) -> Option<f64>;

/// The figures, in the order of the columns of `sweep.csv`. The busiest queue is [`Summary::watched_queue`]; the busiest port is the one of that queue, or without queues the one that sent longest.
pub const FIGURES: [(&str, Take); 25] = [
    ("throughput_bps", |summary| Some(summary.total.throughput_bps)),
    ("utilisation_share", busiest_port),
    ("queue_mean_bytes", |summary| Some(busiest_queue(summary)?.mean_bytes)),
    ("queue_deviation_bytes", |summary| Some(busiest_queue(summary)?.deviation_bytes)),
    ("queue_error_bytes", |summary| distance(busiest_queue(summary)?)),
    ("queue_p99_bytes", |summary| quantile::at(&busiest_queue(summary)?.quantiles, 0.99)),
    ("jain_index", |summary| summary.total.jain_index),
    ("jain_index_windowed_mean", |summary| summary.total.jain_index_windowed_mean),
    ("loss_share", |summary| Some(summary.total.loss_share)),
    ("notifications", |summary| Some(summary.total.notifications as f64)),
    ("notifications_per_frame", |summary| Some(summary.total.notifications_per_frame)),
    ("paused_s", |summary| Some(summary.total.paused_s)),
    ("settling_s", last_settling),
    ("fct_mean_s", |summary| Some(all_messages(summary)?.fct_mean_s)),
    ("fct_p99_s", |summary| quantile::at(&all_messages(summary)?.fct_quantiles, 0.99)),
    ("slowdown_p50", |summary| quantile::at(&all_messages(summary)?.slowdown_quantiles, 0.5)),
    ("slowdown_p99", |summary| quantile::at(&all_messages(summary)?.slowdown_quantiles, 0.99)),
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

/// The figures that a run has, by name.
pub(super) fn figures(summary: &Summary) -> BTreeMap<String, f64> {
    FIGURES.iter().filter_map(|(name, take)| Some(((*name).to_owned(), take(summary)?))).collect()
}

/// The smallest of a figure of groups.
fn least(summary: &Summary, figure: fn(&GroupSummary) -> Option<f64>) -> Option<f64> {
    summary.groups.iter().filter_map(figure).min_by(f64::total_cmp)
}

/// The largest of a figure of groups.
fn most(summary: &Summary, figure: fn(&GroupSummary) -> f64) -> Option<f64> {
    summary.groups.iter().map(figure).max_by(f64::total_cmp)
}

fn busiest_queue(summary: &Summary) -> Option<&QueueSummary> {
    summary.watched_queue()
}

/// Root mean square distance of a queue from its set point, if it has one.
fn distance(queue: &QueueSummary) -> Option<f64> {
    let offset = queue.mean_bytes - queue.set_point_bytes? as f64;
    Some((queue.deviation_bytes * queue.deviation_bytes + offset * offset).sqrt())
}

fn busiest_port(summary: &Summary) -> Option<f64> {
    let of_queue =
        busiest_queue(summary).and_then(|queue| summary.ports.iter().find(|port| port.name == queue.port));
    let shares = summary.ports.iter().map(|port| port.utilisation_share);
    of_queue.map(|port| port.utilisation_share).or_else(|| shares.max_by(f64::total_cmp))
}

/// The settling time after the last event, which has the rest of the run to settle in.
fn last_settling(summary: &Summary) -> Option<f64> {
    summary.events_at.last()?.settling_s
}

/// The class of all sizes, if it holds a message.
fn all_messages(summary: &Summary) -> Option<&MessageClass> {
    summary.messages.as_ref()?.classes.first().filter(|class| class.count > 0)
}
