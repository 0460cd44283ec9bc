//! The variants of a sweep: every combination of the axes' values.

use super::Scenario;
use super::diagnostics::{Diagnostics, Place, Problem, Problems};
use super::format::{self, Field};
use super::merge;
use super::overrides::Override;
use super::tree::{Item, Table, Value};
use crate::scenario::suggest;

/// Most variants of one sweep.
pub const MAX_VARIANTS: usize = 100_000;
/// When so many problems were found the rest of the variants is not looked at.
const ENOUGH: usize = 10;

/// One combination of values.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Its place in the sweep, from 0. The last axis changes fastest.
    pub index: usize,
    /// The keys of the axes and their values, in the order of the file.
    pub assignments: Vec<(String, String)>,
    /// The scenario with these values, validated.
    pub scenario: Scenario,
}

/// A key and the values it takes.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    key: String,
    values: Vec<Item>,
}

impl Axis {
    /// The dotted key.
    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// A value and the words for it.
    fn at(&self, index: usize) -> (&Item, String) {
        let value = &self.values[index];
        (value, value.value.to_string())
    }
}

/// Reads the axes and checks their keys and each of their values.
pub(crate) fn axes(sweep: Option<&Item>, problems: &mut Problems) -> Vec<Axis> {
    let mut axes = Vec::new();
    match sweep {
        None => {}
        Some(Item { value: Value::Table(table), .. }) => collect(table, "", &mut axes, problems),
        Some(item) => problems.push(
            Problem::at(
                &item.place,
                format!("`sweep` is {}, and must be a table of lists", item.value.kind()),
                "",
            )
            .help(
                "write `[sweep]` and a line for each axis, as in `\"topology.dumbbell.senders\" = [1, 10]`",
            ),
        ),
    }
    check_product(&axes, problems);
    axes
}

/// Keys can be written as one quoted text or as TOML's dotted keys, which are tables in tables.
fn collect(table: &Table, prefix: &str, axes: &mut Vec<Axis>, problems: &mut Problems) {
    for entry in &table.entries {
        if problems.is_full() {
            return;
        }
        let key = if prefix.is_empty() { entry.key.clone() } else { format!("{prefix}.{}", entry.key) };
        match &entry.item.value {
            Value::Table(inner) => collect(inner, &key, axes, problems),
            Value::List(values) => {
                if let Some(axis) = problems.take(axis(key, &entry.key_place, &entry.item.place, values)) {
                    check_values(&axis, problems);
                    axes.push(axis);
                }
            }
            other => problems.push(
                Problem::at(
                    &entry.item.place,
                    format!("the axis `{key}` is {}, and must be a list", other.kind()),
                    "",
                )
                .help("write the values to try in brackets, as in [1, 10]"),
            ),
        }
    }
}

fn axis(key: String, key_place: &Place, place: &Place, values: &[Item]) -> Result<Axis, Problem> {
    if values.is_empty() {
        return Err(Problem::at(place, format!("the axis `{key}` has no values"), "an empty list"));
    }
    let path: Vec<&str> = key.split('.').collect();
    let forbidden = ["sweep", "extends", "name"].contains(&path[0]);
    if format::find(&path).is_none() || forbidden {
        let message = if forbidden {
            format!("`{}` cannot be swept", path[0])
        } else {
            format!("there is no key `{key}` to sweep")
        };
        let problem = Problem::at(key_place, message, "not an axis");
        return Err(if forbidden { problem } else { suggest::unknown_path(&key, problem) });
    }
    Ok(Axis { key, values: values.to_vec() })
}

fn check_values(axis: &Axis, problems: &mut Problems) {
    let path: Vec<&str> = axis.key.split('.').collect();
    let Some(field): Option<&'static Field> = format::find(&path) else { return };
    for value in &axis.values {
        let mut value = value.clone();
        merge::normalise(&mut value, field);
        // A table may be a part of the whole, which is complete only with the file's own keys.
        if !matches!(value.value, Value::Table(_)) {
            field.check(&value, problems);
        }
    }
}

fn check_product(axes: &[Axis], problems: &mut Problems) {
    let product = axes.iter().try_fold(1usize, |product, axis| product.checked_mul(axis.values.len()));
    if product.is_some_and(|product| product <= MAX_VARIANTS) {
        return;
    }
    if let Some(last) = axes.last() {
        let sizes: Vec<String> = axes.iter().map(|axis| axis.values.len().to_string()).collect();
        let message = format!("the sweep has {} variants, and may have {MAX_VARIANTS}", sizes.join(" × "));
        problems.push(Problem::at(&last.values[0].place, message, "the last axis").help("leave out values"));
    }
}

/// Every combination, each validated.
pub(crate) fn variants(scenario: &Scenario) -> Result<Vec<Variant>, Diagnostics> {
    let mut problems = Problems::default();
    let mut variants = Vec::new();
    for index in 0..count(&scenario.read.axes) {
        match variant(scenario, index) {
            Ok(variant) => variants.push(variant),
            Err(found) => problems.extend(found),
        }
        if problems.count() >= ENOUGH {
            break;
        }
    }
    problems.or_else(variants)
}

fn count(axes: &[Axis]) -> usize {
    axes.iter().map(|axis| axis.values.len()).product()
}

fn variant(base: &Scenario, index: usize) -> Result<Variant, Diagnostics> {
    let axes = &base.read.axes;
    let mut assigned = Vec::new();
    let mut assignments = Vec::new();
    let mut places = Vec::new();
    let mut below = count(axes);
    for axis in axes {
        below /= axis.values.len();
        let (value, words) = axis.at(index / below % axis.values.len());
        places.push((value.place.clone(), format!("with `{}` = {words}", axis.key)));
        assignments.push((axis.key.clone(), words));
        assigned.push(Override::of_axis(&axis.key, value));
    }
    let scenario = base.varied(assigned).map_err(|found| found.in_variant(&places))?;
    Ok(Variant { index, assignments, scenario })
}
