//! The axes of a sweep, and the grid that its variants form.

use std::collections::BTreeMap;

use setpoint_lab::sweep::{SweepSummary, VariantSummary};
use setpoint_scenario::{axis_numbers, key_words};
use setpoint_units::quantity::Unit;
use setpoint_units::spelling;

use crate::words::capital;

/// One axis of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SweptAxis {
    /// Its position among the axes of the sweep.
    pub(super) index: usize,
    pub(super) key: String,
    /// The key as a heading.
    pub(super) label: String,
    /// Its values as written: numbers in ascending order, other values in the order of the sweep.
    pub(super) values: Vec<String>,
    /// The values as numbers, if all of them have the same dimension.
    pub(super) numbers: Option<(Unit, Vec<f64>)>,
}

/// The variants of a sweep by their values, one per combination.
#[derive(Clone, Debug)]
pub(super) struct Grid<'a> {
    /// The axes with more than one value.
    pub(super) axes: Vec<SweptAxis>,
    /// The variants, indexed by the positions of their values on these axes.
    variants: BTreeMap<Vec<usize>, &'a VariantSummary>,
}

impl<'a> Grid<'a> {
    /// The grid of a sweep; `None` if the variants are not exactly the combinations of the axes' values.
    pub(super) fn of(summary: &'a SweepSummary) -> Option<Self> {
        let axes: Vec<SweptAxis> = axes(summary).into_iter().filter(|axis| axis.values.len() > 1).collect();
        let mut variants = BTreeMap::new();
        for variant in &summary.variants {
            let place = |axis: &SweptAxis| {
                let value = bare(variant.values.get(axis.index)?);
                axis.values.iter().position(|other| *other == value)
            };
            variants.insert(axes.iter().map(place).collect::<Option<Vec<usize>>>()?, variant);
        }
        let combinations: usize = axes.iter().map(|axis| axis.values.len()).product();
        let complete = variants.len() == summary.variants.len() && variants.len() == combinations;
        complete.then_some(Self { axes, variants })
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &'a VariantSummary> {
        self.variants.values().copied()
    }

    /// The variant at the given positions, one per axis.
    pub(super) fn variant(&self, places: &[usize]) -> Option<&'a VariantSummary> {
        self.variants.get(places).copied()
    }
}

pub(super) fn axes(summary: &SweepSummary) -> Vec<SweptAxis> {
    let labels = labels(&summary.axes);
    let axis = |(index, (key, label)): (usize, (&String, String))| {
        let mut values: Vec<&str> = Vec::new();
        for value in summary.variants.iter().filter_map(|variant| variant.values.get(index)) {
            if !values.iter().any(|known| bare(known) == bare(value)) {
                values.push(value);
            }
        }
        SweptAxis::new(index, key, label, &values)
    };
    summary.axes.iter().zip(labels).enumerate().map(axis).collect()
}

impl SweptAxis {
    /// The axis of a key with the values of a sweep.
    fn new(index: usize, key: &str, label: String, values: &[&str]) -> Self {
        let key = key.to_owned();
        let texts = values.iter().map(|value| bare(value));
        let Some((unit, numbers)) = numbers(&key, values) else {
            return Self { index, key, label, values: texts.collect(), numbers: None };
        };
        let mut sorted: Vec<(f64, String)> = numbers.into_iter().zip(texts).collect();
        sorted.sort_by(|first, second| first.0.total_cmp(&second.0));
        let (numbers, values) = sorted.into_iter().unzip();
        Self { index, key, label, values, numbers: Some((unit, numbers)) }
    }
}

/// A value in human-readable form, or its label.
pub(super) fn bare(value: &str) -> String {
    spelling::value(value)
}

/// The keys in words, as headings.
pub(crate) fn labels(keys: &[String]) -> Vec<String> {
    key_words(keys).iter().map(|words| capital(words)).collect()
}

/// The unit of a key's values; `None` if they are not all numbers.
pub(crate) fn unit_of(key: &str, values: &[String]) -> Option<Unit> {
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    numbers(key, &values).map(|(unit, _)| unit)
}

/// All values of a key as numbers, with their unit. Results of other versions may have unknown keys: these take numbers without
/// a unit.
fn numbers(key: &str, values: &[&str]) -> Option<(Unit, Vec<f64>)> {
    let texts: Vec<&str> = values.iter().map(|value| value.trim_matches('"')).collect();
    let plain = || {
        let numbers: Option<Vec<f64>> = texts.iter().map(|text| text.parse().ok()).collect();
        Some((numbers?, Unit::Ratio))
    };
    let (numbers, unit) = axis_numbers(key, &texts).or_else(plain)?;
    numbers.iter().all(|number| number.is_finite()).then_some((unit, numbers))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(key: &str, values: &[&str]) -> SweptAxis {
        SweptAxis::new(0, key, "B".into(), values)
    }

    fn spelled<const N: usize>(values: [&str; N]) -> [String; N] {
        values.map(spelling::value)
    }

    #[test]
    fn numbers_are_put_in_order_and_texts_are_not() {
        assert_eq!(axis("topology.dumbbell.senders", &["40", "4", "10"]).values, ["4", "10", "40"]);
        let buffers = axis("network.buffer", &["\"1 MB\"", "\"26 kB\""]);
        assert_eq!(buffers.numbers, Some((Unit::Bytes, vec![26e3, 1e6])));
        assert_eq!(
            axis("topology.star.rate", &["40 Gb/s", "10 Gb/s"]).values,
            spelled(["10 Gb/s", "40 Gb/s"])
        );
        assert_eq!(axis("duration", &["2 ms", "15 us"]).values, spelled(["15 us", "2 ms"]));
        assert_eq!(axis("bridge.cioq.speedup", &["160 %", "120 %"]).values, spelled(["120 %", "160 %"]));
        let weights = axis("control.qcn.cp.weight", &["2^1", "2^-1", "2^3", "2^-10"]);
        assert_eq!(weights.values, ["2^-10", "2^-1", "2^1", "2^3"]);
        assert_eq!(axis("an.unknown.key", &["2", "1"]).numbers, Some((Unit::Ratio, vec![1.0, 2.0])));
        for (key, texts) in [
            ("control.qcn.group_rule", ["slowest-path", "every-notification"]),
            ("network.buffer", ["10", "26 kB"]),
            ("record_pauses", ["true", "false"]),
            ("an.unknown.key", ["nan", "1"]),
        ] {
            let axis = axis(key, &texts);
            assert_eq!((axis.values, axis.numbers), (spelled(texts).to_vec(), None));
        }
    }
}
