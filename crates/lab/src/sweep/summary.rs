//! What a sweep gave, all runs together.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::execute::{Finished, Job};
use super::figures::{BOUNDED, FIGURES, Kept};
use super::spread::Spread;
use super::watched::WatchedQueue;
use crate::run::VERSION;
use crate::scenario::Variant;

/// What a sweep gave: the contents of `sweep.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SweepSummary {
    /// Version of Setpoint.
    pub version: String,
    /// Name of the scenario.
    pub scenario: String,
    /// The keys of the axes.
    pub axes: Vec<String>,
    /// The queue that figures of queues and ports are of, for each scenario.
    #[serde(default)]
    pub watched: Vec<WatchedQueue>,
    /// One per combination of values.
    pub variants: Vec<VariantSummary>,
}

/// One combination of values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunSummary {
    /// The seed.
    pub seed: u64,
    /// The folder that holds its result.
    pub folder: String,
    /// The digest of the result.
    pub digest: Option<String>,
    /// Why there is no result.
    pub error: Option<String>,
    /// The queue that its figures of queues and ports are of.
    #[serde(default)]
    pub queue: Option<String>,
    /// Its figures, by name.
    pub figures: BTreeMap<String, f64>,
    /// The figures that are only known to be at least their value, because some messages were not completed.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub lower_bounds: BTreeSet<String>,
}

impl SweepSummary {
    /// Puts the runs' results together; `ends` has one entry per job.
    pub(super) fn new(variants: &[Variant], jobs: &[Job<'_>], ends: Vec<Result<Finished, String>>) -> Self {
        let watched = watched(variants, jobs, &ends);
        let ended = |(job, end): (&Job<'_>, _)| (job.variant.index, run_summary(job, end, &watched));
        let mut runs = jobs.iter().zip(ends).map(ended).peekable();
        let summary = |variant: &Variant| {
            let of_variant = std::iter::from_fn(|| runs.next_if(|(index, _)| *index == variant.index));
            VariantSummary::new(variant, of_variant.map(|(_, run)| run).collect())
        };
        let axes = variants
            .first()
            .map_or_else(Vec::new, |first| first.assignments.iter().map(|(key, _)| key.clone()).collect());
        Self {
            version: VERSION.to_owned(),
            scenario: names(variants).join(", "),
            axes,
            variants: variants.iter().map(summary).collect(),
            watched,
        }
    }

    /// The runs that failed, each with its error.
    pub fn failures(&self) -> impl Iterator<Item = (&RunSummary, &str)> {
        let runs = self.variants.iter().flat_map(|variant| &variant.runs);
        runs.filter_map(|run| Some((run, run.error.as_deref()?)))
    }

    /// A table with a line per variant: its number, its values, its runs, the queue that figures are of, and mean and
    /// deviation of each figure, with a column that says `true` where the mean is a lower bound, if it can be one.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let figures = FIGURES.iter().flat_map(|name| columns(name));
        let fixed = |names: [&str; 4]| names.map(str::to_owned);
        let header = ["variant".to_owned()].into_iter().chain(self.axes.iter().cloned());
        let header = header.chain(fixed(["runs", "failed", "error", "queue"])).chain(figures);
        let lines = std::iter::once(header.collect()).chain(self.variants.iter().map(VariantSummary::cells));
        lines.for_each(|line: Vec<String>| writer.write_record(line).expect("lines are equally long"));
        String::from_utf8(writer.into_inner().expect("memory takes everything")).expect("all cells are text")
    }
}

/// The columns of a figure.
fn columns(name: &str) -> Vec<String> {
    let mut columns = vec![format!("mean_{name}"), format!("deviation_{name}")];
    columns.extend(BOUNDED.contains(&name).then(|| format!("mean_{name}_is_lower_bound")));
    columns
}

/// The names of the scenarios, each once, in the order of their first variants.
fn names(variants: &[Variant]) -> Vec<&str> {
    let mut names = Vec::new();
    for name in variants.iter().map(|variant| variant.scenario.name()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The queue by which the runs of each scenario are compared.
fn watched(variants: &[Variant], jobs: &[Job<'_>], ends: &[Result<Finished, String>]) -> Vec<WatchedQueue> {
    let of = |scenario: &&str| {
        let runs = jobs.iter().zip(ends).filter(|(job, _)| job.variant.scenario.name() == *scenario);
        let kept: Vec<&Kept> = runs.filter_map(|(_, end)| Some(&end.as_ref().ok()?.kept)).collect();
        WatchedQueue::of(scenario, &kept)
    };
    names(variants).iter().map(of).collect()
}

impl VariantSummary {
    fn new(variant: &Variant, runs: Vec<RunSummary>) -> Self {
        let spread = |name: &str| {
            let values: Vec<f64> = runs.iter().filter_map(|run| run.figures.get(name).copied()).collect();
            let is_lower_bound = runs.iter().any(|run| run.lower_bounds.contains(name));
            Some((name.to_owned(), Spread { is_lower_bound, ..Spread::of(&values)? }))
        };
        Self {
            index: variant.index,
            values: variant.assignments.iter().map(|(_, value)| value.clone()).collect(),
            figures: FIGURES.iter().filter_map(|name| spread(name)).collect(),
            runs,
        }
    }

    fn cells(&self) -> Vec<String> {
        let error = self.runs.iter().find_map(|run| run.error.clone());
        let failed = self.runs.iter().filter(|run| run.error.is_some()).count();
        let mut cells = vec![self.index.to_string()];
        cells.extend(self.values.iter().map(|value| value.trim_matches('"').to_owned()));
        cells.extend([
            self.runs.len().to_string(),
            failed.to_string(),
            error.unwrap_or_default(),
            self.queue(),
        ]);
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        for name in FIGURES {
            let spread = self.figures.get(name);
            cells.push(number(spread.map(|spread| spread.mean)));
            cells.push(number(spread.and_then(|spread| spread.deviation)));
            let is_bound = || spread.map_or_else(String::new, |spread| spread.is_lower_bound.to_string());
            cells.extend(BOUNDED.contains(&name).then(is_bound));
        }
        cells
    }

    /// The queue that figures are of; the runs of networks that depend on the seed may have several.
    fn queue(&self) -> String {
        let mut queues: Vec<&str> = self.runs.iter().filter_map(|run| run.queue.as_deref()).collect();
        queues.dedup();
        queues.join(" ")
    }
}

fn run_summary(job: &Job<'_>, end: Result<Finished, String>, watched: &[WatchedQueue]) -> RunSummary {
    let run = RunSummary { seed: job.id.seed, folder: job.id.folder.clone(), ..RunSummary::default() };
    let Finished { digest, kept } = match end {
        Ok(finished) => finished,
        Err(error) => return RunSummary { error: Some(error), ..run },
    };
    let watched = watched.iter().find(|watched| watched.scenario == job.variant.scenario.name());
    let place = watched.and_then(|watched| watched.place(&kept));
    let queue = place.map(|place| kept.queues[place].name.clone());
    let Kept { figures, lower_bounds, .. } = kept.with_queue(place);
    RunSummary { digest: Some(digest), queue, figures, lower_bounds, ..run }
}
