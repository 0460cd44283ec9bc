//! The axes of a sweep, and the grid that its variants form.

use std::collections::BTreeMap;

use setpoint_lab::sweep::{SweepSummary, VariantSummary};
use setpoint_scenario::key_words;
use setpoint_units::quantity::Unit;
use setpoint_units::{Bytes, Rate, TimeDelta, spelling};

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
        let mut values: Vec<String> = Vec::new();
        for value in summary.variants.iter().filter_map(|variant| variant.values.get(index)) {
            let value = bare(value);
            if !values.contains(&value) {
                values.push(value);
            }
        }
        SweptAxis::new(index, key, label, values)
    };
    summary.axes.iter().zip(labels).enumerate().map(axis).collect()
}

impl SweptAxis {
    fn new(index: usize, key: &str, label: String, values: Vec<String>) -> Self {
        let Some((unit, numbers)) = numbers(&values) else {
            return Self { index, key: key.to_owned(), label, values, numbers: None };
        };
        let mut sorted: Vec<(f64, String)> = numbers.into_iter().zip(values).collect();
        sorted.sort_by(|first, second| first.0.total_cmp(&second.0));
        let (numbers, values) = sorted.into_iter().unzip();
        Self { index, key: key.to_owned(), label, values, numbers: Some((unit, numbers)) }
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

/// The dimension of values as written in a scenario; `None` if they do not all have the same one.
pub(crate) fn unit_of(values: &[String]) -> Option<Unit> {
    numbers(values).map(|(unit, _)| unit)
}

/// All values as numbers of one dimension.
fn numbers(values: &[String]) -> Option<(Unit, Vec<f64>)> {
    let read = |read: fn(&str) -> Option<f64>| -> Option<Vec<f64>> {
        values.iter().map(|value| read(value).filter(|number| number.is_finite())).collect()
    };
    let plain = || Some((Unit::Ratio, read(|text| text.replace('_', "").parse().ok())?));
    let bytes = || Some((Unit::Bytes, read(|text| Some(text.parse::<Bytes>().ok()?.get() as f64))?));
    let rates = || {
        Some((Unit::BitsPerSecond, read(|text| Some(text.parse::<Rate>().ok()?.bits_per_second() as f64))?))
    };
    let times = || Some((Unit::Seconds, read(|text| Some(text.parse::<TimeDelta>().ok()?.as_secs_f64()))?));
    let shares = || {
        let percent = |text: &str| Some(text.strip_suffix('%')?.trim().parse::<f64>().ok()? / 100.0);
        Some((Unit::Share, read(percent)?))
    };
    let powers = || {
        let power = |text: &str| Some(2f64.powi(text.strip_prefix("2^")?.parse().ok()?));
        Some((Unit::Ratio, read(power)?))
    };
    plain().or_else(powers).or_else(bytes).or_else(rates).or_else(times).or_else(shares)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(values: &[&str]) -> SweptAxis {
        SweptAxis::new(0, "a.b", "B".into(), values.iter().map(|value| (*value).to_owned()).collect())
    }

    #[test]
    fn numbers_are_put_in_order_and_texts_are_not() {
        assert_eq!(axis(&["40", "4", "10"]).values, ["4", "10", "40"]);
        assert_eq!(axis(&["1 MB", "26 kB"]).numbers, Some((Unit::Bytes, vec![26e3, 1e6])));
        assert_eq!(axis(&["40 Gb/s", "10 Gb/s"]).values, ["10 Gb/s", "40 Gb/s"]);
        assert_eq!(axis(&["2 ms", "15 us"]).values, ["15 us", "2 ms"]);
        assert_eq!(axis(&["160 %", "20 %"]).values, ["20 %", "160 %"]);
        assert_eq!(axis(&["2^1", "2^-1", "2^3", "2^-10"]).values, ["2^-10", "2^-1", "2^1", "2^3"]);
        for texts in
            [&["slowest-path", "every-notification"][..], &["10", "26 kB"], &["nan", "1"], &["true", "false"]]
        {
            let axis = axis(texts);
            assert_eq!(
                (axis.values.as_slice(), axis.numbers),
                (&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>()[..], None)
            );
        }
    }
}
