//! Feedback and group metrics. If a run has several groups, the worst one counts.

use setpoint_units::quantity::Unit::{BitsPerSecond, PerSecond, Share};

use super::Better::{Larger, Smaller};
use super::{Metric, metrics};
use crate::results::{GroupSummary, Summary};

metrics! {
    pub(super) static METRICS;

    /// Notifications that reached stations, divided by the data frames that stations sent.
    FEEDBACK_OVERHEAD = Metric::of_run("feedback_overhead", |summary| Some(summary.total.feedback_overhead))
        .called("Feedback overhead", "feedback").better(Smaller);

    /// Largest number of notifications that one station received in any 100 ms, per second.
    SOURCE_NOTIFICATIONS_PEAK = Metric::of_run("notifications_per_source_peak", |summary| {
            Some(summary.total.notifications_per_source_peak)
        })
        .called("Notifications to one source, peak", "peak notification rate").in_unit(PerSecond).better(Smaller);

    /// Mean rate of the senders to a group; with several groups, the smallest.
    GROUP_RATE = Metric::of_run("group_rate_mean_bps", |summary| least(summary, |group| Some(group.rate_mean_bps)))
        .called("Rate to a group", "group rate").in_unit(BitsPerSecond).better(Larger).on_terminal(11);

    /// Jain's index of the rates of the senders to a group; with several groups, the smallest.
    GROUP_JAIN = Metric::of_run("group_jain_index", |summary| least(summary, |group| group.jain_index))
        .called("Fairness within a group", "group Jain").at_most(1.0).better(Larger);

    /// Lost frames divided by frames due, over all receivers of a group; with several groups, the largest.
    GROUP_LOSS = Metric::of_run("group_loss_share", |summary| most(summary, |group| group.loss_share))
        .called("Loss in a group", "group loss").in_unit(Share).better(Smaller).onset("receivers lose frames");

    /// Notifications that reached the senders to a group, divided by the frames they sent to it;
    /// with several groups, the largest.
    GROUP_FEEDBACK_OVERHEAD =
        Metric::of_run("group_feedback_overhead", |summary| most(summary, |group| group.feedback_overhead))
        .called("Feedback overhead of a group", "group feedback").better(Smaller);

    /// Notifications per second that a sender to a group received, averaged over its senders;
    /// with several groups, the largest.
    GROUP_NOTIFICATIONS_MEAN = Metric::of_run("group_notifications_per_source_mean", |summary| {
            most(summary, |group| group.notifications_per_source_mean)
        })
        .called("Notifications to a sender of a group", "group notification rate").in_unit(PerSecond).better(Smaller);

    /// Largest number of notifications that one sender to a group received in any 100 ms, per
    /// second; with several groups, the largest.
    GROUP_NOTIFICATIONS_PEAK = Metric::of_run("group_notifications_per_source_peak", |summary| {
            most(summary, |group| group.notifications_per_source_peak)
        })
        .called("Notifications to a group's sender, peak", "peak notification rate").in_unit(PerSecond)
        .better(Smaller).on_terminal(12).off_page();
}

fn least(summary: &Summary, figure: fn(&GroupSummary) -> Option<f64>) -> Option<f64> {
    summary.groups.iter().filter_map(figure).min_by(f64::total_cmp)
}

fn most(summary: &Summary, figure: fn(&GroupSummary) -> f64) -> Option<f64> {
    summary.groups.iter().map(figure).max_by(f64::total_cmp)
}
