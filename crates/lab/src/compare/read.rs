//! Stored results as sides of a comparison.

use std::path::Path;

use thiserror::Error;

use crate::catalogue;
use crate::results::{ParameterRow, RunRecord};
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
}

/// Why results cannot be compared.
#[derive(Debug, Error)]
pub enum CompareError {
    /// A file cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Sweeps over different keys.
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
    /// Nothing in common.
    #[error("the sweeps have no combination of values in common")]
    NothingInCommon,
}

impl Side {
    /// Reads a run, a run with several seeds, or a sweep.
    ///
    /// # Errors
    /// If the folder holds neither, or a file is unreadable.
    pub fn read(folder: &Path, name: String) -> Result<Self, CompareError> {
        if !folder.join(MANIFEST).is_file() && folder.join(SWEEP).is_file() {
            return Ok(Self::of_sweep(folder, name, sweep::read(folder)?)?);
        }
        Ok(Self::of_run(name, &store::read(folder)?))
    }

    /// A single run, judged by its busiest queue.
    #[must_use]
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
            set_points: set_points(&record.manifest.parameters).collect(),
        }
    }

    fn of_sweep(folder: &Path, name: String, summary: SweepSummary) -> Result<Self, StoreError> {
        let set_points = stored_set_points(folder, &summary.variants)?;
        let queue = summary.watched.first().and_then(|watched| watched.queue.clone());
        let SweepSummary { scenario, axes, variants, .. } = summary;
        Ok(Self { name, scenario, axes, variants, queue, set_points })
    }

    /// The variants of a sweep as sides: variants that run different algorithms are compared with each other.
    ///
    /// # Errors
    /// If a manifest is unreadable.
    pub fn variants_of(folder: &Path, summary: &SweepSummary) -> Result<Vec<Self>, CompareError> {
        let side = |variant: &VariantSummary| {
            let values: Vec<&str> = variant.values.iter().map(|value| value.trim_matches('"')).collect();
            Ok(Self {
                name: values.join(", "),
                scenario: summary.scenario.clone(),
                axes: Vec::new(),
                queue: summary.watched.first().and_then(|watched| watched.queue.clone()),
                set_points: stored_set_points(folder, std::slice::from_ref(variant))?,
                variants: vec![VariantSummary { values: Vec::new(), ..variant.clone() }],
            })
        };
        summary.variants.iter().map(side).collect()
    }
}

/// The set points of the first run of each variant, each once.
fn stored_set_points(folder: &Path, variants: &[VariantSummary]) -> Result<Vec<String>, StoreError> {
    let mut found: Vec<String> = Vec::new();
    let done = variants.iter().filter_map(|variant| variant.runs.iter().find(|run| run.error.is_none()));
    for run in done {
        let manifest = store::read_manifest(&folder.join(&run.folder))?;
        for value in set_points(&manifest.parameters) {
            if !found.contains(&value) {
                found.push(value);
            }
        }
    }
    Ok(found)
}

fn set_points(parameters: &[ParameterRow]) -> impl Iterator<Item = String> {
    parameters.iter().filter(|row| row.key.ends_with(".set_point")).map(|row| row.value.clone())
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
    let Some(first) = sides.first() else { return Err(CompareError::NothingInCommon) };
    for other in sides {
        check_axes(first, other)?;
    }
    let mut variants = Vec::new();
    for variant in &first.variants {
        let values = values(first, variant);
        let same = |side: &'_ Side| side.variants.iter().position(|one| self::values(side, one) == values);
        let places: Option<Vec<usize>> = sides.iter().map(same).collect();
        if let Some(places) = places {
            let found = sides.iter().zip(places).map(|(side, place)| &side.variants[place]);
            variants.push(MatchedVariant { values, sides: found.collect() });
        }
    }
    if variants.is_empty() {
        return Err(CompareError::NothingInCommon);
    }
    let most = sides.iter().map(|side| side.variants.len()).max().unwrap_or(0);
    let left = most - variants.len();
    let warning = format!("{left} of {most} variants are not in all results and are left out");
    Ok(Matched { variants, warning: (left > 0).then_some(warning) })
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

/// The values of a variant by key, however they are spaced and quoted.
fn values(side: &Side, variant: &VariantSummary) -> Vec<(String, String)> {
    let plain = |value: &String| value.trim_matches('"').replace(' ', "");
    let mut pairs: Vec<(String, String)> =
        side.axes.iter().cloned().zip(variant.values.iter().map(plain)).collect();
    pairs.sort();
    pairs
}
