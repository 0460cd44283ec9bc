//! Message metrics.
//!
//! They cover the messages offered in the measurement interval or, if there are none, those offered before it. A figure
//! that depends on how long incomplete messages would have taken is a lower bound.

use setpoint_units::quantity::Unit::{Count, Seconds, Share};

use super::Better::{Larger, Smaller};
use super::slowdown::exact;
use super::{Metric, metrics};
use crate::results::MessageSize::{self, Large, Medium, Short};
use crate::results::{Bounded, EntrySummary, MessageClass, Summary};
use crate::statistics::moments::share;

metrics! {
    pub(super) static METRICS;

    /// Messages delivered in full. Like all message metrics, this covers the messages offered in the measurement
    /// interval (from `measure_from_s` until `measure_messages_until_s` or the end) or, if there are none, those
    /// offered before.
    MESSAGES_COMPLETED = Metric::of_run("messages_completed", |summary| Some(judged(summary)?.completed as f64))
        .called("Messages completed", "completed").in_unit(Count).better(Larger).on_terminal(8).off_page();

    /// Messages still under way at the end, or cut off when their flow was stopped.
    MESSAGES_UNFINISHED = Metric::of_run("messages_unfinished", |summary| Some(judged(summary)?.unfinished as f64))
        .called("Messages unfinished", "unfinished").in_unit(Count).better(Smaller).on_terminal(8).off_page();

    /// Messages that lost a frame.
    MESSAGES_DAMAGED = Metric::of_run("messages_damaged", |summary| Some(judged(summary)?.damaged as f64))
        .called("Messages damaged", "damaged").in_unit(Count).better(Smaller).on_terminal(8).off_page();

    /// Share of messages that were unfinished at the end or lost a frame.
    MESSAGES_NOT_COMPLETED = Metric::of_run("messages_not_completed_share", |summary| {
            let messages = judged(summary)?;
            Some(share((messages.unfinished + messages.damaged) as f64, messages.count() as f64))
        })
        .called("Messages not completed", "not completed").in_unit(Share).better(Smaller)
        .onset("messages are not completed").in_league(9);

    /// Mean completion time of messages; a lower bound (>) unless all were completed.
    FCT_MEAN = Metric::of_messages("fct_mean_s", |summary| judged(summary)?.fct_mean())
        .called("Completion time, mean", "mean completion").in_unit(Seconds).better(Smaller).on_terminal(9);

    /// Median completion time of messages; a lower bound (>) if it depends on messages that were not completed.
    FCT_P50 = Metric::of_messages("fct_p50_s", |summary| judged(summary)?.fct_at(0.5))
        .called("Completion time, median", "median completion").in_unit(Seconds).better(Smaller).in_league(7);

    /// 99th percentile of the completion time; a lower bound (>) if it depends on messages that were not completed.
    FCT_P99 = Metric::of_messages("fct_p99_s", |summary| judged(summary)?.fct_at(0.99))
        .called("Completion time, 99th percentile", "completion p99").in_unit(Seconds).better(Smaller);

    /// Median slowdown of messages: the completion time divided by the completion time on an empty network.
    SLOWDOWN_P50 = Metric::of_messages("slowdown_p50", |summary| exact(summary, None, 0.5))
        .called("Slowdown, median", "median slowdown").better(Smaller).off_page().in_league(10);

    /// 95th percentile of the slowdown; a lower bound (>) if it depends on messages that were not completed.
    SLOWDOWN_P95 = Metric::of_messages("slowdown_p95", |summary| exact(summary, None, 0.95))
        .called("Slowdown, 95th percentile", "slowdown p95").better(Smaller).off_page().in_league(11);

    /// 99th percentile of the slowdown: the completion time divided by the completion time on an empty network. A lower
    /// bound (>) if it depends on messages that were not completed.
    SLOWDOWN_P99 = Metric::of_messages("slowdown_p99", |summary| exact(summary, None, 0.99))
        .called("Slowdown, 99th percentile", "slowdown p99").better(Smaller).on_terminal(10).in_league(8);

    /// 99.9th percentile of the slowdown, if there are at least 1000 messages; a lower bound (>) if it depends on messages
    /// that were not completed.
    SLOWDOWN_P999 = Metric::of_messages("slowdown_p999", |summary| exact(summary, None, 0.999))
        .called("Slowdown, 99.9th percentile", "slowdown p99.9").better(Smaller)
        .missing("fewer than 1000 messages").off_page().in_league(12);

    /// Share of the messages' time, from offer to completion or to the end of the run, that they spent waiting for earlier
    /// messages of their own flow. Non-zero only if messages are sent in order, or if more than 1024 messages of a flow are
    /// pending at the same time.
    WAITED_SHARE = Metric::of_run("messages_waited_share", |summary| Some(judged(summary)?.waited_share))
        .called("Time spent behind own messages", "behind own").in_unit(Share).better(Smaller).off_page();
}

metrics! {
    pub(super) static LATER;

    /// Time from the common start of a query, such as an incast, until the last of its messages is
    /// complete; with several queries, the longest. A lower bound (>) if a message was not completed.
    QUERY_COMPLETION = Metric::of_messages("query_completion_s", query_completion)
        .called("Query completion time", "query completion").in_unit(Seconds).better(Smaller).missing("no query")
        .on_terminal(9);

    /// Mean completion time of messages below 100 kB; a lower bound (>) unless all were completed.
    FCT_SHORT_MEAN = Metric::of_messages("fct_short_mean_s", |summary| sized(summary, Short)?.fct_mean())
        .called("Completion time of short messages, mean", "short mean").in_unit(Seconds).better(Smaller)
        .missing("no short messages");

    /// 99th percentile of the completion time of messages below 100 kB; a lower bound (>) if it depends on messages
    /// that were not completed.
    FCT_SHORT_P99 = Metric::of_messages("fct_short_p99_s", |summary| sized(summary, Short)?.fct_at(0.99))
        .called("Completion time of short messages, 99th percentile", "short p99").in_unit(Seconds).better(Smaller)
        .missing("no short messages").on_terminal(13);

    /// Mean completion time of messages from 100 kB to 10 MB; a lower bound (>) unless all were completed.
    FCT_MEDIUM_MEAN = Metric::of_messages("fct_medium_mean_s", |summary| sized(summary, Medium)?.fct_mean())
        .called("Completion time of medium messages, mean", "medium mean").in_unit(Seconds).better(Smaller)
        .missing("no medium messages");

    /// 99th percentile of the completion time of messages from 100 kB to 10 MB; a lower bound (>) if it depends on
    /// messages that were not completed.
    FCT_MEDIUM_P99 = Metric::of_messages("fct_medium_p99_s", |summary| sized(summary, Medium)?.fct_at(0.99))
        .called("Completion time of medium messages, 99th percentile", "medium p99").in_unit(Seconds)
        .better(Smaller).missing("no medium messages");

    /// Mean completion time of messages of 10 MB or more; a lower bound (>) unless all were completed.
    FCT_LARGE_MEAN = Metric::of_messages("fct_large_mean_s", |summary| sized(summary, Large)?.fct_mean())
        .called("Completion time of large messages, mean", "large mean").in_unit(Seconds).better(Smaller)
        .missing("no large messages").on_terminal(13);

    /// 99th percentile of the completion time of messages of 10 MB or more; a lower bound (>) if it depends on
    /// messages that were not completed.
    FCT_LARGE_P99 = Metric::of_messages("fct_large_p99_s", |summary| sized(summary, Large)?.fct_at(0.99))
        .called("Completion time of large messages, 99th percentile", "large p99").in_unit(Seconds).better(Smaller)
        .missing("no large messages");
}

/// The messages by which a run is judged.
pub(super) fn judged(summary: &Summary) -> Option<&MessageClass> {
    summary.messages.as_ref()?.judged()
}

/// The messages of a size class.
pub(super) fn sized(summary: &Summary, size: MessageSize) -> Option<&MessageClass> {
    summary.size_classes.iter().find(|class| class.size == size).map(|class| &class.messages)
}

/// The longest query completion time; a lower bound if any query's time is one.
fn query_completion(summary: &Summary) -> Option<Bounded> {
    let queries = || summary.entries.iter().filter_map(EntrySummary::query_completion);
    let value = queries().map(|query| query.value).max_by(f64::total_cmp)?;
    Some(Bounded { value, is_lower_bound: queries().any(|query| query.is_lower_bound) })
}
