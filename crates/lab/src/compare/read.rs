//! Reads stored results as the sides of a comparison.

use std::path::Path;

use setpoint_record::catalogue;
use setpoint_record::results::{Manifest, RunRecord, WarningRecord};
use thiserror::Error;

use crate::store::{self, MANIFEST, SWEEP, StoreError};
use crate::sweep::{self, RunSummary, SweepSummary, VariantSummary};

/// A result that can be compared.
#[derive(Clone, Debug)]
pub struct Side {
    /// Its name in tables.
    pub name: String,
    /// Name of its scenario.
    pub scenario: String,
    /// The keys that it sweeps.
    pub axes: Vec<String>,
    /// Its variants; a run has one.
    pub variants: Vec<VariantSummary>,
    /// The queue to which its figures refer.
    pub queue: Option<String>,
    /// Its set points.
    pub set_points: Vec<String>,
    /// The presets that its parameters start from.
    pub presets: Vec<String>,
    /// Warnings from the plausibility checks of its scenario, one per check.
    pub warnings: Vec<String>,
}

/// The suffix of the key for a set point.
const SET_POINT: &str = ".set_point";
/// The suffix of the key for a preset.
const PRESET: &str = ".preset";

/// The reason why results cannot be compared.
#[derive(Debug, Error)]
pub enum CompareError {
    /// A file cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The sweeps are over different keys.
    #[error(
        "{first} sweeps {first_keys}, and {other} sweeps {other_keys}; only sweeps over the same keys can be compared"
    )]
    Axes {
        /// The first result.
        first: String,
        /// Its keys.
        first_keys: String,
        /// The other result.
        other: String,
        /// Its keys.
        other_keys: String,
    },
    /// The results have no values in common.
    #[error("the sweeps have no combination of values in common: {values}")]
    NothingInCommon {
        /// The values of each sweep.
        values: String,
    },
}

impl Side {
    /// Reads a run, a run with several seeds, or a sweep.
    ///
    /// # Errors
    /// If the folder holds none of these, or a file is unreadable.
    pub fn read(folder: &Path, name: String) -> Result<Self, CompareError> {
        if !folder.join(MANIFEST).is_file() && folder.join(SWEEP).is_file() {
            return Ok(Self::of_sweep(folder, name, sweep::read(folder)?)?);
        }
        Ok(Self::of_run(name, &store::read(folder)?))
    }

    /// A single run, judged by its busiest queue.
    pub fn of_run(name: String, record: &RunRecord) -> Self {
        let mut run = RunSummary {
            seed: record.manifest.seed,
            digest: Some(record.manifest.digest.clone()),
            queue: record.summary.queues.first().map(|queue| queue.name.clone()),
            slowdown_by_size: record.summary.slowdown_by_size.clone(),
            ..RunSummary::default()
        };
        for metric in catalogue::all() {
            let Some(value) = metric.of_busiest(&record.summary) else { continue };
            run.figures.insert(metric.name.to_owned(), value.value);
            run.lower_bounds.extend(value.is_lower_bound.then(|| metric.name.to_owned()));
        }
        Self {
            name,
            scenario: record.manifest.scenario.clone(),
            axes: Vec::new(),
            queue: run.queue.clone(),
            variants: vec![VariantSummary::of_runs(0, Vec::new(), vec![run])],
            set_points: settings(std::slice::from_ref(&record.manifest), SET_POINT),
            presets: settings(std::slice::from_ref(&record.manifest), PRESET),
            warnings: record.manifest.warnings.iter().map(warning_text).collect(),
        }
    }

    fn of_sweep(folder: &Path, name: String, summary: SweepSummary) -> Result<Self, StoreError> {
        let manifests = manifests(folder, &summary.variants)?;
        let (set_points, presets) = (settings(&manifests, SET_POINT), settings(&manifests, PRESET));
        let warnings = all_warnings(&manifests);
        let queue = summary.watched.first().and_then(|watched| watched.queue.clone());
        let SweepSummary { scenario, axes, variants, .. } = summary;
        Ok(Self { name, scenario, axes, variants, queue, set_points, presets, warnings })
    }

    /// The variants of a sweep as sides, so that variants with different algorithms can be compared with each other.
    ///
    /// # Errors
    /// If a manifest is unreadable.
    pub fn variants_of(folder: &Path, summary: &SweepSummary) -> Result<Vec<Self>, CompareError> {
        let side = |variant: &VariantSummary| {
            let values: Vec<&str> = variant.values.iter().map(|value| value.trim_matches('"')).collect();
            let manifests = manifests(folder, std::slice::from_ref(variant))?;
            Ok(Self {
                name: values.join(", "),
                scenario: summary.scenario.clone(),
                axes: Vec::new(),
                queue: summary.watched.first().and_then(|watched| watched.queue.clone()),
                set_points: settings(&manifests, SET_POINT),
                presets: settings(&manifests, PRESET),
                warnings: all_warnings(&manifests),
                variants: vec![VariantSummary { values: Vec::new(), ..variant.clone() }],
            })
        };
        summary.variants.iter().map(side).collect()
    }
}

/// The manifest of the first run of each variant; variants whose runs failed have none.
fn manifests(folder: &Path, variants: &[VariantSummary]) -> Result<Vec<Manifest>, StoreError> {
    let done = variants.iter().filter_map(|variant| variant.runs.iter().find(|run| run.error.is_none()));
    done.map(|run| store::read_manifest(&folder.join(&run.folder))).collect()
}

/// The values of the control parameters with this ending, without duplicates.
fn settings(manifests: &[Manifest], ending: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let rows = manifests.iter().flat_map(|manifest| &manifest.parameters);
    for row in rows.filter(|row| row.key.starts_with("control.") && row.key.ends_with(ending)) {
        if !found.contains(&row.value) {
            found.push(row.value.clone());
        }
    }
    found
}

/// The first warning of each check, with the number of variants if it does not concern all of them.
fn all_warnings(manifests: &[Manifest]) -> Vec<String> {
    let mut found: Vec<(&WarningRecord, usize)> = Vec::new();
    for warning in manifests.iter().flat_map(|manifest| &manifest.warnings) {
        match found.iter_mut().find(|(known, _)| known.check == warning.check) {
            Some((_, count)) => *count += 1,
            None => found.push((warning, 1)),
        }
    }
    let all = manifests.len();
    let text = |(warning, count): (&WarningRecord, usize)| match count < all {
        true => format!("{}, in {count} of {all} variants", warning_text(warning)),
        false => warning_text(warning),
    };
    found.into_iter().map(text).collect()
}

fn warning_text(warning: &WarningRecord) -> String {
    format!("{} ({})", warning.message, warning.check)
}

/// Variants that all sides have.
pub(super) struct Matched<'a> {
    /// One entry per combination of values.
    pub(super) variants: Vec<MatchedVariant<'a>>,
    /// States that some variants are not compared.
    pub(super) warning: Option<String>,
}

/// A combination of values that all sides have.
pub(super) struct MatchedVariant<'a> {
    /// The values, by key.
    pub(super) values: Vec<(String, String)>,
    /// The variant of each side.
    pub(super) sides: Vec<&'a VariantSummary>,
}

/// Matches the variants of all sides by their values.
pub(super) fn matched(sides: &[Side]) -> Result<Matched<'_>, CompareError> {
    let Some(first) = sides.first() else { return Err(nothing_in_common(sides)) };
    for other in sides {
        check_axes(first, other)?;
    }
    let mut variants = Vec::new();
    for variant in &first.variants {
        let values = combination(first, variant);
        let same = |side: &'_ Side| side.variants.iter().position(|one| combination(side, one) == values);
        let places: Option<Vec<usize>> = sides.iter().map(same).collect();
        if let Some(places) = places {
            let found = sides.iter().zip(places).map(|(side, place)| &side.variants[place]);
            variants.push(MatchedVariant { values, sides: found.collect() });
        }
    }
    if variants.is_empty() {
        return Err(nothing_in_common(sides));
    }
    let most = sides.iter().map(|side| side.variants.len()).max().unwrap_or(0);
    let left = most - variants.len();
    let warning = format!("{left} of {most} variants are not in all results and are left out");
    Ok(Matched { variants, warning: (left > 0).then_some(warning) })
}

/// An error that lists the values of every side.
fn nothing_in_common(sides: &[Side]) -> CompareError {
    let side = |side: &Side| {
        let keys = side.axes.iter().enumerate();
        let keys: Vec<String> = keys.map(|(axis, key)| format!("{key} = {}", swept(side, axis))).collect();
        format!("{} has {}", side.name, keys.join(" and "))
    };
    CompareError::NothingInCommon { values: sides.iter().map(side).collect::<Vec<_>>().join("; ") }
}

/// Number of values of an axis that a message lists.
const LISTED: usize = 8;

/// The values of an axis, without duplicates.
fn swept(side: &Side, axis: usize) -> String {
    let mut values: Vec<&str> = Vec::new();
    for value in side.variants.iter().filter_map(|variant| variant.values.get(axis)) {
        let value = value.trim_matches('"');
        if !values.contains(&value) {
            values.push(value);
        }
    }
    let more = values.len().saturating_sub(LISTED);
    values.truncate(LISTED);
    let shown = values.join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

fn check_axes(first: &Side, other: &Side) -> Result<(), CompareError> {
    let sorted = |side: &Side| {
        let mut keys = side.axes.clone();
        keys.sort();
        keys
    };
    let text = |side: &Side| match side.axes.is_empty() {
        true => "nothing".to_owned(),
        false => side.axes.join(", "),
    };
    match sorted(first) == sorted(other) {
        true => Ok(()),
        false => Err(CompareError::Axes {
            first: first.name.clone(),
            first_keys: text(first),
            other: other.name.clone(),
            other_keys: text(other),
        }),
    }
}

/// The values of a variant by key, regardless of spacing and quotation marks.
fn combination(side: &Side, variant: &VariantSummary) -> Vec<(String, String)> {
    let plain = |value: &String| value.trim_matches('"').replace(' ', "");
    let mut pairs: Vec<(String, String)> =
        side.axes.iter().cloned().zip(variant.values.iter().map(plain)).collect();
    pairs.sort();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sweeps_without_common_values_name_theirs() {
        let swept = |name: &str, values: std::ops::Range<usize>| Side {
            name: name.to_owned(),
            scenario: "lab".to_owned(),
            axes: vec!["seed".to_owned()],
            variants: values
                .map(|value| VariantSummary::of_runs(0, vec![value.to_string()], Vec::new()))
                .collect(),
            queue: None,
            set_points: Vec::new(),
            presets: Vec::new(),
            warnings: Vec::new(),
        };
        let sides = [swept("one", 2..4), swept("other", 10..20)];
        let message = matched(&sides).err().map(|error| error.to_string()).unwrap_or_default();
        let values = "one has seed = 2, 3; other has seed = 10, 11, 12, 13, 14, 15, 16, 17 and 2 more";
        assert_eq!(message, format!("the sweeps have no combination of values in common: {values}"));
    }
}
