//! The figures by which a page compares the variants of a sweep.

use setpoint_lab::sweep::{Spread, SweepSummary, VariantSummary};

use crate::quantity::Unit;

/// A figure that people compare variants by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Compared {
    /// Its name in `sweep.json`.
    pub(super) name: &'static str,
    /// What it is called.
    pub(super) title: &'static str,
    pub(super) unit: Unit,
    /// What it is, in a sentence.
    pub(super) meaning: &'static str,
    /// What a value other than zero means, for figures of which the first one that is not matters most.
    pub(super) onset: Option<&'static str>,
}

/// All of them, in the order of the page. One that a sweep does not have is left out.
const COMPARED: [Compared; 25] = [
    compared("jain_index", "Fairness", Unit::Ratio, "Jain's index of the flows' mean rates; 1 is fair."),
    compared(
        "jain_index_windowed_mean",
        "Fairness in short windows",
        Unit::Ratio,
        "Jain's index of the flows' rates per weight in short windows, mean over windows.",
    ),
    compared(
        "utilisation_share",
        "Utilisation",
        Unit::Share,
        "Share of the time in which the port of the watched queue sends.",
    ),
    compared("throughput_bps", "Throughput", Unit::BitsPerSecond, "Data delivered by all flows together."),
    compared("queue_mean_bytes", "Mean queue", Unit::Bytes, "Mean length of the watched queue."),
    compared(
        "queue_deviation_bytes",
        "Deviation of the queue",
        Unit::Bytes,
        "Its standard deviation over time.",
    ),
    compared(
        "queue_error_bytes",
        "Distance of the queue from its set point",
        Unit::Bytes,
        "Root mean square, over time, for the watched queue.",
    ),
    compared(
        "queue_p99_bytes",
        "Queue, 99 % below",
        Unit::Bytes,
        "99th percentile, over time, of the watched queue.",
    ),
    since("loss_share", "Loss", Unit::Share, "Frames dropped over frames sent.", "frames are lost"),
    compared("notifications", "Notifications", Unit::Count, "Notifications sent in the whole run."),
    compared(
        "notification_overhead_share",
        "Notifications per data frame",
        Unit::Share,
        "Notifications over data frames sent.",
    ),
    compared(
        "feedback_overhead",
        "Feedback overhead",
        Unit::Ratio,
        "Notifications that reached stations over data frames that they sent.",
    ),
    compared(
        "notifications_per_source_peak",
        "Notifications to one source, peak",
        Unit::PerSecond,
        "The most notifications that one station received in any 100 ms, per second.",
    ),
    compared(
        "group_notifications_per_source_mean",
        "Notifications to a sender of a group",
        Unit::PerSecond,
        "Mean over the senders of a group; of several groups, the largest.",
    ),
    compared(
        "group_rate_mean_bps",
        "Rate to a group",
        Unit::BitsPerSecond,
        "Mean rate of the senders to a group; of several groups, the smallest.",
    ),
    compared(
        "group_jain_index",
        "Fairness within a group",
        Unit::Ratio,
        "Jain's index of the senders to a group; of several groups, the smallest.",
    ),
    compared(
        "group_feedback_overhead",
        "Feedback overhead of a group",
        Unit::Ratio,
        "Notifications for each data frame that senders to a group sent; of several groups, the largest.",
    ),
    since(
        "group_loss_share",
        "Loss in a group",
        Unit::Share,
        "Frames lost over frames due at all receivers; of several groups, the largest.",
        "receivers lose frames",
    ),
    since(
        "paused_s",
        "Time paused",
        Unit::Seconds,
        "Time in which ports were paused, summed over ports.",
        "ports are paused",
    ),
    compared(
        "settling_s",
        "Settling",
        Unit::Seconds,
        "Time from the last event until the watched queue stays within 10 % of its set point, with its port loaded and its buffer not full.",
    ),
    since(
        "messages_not_completed_share",
        "Messages not completed",
        Unit::Share,
        "Share of messages that were unfinished at the end or lost a frame.",
        "messages are not completed",
    ),
    compared(
        "fct_mean_s",
        "Completion of messages",
        Unit::Seconds,
        "Mean completion time of messages; a lower bound (>) where some were not completed.",
    ),
    compared(
        "fct_p50_s",
        "Completion, median",
        Unit::Seconds,
        "Median completion time; messages that were not completed count as slower than all others.",
    ),
    compared(
        "fct_p99_s",
        "Completion, 99th percentile",
        Unit::Seconds,
        "99th percentile of the completion time; a lower bound (>) where it falls among messages that were not completed.",
    ),
    compared(
        "slowdown_p99",
        "Slowdown, 99th percentile",
        Unit::Ratio,
        "99th percentile of completion time over that on an empty network; a lower bound (>) like that of the completion time.",
    ),
];

const fn compared(name: &'static str, title: &'static str, unit: Unit, meaning: &'static str) -> Compared {
    Compared { name, title, unit, meaning, onset: None }
}

const fn since(
    name: &'static str,
    title: &'static str,
    unit: Unit,
    meaning: &'static str,
    onset: &'static str,
) -> Compared {
    Compared { name, title, unit, meaning, onset: Some(onset) }
}

impl Compared {
    /// Its mean and spread over the seeds of a variant.
    pub(super) fn of(self, variant: &VariantSummary) -> Option<&Spread> {
        variant.figures.get(self.name)
    }

    /// The least and the largest value that it can have.
    pub(super) fn bounds(self) -> (f64, f64) {
        let is_share = matches!(
            self.name,
            "utilisation_share" | "loss_share" | "group_loss_share" | "messages_not_completed_share"
        );
        let is_index = matches!(self.name, "jain_index" | "jain_index_windowed_mean" | "group_jain_index");
        (0.0, if is_share || is_index { 1.0 } else { f64::INFINITY })
    }
}

/// The figures that a sweep has.
pub(super) fn all(summary: &SweepSummary) -> Vec<Compared> {
    let has = |figure: &Compared| summary.variants.iter().any(|variant| figure.of(variant).is_some());
    COMPARED.into_iter().filter(has).collect()
}

/// The figures in which variants differ, and those that are the same everywhere, each with its value.
pub(super) fn sorted(summary: &SweepSummary) -> (Vec<Compared>, Vec<(Compared, f64)>) {
    let (mut differing, mut same) = (Vec::new(), Vec::new());
    for figure in all(summary) {
        match common_value(summary, figure) {
            Some(value) => same.push((figure, value)),
            None => differing.push(figure),
        }
    }
    (differing, same)
}

/// The mean that all variants share, apart from those that have no result at all.
fn common_value(summary: &SweepSummary, figure: Compared) -> Option<f64> {
    let with_result = summary.variants.iter().filter(|variant| !variant.figures.is_empty());
    let means: Option<Vec<f64>> =
        with_result.map(|variant| figure.of(variant).map(|spread| spread.mean)).collect();
    let means = means?;
    let first = *means.first()?;
    // Means over seeds are sums, which round.
    means.iter().all(|mean| (mean - first).abs() <= 1e-9 * first.abs()).then_some(first)
}
