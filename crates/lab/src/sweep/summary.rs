//! The result of a sweep: all runs together.

use std::collections::{BTreeMap, BTreeSet};

use setpoint_record::catalogue::{self, Metric};
use setpoint_record::confidence::{Difference, FEWEST_SEEDS, Spread};
use setpoint_record::results::{Bounded, SlowdownBin, WarningRecord};
use setpoint_record::{VERSION, keyed};
use setpoint_scenario::{Variant, Warning, warnings_of};

use super::figures::Kept;
use super::job::{Finished, Job};
use super::slowdown::SlowdownSpread;
use super::watched::WatchedQueue;

keyed! {
    /// The contents of `sweep.json`.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct SweepSummary {
        /// Version of Setpoint.
        pub version: String,
        /// Name of the scenario.
        pub scenario: String,
        /// The keys that are swept.
        pub axes: Vec<String>,
        /// The queue on which all variants are compared, one entry per scenario; only the league has several scenarios.
        #[serde(default)]
        pub watched: Vec<WatchedQueue>,
        /// Warnings of plausibility checks (docs/checks.md): about the variants, once per check, and then about their finished
        /// runs, once per check and mechanism. Omitted if there are none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub warnings: Vec<SweptWarning>,
        /// One entry per combination of values.
        pub variants: Vec<VariantSummary>,
    }
}

keyed! {
    /// A warning about variants of a sweep.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct SweptWarning {
        /// The warning about the first of these variants, or about its first run that has one.
        pub first: WarningRecord,
        /// Number of variants with such a warning, about themselves or about at least one of their runs.
        pub variants: usize,
    }
}

keyed! {
    /// One combination of values.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct VariantSummary {
        /// Number of the variant, counted from 0.
        pub index: usize,
        /// Its values, one per axis.
        pub values: Vec<String>,
        /// Mean and spread over its runs, by the name of the [metric](#metrics). A metric that no run has is omitted.
        pub figures: BTreeMap<String, Spread>,
        /// Difference from the first variant by metric name, if both have a value for at least three common seeds.
        /// Omitted if there are none.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        pub differences: BTreeMap<String, Difference>,
        /// Slowdown by message size. Omitted if no run has messages.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub slowdown_by_size: Vec<SlowdownSpread>,
        /// One entry per seed.
        pub runs: Vec<RunSummary>,
    }
}

keyed! {
    /// One run.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct RunSummary {
        /// Its seed.
        pub seed: u64,
        /// The folder that holds its result.
        pub folder: String,
        /// Digest of the result; `null` if the run failed.
        pub digest: Option<String>,
        /// The reason why there is no result; `null` if there is one.
        pub error: Option<String>,
        /// The queue to which its queue and port metrics refer.
        #[serde(default)]
        pub queue: Option<String>,
        /// Its metrics by name.
        pub figures: BTreeMap<String, f64>,
        /// Names of the metrics whose values are lower bounds because some messages were not completed. Omitted if
        /// there are none.
        #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
        pub lower_bounds: BTreeSet<String>,
        /// Slowdown by message size, as in [summary.json](#slowdown-by-size). Omitted if there are no messages.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub slowdown_by_size: Vec<SlowdownBin>,
        /// Warnings about the finished run. Omitted if there are none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub warnings: Vec<WarningRecord>,
    }
}

impl SweepSummary {
    /// Combines the results of the runs; `ends` has one entry per job.
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
        let mut warnings = warnings(variants);
        let variants_ended: Vec<VariantSummary> = variants.iter().map(summary).collect();
        warnings.extend(SweptWarning::of_runs(variants_ended.iter().map(|variant| &*variant.runs)));
        let summary = Self {
            version: VERSION.to_owned(),
            scenario: names(variants).join(", "),
            axes,
            variants: variants_ended,
            watched,
            warnings,
        };
        // Variants of several scenarios have no common baseline.
        if summary.watched.len() == 1 { summary.with_differences() } else { summary }
    }

    /// The warnings about finished runs.
    pub fn warnings_of_runs(&self) -> impl Iterator<Item = &SweptWarning> {
        self.warnings.iter().filter(|warning| warning.first.is_of_run())
    }

    /// Adds the differences of all variants from the first.
    fn with_differences(mut self) -> Self {
        let Some((first, others)) = self.variants.split_first_mut() else { return self };
        for metric in catalogue::all() {
            let having = others.iter().filter(|variant| variant.spread(metric).is_some()).count();
            for variant in others.iter_mut() {
                let difference = Difference::of(&variant.paired(first, metric), having);
                let difference = difference.filter(|difference| difference.count >= FEWEST_SEEDS);
                variant.differences.extend(difference.map(|difference| (metric.name.to_owned(), difference)));
            }
        }
        self
    }

    /// The runs that failed, each with its error.
    pub fn failures(&self) -> impl Iterator<Item = (&RunSummary, &str)> {
        let runs = self.variants.iter().flat_map(|variant| &variant.runs);
        runs.filter_map(|run| Some((run, run.error.as_deref()?)))
    }

    /// A table with a line per variant: its number, its values, its runs, the queue that is compared, and for each metric
    /// the mean, the deviation, whether the mean is a lower bound (if it can be), the confidence interval, and the
    /// difference from the first variant with its interval.
    pub fn to_csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let figures = catalogue::all().flat_map(columns);
        let fixed = |names: [&str; 4]| names.map(str::to_owned);
        let header = ["variant".to_owned()].into_iter().chain(self.axes.iter().cloned());
        let header = header.chain(fixed(["runs", "failed", "error", "queue"])).chain(figures);
        let lines = std::iter::once(header.collect()).chain(self.variants.iter().map(VariantSummary::cells));
        lines.for_each(|line: Vec<String>| writer.write_record(line).expect("rows have equal length"));
        String::from_utf8(writer.into_inner().expect("memory writes succeed")).expect("all cells are text")
    }
}

/// The columns of a metric.
fn columns(metric: &Metric) -> Vec<String> {
    let name = metric.name;
    let mut columns = vec![format!("mean_{name}"), format!("deviation_{name}")];
    columns.extend(metric.can_be_lower_bound().then(|| format!("mean_{name}_is_lower_bound")));
    let parts = ["low", "high", "difference", "difference_low", "difference_high"];
    columns.extend(parts.map(|part| format!("{part}_{name}")));
    columns
}

fn warnings(variants: &[Variant]) -> Vec<SweptWarning> {
    let swept = |(warning, variants): (Warning, usize)| SweptWarning { first: (&warning).into(), variants };
    warnings_of(variants, None).into_iter().map(swept).collect()
}

/// The names of the scenarios, without duplicates, in the order of their first variants.
fn names(variants: &[Variant]) -> Vec<&str> {
    let mut names = Vec::new();
    for name in variants.iter().map(|variant| variant.scenario.name()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The queue on which the runs of each scenario are compared.
fn watched(variants: &[Variant], jobs: &[Job<'_>], ends: &[Result<Finished, String>]) -> Vec<WatchedQueue> {
    let of = |scenario: &&str| {
        let runs = jobs.iter().zip(ends).filter(|(job, _)| job.variant.scenario.name() == *scenario);
        let kept: Vec<&Kept> = runs.filter_map(|(_, end)| Some(&end.as_ref().ok()?.kept)).collect();
        WatchedQueue::of(scenario, &kept)
    };
    names(variants).iter().map(of).collect()
}

impl SweptWarning {
    /// The warnings about the finished runs of variants, each of which has several runs.
    pub(crate) fn of_runs<'a>(variants: impl IntoIterator<Item = &'a [RunSummary]>) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for first in variants.into_iter().flat_map(RunSummary::distinct_warnings) {
            match found.iter_mut().find(|known| known.first.is_like(&first)) {
                Some(known) => known.variants += 1,
                None => found.push(Self { first, variants: 1 }),
            }
        }
        found
    }

    /// The message, preceded by the number of variants, here called `noun`, that it concerns; `all` is the number of all
    /// variants.
    pub fn text(&self, all: usize, noun: &str) -> String {
        let message = &self.first.message;
        match self.variants {
            _ if all == 1 => message.clone(),
            every if every == all => format!("all {all} {noun}: {message}"),
            some => format!("{some} of {all} {noun}: {message}"),
        }
    }
}

impl RunSummary {
    /// The warnings about some runs, each once.
    pub(crate) fn distinct_warnings(runs: &[Self]) -> Vec<WarningRecord> {
        let mut found: Vec<WarningRecord> = Vec::new();
        for warning in runs.iter().flat_map(|run| &run.warnings) {
            if !found.iter().any(|known| known.is_like(warning)) {
                found.push(warning.clone());
            }
        }
        found
    }

    /// The value of a metric; none if the run does not have it.
    pub fn value(&self, metric: &Metric) -> Option<Bounded> {
        let is_lower_bound = self.lower_bounds.contains(metric.name);
        self.figures.get(metric.name).map(|&value| Bounded { value, is_lower_bound })
    }
}

impl VariantSummary {
    /// Mean and spread of a metric over the runs; none if no run has it.
    pub fn spread(&self, metric: &Metric) -> Option<&Spread> {
        self.figures.get(metric.name)
    }

    /// Number of runs that did not fail.
    pub fn completed(&self) -> usize {
        self.runs.iter().filter(|run| run.error.is_none()).count()
    }

    /// The difference of a metric from the first variant, if there is one.
    pub fn difference(&self, metric: &Metric) -> Option<&Difference> {
        self.differences.get(metric.name)
    }

    /// The values of a metric in this variant and in another, for the seeds that have the metric in both.
    pub fn paired(&self, other: &Self, metric: &Metric) -> Vec<(Bounded, Bounded)> {
        let pair = |run: &RunSummary| {
            let same = other.runs.iter().find(|one| one.seed == run.seed)?;
            Some((run.value(metric)?, same.value(metric)?))
        };
        self.runs.iter().filter_map(pair).collect()
    }

    /// Combines the runs of a variant.
    pub fn of_runs(index: usize, values: Vec<String>, runs: Vec<RunSummary>) -> Self {
        let spread = |metric: &Metric| {
            let known: Vec<Bounded> = runs.iter().filter_map(|run| run.value(metric)).collect();
            Some((metric.name.to_owned(), Spread::of_bounded(&known, metric.range())?))
        };
        let figures = catalogue::all().filter_map(spread).collect();
        let slowdown_by_size = SlowdownSpread::of_runs(runs.iter().map(|run| &*run.slowdown_by_size));
        Self { index, values, figures, differences: BTreeMap::new(), slowdown_by_size, runs }
    }

    fn new(variant: &Variant, runs: Vec<RunSummary>) -> Self {
        let values = variant.assignments.iter().map(|(_, value)| value.clone()).collect();
        Self::of_runs(variant.index, values, runs)
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
        for metric in catalogue::all() {
            let spread = self.spread(metric);
            cells.push(number(spread.map(|spread| spread.mean)));
            cells.push(number(spread.and_then(|spread| spread.deviation)));
            let is_bound = || spread.map_or_else(String::new, |spread| spread.is_lower_bound.to_string());
            cells.extend(metric.can_be_lower_bound().then(is_bound));
            let interval = spread.and_then(|spread| spread.interval);
            cells.extend([interval.map(|one| one.low), interval.map(|one| one.high)].map(number));
            let difference = self.difference(metric);
            let interval = difference.and_then(|difference| difference.interval);
            cells.push(number(difference.and_then(|difference| difference.mean)));
            cells.extend([interval.map(|one| one.low), interval.map(|one| one.high)].map(number));
        }
        cells
    }

    /// The queue that is compared; if the network depends on the seed, there may be several.
    fn queue(&self) -> String {
        let mut queues: Vec<&str> = self.runs.iter().filter_map(|run| run.queue.as_deref()).collect();
        queues.dedup();
        queues.join(" ")
    }
}

fn run_summary(job: &Job<'_>, end: Result<Finished, String>, watched: &[WatchedQueue]) -> RunSummary {
    let run = RunSummary { seed: job.id.seed, folder: job.id.folder.clone(), ..RunSummary::default() };
    let Finished { digest, kept, warnings } = match end {
        Ok(finished) => finished,
        Err(error) => return RunSummary { error: Some(error), ..run },
    };
    let watched = watched.iter().find(|watched| watched.scenario == job.variant.scenario.name());
    let place = watched.and_then(|watched| watched.place(&kept));
    let queue = place.map(|place| kept.queues[place].name.clone());
    let Kept { figures, lower_bounds, slowdown_by_size, .. } = kept.with_queue(place);
    RunSummary { digest: Some(digest), queue, figures, lower_bounds, slowdown_by_size, warnings, ..run }
}
