//! The results of the algorithms on each scenario.

use setpoint_record::catalogue::{Metric, SLOWDOWN_P99, is_slowdown};
use setpoint_record::confidence::{Difference, Interval};
use setpoint_record::keyed;
use setpoint_record::results::{Keyed, WarningRecord};
use setpoint_scenario::Variant;

use super::marks::judge;
use super::row::{Mark, Row, Score, Verdict, place};
use super::{Contestant, DISCIPLINES, Division, League};
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

impl Keyed for Division {}

impl Standing {
    /// The metrics for which at least one algorithm has a non-zero value in this standing, except those that only tables of
    /// slowdowns show.
    pub fn disciplines(&self) -> impl Iterator<Item = &'static Metric> + '_ {
        let is_general = |metric: &&'static Metric| **metric == SLOWDOWN_P99 || !is_slowdown(metric);
        DISCIPLINES.iter().copied().filter(is_general).filter(|metric| self.has(metric))
    }

    /// Whether an algorithm has a non-zero value.
    fn has(&self, metric: &Metric) -> bool {
        let mut spreads = self.rows.iter().filter_map(|row| Some(row.score(metric)?.spread));
        spreads.any(|spread| spread.max != 0.0 || spread.min != 0.0)
    }

    /// The name of an algorithm in the tables of this standing.
    pub fn contestant<'a>(&self, algorithm: &'a str) -> &'a str {
        self.division.contestant(algorithm)
    }

    /// Whether the algorithms differ in a column.
    pub fn verdict(&self, metric: &Metric) -> Verdict {
        place(metric).and_then(|place| self.verdicts.get(place).copied()).unwrap_or(Verdict::NotCompared)
    }

    /// The columns shown here with the given verdict.
    pub fn with_verdict(&self, verdict: Verdict) -> impl Iterator<Item = &'static Metric> + '_ {
        self.disciplines().filter(move |metric| self.verdict(metric) == verdict)
    }

    /// The warnings about finished runs, each with the algorithms that it concerns.
    pub fn warnings(&self) -> Vec<String> {
        let mut found: Vec<(&WarningRecord, Vec<&str>)> = Vec::new();
        for (row, warning) in self.rows.iter().flat_map(|row| row.warnings.iter().map(move |one| (row, one)))
        {
            let contestant = self.contestant(&row.algorithm);
            match found.iter_mut().find(|(known, _)| known.is_like(warning)) {
                Some((_, contestants)) => contestants.push(contestant),
                None => found.push((warning, vec![contestant])),
            }
        }
        let text = |(warning, contestants): (&WarningRecord, Vec<&str>)| match &contestants[1..] {
            [] => format!("{}: {}", contestants[0], warning.message),
            others => {
                format!("{}: {}; similarly for {}", contestants[0], warning.message, others.join(", "))
            }
        };
        found.into_iter().map(text).collect()
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

impl League {
    /// Compares the algorithms on each scenario with each other and with the baseline, from the sweep over
    /// [`League::variants`].
    pub fn standings(&self, variants: &[Variant], summary: &SweepSummary) -> Vec<Standing> {
        // The first two axes are scenario and flow control, and the last one is the algorithm.
        let together = variants.chunk_by(|first, second| first.assignments[..2] == second.assignments[..2]);
        together.map(|group| self.standing(&group[0], summary)).collect()
    }

    /// The comparison on the scenario and in the division of a variant.
    fn standing(&self, variant: &Variant, summary: &SweepSummary) -> Standing {
        let (scenario, division) = (&variant.scenario, Division::of(variant));
        let found = |contestant: &Contestant| {
            let values = division.values(scenario.name(), *contestant);
            summary.variants.iter().find(|variant| variant.values == values)
        };
        let found: Vec<Option<&VariantSummary>> = self.algorithms.iter().map(found).collect();
        let row = |(one, variant): (&Contestant, &Option<&VariantSummary>)| Row::new(*one, *variant);
        let mut rows: Vec<Row> = self.algorithms.iter().zip(&found).map(row).collect();
        let mut standing = Standing {
            division,
            scenario: scenario.name().to_owned(),
            description: scenario.description().to_owned(),
            baseline: self.baseline.to_string(),
            verdicts: DISCIPLINES.iter().map(|metric| judge(&mut rows, &found, metric)).collect(),
            rows,
        };
        standing.add_differences(&found);
        standing
    }
}

/// A table with a line per scenario, algorithm and discipline.
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
