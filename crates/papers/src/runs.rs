//! The runs of an experiment, as available to claims and panels.

use std::ops::Range;
use std::sync::Arc;

use setpoint_lab::build;
use setpoint_record::results::{MessageRecord, Series, Summary};
use setpoint_record::run::record;
use setpoint_report::document::Block;
use setpoint_scenario::Prepared;
use setpoint_sim::Outcome;

use crate::case::Depth;
use crate::choice::Choice;
use crate::setup::Setup;
use crate::timeline::{Timeline, Window};

/// The beginning of the reason that is shown if claims cannot be judged because a run failed.
pub const RUN_FAILED: &str = "a run failed,";

/// Parts of a run to keep until its experiment is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Summary and series.
    Series,
    /// Every message as well.
    Messages,
}

/// The runs of one experiment: every case with every seed.
#[derive(Debug)]
pub struct Runs {
    cases: Vec<String>,
    seeds: Vec<u64>,
    /// By case, then by seed.
    runs: Vec<Result<Arc<Run>, String>>,
    depth: Depth,
    setup: Setup,
}

/// The runs of all cases with one seed.
#[derive(Clone, Copy, Debug)]
pub struct Seed<'a> {
    runs: &'a Runs,
    index: usize,
}

/// One run, reduced to the parts that claims and panels use.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The figures.
    pub summary: Summary,
    /// The curves.
    pub series: Series,
    /// The messages, if the experiment keeps them.
    pub messages: Vec<MessageRecord>,
    /// The number of notifications for each quantised feedback value from 0 to 63.
    pub feedback: Vec<u64>,
    /// The events of the scenario.
    pub timeline: Timeline,
}

impl Runs {
    /// The runs by case, then by seed; a failed run is represented by its error.
    pub(crate) fn new(
        cases: Vec<String>,
        seeds: Vec<u64>,
        runs: Vec<Result<Arc<Run>, String>>,
        depth: Depth,
        setup: Setup,
    ) -> Self {
        assert_eq!(runs.len(), cases.len() * seeds.len(), "a run for every case and seed");
        Self { cases, seeds, runs, depth, setup }
    }

    /// Whether the runs are full or shortened.
    pub fn depth(&self) -> Depth {
        self.depth
    }

    /// Whether the experiment's set-up uses the given option of a choice.
    ///
    /// # Panics
    /// If the experiment does not declare the choice, or if the choice has no such option.
    pub fn reads(&self, choice: &Choice, option: &str) -> bool {
        assert!(choice.options.iter().any(|one| one.name == option), "{} has no {option}", choice.name);
        self.setup.option(choice).name == option
    }

    /// Text about figures of full runs; in a short version it is marked as such.
    pub fn finding(&self, text: &str) -> Block {
        match self.depth {
            Depth::Full | Depth::FullSize => Block::Prose(text.to_owned()),
            Depth::Quick => Block::Prose(format!("Full run: {text}")),
        }
    }

    /// The seeds in order.
    pub fn seeds(&self) -> impl Iterator<Item = Seed<'_>> {
        (0..self.seeds.len()).map(|index| Seed { runs: self, index })
    }

    /// The first seed, which panels show.
    pub fn first(&self) -> Seed<'_> {
        Seed { runs: self, index: 0 }
    }

    /// The figures for all seeds for which the measurement gives a value.
    pub fn values(&self, measure: impl Fn(&Seed<'_>) -> Option<f64>) -> Vec<f64> {
        self.seeds().filter_map(|seed| measure(&seed)).collect()
    }

    /// The errors of runs that failed.
    pub fn failures(&self) -> Vec<String> {
        self.runs.iter().filter_map(|run| run.as_ref().err().cloned()).collect()
    }
}

impl<'a> Seed<'a> {
    /// The number of the seed.
    pub fn number(&self) -> u64 {
        self.runs.seeds[self.index]
    }

    /// Whether the experiment's set-up uses the given option of a choice; see [`Runs::reads`].
    pub fn reads(&self, choice: &Choice, option: &str) -> bool {
        self.runs.reads(choice, option)
    }

    /// The run of a case. Claims and panels are evaluated only if every run succeeded.
    ///
    /// # Panics
    /// If the experiment has no such case, which is a mistake in it.
    pub fn run(&self, case: &str) -> &'a Run {
        let place = self.runs.cases.iter().position(|name| *name == case);
        self.place(place.unwrap_or_else(|| panic!("there is no case {case:?} among {:?}", self.runs.cases)))
    }

    /// The run of the first case; none if the experiment has no cases.
    pub fn first_run(&self) -> Option<&'a Run> {
        (!self.runs.cases.is_empty()).then(|| self.place(0))
    }

    fn place(&self, case: usize) -> &'a Run {
        let run = &self.runs.runs[case * self.runs.seeds.len() + self.index];
        run.as_ref().expect("claims and panels are not evaluated if a run failed")
    }
}

impl Run {
    /// Extracts the parts of an outcome that are kept. The times of the scenario were multiplied by `factor`.
    pub(crate) fn new(prepared: &Prepared, mut outcome: Outcome, keep: Keep, factor: f64) -> Self {
        let feedback = std::mem::take(&mut outcome.feedback);
        let timeline = Timeline::new(&prepared.spec, factor);
        let record = record(prepared, build::current(), outcome);
        let messages = match keep {
            Keep::Series => Vec::new(),
            Keep::Messages => record.messages,
        };
        Self { summary: record.summary, series: record.series, messages, feedback, timeline }
    }

    /// The samples that lie entirely in a window.
    pub fn samples(&self, window: Window) -> Range<usize> {
        let (from, to) = self.timeline.range(window);
        let times = &self.series.time_s;
        // Times are sums of picoseconds as floats; a tiny tolerance absorbs rounding errors.
        let tolerance = times.first().map_or(0.0, |first| first * 1e-6);
        let begin = from + times.first().copied().unwrap_or(0.0) - tolerance;
        let first = times.partition_point(|time| *time < begin);
        first..times.partition_point(|time| *time <= to + tolerance).max(first)
    }
}
