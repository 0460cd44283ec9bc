//! Who is best and worst at what.

use serde::{Deserialize, Serialize};
use setpoint_control::Algorithm;

use super::{Better, DISCIPLINES, Discipline};
use crate::scenario::Variant;
use crate::sweep::{Spread, SweepSummary, VariantSummary};

/// How all algorithms did on one scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// The scenario.
    pub scenario: String,
    /// What it is, in a sentence or two.
    pub description: String,
    /// One per algorithm.
    pub rows: Vec<Row>,
}

/// How one algorithm did on one scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The algorithm.
    pub algorithm: String,
    /// How many seeds it was run with; none where it cannot run.
    pub runs: usize,
    /// Why it has no figures, or not of every run.
    pub trouble: Option<String>,
    /// One per discipline; none where it has no such figure.
    pub scores: Vec<Option<Score>>,
}

/// A figure of one algorithm on one scenario.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Mean and spread over seeds.
    pub spread: Spread,
    /// Whether it stands out.
    pub mark: Option<Mark>,
}

/// How a figure stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// The best of all.
    Best,
    /// The worst of all.
    Worst,
}

impl Standing {
    /// The places of the disciplines in which someone has a figure here other than nothing.
    pub fn disciplines(&self) -> impl Iterator<Item = usize> + '_ {
        let tells = |place: &usize| {
            let means = self.rows.iter().filter_map(|row| Some(row.scores[*place]?.spread));
            means.clone().any(|spread| spread.max != 0.0 || spread.min != 0.0)
        };
        (0..DISCIPLINES.len()).filter(tells)
    }
}

/// Compares the algorithms on each scenario, from the sweep over [`super::variants`].
#[must_use]
pub fn standings(variants: &[Variant], summary: &SweepSummary) -> Vec<Standing> {
    let together = variants.chunk_by(|first, second| first.scenario.name() == second.scenario.name());
    let standing = |group: &[Variant]| {
        let scenario = &group[0].scenario;
        let row = |algorithm: Algorithm| {
            let values = [scenario.name(), algorithm.name()];
            Row::new(algorithm, summary.variants.iter().find(|variant| variant.values == values))
        };
        let mut rows: Vec<Row> = Algorithm::ALL.into_iter().map(row).collect();
        for (place, discipline) in DISCIPLINES.iter().enumerate() {
            mark(&mut rows, place, discipline);
        }
        Standing {
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
    let header = [
        "scenario",
        "algorithm",
        "figure",
        "mean",
        "deviation",
        "min",
        "max",
        "runs_with_it",
        "runs",
        "mark",
    ];
    writer.write_record(header).expect("memory takes everything");
    for standing in standings {
        for row in &standing.rows {
            for (score, discipline) in row.scores.iter().zip(&DISCIPLINES) {
                let Some(Score { spread, mark }) = score else { continue };
                let mark = mark.map_or("", Mark::name);
                let deviation = spread.deviation.map_or_else(String::new, |deviation| deviation.to_string());
                let [mean, min, max] = [spread.mean, spread.min, spread.max].map(|value| value.to_string());
                let [with, runs] = [spread.count, row.runs].map(|count| count.to_string());
                let (scenario, algorithm) = (standing.scenario.as_str(), row.algorithm.as_str());
                let line = [
                    scenario,
                    algorithm,
                    discipline.figure,
                    &mean,
                    &deviation,
                    &min,
                    &max,
                    &with,
                    &runs,
                    mark,
                ];
                writer.write_record(line).expect("lines are equally long");
            }
        }
    }
    String::from_utf8(writer.into_inner().expect("memory takes everything")).expect("all cells are text")
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
        let score = |discipline: &Discipline| {
            // Who sends no notifications by design does not save any.
            if discipline.figure == "notifications_per_frame" && !algorithm.notifies() {
                return None;
            }
            Some(Score { spread: *variant?.figures.get(discipline.figure)?, mark: None })
        };
        let failed = variant.and_then(|variant| variant.runs.iter().find_map(|run| run.error.clone()));
        let absent = || String::from("drops frames, and here nothing may be lost");
        Self {
            algorithm: algorithm.name().to_owned(),
            runs: variant.map_or(0, |variant| variant.runs.len()),
            trouble: if variant.is_none() { Some(absent()) } else { failed },
            scores: DISCIPLINES.iter().map(score).collect(),
        }
    }

    /// Where a figure stands among others: smaller is better. Runs without the figure come last.
    fn rank(&self, place: usize, discipline: &Discipline) -> Option<(usize, f64)> {
        let spread = self.scores[place]?.spread;
        let value = match discipline.better {
            Better::Lower => spread.mean,
            Better::Higher => -spread.mean,
        };
        Some((self.runs - spread.count, value))
    }
}

/// Marks the best and the worst at a discipline, where they are a minority.
fn mark(rows: &mut [Row], place: usize, discipline: &Discipline) {
    let ranks: Vec<Option<(usize, f64)>> = rows.iter().map(|row| row.rank(place, discipline)).collect();
    let mut known: Vec<(usize, f64)> = ranks.iter().copied().flatten().collect();
    known.sort_by(|first, second| first.0.cmp(&second.0).then(first.1.total_cmp(&second.1)));
    let (Some(&best), Some(&worst)) = (known.first(), known.last()) else { return };
    let stands_out =
        |rank: (usize, f64)| known.iter().filter(|other| **other == rank).count() * 2 < known.len();
    for (row, rank) in rows.iter_mut().zip(ranks) {
        let (Some(score), Some(rank)) = (&mut row.scores[place], rank) else { continue };
        score.mark = if rank == best && stands_out(best) {
            Some(Mark::Best)
        } else if rank == worst && stands_out(worst) {
            Some(Mark::Worst)
        } else {
            None
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, means: &[(f64, usize)]) -> Row {
        let spread =
            |&(mean, count): &(f64, usize)| Spread { count, mean, deviation: None, min: mean, max: mean };
        let score = |place: usize| means.get(place).map(|mean| Score { spread: spread(mean), mark: None });
        Row {
            algorithm: name.to_owned(),
            runs: 5,
            trouble: None,
            scores: (0..DISCIPLINES.len()).map(score).collect(),
        }
    }

    fn marks(rows: &[Row], place: usize) -> Vec<Option<Mark>> {
        rows.iter().map(|row| row.scores[place].and_then(|score| score.mark)).collect()
    }

    #[test]
    fn higher_is_better_for_fairness_and_lower_for_the_queue() {
        let mut rows = [
            row("a", &[(0.9, 5), (100.0, 5)]),
            row("b", &[(0.7, 5), (50.0, 5)]),
            row("c", &[(0.8, 5), (70.0, 5)]),
        ];
        for place in [0, 1] {
            mark(&mut rows, place, &DISCIPLINES[place]);
        }
        assert_eq!(marks(&rows, 0), [Some(Mark::Best), Some(Mark::Worst), None]);
        assert_eq!(marks(&rows, 1), [Some(Mark::Worst), Some(Mark::Best), None]);
    }

    #[test]
    fn what_half_of_them_share_is_no_distinction() {
        let loss = DISCIPLINES.iter().position(|discipline| discipline.figure == "loss_share").unwrap();
        let with = |value: f64| {
            let mut row = row("a", &[]);
            row.scores[loss] = Some(Score {
                spread: Spread { count: 5, mean: value, deviation: None, min: value, max: value },
                mark: None,
            });
            row
        };
        let mut rows = [with(0.0), with(0.0), with(0.5)];
        mark(&mut rows, loss, &DISCIPLINES[loss]);
        assert_eq!(marks(&rows, loss), [None, None, Some(Mark::Worst)]);
    }

    #[test]
    fn a_figure_of_some_runs_only_comes_after_all_that_have_it_in_every_run() {
        let mut rows = [row("a", &[(0.99, 3)]), row("b", &[(0.5, 5)]), row("c", &[(0.4, 5)]), row("d", &[])];
        mark(&mut rows, 0, &DISCIPLINES[0]);
        assert_eq!(marks(&rows, 0), [Some(Mark::Worst), Some(Mark::Best), None, None]);
    }
}
