//! Percentiles of the slowdown by message size, in the order of tables.

use super::{
    HPCC_SLOWDOWN_LARGE_P50, HPCC_SLOWDOWN_LARGE_P95, HPCC_SLOWDOWN_LARGE_P99, HPCC_SLOWDOWN_LARGE_P999,
    HPCC_SLOWDOWN_MEDIUM_P50, HPCC_SLOWDOWN_MEDIUM_P95, HPCC_SLOWDOWN_MEDIUM_P99, HPCC_SLOWDOWN_MEDIUM_P999,
    HPCC_SLOWDOWN_P50, HPCC_SLOWDOWN_P95, HPCC_SLOWDOWN_P99, HPCC_SLOWDOWN_P999, HPCC_SLOWDOWN_SHORT_P50,
    HPCC_SLOWDOWN_SHORT_P95, HPCC_SLOWDOWN_SHORT_P99, HPCC_SLOWDOWN_SHORT_P999, Metric, SLOWDOWN_LARGE_P50,
    SLOWDOWN_LARGE_P95, SLOWDOWN_LARGE_P99, SLOWDOWN_LARGE_P999, SLOWDOWN_MEDIUM_P50, SLOWDOWN_MEDIUM_P95,
    SLOWDOWN_MEDIUM_P99, SLOWDOWN_MEDIUM_P999, SLOWDOWN_P50, SLOWDOWN_P95, SLOWDOWN_P99, SLOWDOWN_P999,
    SLOWDOWN_SHORT_P50, SLOWDOWN_SHORT_P95, SLOWDOWN_SHORT_P99, SLOWDOWN_SHORT_P999,
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

/// The definitions of the slowdown, the exact one first.
pub static SLOWDOWNS: [Slowdown; 2] = [
    Slowdown {
        name: "slowdown",
        title: "Percentiles of the slowdown by message size",
        classes: [
            SlowdownClass {
                title: "all messages",
                metrics: [&SLOWDOWN_P50, &SLOWDOWN_P95, &SLOWDOWN_P99, &SLOWDOWN_P999],
            },
            SlowdownClass {
                title: "below 100 kB",
                metrics: [
                    &SLOWDOWN_SHORT_P50,
                    &SLOWDOWN_SHORT_P95,
                    &SLOWDOWN_SHORT_P99,
                    &SLOWDOWN_SHORT_P999,
                ],
            },
            SlowdownClass {
                title: "100 kB to 10 MB",
                metrics: [
                    &SLOWDOWN_MEDIUM_P50,
                    &SLOWDOWN_MEDIUM_P95,
                    &SLOWDOWN_MEDIUM_P99,
                    &SLOWDOWN_MEDIUM_P999,
                ],
            },
            SlowdownClass {
                title: "10 MB or more",
                metrics: [
                    &SLOWDOWN_LARGE_P50,
                    &SLOWDOWN_LARGE_P95,
                    &SLOWDOWN_LARGE_P99,
                    &SLOWDOWN_LARGE_P999,
                ],
            },
        ],
    },
    Slowdown {
        name: "HPCC's slowdown",
        title: "Percentiles of the slowdown by message size, by HPCC's definition",
        classes: [
            SlowdownClass {
                title: "all messages",
                metrics: [&HPCC_SLOWDOWN_P50, &HPCC_SLOWDOWN_P95, &HPCC_SLOWDOWN_P99, &HPCC_SLOWDOWN_P999],
            },
            SlowdownClass {
                title: "below 100 kB",
                metrics: [
                    &HPCC_SLOWDOWN_SHORT_P50,
                    &HPCC_SLOWDOWN_SHORT_P95,
                    &HPCC_SLOWDOWN_SHORT_P99,
                    &HPCC_SLOWDOWN_SHORT_P999,
                ],
            },
            SlowdownClass {
                title: "100 kB to 10 MB",
                metrics: [
                    &HPCC_SLOWDOWN_MEDIUM_P50,
                    &HPCC_SLOWDOWN_MEDIUM_P95,
                    &HPCC_SLOWDOWN_MEDIUM_P99,
                    &HPCC_SLOWDOWN_MEDIUM_P999,
                ],
            },
            SlowdownClass {
                title: "10 MB or more",
                metrics: [
                    &HPCC_SLOWDOWN_LARGE_P50,
                    &HPCC_SLOWDOWN_LARGE_P95,
                    &HPCC_SLOWDOWN_LARGE_P99,
                    &HPCC_SLOWDOWN_LARGE_P999,
                ],
            },
        ],
    },
];

impl Slowdown {
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

/// Whether a metric is a percentile of a slowdown, which belongs in a table of [`SLOWDOWNS`].
#[must_use]
pub fn is_slowdown(metric: &Metric) -> bool {
    SLOWDOWNS
        .iter()
        .flat_map(|slowdown| slowdown.classes)
        .flat_map(|class| class.metrics)
        .any(|one| one == metric)
}

#[cfg(test)]
mod tests {
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
