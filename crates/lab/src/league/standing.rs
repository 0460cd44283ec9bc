//! The results of the algorithms on each scenario.

use serde::{Deserialize, Serialize};
use setpoint_control::Algorithm;

use super::marks::mark;
use super::{DISCIPLINES, Division};
use crate::catalogue::{self, Metric};
use crate::results::{Keyed, keyed};
use crate::scenario::Variant;
use crate::sweep::{Spread, SweepSummary, VariantSummary};

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
        /// worst.
        pub scores: Vec<Option<Score>>,
    }
}

impl Row {
    /// The score for a metric; none if the algorithm has none, or if the league does not compare it.
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
}

fn place(metric: &Metric) -> Option<usize> {
    DISCIPLINES.iter().position(|other| *other == metric)
}

keyed! {
    /// A figure of one algorithm on one scenario.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Score {
        /// Mean and spread over seeds, as in [sweep.json](#sweepjson).
        pub spread: Spread,
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
    /// The metrics in which some algorithm has a value other than zero here.
    pub fn disciplines(&self) -> impl Iterator<Item = &'static Metric> + '_ {
        let counts = |metric: &&'static Metric| {
            let mut spreads = self.rows.iter().filter_map(|row| Some(row.score(metric)?.spread));
            spreads.any(|spread| spread.max != 0.0 || spread.min != 0.0)
        };
        DISCIPLINES.iter().copied().filter(counts)
    }
}

/// Compares the algorithms on each scenario, from the sweep over [`super::variants`].
#[must_use]
pub fn standings(variants: &[Variant], summary: &SweepSummary) -> Vec<Standing> {
    // The first axes are scenario and flow control, the last is the algorithm.
    let together = variants.chunk_by(|first, second| first.assignments[..2] == second.assignments[..2]);
    let standing = |group: &[Variant]| {
        let (scenario, division) = (&group[0].scenario, Division::of(&group[0]));
        let row = |algorithm: Algorithm| {
            let values = division.values(scenario.name(), algorithm);
            Row::new(algorithm, summary.variants.iter().find(|variant| variant.values == values))
        };
        let mut rows: Vec<Row> = Algorithm::ALL.into_iter().map(row).collect();
        DISCIPLINES.iter().for_each(|metric| mark(&mut rows, metric));
        Standing {
            division,
            scenario: scenario.name().to_owned(),
            description: scenario.description().to_owned(),
            rows,
        }
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

const HEADER: [&str; 12] = [
    "division",
    "scenario",
    "algorithm",
    "figure",
    "mean",
    "mean_is_lower_bound",
    "deviation",
    "min",
    "max",
    "runs_with_it",
    "runs",
    "mark",
];

fn cells(standing: &Standing, row: &Row, metric: &Metric, score: &Score) -> [String; HEADER.len()] {
    let Score { spread, mark } = score;
    [
        standing.division.title().to_lowercase(),
        standing.scenario.clone(),
        row.algorithm.clone(),
        metric.name.to_owned(),
        spread.mean.to_string(),
        spread.is_lower_bound.to_string(),
        spread.deviation.map_or_else(String::new, |deviation| deviation.to_string()),
        spread.min.to_string(),
        spread.max.to_string(),
        spread.count.to_string(),
        row.runs.to_string(),
        mark.map_or("", Mark::name).to_owned(),
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
    fn new(algorithm: Algorithm, variant: Option<&VariantSummary>) -> Self {
        let score = |metric: &&Metric| {
            // An algorithm without notifications must not win by sending few.
            let absent = **metric == catalogue::NOTIFICATIONS_PER_FRAME && !algorithm.notifies();
            Some(Score { spread: *variant.filter(|_| !absent)?.spread(metric)?, mark: None })
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
