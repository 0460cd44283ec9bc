//! What claims and figures see of the runs of an experiment.

use std::ops::Range;

use setpoint_lab::metrics::moments::Moments;
use setpoint_lab::results::{MessageRecord, RunRecord, Series, Summary};
use setpoint_report::document::Block;

use crate::case::Depth;
use crate::experiment::Kept;

/// The runs of one experiment: every case with every seed.
#[derive(Debug)]
pub struct Runs {
    cases: Vec<&'static str>,
    seeds: Vec<u64>,
    /// By case, then by seed.
    runs: Vec<Result<Run, String>>,
    depth: Depth,
}

/// The runs of all cases with one seed.
#[derive(Clone, Copy, Debug)]
pub struct Seed<'a> {
    runs: &'a Runs,
    index: usize,
}

/// One run, with what is kept of it. Times are those of the full experiment, whatever the depth.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The figures.
    pub summary: Summary,
    /// The curves.
    pub series: Series,
    /// The messages, if they were to be kept.
    pub messages: Vec<MessageRecord>,
    /// Notifications that were sent, by their quantised feedback from 0 to 63.
    pub feedback: Vec<u64>,
    /// What the times of the experiment were multiplied by.
    factor: f64,
}

impl Runs {
    /// The runs by case, then by seed; in the place of one that failed stands why.
    pub(crate) fn new(
        cases: Vec<&'static str>,
        seeds: Vec<u64>,
        runs: Vec<Result<Run, String>>,
        depth: Depth,
    ) -> Self {
        assert_eq!(runs.len(), cases.len() * seeds.len(), "a run for every case and seed");
        Self { cases, seeds, runs, depth }
    }

    /// Prose on what was found in full runs: beside the figures of a short version it says that it is not about them.
    #[must_use]
    pub fn finding(&self, text: &str) -> Block {
        match self.depth {
            Depth::Full => Block::Prose(text.to_owned()),
            Depth::Quick => Block::Prose(format!("Full run: {text}")),
        }
    }

    /// The seeds in order.
    pub fn seeds(&self) -> impl Iterator<Item = Seed<'_>> {
        (0..self.seeds.len()).map(|index| Seed { runs: self, index })
    }

    /// The first seed, which is the one that figures show; none if a run failed.
    #[must_use]
    pub fn first(&self) -> Option<Seed<'_>> {
        if self.failures().is_empty() { self.seeds().next() } else { None }
    }

    /// The runs that failed, and why.
    #[must_use]
    pub fn failures(&self) -> Vec<String> {
        self.runs.iter().filter_map(|run| run.as_ref().err().cloned()).collect()
    }
}

impl<'a> Seed<'a> {
    /// The seed itself.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.runs.seeds[self.index]
    }

    /// The run of a case. Every run of the experiment was successful, or no claim is asked.
    ///
    /// # Panics
    /// If the experiment has no such case, which is a mistake in it.
    #[must_use]
    pub fn run(&self, case: &str) -> &'a Run {
        let place = self.runs.cases.iter().position(|name| *name == case);
        let place = place.unwrap_or_else(|| panic!("there is no case {case:?} among {:?}", self.runs.cases));
        let run = &self.runs.runs[place * self.runs.seeds.len() + self.index];
        run.as_ref().expect("claims and figures are not asked where a run failed")
    }
}

impl Run {
    /// What is kept of a record.
    pub(crate) fn new(record: RunRecord, feedback: Vec<u64>, kept: Kept, factor: f64) -> Self {
        let messages = match kept {
            Kept::Series => Vec::new(),
            Kept::Messages => record.messages,
        };
        Self { summary: record.summary, series: record.series, messages, feedback, factor }
    }

    /// A time of the full experiment as one of this run.
    #[must_use]
    pub fn time(&self, seconds: f64) -> f64 {
        seconds * self.factor
    }

    /// The samples that lie wholly between two instants of the full experiment.
    #[must_use]
    pub fn window(&self, from: f64, to: f64) -> Range<usize> {
        let times = &self.series.time_s;
        // Times are sums of picoseconds as floats: a hair decides nothing.
        let hair = times.first().map_or(0.0, |first| first * 1e-6);
        let begin = self.time(from) + times.first().copied().unwrap_or(0.0) - hair;
        let end = self.time(to) + hair;
        let first = times.partition_point(|time| *time < begin);
        first..times.partition_point(|time| *time <= end).max(first)
    }

    /// The rates of a flow, by its name.
    #[must_use]
    pub fn rates(&self, flow: &str) -> Option<&[f64]> {
        self.series.flows.iter().find(|series| series.name == flow).map(|series| series.rate_bps.as_slice())
    }

    /// The mean rate of a flow between two instants.
    #[must_use]
    pub fn rate(&self, flow: &str, from: f64, to: f64) -> Option<f64> {
        mean(self.rates(flow)?.get(self.window(from, to))?)
    }

    /// The lengths of a queue, by its name as in `left->right/3`.
    #[must_use]
    pub fn queue(&self, name: &str) -> Option<&[f64]> {
        self.series
            .queues
            .iter()
            .find(|series| series.name == name)
            .map(|series| series.length_bytes.as_slice())
    }

    /// The mean of a queue's samples between two instants.
    #[must_use]
    pub fn queue_mean(&self, name: &str, from: f64, to: f64) -> Option<f64> {
        mean(self.queue(name)?.get(self.window(from, to))?)
    }

    /// The standard deviation of a queue's samples between two instants: how much it swings.
    #[must_use]
    pub fn queue_deviation(&self, name: &str, from: f64, to: f64) -> Option<f64> {
        let samples = self.queue(name)?.get(self.window(from, to)).filter(|samples| !samples.is_empty())?;
        Some(Moments::of(samples.iter().copied()).deviation())
    }

    /// The share of a queue's samples between two instants at which it is empty.
    #[must_use]
    pub fn queue_empty(&self, name: &str, from: f64, to: f64) -> Option<f64> {
        let samples = self.queue(name)?.get(self.window(from, to)).filter(|samples| !samples.is_empty())?;
        Some(samples.iter().filter(|length| **length <= 0.0).count() as f64 / samples.len() as f64)
    }

    /// The share of the time between two instants in which a port, as in `left->right`, is busy.
    #[must_use]
    pub fn utilisation(&self, port: &str, from: f64, to: f64) -> Option<f64> {
        let series = self.series.ports.iter().find(|series| series.name == port)?;
        mean(series.utilisation_share.get(self.window(from, to))?)
    }
}

/// The mean of some values; none of no values.
pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() { None } else { Some(Moments::of(values.iter().copied()).mean) }
}
