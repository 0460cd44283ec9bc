//! The results of the algorithms on each scenario.

use serde::{Deserialize, Serialize};
use setpoint_control::Algorithm;
use setpoint_record::catalogue::{self, Metric};
use setpoint_record::confidence::{Difference, Interval, Spread};
use setpoint_record::keyed;
use setpoint_record::results::Keyed;
use setpoint_scenario::Variant;

use super::marks::judge;
use super::{DISCIPLINES, Division, UNANIMOUS};
use crate::sweep::{SweepSummary, VariantSummary};

keyed! {
    /// The results of all algorithms on one scenario of a division.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Standing {
        /// `lossless` or `without_flow_control`.
        pub division: Division,
        /// Name of the scenario.
        pub scenario: String,
        /// Its description.
        pub description: String,
        /// The algorithm from which differences are computed.
        #[serde(default)]
        pub baseline: String,
        /// One entry per column, in the order of the column table: `clear` if algorithms differ by more than chance,
        /// `no_clear_difference`, `too_few_seeds` (fewer than three) or `not_compared` (fewer than two algorithms have
        /// the figure).
        #[serde(default)]
        pub verdicts: Vec<Verdict>,
        /// One entry per algorithm.
        pub rows: Vec<Row>,
    }
}

keyed! {
    /// The results of one algorithm on one scenario.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Row {
        /// Name of the algorithm.
        pub algorithm: String,
        /// Number of seeds; 0 if the algorithm does not take part.
        pub runs: usize,
        /// Why figures are missing: the error of the first run that failed, or why the algorithm does not take part;
        /// otherwise `null`.
        pub trouble: Option<String>,
        /// One entry per column, in the order of the column table. `null` if the algorithm has no such
        /// figure; this includes algorithms that never settle, although the tables mark them as the
        /// worst if they have five or more runs.
        pub scores: Vec<Option<Score>>,
    }
}

impl Row {
    /// The score for a metric; `None` if the algorithm has no score for it, or if the league does not compare it.
    #[must_use]
    pub fn score(&self, metric: &Metric) -> Option<Score> {
        self.scores[place(metric)?]
    }

    pub(super) fn score_mut(&mut self, metric: &Metric) -> Option<&mut Score> {
        self.scores[place(metric)?].as_mut()
    }

    /// Whether the metric is the settling time and the algorithm has a set point at which its queue did
    /// not settle in any run.
    #[must_use]
    pub fn never_settles(&self, metric: &Metric) -> bool {
        *metric == catalogue::SETTLING
            && self.score(&catalogue::SETTLING).is_none()
            && self.score(&catalogue::QUEUE_ERROR).is_some()
    }

    /// Whether the algorithm never settles, and there are enough runs to rule out chance: it is then marked worst.
    #[must_use]
    pub fn is_worst_at_settling(&self, metric: &Metric) -> bool {
        self.never_settles(metric) && self.runs >= UNANIMOUS
    }
}

/// Whether the algorithms differ in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Some algorithms differ by more than chance.
    Clear,
    /// The differences may be due to chance.
    NoClearDifference,
    /// There are too few seeds for a verdict.
    TooFewSeeds,
    /// Fewer than two algorithms have the figure.
    NotCompared,
}

impl Keyed for Verdict {}

fn place(metric: &Metric) -> Option<usize> {
    DISCIPLINES.iter().position(|other| *other == metric)
}

keyed! {
    /// A figure of one algorithm on one scenario.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Score {
        /// Mean and spread over seeds, as in [sweep.json](#sweepjson).
        pub spread: Spread,
        /// Difference from the baseline on common seeds; `null` for the baseline itself, or if both have no seed with
        /// the figure in common.
        #[serde(default)]
        pub difference: Option<Difference>,
        /// `best`, `worst` or `null`.
        pub mark: Option<Mark>,
    }
}

/// The mark of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// Best of all algorithms.
    Best,
    /// Worst of all algorithms.
    Worst,
}

impl Keyed for Mark {}

impl Keyed for Division {}

impl Standing {
    /// The metrics for which at least one algorithm has a non-zero value in this standing.
    pub fn disciplines(&self) -> impl Iterator<Item = &'static Metric> + '_ {
        let counts = |metric: &&'static Metric| {
            let mut spreads = self.rows.iter().filter_map(|row| Some(row.score(metric)?.spread));
            spreads.any(|spread| spread.max != 0.0 || spread.min != 0.0)
        };
        DISCIPLINES.iter().copied().filter(counts)
    }

    /// Whether the algorithms differ in a column.
    #[must_use]
    pub fn verdict(&self, metric: &Metric) -> Verdict {
        place(metric).and_then(|place| self.verdicts.get(place).copied()).unwrap_or(Verdict::NotCompared)
    }

    /// The columns shown here with the given verdict.
    pub fn with_verdict(&self, verdict: Verdict) -> impl Iterator<Item = &'static Metric> + '_ {
        self.disciplines().filter(move |metric| self.verdict(metric) == verdict)
    }

    /// Adds the difference of each score from the baseline.
    fn add_differences(&mut self, variants: &[Option<&VariantSummary>]) {
        let Some(base) = self.rows.iter().position(|row| row.algorithm == self.baseline) else { return };
        let Some(first) = variants[base] else { return };
        for metric in &*DISCIPLINES {
            let having = self.rows.iter().filter(|row| row.score(metric).is_some()).count();
            let others = self.rows.iter_mut().zip(variants).enumerate().filter(|(place, _)| *place != base);
            for (_, (row, variant)) in others {
                let (Some(score), Some(variant)) = (row.score_mut(metric), variant) else { continue };
                score.difference = Difference::of(&variant.paired(first, metric), having.saturating_sub(1));
            }
        }
    }
}

/// Compares the algorithms on each scenario with each other and with a baseline, from the sweep over [`super::variants`].
#[must_use]
pub fn standings(variants: &[Variant], summary: &SweepSummary, baseline: Algorithm) -> Vec<Standing> {
    // The first axes are scenario and flow control, the last is the algorithm.
    let together = variants.chunk_by(|first, second| first.assignments[..2] == second.assignments[..2]);
    let standing = |group: &[Variant]| {
        let (scenario, division) = (&group[0].scenario, Division::of(&group[0]));
        let found = |algorithm: Algorithm| {
            let values = division.values(scenario.name(), algorithm);
            summary.variants.iter().find(|variant| variant.values == values)
        };
        let found: Vec<Option<&VariantSummary>> = Algorithm::ALL.into_iter().map(found).collect();
        let row = |(algorithm, variant): (Algorithm, &Option<&VariantSummary>)| Row::new(algorithm, *variant);
        let mut rows: Vec<Row> = Algorithm::ALL.into_iter().zip(&found).map(row).collect();
        let mut standing = Standing {
            division,
            scenario: scenario.name().to_owned(),
            description: scenario.description().to_owned(),
            baseline: baseline.name().to_owned(),
            verdicts: DISCIPLINES.iter().map(|metric| judge(&mut rows, &found, metric)).collect(),
            rows,
        };
        standing.add_differences(&found);
        standing
    };
    together.map(standing).collect()
}

/// A table with a line per scenario, algorithm and discipline.
#[must_use]
pub fn to_csv(standings: &[Standing]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(HEADER).expect("memory writes succeed");
    for standing in standings {
        for row in &standing.rows {
            for metric in &*DISCIPLINES {
                let Some(score) = row.score(metric) else { continue };
                let line = cells(standing, row, metric, &score);
                writer.write_record(line).expect("rows have equal length");
            }
        }
    }
    String::from_utf8(writer.into_inner().expect("memory writes succeed")).expect("all cells are text")
}

const HEADER: [&str; 18] = [
    "division",
    "scenario",
    "algorithm",
    "figure",
    "mean",
    "mean_is_lower_bound",
    "deviation",
    "low",
    "high",
    "min",
    "max",
    "runs_with_it",
    "runs",
    "mark",
    "baseline",
    "difference",
    "difference_low",
    "difference_high",
];

fn cells(standing: &Standing, row: &Row, metric: &Metric, score: &Score) -> [String; HEADER.len()] {
    let Score { spread, difference, mark } = score;
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let [low, high] = [|one: Interval| one.low, |one: Interval| one.high].map(|end| {
        let of = |interval: Option<Interval>| number(interval.map(end));
        (of(spread.interval), of(difference.and_then(|difference| difference.interval)))
    });
    [
        standing.division.title().to_lowercase(),
        standing.scenario.clone(),
        row.algorithm.clone(),
        metric.name.to_owned(),
        spread.mean.to_string(),
        spread.is_lower_bound.to_string(),
        number(spread.deviation),
        low.0,
        high.0,
        spread.min.to_string(),
        spread.max.to_string(),
        spread.count.to_string(),
        row.runs.to_string(),
        mark.map_or("", Mark::name).to_owned(),
        standing.baseline.clone(),
        number(difference.and_then(|difference| difference.mean)),
        low.1,
        high.1,
    ]
}

impl Mark {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Worst => "worst",
        }
    }
}

impl Row {
    pub(super) fn new(algorithm: Algorithm, variant: Option<&VariantSummary>) -> Self {
        let score = |metric: &&Metric| {
            // An algorithm without notifications must not win merely because it sends none.
            let absent = **metric == catalogue::NOTIFICATIONS_PER_FRAME && !algorithm.notifies();
            let spread = *variant.filter(|_| !absent)?.spread(metric)?;
            Some(Score { spread, difference: None, mark: None })
        };
        let failed = variant.and_then(|variant| variant.runs.iter().find_map(|run| run.error.clone()));
        let absent = || String::from("works by dropping frames and takes part only without flow control");
        Self {
            algorithm: algorithm.name().to_owned(),
            runs: variant.map_or(0, |variant| variant.runs.len()),
            trouble: if variant.is_none() { Some(absent()) } else { failed },
            scores: DISCIPLINES.iter().map(score).collect(),
        }
    }
}
