//! Percentiles of the slowdown by message size, by two definitions, and their order in tables.
//!
//! All of them cover the same messages as the other message metrics.

use super::Better::Smaller;
use super::messages::{self, judged, sized};
use super::{Metric, metrics};
use crate::results::MessageSize::{self, Large, Medium, Short};
use crate::results::{Bounded, Summary};

metrics! {
    pub(super) static HPCC;

    /// Median slowdown of messages by HPCC's definition: the time until the last acknowledgement, divided by HPCC's
    /// formula for an empty network. A lower bound (>) if it depends on messages that were not completed.
    HPCC_SLOWDOWN_P50 = Metric::of_messages("hpcc_slowdown_p50", |summary| by_hpcc(summary, None, 0.5))
        .called("HPCC's slowdown, median", "HPCC median slowdown").better(Smaller)
        .off_page().in_league(25);

    /// 95th percentile of the slowdown by HPCC's definition; a lower bound (>) if it depends on messages that were not
    /// completed.
    HPCC_SLOWDOWN_P95 = Metric::of_messages("hpcc_slowdown_p95", |summary| by_hpcc(summary, None, 0.95))
        .called("HPCC's slowdown, 95th percentile", "HPCC slowdown p95").better(Smaller)
        .off_page().in_league(26);

    /// 99th percentile of the slowdown by HPCC's definition; a lower bound (>) if it depends on messages that were not
    /// completed.
    HPCC_SLOWDOWN_P99 = Metric::of_messages("hpcc_slowdown_p99", |summary| by_hpcc(summary, None, 0.99))
        .called("HPCC's slowdown, 99th percentile", "HPCC slowdown p99").better(Smaller)
        .off_page().in_league(27);

    /// 99.9th percentile of the slowdown by HPCC's definition, if there are at least 1000 messages; a lower bound (>)
    /// if it depends on messages that were not completed.
    HPCC_SLOWDOWN_P999 = Metric::of_messages("hpcc_slowdown_p999", |summary| by_hpcc(summary, None, 0.999))
        .called("HPCC's slowdown, 99.9th percentile", "HPCC slowdown p99.9").better(Smaller)
        .missing("fewer than 1000 messages").off_page().in_league(28);
}

/// Declares a percentile of the slowdown of messages of one size class.
macro_rules! percentile {
    ($metric:ident, $of:ident($size:ident, $share:literal), $name:expr, ($title:expr, $header:expr), $missing:expr, $place:expr, $on_page:expr, $meaning:expr) => {
        #[doc = $meaning]
        pub static $metric: Metric = Metric {
            meaning: $meaning,
            on_page: $on_page,
            ..Metric::of_messages($name, |summary| $of(summary, Some($size), $share))
                .called($title, $header)
                .better(Smaller)
                .missing($missing)
                .in_league($place)
        };
    };
}

/// Declares the percentiles of the slowdown of messages of one size class, given the beginnings of their names, titles, column
/// headers and meanings, the messages in words, the first of their columns in the league, and whether sweep pages show the
/// median and the 99th percentile.
macro_rules! size_class {
    (
        $class:ident = [$p50:ident, $p95:ident, $p99:ident, $p999:ident] of $of:ident($size:ident),
        $name:literal, $title:literal, $header:literal, $slowdown:literal, $messages:literal, $place:literal, $on_page:literal
    ) => {
        percentile!(
            $p50, $of($size, 0.5), concat!($name, "_p50"), (concat!($title, ", median"), $header),
            concat!("no ", $messages), $place, $on_page,
            concat!("Median ", $slowdown, "; a lower bound (>) if it depends on messages that were not completed.")
        );
        percentile!(
            $p95, $of($size, 0.95), concat!($name, "_p95"),
            (concat!($title, ", 95th percentile"), concat!($header, " p95")),
            concat!("no ", $messages), $place + 1, false,
            concat!("95th percentile of the ", $slowdown, "; a lower bound (>) if it depends on messages that were not completed.")
        );
        percentile!(
            $p99, $of($size, 0.99), concat!($name, "_p99"),
            (concat!($title, ", 99th percentile"), concat!($header, " p99")),
            concat!("no ", $messages), $place + 2, $on_page,
            concat!("99th percentile of the ", $slowdown, "; a lower bound (>) if it depends on messages that were not completed.")
        );
        percentile!(
            $p999, $of($size, 0.999), concat!($name, "_p999"),
            (concat!($title, ", 99.9th percentile"), concat!($header, " p99.9")),
            concat!("fewer than 1000 ", $messages), $place + 3, false,
            concat!("99.9th percentile of the ", $slowdown, ", if there are at least 1000; a lower bound (>) if it depends on messages that were not completed.")
        );
        static $class: [&Metric; 4] = [&$p50, &$p95, &$p99, &$p999];
    };
}

size_class! {
    SHORT = [SLOWDOWN_SHORT_P50, SLOWDOWN_SHORT_P95, SLOWDOWN_SHORT_P99, SLOWDOWN_SHORT_P999] of exact(Short),
    "slowdown_short", "Slowdown of short messages", "short slowdown", "slowdown of messages below 100 kB", "short messages", 13, true
}
size_class! {
    MEDIUM = [SLOWDOWN_MEDIUM_P50, SLOWDOWN_MEDIUM_P95, SLOWDOWN_MEDIUM_P99, SLOWDOWN_MEDIUM_P999] of exact(Medium),
    "slowdown_medium", "Slowdown of medium messages", "medium slowdown", "slowdown of messages from 100 kB to 10 MB", "medium messages", 17, true
}
size_class! {
    LARGE = [SLOWDOWN_LARGE_P50, SLOWDOWN_LARGE_P95, SLOWDOWN_LARGE_P99, SLOWDOWN_LARGE_P999] of exact(Large),
    "slowdown_large", "Slowdown of large messages", "large slowdown", "slowdown of messages of 10 MB or more", "large messages", 21, true
}
size_class! {
    HPCC_SHORT = [HPCC_SLOWDOWN_SHORT_P50, HPCC_SLOWDOWN_SHORT_P95, HPCC_SLOWDOWN_SHORT_P99, HPCC_SLOWDOWN_SHORT_P999] of by_hpcc(Short),
    "hpcc_slowdown_short", "HPCC's slowdown of short messages", "HPCC short slowdown", "slowdown of messages below 100 kB by HPCC's definition", "short messages", 29, false
}
size_class! {
    HPCC_MEDIUM = [HPCC_SLOWDOWN_MEDIUM_P50, HPCC_SLOWDOWN_MEDIUM_P95, HPCC_SLOWDOWN_MEDIUM_P99, HPCC_SLOWDOWN_MEDIUM_P999] of by_hpcc(Medium),
    "hpcc_slowdown_medium", "HPCC's slowdown of medium messages", "HPCC medium slowdown", "slowdown of messages from 100 kB to 10 MB by HPCC's definition", "medium messages", 33, false
}
size_class! {
    HPCC_LARGE = [HPCC_SLOWDOWN_LARGE_P50, HPCC_SLOWDOWN_LARGE_P95, HPCC_SLOWDOWN_LARGE_P99, HPCC_SLOWDOWN_LARGE_P999] of by_hpcc(Large),
    "hpcc_slowdown_large", "HPCC's slowdown of large messages", "HPCC large slowdown", "slowdown of messages of 10 MB or more by HPCC's definition", "large messages", 37, false
}

/// The message metrics, in the column order of `sweep.csv`.
pub(super) fn message_metrics() -> impl Iterator<Item = &'static Metric> + Clone {
    let lists: [&'static [&'static Metric]; 9] = [
        messages::METRICS,
        &SHORT,
        &MEDIUM,
        &LARGE,
        messages::LATER,
        HPCC,
        &HPCC_SHORT,
        &HPCC_MEDIUM,
        &HPCC_LARGE,
    ];
    lists.into_iter().flatten().copied()
}

/// A percentile of the slowdown of the messages of a size class, or of all. The 99.9th percentile needs 1000 messages: of fewer,
/// it would be the largest slowdown.
pub(super) fn exact(summary: &Summary, size: Option<MessageSize>, share: f64) -> Option<Bounded> {
    let class = match size {
        Some(size) => sized(summary, size)?,
        None => judged(summary)?,
    };
    class.slowdown_at(share).filter(|_| share < 0.999 || class.count() >= 1_000)
}

/// The same for the slowdown by HPCC's definition.
fn by_hpcc(summary: &Summary, size: Option<MessageSize>, share: f64) -> Option<Bounded> {
    let class = summary.hpcc_slowdowns.iter().find(|class| class.size == size)?;
    class.at(share).filter(|_| share < 0.999 || class.messages >= 1_000)
}

/// The percentiles of a [`SlowdownClass`], as column headings.
pub const SLOWDOWN_PERCENTILES: [&str; 4] = ["p50", "p95", "p99", "p99.9"];

/// Messages of some sizes, with the metrics of their slowdown.
#[derive(Clone, Copy, Debug)]
pub struct SlowdownClass {
    /// Its sizes, as the heading of a table.
    pub title: &'static str,
    /// A metric for each of the [`SLOWDOWN_PERCENTILES`].
    pub metrics: [&'static Metric; SLOWDOWN_PERCENTILES.len()],
}

/// A definition of the slowdown.
#[derive(Clone, Copy, Debug)]
pub struct Slowdown {
    /// Its name, as the heading of a column.
    pub name: &'static str,
    /// The title of its tables.
    pub title: &'static str,
    /// All messages, then the classes of message sizes.
    pub classes: [SlowdownClass; 4],
}

impl Slowdown {
    const fn new(name: &'static str, title: &'static str, metrics: [[&'static Metric; 4]; 4]) -> Self {
        let [all, short, medium, large] = metrics;
        let classes = [
            SlowdownClass { title: "all messages", metrics: all },
            SlowdownClass { title: "below 100 kB", metrics: short },
            SlowdownClass { title: "100 kB to 10 MB", metrics: medium },
            SlowdownClass { title: "10 MB or more", metrics: large },
        ];
        Self { name, title, classes }
    }

    /// The classes that have values, given whether a metric has one. If all messages are of one class, it is omitted,
    /// because its values are those of all messages.
    pub fn classes_with(&self, has: impl Fn(&'static Metric) -> bool) -> Vec<SlowdownClass> {
        let with_values = |class: &&SlowdownClass| class.metrics.into_iter().any(&has);
        let mut classes: Vec<SlowdownClass> = self.classes.iter().filter(with_values).copied().collect();
        if classes.len() == 2 {
            classes.truncate(1);
        }
        classes
    }
}

/// The definitions of the slowdown, the exact one first.
pub static SLOWDOWNS: [Slowdown; 2] = [
    Slowdown::new(
        "slowdown",
        "Percentiles of the slowdown by message size",
        [
            [
                &messages::SLOWDOWN_P50,
                &messages::SLOWDOWN_P95,
                &messages::SLOWDOWN_P99,
                &messages::SLOWDOWN_P999,
            ],
            SHORT,
            MEDIUM,
            LARGE,
        ],
    ),
    Slowdown::new(
        "HPCC's slowdown",
        "Percentiles of the slowdown by message size, by HPCC's definition",
        [
            [&HPCC_SLOWDOWN_P50, &HPCC_SLOWDOWN_P95, &HPCC_SLOWDOWN_P99, &HPCC_SLOWDOWN_P999],
            HPCC_SHORT,
            HPCC_MEDIUM,
            HPCC_LARGE,
        ],
    ),
];

/// Whether a metric is a percentile of a slowdown, which belongs in a table of [`SLOWDOWNS`].
pub fn is_slowdown(metric: &Metric) -> bool {
    SLOWDOWNS
        .iter()
        .flat_map(|slowdown| slowdown.classes)
        .flat_map(|class| class.metrics)
        .any(|one| one == metric)
}

#[cfg(test)]
mod tests {
    use super::super::SLOWDOWN_P99;
    use super::*;

    #[test]
    fn names_contain_the_percentiles() {
        for class in SLOWDOWNS.iter().flat_map(|slowdown| slowdown.classes) {
            for (metric, percentile) in class.metrics.iter().zip(SLOWDOWN_PERCENTILES) {
                assert!(
                    metric.name.ends_with(&format!("_{}", percentile.replace('.', ""))),
                    "{}",
                    metric.name
                );
            }
        }
    }

    #[test]
    fn both_definitions_have_the_same_classes() {
        let titles = SLOWDOWNS.map(|slowdown| slowdown.classes.map(|class| class.title));
        assert_eq!(titles[0], titles[1]);
        for (exact, hpcc) in SLOWDOWNS[0].classes.iter().zip(&SLOWDOWNS[1].classes) {
            let names = hpcc.metrics.map(|metric| metric.name.strip_prefix("hpcc_"));
            assert_eq!(names, exact.metrics.map(|metric| Some(metric.name)));
        }
    }

    #[test]
    fn a_single_class_is_not_repeated() {
        let titles = |has: &[&Metric]| -> Vec<&str> {
            SLOWDOWNS[0]
                .classes_with(|metric| has.contains(&metric))
                .iter()
                .map(|class| class.title)
                .collect()
        };
        assert_eq!(titles(&[&SLOWDOWN_P99, &SLOWDOWN_SHORT_P50]), ["all messages"]);
        let several = [&SLOWDOWN_P99, &SLOWDOWN_SHORT_P50, &SLOWDOWN_LARGE_P95];
        assert_eq!(titles(&several), ["all messages", "below 100 kB", "10 MB or more"]);
        assert!(titles(&[&super::super::LOSS, &HPCC_SLOWDOWN_P99]).is_empty());
    }
}
