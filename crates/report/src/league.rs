//! The page of the league: for each division a table per scenario, and the number of best and worst marks.

use std::collections::BTreeSet;

use setpoint_lab::catalogue::{Metric, SETTLING};
use setpoint_lab::league::{DISCIPLINES, Division, Mark, Row, Score, Standing};

use crate::document::{self, Block, Cell, Column, Document, Section, Table};

/// The page of the league.
#[must_use]
pub fn league(standings: &[Standing]) -> Document {
    let runs = standings.iter().flat_map(|standing| &standing.rows).map(|row| row.runs);
    let seeds = runs.clone().max().unwrap_or(0);
    let mut page = Document::new("League of congestion control");
    page.description = String::from(
        "Every algorithm, with its default parameters, on every standard scenario. In each column the best and the \
         worst mean over seeds are marked, unless at least half of the algorithms share that value. Figures are mean ± standard \
         deviation over seeds; > marks a lower bound, which is never the best.",
    );
    let scenarios: BTreeSet<&str> = standings.iter().map(|standing| standing.scenario.as_str()).collect();
    page.facts = vec![
        format!("{} scenarios", scenarios.len()),
        format!("{seeds} seeds"),
        format!("{} runs", runs.sum::<usize>()),
    ];
    for standings in standings.chunk_by(|one, other| one.division == other.division) {
        page = page.section(tally(standings));
        for standing in standings {
            page = page.section(scenario(standing));
        }
    }
    page.section(meanings())
}

/// The number of marks of each algorithm: a guide to the tables, not a ranking, since metrics differ in importance.
fn tally(standings: &[Standing]) -> Section {
    let titles: Vec<String> = standings.iter().map(|standing| short(&standing.scenario).to_owned()).collect();
    let columns = [Column::words("Algorithm"), Column::figures("best"), Column::figures("worst")];
    let mut table =
        Table::new(columns.into_iter().chain(titles.iter().map(|title| Column::figures(title.as_str()))));
    let rows = standings.first().map_or(0, |standing| standing.rows.len());
    for place in 0..rows {
        let of = |standing: &Standing, mark| {
            let row = &standing.rows[place];
            let never = usize::from(row.never_settles(&SETTLING));
            let marked = row.scores.iter().flatten().filter(|score| score.mark == Some(mark)).count();
            if mark == Mark::Worst { marked + never } else { marked }
        };
        let total = |mark| standings.iter().map(|standing| of(standing, mark)).sum::<usize>().to_string();
        let mut cells = vec![
            Cell::words(standings[0].rows[place].algorithm.as_str()),
            Cell::words(total(Mark::Best)),
            Cell::words(total(Mark::Worst)),
        ];
        cells.extend(standings.iter().map(|standing| match standing.rows[place].runs {
            0 => Cell::words("–"),
            _ => Cell::words(format!("{} / {}", of(standing, Mark::Best), of(standing, Mark::Worst))),
        }));
        table.row(cells);
    }
    let division = standings.first().map_or(Division::Lossless, |standing| standing.division);
    Section::new(id(division, "tally"), division.title())
        .with(Block::Prose(division.meaning().to_owned()))
        .with(Block::Table(table))
        .with(Block::Note(String::from(
            "Number of marks by algorithm, best / worst in each scenario. This is not a ranking: which columns matter is \
             for the reader to decide.",
        )))
}

fn scenario(standing: &Standing) -> Section {
    let metrics: Vec<&Metric> = standing.disciplines().collect();
    let figures = metrics.iter().map(|metric| Column::figures(capitalised(metric.header)));
    let mut table = Table::new([Column::words("Algorithm")].into_iter().chain(figures));
    for row in standing.rows.iter().filter(|row| row.runs > 0) {
        let cells = metrics.iter().map(|metric| cell(row, metric));
        table.row([Cell::words(row.algorithm.as_str())].into_iter().chain(cells));
    }
    let title = match standing.division {
        Division::Lossless => short(&standing.scenario).to_owned(),
        Division::WithoutFlowControl => format!("{}, without flow control", short(&standing.scenario)),
    };
    let mut section = Section::new(id(standing.division, &standing.scenario), title)
        .with(Block::Prose(standing.description.clone()))
        .with(Block::Table(table));
    let troubles: Vec<String> = standing
        .rows
        .iter()
        .filter_map(|row| Some(format!("{}: {}.", row.algorithm, row.trouble.as_ref()?)))
        .collect();
    if !troubles.is_empty() {
        section = section.with(Block::Note(troubles.join(" ")));
    }
    let lossy = match standing.division {
        Division::Lossless => "",
        Division::WithoutFlowControl => " --set flow_control=none",
    };
    section.with(Block::Note(format!("Run it: setpoint run {}{lossy}", standing.scenario)))
}

/// The id of a section, unique across divisions.
fn id(division: Division, name: &str) -> String {
    match division {
        Division::Lossless => name.to_owned(),
        Division::WithoutFlowControl => format!("{name}-without-flow-control"),
    }
}

fn cell(row: &Row, metric: &Metric) -> Cell {
    let Some(Score { spread, mark }) = row.score(metric) else {
        return if row.never_settles(metric) {
            Cell::mark(document::Mark::Worst, "never".to_owned())
        } else {
            Cell::words("–")
        };
    };
    let text = metric.unit.bounded_text(spread.bounded_mean());
    let cell = match mark {
        Some(Mark::Best) => Cell::mark(document::Mark::Best, text),
        Some(Mark::Worst) => Cell::mark(document::Mark::Worst, text),
        None => Cell::words(text),
    };
    let partly = if spread.count < row.runs {
        format!("{} of {} runs", spread.count, row.runs)
    } else {
        String::new()
    };
    cell.note(metric.unit.spread_text(spread.mean, spread.deviation)).note(partly)
}

fn meanings() -> Section {
    let meaning = |metric: &&Metric| format!("{}: {}", capitalised(metric.header), metric.meaning());
    Section::new("meanings", "Columns").with(Block::Points(DISCIPLINES.iter().map(meaning).collect()))
}

fn short(scenario: &str) -> &str {
    scenario.strip_prefix("league-").unwrap_or(scenario)
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
