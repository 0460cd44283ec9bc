//! How the algorithms did on each scenario.

use serde::{Deserialize, Serialize};
use setpoint_control::Algorithm;

use super::marks::mark;
use super::{DISCIPLINES, Discipline, Division};
use crate::scenario::Variant;
use crate::sweep::{Spread, SweepSummary, VariantSummary};

/// How all algorithms did on one scenario of a division.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// The division.
    pub division: Division,
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

impl Row {
    /// Whether a discipline is settling, and the algorithm has a set point at which its queue settled in no run.
    #[must_use]
    pub fn never_settles(&self, place: usize) -> bool {
        let score = |figure: &str| {
            let place = DISCIPLINES.iter().position(|discipline| discipline.figure == figure)?;
            self.scores[place]
        };
        DISCIPLINES[place].figure == "settling_s"
            && score("settling_s").is_none()
            && score("queue_error_bytes").is_some()
    }
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
    // The first axes are scenario and flow control, the last is the algorithm.
    let together = variants.chunk_by(|first, second| first.assignments[..2] == second.assignments[..2]);
    let standing = |group: &[Variant]| {
        let (scenario, division) = (&group[0].scenario, Division::of(&group[0]));
        let row = |algorithm: Algorithm| {
            let values = division.values(scenario.name(), algorithm);
            Row::new(algorithm, summary.variants.iter().find(|variant| variant.values == values))
        };
        let mut rows: Vec<Row> = Algorithm::ALL.into_iter().map(row).collect();
        for (place, discipline) in DISCIPLINES.iter().enumerate() {
            mark(&mut rows, place, discipline);
        }
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
    writer.write_record(HEADER).expect("memory takes everything");
    for standing in standings {
        for row in &standing.rows {
            for (score, discipline) in row.scores.iter().zip(&DISCIPLINES) {
                let Some(score) = score else { continue };
                let line = cells(standing, row, discipline, score);
                writer.write_record(line).expect("lines are equally long");
            }
        }
    }
    String::from_utf8(writer.into_inner().expect("memory takes everything")).expect("all cells are text")
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

fn cells(standing: &Standing, row: &Row, discipline: &Discipline, score: &Score) -> [String; HEADER.len()] {
    let Score { spread, mark } = score;
    [
        standing.division.title().to_lowercase(),
        standing.scenario.clone(),
        row.algorithm.clone(),
        discipline.figure.to_owned(),
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
        let score = |discipline: &Discipline| {
            // Who sends no notifications by design does not save any.
            if discipline.figure == "notifications_per_frame" && !algorithm.notifies() {
                return None;
            }
            Some(Score { spread: *variant?.figures.get(discipline.figure)?, mark: None })
        };
        let failed = variant.and_then(|variant| variant.runs.iter().find_map(|run| run.error.clone()));
        let absent = || String::from("works by dropping frames, and takes part without flow control only");
        Self {
            algorithm: algorithm.name().to_owned(),
            runs: variant.map_or(0, |variant| variant.runs.len()),
            trouble: if variant.is_none() { Some(absent()) } else { failed },
            scores: DISCIPLINES.iter().map(score).collect(),
        }
    }
}
