//! The contents of a catalogue entry.

use setpoint_units::quantity::{Bounded, Unit};

use crate::results::{QueueSummary, Summary, unit_text};

/// A figure by which runs are compared.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Its name in `sweep.json`, `sweep.csv` and `league.csv`.
    pub name: &'static str,
    /// Its name on pages.
    pub title: &'static str,
    /// Its column header on the terminal and in the league.
    pub header: &'static str,
    /// Its unit.
    pub unit: Unit,
    /// The direction in which values are better.
    pub better: Better,
    /// The largest value it can have.
    pub largest: f64,
    /// The meaning of a value above zero, for metrics in which the difference between zero and non-zero matters most.
    pub onset: Option<&'static str>,
    /// The reason why a successful run may have no value.
    pub missing: &'static str,
    /// The rank of its column on the terminal: narrow terminals omit the highest ranks first. None if
    /// it has no column.
    pub terminal: Option<u8>,
    /// Whether sweep pages show it.
    pub on_page: bool,
    /// Its column in the league; none if the league does not compare it.
    pub league: Option<u8>,
    /// Its meaning, from its doc comment.
    pub(super) meaning: &'static str,
    /// How to extract it from a run.
    pub(super) source: Source,
}

/// The direction in which values of a metric are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Larger values.
    Larger,
    /// Smaller values.
    Smaller,
    /// Neither: it describes a run without judging it.
    Neither,
}

/// How to extract a metric from a run; each function returns none if the run does not have it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// From the summary.
    Run(fn(&Summary) -> Option<f64>),
    /// From the summary, as a value that may be a lower bound because some messages were not completed.
    Bounded(fn(&Summary) -> Option<Bounded>),
    /// From the watched queue; none is passed for a run without queues.
    Queue(fn(&Summary, Option<&QueueSummary>) -> Option<f64>),
}

impl Metric {
    /// Its meaning, in one or two sentences.
    pub fn meaning(&self) -> &'static str {
        self.meaning.trim()
    }

    /// Its unit as written in the documentation; empty for counts and ratios.
    pub const fn unit_text(&self) -> &'static str {
        unit_text(self.unit)
    }

    /// Its value for a run; none if the run does not have it, or if it depends on the watched queue.
    pub fn of_summary(&self, summary: &Summary) -> Option<Bounded> {
        match self.source {
            Source::Run(take) => take(summary).map(Bounded::exact),
            Source::Bounded(take) => take(summary),
            Source::Queue(take) if summary.queues.is_empty() => take(summary, None).map(Bounded::exact),
            Source::Queue(_) => None,
        }
    }

    /// Its value for a run, taken from the busiest queue if it depends on a queue.
    pub fn of_busiest(&self, summary: &Summary) -> Option<Bounded> {
        match self.source {
            Source::Queue(take) => take(summary, summary.queues.first()).map(Bounded::exact),
            Source::Run(_) | Source::Bounded(_) => self.of_summary(summary),
        }
    }

    /// Its value for a queue of a run; none if it does not depend on a queue.
    pub fn of_queue_in(&self, summary: &Summary, queue: &QueueSummary) -> Option<f64> {
        match self.source {
            Source::Queue(take) => take(summary, Some(queue)),
            Source::Run(_) | Source::Bounded(_) => None,
        }
    }

    /// Whether a value can be a lower bound.
    pub fn can_be_lower_bound(&self) -> bool {
        matches!(self.source, Source::Bounded(_))
    }

    /// The smallest and largest values it can have.
    pub fn range(&self) -> (f64, f64) {
        (0.0, if self.unit == Unit::Share { 1.0 } else { self.largest })
    }

    pub(super) const fn of_run(name: &'static str, take: fn(&Summary) -> Option<f64>) -> Self {
        Self::new(name, Source::Run(take))
    }

    pub(super) const fn of_messages(name: &'static str, take: fn(&Summary) -> Option<Bounded>) -> Self {
        Self::new(name, Source::Bounded(take)).missing("no messages")
    }

    pub(super) const fn of_queue(
        name: &'static str,
        take: fn(&Summary, Option<&QueueSummary>) -> Option<f64>,
    ) -> Self {
        Self::new(name, Source::Queue(take))
    }

    const fn new(name: &'static str, source: Source) -> Self {
        Self {
            name,
            title: "",
            header: "",
            unit: Unit::Ratio,
            better: Better::Neither,
            largest: f64::INFINITY,
            onset: None,
            missing: "no value",
            terminal: None,
            on_page: true,
            league: None,
            meaning: "",
            source,
        }
    }

    /// Sets its name on pages and its column header.
    pub(super) const fn called(self, title: &'static str, header: &'static str) -> Self {
        Self { title, header, ..self }
    }

    pub(super) const fn in_unit(self, unit: Unit) -> Self {
        Self { unit, ..self }
    }

    pub(super) const fn better(self, better: Better) -> Self {
        Self { better, ..self }
    }

    pub(super) const fn at_most(self, largest: f64) -> Self {
        Self { largest, ..self }
    }

    pub(super) const fn onset(self, onset: &'static str) -> Self {
        Self { onset: Some(onset), ..self }
    }

    pub(super) const fn missing(self, missing: &'static str) -> Self {
        Self { missing, ..self }
    }

    pub(super) const fn on_terminal(self, rank: u8) -> Self {
        Self { terminal: Some(rank), ..self }
    }

    pub(super) const fn off_page(self) -> Self {
        Self { on_page: false, ..self }
    }

    pub(super) const fn in_league(self, place: u8) -> Self {
        Self { league: Some(place), ..self }
    }
}

impl PartialEq for Metric {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Metric {}
