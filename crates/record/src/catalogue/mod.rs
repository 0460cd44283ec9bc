//! The catalogue of metrics: every figure by which runs are compared, declared once.
//!
//! An entry has the metric's name, title, unit and meaning, which values are better, and how to extract it from a run.
//! The columns of `sweep.csv`, the keys of `sweep.json`, the terminal tables, the sweep and league
//! pages, `setpoint explain` and the tables in `docs/results.md` and `docs/league.md` are all
//! generated from it. Code refers to an entry by its constant, such as [`FCT_P99`], so that a
//! mistyped name does not compile.

mod groups;
mod messages;
mod metric;
mod network;
mod slowdown;
mod tables;
mod text;

pub use groups::*;
pub use messages::*;
pub use metric::{Better, Metric};
pub use network::*;
pub use slowdown::*;
pub use tables::{league_table, metric_table};
pub use text::UNKNOWN_DIFFERENCE;

/// Every metric, in the column order of `sweep.csv`.
pub fn all() -> impl Iterator<Item = &'static Metric> + Clone {
    let (before, after) = (network::METRICS.iter().copied(), groups::METRICS.iter().copied());
    before.chain(slowdown::message_metrics()).chain(after)
}

/// The metrics that the league compares, in the order of its columns.
pub fn of_league() -> Vec<&'static Metric> {
    let mut metrics: Vec<&Metric> = all().filter(|metric| metric.league.is_some()).collect();
    metrics.sort_by_key(|metric| metric.league);
    metrics
}

/// Declares metrics as statics, and a list of all of them. The doc comment of an entry is the metric's
/// meaning.
macro_rules! metrics {
    ($visibility:vis static $list:ident; $($(#[doc = $meaning:literal])+ $name:ident = $metric:expr;)+) => {
        $(
            $(#[doc = $meaning])+
            pub static $name: Metric = Metric { meaning: concat!($($meaning),+), ..$metric };
        )+
        $visibility static $list: &[&Metric] = &[$(&$name),+];
    };
}
use metrics;

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_metric_is_described() {
        for metric in all() {
            assert!(!metric.title.is_empty() && !metric.header.is_empty(), "{}", metric.name);
            assert!(metric.meaning().ends_with('.') && !metric.meaning().contains("  "), "{}", metric.name);
        }
    }

    #[test]
    fn names_titles_and_places_are_unique() {
        let unique = |values: Vec<String>| values.iter().collect::<BTreeSet<_>>().len() == values.len();
        assert!(unique(all().map(|metric| metric.name.to_owned()).collect()));
        assert!(unique(all().map(|metric| metric.title.to_owned()).collect()));
        let places: Vec<u8> = of_league().iter().filter_map(|metric| metric.league).collect();
        assert!(places.windows(2).all(|pair| pair[0] < pair[1]), "{places:?}");
    }

    #[test]
    fn a_name_ends_in_its_unit() {
        use setpoint_units::quantity::Unit;
        for metric in all() {
            let ending = match metric.unit {
                Unit::Seconds => "_s",
                Unit::BitsPerSecond => "_bps",
                Unit::Bytes => "_bytes",
                Unit::Share => "_share",
                _ => continue,
            };
            assert!(metric.name.ends_with(ending), "{}", metric.name);
        }
    }
}
