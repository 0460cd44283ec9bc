//! What a sweep gave, all runs together.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::execute::{Finished, Job};
use super::figures::FIGURES;
use super::spread::Spread;
use crate::run::VERSION;
use crate::scenario::Variant;

/// What a sweep gave: the contents of `sweep.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepSummary {
    /// Version of Setpoint.
    pub version: String,
    /// Name of the scenario.
    pub scenario: String,
    /// The keys of the axes.
    pub axes: Vec<String>,
    /// One per combination of values.
    pub variants: Vec<VariantSummary>,
}

/// One combination of values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VariantSummary {
    /// Its place in the sweep, from 0.
    pub index: usize,
    /// Its values, one per axis.
    pub values: Vec<String>,
    /// Mean and spread over its runs, by the name of the figure; a figure that no run has is left out.
    pub figures: BTreeMap<String, Spread>,
    /// Its runs, by seed.
    pub runs: Vec<RunSummary>,
}

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSummary {
    /// The seed.
    pub seed: u64,
    /// The folder that holds its result.
    pub folder: String,
    /// The digest of the result.
    pub digest: Option<String>,
    /// Why there is no result.
    pub error: Option<String>,
    /// Its figures, by name.
    pub figures: BTreeMap<String, f64>,
}

impl SweepSummary {
    /// Puts the runs' results together; `ends` has one entry per job.
    pub(super) fn new(variants: &[Variant], jobs: &[Job<'_>], ends: Vec<Result<Finished, String>>) -> Self {
        let (first, scenario) = (variants.first(), name(variants));
        let mut runs =
            jobs.iter().zip(ends).map(|(job, end)| (job.variant.index, run_summary(job, end))).peekable();
        let variants = variants.iter().map(|variant| {
            let of_variant = std::iter::from_fn(|| runs.next_if(|(index, _)| *index == variant.index));
            VariantSummary::new(variant, of_variant.map(|(_, run)| run).collect())
        });
        Self {
            version: VERSION.to_owned(),
            scenario,
            axes: first.map_or_else(Vec::new, |first| {
                first.assignments.iter().map(|(key, _)| key.clone()).collect()
            }),
            variants: variants.collect(),
        }
    }

    /// The runs that failed, each with its error.
    pub fn failures(&self) -> impl Iterator<Item = (&RunSummary, &str)> {
        let runs = self.variants.iter().flat_map(|variant| &variant.runs);
        runs.filter_map(|run| Some((run, run.error.as_deref()?)))
    }

    /// A table with a line per variant: its number, its values, its runs, and mean and deviation of
    /// each figure.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let figures =
            FIGURES.iter().flat_map(|(name, _)| [format!("mean_{name}"), format!("deviation_{name}")]);
        let fixed = |names: [&str; 3]| names.map(str::to_owned);
        let header = ["variant".to_owned()].into_iter().chain(self.axes.iter().cloned());
        let header = header.chain(fixed(["runs", "failed", "error"])).chain(figures);
        let lines = std::iter::once(header.collect()).chain(self.variants.iter().map(VariantSummary::cells));
        lines.for_each(|line: Vec<String>| writer.write_record(line).expect("lines are equally long"));
        String::from_utf8(writer.into_inner().expect("memory takes everything")).expect("all cells are text")
    }
}

/// The name of the scenario, or of all of them.
fn name(variants: &[Variant]) -> String {
    let mut names: Vec<&str> = variants.iter().map(|variant| variant.scenario.name()).collect();
    names.dedup();
    names.join(", ")
}

impl VariantSummary {
    fn new(variant: &Variant, runs: Vec<RunSummary>) -> Self {
        let spread = |name: &str| {
            let values: Vec<f64> = runs.iter().filter_map(|run| run.figures.get(name).copied()).collect();
            Some((name.to_owned(), Spread::of(&values)?))
        };
        Self {
            index: variant.index,
            values: variant.assignments.iter().map(|(_, value)| value.clone()).collect(),
            figures: FIGURES.iter().filter_map(|(name, _)| spread(name)).collect(),
            runs,
        }
    }

    fn cells(&self) -> Vec<String> {
        let error = self.runs.iter().find_map(|run| run.error.clone());
        let failed = self.runs.iter().filter(|run| run.error.is_some()).count();
        let mut cells = vec![self.index.to_string()];
        cells.extend(self.values.iter().map(|value| value.trim_matches('"').to_owned()));
        cells.extend([self.runs.len().to_string(), failed.to_string(), error.unwrap_or_default()]);
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        for (name, _) in &FIGURES {
            let spread = self.figures.get(*name);
            cells.push(number(spread.map(|spread| spread.mean)));
            cells.push(number(spread.and_then(|spread| spread.deviation)));
        }
        cells
    }
}

fn run_summary(job: &Job<'_>, end: Result<Finished, String>) -> RunSummary {
    let (digest, error, figures) = match end {
        Ok(finished) => (Some(finished.digest), None, finished.figures),
        Err(error) => (None, Some(error), BTreeMap::new()),
    };
    RunSummary { seed: job.id.seed, folder: job.id.folder.clone(), digest, error, figures }
}
