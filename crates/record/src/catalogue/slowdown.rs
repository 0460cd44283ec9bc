//! Percentiles of the slowdown by message size, in the order of tables.

use super::{
    Metric, SLOWDOWN_LARGE_P50, SLOWDOWN_LARGE_P95, SLOWDOWN_LARGE_P99, SLOWDOWN_LARGE_P999,
    SLOWDOWN_MEDIUM_P50, SLOWDOWN_MEDIUM_P95, SLOWDOWN_MEDIUM_P99, SLOWDOWN_MEDIUM_P999, SLOWDOWN_P50,
    SLOWDOWN_P95, SLOWDOWN_P99, SLOWDOWN_P999, SLOWDOWN_SHORT_P50, SLOWDOWN_SHORT_P95, SLOWDOWN_SHORT_P99,
    SLOWDOWN_SHORT_P999,
};

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

/// All messages, then the classes of message sizes.
pub static SLOWDOWN_CLASSES: [SlowdownClass; 4] = [
    SlowdownClass {
        title: "all messages",
        metrics: [&SLOWDOWN_P50, &SLOWDOWN_P95, &SLOWDOWN_P99, &SLOWDOWN_P999],
    },
    SlowdownClass {
        title: "below 100 kB",
        metrics: [&SLOWDOWN_SHORT_P50, &SLOWDOWN_SHORT_P95, &SLOWDOWN_SHORT_P99, &SLOWDOWN_SHORT_P999],
    },
    SlowdownClass {
        title: "100 kB to 10 MB",
        metrics: [&SLOWDOWN_MEDIUM_P50, &SLOWDOWN_MEDIUM_P95, &SLOWDOWN_MEDIUM_P99, &SLOWDOWN_MEDIUM_P999],
    },
    SlowdownClass {
        title: "10 MB or more",
        metrics: [&SLOWDOWN_LARGE_P50, &SLOWDOWN_LARGE_P95, &SLOWDOWN_LARGE_P99, &SLOWDOWN_LARGE_P999],
    },
];

/// The classes that have values, given whether a metric has one. If all messages are of one class, it is omitted, because its
/// values are those of all messages.
pub fn slowdown_classes(has: impl Fn(&'static Metric) -> bool) -> Vec<&'static SlowdownClass> {
    let mut classes: Vec<&SlowdownClass> =
        SLOWDOWN_CLASSES.iter().filter(|class| class.metrics.into_iter().any(&has)).collect();
    if classes.len() == 2 {
        classes.truncate(1);
    }
    classes
}

/// Whether a metric is a percentile of the slowdown, which belongs in a table of [`SLOWDOWN_CLASSES`].
#[must_use]
pub fn is_slowdown(metric: &Metric) -> bool {
    SLOWDOWN_CLASSES.iter().flat_map(|class| class.metrics).any(|one| one == metric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_contain_the_percentiles() {
        for class in &SLOWDOWN_CLASSES {
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
    fn a_single_class_is_not_repeated() {
        let titles = |has: &[&Metric]| -> Vec<&str> {
            slowdown_classes(|metric| has.contains(&metric)).iter().map(|class| class.title).collect()
        };
        assert_eq!(titles(&[&SLOWDOWN_P99, &SLOWDOWN_SHORT_P50]), ["all messages"]);
        let several = [&SLOWDOWN_P99, &SLOWDOWN_SHORT_P50, &SLOWDOWN_LARGE_P95];
        assert_eq!(titles(&several), ["all messages", "below 100 kB", "10 MB or more"]);
        assert!(titles(&[&super::super::LOSS]).is_empty());
    }
}
