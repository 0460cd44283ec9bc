//! Metrics of the slowdown by HPCC's definition. They cover the same messages as the other message metrics.

use super::Better::Smaller;
use super::{Metric, metrics};
use crate::results::MessageSize::{self, Large, Medium, Short};
use crate::results::{Bounded, HpccSlowdown, Summary};

metrics! {
    /// Median slowdown of messages by HPCC's definition: the time until the last acknowledgement, divided by HPCC's
    /// formula for an empty network. A lower bound (>) if it depends on messages that were not completed.
    HPCC_SLOWDOWN_P50 = Metric::of_messages("hpcc_slowdown_p50", |summary| hpcc(summary, None)?.at(0.5))
        .called("HPCC's slowdown, median", "HPCC median slowdown").better(Smaller)
        .off_page().in_league(25);

    /// 95th percentile of the slowdown by HPCC's definition; a lower bound (>) if it depends on messages that were not
    /// completed.
    HPCC_SLOWDOWN_P95 = Metric::of_messages("hpcc_slowdown_p95", |summary| hpcc(summary, None)?.at(0.95))
        .called("HPCC's slowdown, 95th percentile", "HPCC slowdown p95").better(Smaller)
        .off_page().in_league(26);

    /// 99th percentile of the slowdown by HPCC's definition; a lower bound (>) if it depends on messages that were not
    /// completed.
    HPCC_SLOWDOWN_P99 = Metric::of_messages("hpcc_slowdown_p99", |summary| hpcc(summary, None)?.at(0.99))
        .called("HPCC's slowdown, 99th percentile", "HPCC slowdown p99").better(Smaller)
        .off_page().in_league(27);

    /// 99.9th percentile of the slowdown by HPCC's definition, if there are at least 1000 messages; a lower bound (>)
    /// if it depends on messages that were not completed.
    HPCC_SLOWDOWN_P999 = Metric::of_messages("hpcc_slowdown_p999", |summary| rare(hpcc(summary, None)?))
        .called("HPCC's slowdown, 99.9th percentile", "HPCC slowdown p99.9").better(Smaller)
        .missing("fewer than 1000 messages").off_page().in_league(28);

    /// Median slowdown of messages below 100 kB by HPCC's definition; a lower bound (>) if it depends on messages that
    /// were not completed.
    HPCC_SLOWDOWN_SHORT_P50 = Metric::of_messages("hpcc_slowdown_short_p50", |summary| hpcc(summary, Some(Short))?.at(0.5))
        .called("HPCC's slowdown of short messages, median", "HPCC short slowdown").better(Smaller)
        .missing("no short messages").off_page().in_league(29);

    /// 95th percentile of the slowdown of messages below 100 kB by HPCC's definition; a lower bound (>) if it depends
    /// on messages that were not completed.
    HPCC_SLOWDOWN_SHORT_P95 = Metric::of_messages("hpcc_slowdown_short_p95", |summary| hpcc(summary, Some(Short))?.at(0.95))
        .called("HPCC's slowdown of short messages, 95th percentile", "HPCC short slowdown p95").better(Smaller)
        .missing("no short messages").off_page().in_league(30);

    /// 99th percentile of the slowdown of messages below 100 kB by HPCC's definition; a lower bound (>) if it depends
    /// on messages that were not completed.
    HPCC_SLOWDOWN_SHORT_P99 = Metric::of_messages("hpcc_slowdown_short_p99", |summary| hpcc(summary, Some(Short))?.at(0.99))
        .called("HPCC's slowdown of short messages, 99th percentile", "HPCC short slowdown p99").better(Smaller)
        .missing("no short messages").off_page().in_league(31);

    /// 99.9th percentile of the slowdown of messages below 100 kB by HPCC's definition, if there are at least 1000; a
    /// lower bound (>) if it depends on messages that were not completed.
    HPCC_SLOWDOWN_SHORT_P999 = Metric::of_messages("hpcc_slowdown_short_p999", |summary| rare(hpcc(summary, Some(Short))?))
        .called("HPCC's slowdown of short messages, 99.9th percentile", "HPCC short slowdown p99.9").better(Smaller)
        .missing("fewer than 1000 short messages").off_page().in_league(32);

    /// Median slowdown of messages from 100 kB to 10 MB by HPCC's definition; a lower bound (>) if it depends on
    /// messages that were not completed.
    HPCC_SLOWDOWN_MEDIUM_P50 = Metric::of_messages("hpcc_slowdown_medium_p50", |summary| hpcc(summary, Some(Medium))?.at(0.5))
        .called("HPCC's slowdown of medium messages, median", "HPCC medium slowdown").better(Smaller)
        .missing("no medium messages").off_page().in_league(33);

    /// 95th percentile of the slowdown of messages from 100 kB to 10 MB by HPCC's definition; a lower bound (>) if it
    /// depends on messages that were not completed.
    HPCC_SLOWDOWN_MEDIUM_P95 = Metric::of_messages("hpcc_slowdown_medium_p95", |summary| hpcc(summary, Some(Medium))?.at(0.95))
        .called("HPCC's slowdown of medium messages, 95th percentile", "HPCC medium slowdown p95").better(Smaller)
        .missing("no medium messages").off_page().in_league(34);

    /// 99th percentile of the slowdown of messages from 100 kB to 10 MB by HPCC's definition; a lower bound (>) if it
    /// depends on messages that were not completed.
    HPCC_SLOWDOWN_MEDIUM_P99 = Metric::of_messages("hpcc_slowdown_medium_p99", |summary| hpcc(summary, Some(Medium))?.at(0.99))
        .called("HPCC's slowdown of medium messages, 99th percentile", "HPCC medium slowdown p99").better(Smaller)
        .missing("no medium messages").off_page().in_league(35);

    /// 99.9th percentile of the slowdown of messages from 100 kB to 10 MB by HPCC's definition, if there are at least
    /// 1000; a lower bound (>) if it depends on messages that were not completed.
    HPCC_SLOWDOWN_MEDIUM_P999 = Metric::of_messages("hpcc_slowdown_medium_p999", |summary| rare(hpcc(summary, Some(Medium))?))
        .called("HPCC's slowdown of medium messages, 99.9th percentile", "HPCC medium slowdown p99.9").better(Smaller)
        .missing("fewer than 1000 medium messages").off_page().in_league(36);

    /// Median slowdown of messages of 10 MB or more by HPCC's definition; a lower bound (>) if it depends on messages
    /// that were not completed.
    HPCC_SLOWDOWN_LARGE_P50 = Metric::of_messages("hpcc_slowdown_large_p50", |summary| hpcc(summary, Some(Large))?.at(0.5))
        .called("HPCC's slowdown of large messages, median", "HPCC large slowdown").better(Smaller)
        .missing("no large messages").off_page().in_league(37);

    /// 95th percentile of the slowdown of messages of 10 MB or more by HPCC's definition; a lower bound (>) if it
    /// depends on messages that were not completed.
    HPCC_SLOWDOWN_LARGE_P95 = Metric::of_messages("hpcc_slowdown_large_p95", |summary| hpcc(summary, Some(Large))?.at(0.95))
        .called("HPCC's slowdown of large messages, 95th percentile", "HPCC large slowdown p95").better(Smaller)
        .missing("no large messages").off_page().in_league(38);

    /// 99th percentile of the slowdown of messages of 10 MB or more by HPCC's definition; a lower bound (>) if it
    /// depends on messages that were not completed.
    HPCC_SLOWDOWN_LARGE_P99 = Metric::of_messages("hpcc_slowdown_large_p99", |summary| hpcc(summary, Some(Large))?.at(0.99))
        .called("HPCC's slowdown of large messages, 99th percentile", "HPCC large slowdown p99").better(Smaller)
        .missing("no large messages").off_page().in_league(39);

    /// 99.9th percentile of the slowdown of messages of 10 MB or more by HPCC's definition, if there are at least 1000;
    /// a lower bound (>) if it depends on messages that were not completed.
    HPCC_SLOWDOWN_LARGE_P999 = Metric::of_messages("hpcc_slowdown_large_p999", |summary| rare(hpcc(summary, Some(Large))?))
        .called("HPCC's slowdown of large messages, 99.9th percentile", "HPCC large slowdown p99.9").better(Smaller)
        .missing("fewer than 1000 large messages").off_page().in_league(40);
}

/// The messages of a size class, or of all sizes.
fn hpcc(summary: &Summary, size: Option<MessageSize>) -> Option<&HpccSlowdown> {
    summary.hpcc_slowdowns.iter().find(|class| class.size == size)
}

/// The 99.9th percentile. For fewer than 1000 messages, it would be the largest slowdown.
fn rare(class: &HpccSlowdown) -> Option<Bounded> {
    class.at(0.999).filter(|_| class.messages >= 1_000)
}
