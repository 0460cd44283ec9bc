//! The figures by which a page compares the variants of a sweep.

use setpoint_lab::sweep::{Spread, SweepSummary, VariantSummary};

use setpoint_plot::Better::{self, Larger, Neither, Smaller};
use setpoint_units::quantity::Unit;

/// A figure that people compare variants by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Compared {
    /// Its name in `sweep.json`.
    pub(super) name: &'static str,
    /// What it is called.
    pub(super) title: &'static str,
    pub(super) unit: Unit,
    /// Which values are better.
    pub(super) better: Better,
    /// What it is, in a sentence.
    pub(super) meaning: &'static str,
    /// What a value other than zero means, for figures of which the first one that is not matters most.
    pub(super) onset: Option<&'static str>,
    /// Why a variant that ran has no value.
    pub(super) missing: &'static str,
}

/// All of them, in the order of the page. One that a sweep does not have is left out.
const COMPARED: [Compared; 25] = [
    Compared {
        missing: "one flow",
        ..compared(
            "jain_index",
            "Fairness",
            Unit::Ratio,
            Larger,
            "Jain's index of the flows' mean rates; 1 is fair.",
        )
    },
    Compared {
        missing: "one flow",
        ..compared(
            "jain_index_windowed_mean",
            "Fairness in short windows",
            Unit::Ratio,
            Larger,
            "Jain's index of the flows' rates per weight in short windows, mean over windows.",
        )
    },
    compared(
        "utilisation_share",
        "Utilisation",
        Unit::Share,
        Larger,
        "Share of the time in which the port of the watched queue sends.",
    ),
    compared(
        "throughput_bps",
        "Throughput",
        Unit::BitsPerSecond,
        Larger,
        "Data delivered by all flows together.",
    ),
    compared("queue_mean_bytes", "Mean queue", Unit::Bytes, Neither, "Mean length of the watched queue."),
    compared(
        "queue_deviation_bytes",
        "Deviation of the queue",
        Unit::Bytes,
        // A queue that is pinned at its full buffer deviates little.
        Neither,
        "Its standard deviation over time.",
    ),
    Compared {
        missing: "no set point",
        ..compared(
            "queue_error_bytes",
            "Distance of the queue from its set point",
            Unit::Bytes,
            Smaller,
            "Root mean square, over time, for the watched queue.",
        )
    },
    compared(
        "queue_p99_bytes",
        "Queue, 99th percentile",
        Unit::Bytes,
        Smaller,
        "99th percentile, over time, of the watched queue.",
    ),
    Compared {
        onset: Some("frames are lost"),
        ..compared("loss_share", "Loss", Unit::Share, Smaller, "Frames dropped over frames sent.")
    },
    compared("notifications", "Notifications", Unit::Count, Smaller, "Notifications sent in the whole run."),
    compared(
        "notifications_per_frame",
        "Notifications per data frame",
        Unit::Share,
        Smaller,
        "Notifications over data frames sent.",
    ),
    compared(
        "feedback_overhead",
        "Feedback overhead",
        Unit::Ratio,
        Smaller,
        "Notifications that reached stations over data frames that they sent.",
    ),
    compared(
        "notifications_per_source_peak",
        "Notifications to one source, peak",
        Unit::PerSecond,
        Smaller,
        "The most notifications that one station received in any 100 ms, per second.",
    ),
    compared(
        "group_notifications_per_source_mean",
        "Notifications to a sender of a group",
        Unit::PerSecond,
        Smaller,
        "Mean over the senders of a group; of several groups, the largest.",
    ),
    compared(
        "group_rate_mean_bps",
        "Rate to a group",
        Unit::BitsPerSecond,
        Larger,
        "Mean rate of the senders to a group; of several groups, the smallest.",
    ),
    compared(
        "group_jain_index",
        "Fairness within a group",
        Unit::Ratio,
        Larger,
        "Jain's index of the senders to a group; of several groups, the smallest.",
    ),
    compared(
        "group_feedback_overhead",
        "Feedback overhead of a group",
        Unit::Ratio,
        Smaller,
        "Notifications for each data frame that senders to a group sent; of several groups, the largest.",
    ),
    Compared {
        onset: Some("receivers lose frames"),
        ..compared(
            "group_loss_share",
            "Loss in a group",
            Unit::Share,
            Smaller,
            "Frames lost over frames due at all receivers; of several groups, the largest.",
        )
    },
    Compared {
        onset: Some("ports are paused"),
        ..compared(
            "paused_s",
            "Time paused",
            Unit::Seconds,
            Smaller,
            "Time in which ports were paused, summed over ports.",
        )
    },
    Compared {
        missing: "not settled",
        ..compared(
            "settling_s",
            "Settling time",
            Unit::Seconds,
            Smaller,
            "Time from the last event until the watched queue stays within 10 % of its set point, with its port loaded and its buffer not full.",
        )
    },
    Compared {
        onset: Some("messages are not completed"),
        ..compared(
            "messages_not_completed_share",
            "Messages not completed",
            Unit::Share,
            Smaller,
            "Share of messages that were unfinished at the end or lost a frame.",
        )
    },
    Compared {
        missing: "no messages",
        ..compared(
            "fct_mean_s",
            "Completion time, mean",
            Unit::Seconds,
            Smaller,
            "Mean completion time of messages; a lower bound (>) where some were not completed.",
        )
    },
    Compared {
        missing: "no messages",
        ..compared(
            "fct_p50_s",
            "Completion time, median",
            Unit::Seconds,
            Smaller,
            "Median completion time; messages that were not completed count as slower than all others.",
        )
    },
    Compared {
        missing: "no messages",
        ..compared(
            "fct_p99_s",
            "Completion time, 99th percentile",
            Unit::Seconds,
            Smaller,
            "99th percentile of the completion time; a lower bound (>) where it falls among messages that were not completed.",
        )
    },
    Compared {
        missing: "no messages",
        ..compared(
            "slowdown_p99",
            "Slowdown, 99th percentile",
            Unit::Ratio,
            Smaller,
            "99th percentile of completion time over that on an empty network; a lower bound (>) like that of the completion time.",
        )
    },
];

const fn compared(
    name: &'static str,
    title: &'static str,
    unit: Unit,
    better: Better,
    meaning: &'static str,
) -> Compared {
    Compared { name, title, unit, better, meaning, onset: None, missing: "no value" }
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
