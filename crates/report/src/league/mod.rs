//! The league page: plots and tables per scenario for each division, and the number of best and worst marks.

mod chart;

use std::collections::BTreeSet;

use setpoint_lab::league::{self, DISCIPLINES, Division, Mark, Row, Score, Standing, Verdict};
use setpoint_record::catalogue::{Metric, SETTLING};
use setpoint_record::confidence::FEWEST_SEEDS;

use crate::document::{self, Block, Cell, Column, Document, Section, Table};
use crate::percentiles;
use crate::sweep::{POINTS, compared, why_no_interval};
use crate::words::{capital, listed};
use setpoint_plot::text::in_sentence;

/// The league page.
pub fn league(standings: &[Standing]) -> Document {
    let runs = standings.iter().flat_map(|standing| &standing.rows).map(|row| row.runs);
    let seeds = runs.clone().max().unwrap_or(0);
    let mut page = Document::new("League of congestion control");
    page.description = description(seeds);
    let scenarios: BTreeSet<&str> = standings.iter().map(|standing| standing.scenario.as_str()).collect();
    page.facts =
        vec![things(scenarios.len(), "scenario"), things(seeds, "seed"), things(runs.sum::<usize>(), "run")];
    for standings in standings.chunk_by(|one, other| one.division == other.division) {
        page = page.section(tally(standings, seeds));
        for standing in standings {
            page = page.section(scenario(standing));
        }
    }
    page.section(meanings())
}

fn description(seeds: usize) -> String {
    let what = "Algorithms with their default parameters or, as in timely:patched, with a profile, on standard scenarios.";
    if seeds < FEWEST_SEEDS {
        return format!("{what} Nothing is marked as best or worst. {}", why_no_interval(seeds));
    }
    format!(
        "{what} Figures are mean ± 95 % confidence interval over seeds; > marks a lower bound. In each column the best mean is \
         marked together with the next best up to the first that clearly differs from it on the same seeds, and likewise the \
         worst, unless at least half of the algorithms would share the mark."
    )
}

/// The number of marks for each algorithm: a guide to the tables, not a ranking, since metrics differ in importance.
fn tally(standings: &[Standing], seeds: usize) -> Section {
    let division = standings.first().map_or(Division::Lossless, |standing| standing.division);
    let section = Section::new(id(division, "tally"), division.title())
        .with(Block::Prose(division.meaning().to_owned()));
    if seeds < FEWEST_SEEDS {
        return section;
    }
    let titles = standings.iter().map(|standing| Column::figures(league::title(&standing.scenario)));
    let columns = [Column::words("Algorithm"), Column::figures("best"), Column::figures("worst")];
    let mut table = Table::new(columns.into_iter().chain(titles));
    let rows = standings.first().map_or(0, |standing| standing.rows.len());
    for place in 0..rows {
        let total =
            |mark| standings.iter().map(|one| marks(one, &one.rows[place], mark)).sum::<usize>().to_string();
        let mut cells = vec![
            Cell::words(standings[0].contestant(&standings[0].rows[place].algorithm)),
            Cell::words(total(Mark::Best)),
            Cell::words(total(Mark::Worst)),
        ];
        cells.extend(standings.iter().map(|standing| match &standing.rows[place] {
            row if row.runs == 0 => Cell::words("–"),
            row => {
                let [best, worst] = [Mark::Best, Mark::Worst].map(|mark| marks(standing, row, mark));
                Cell::words(format!("{best} / {worst}"))
            }
        }));
        table.row(cells);
    }
    section.with(Block::Table(table)).with(Block::Note(String::from(
        "Number of marks by algorithm, best / worst in the first table of each scenario. This is not a ranking: which columns \
         matter is for the reader to decide.",
    )))
}

/// The number of columns of the first table in which an algorithm has a mark.
fn marks(standing: &Standing, row: &Row, mark: Mark) -> usize {
    let never = usize::from(mark == Mark::Worst && row.is_worst_at_settling(&SETTLING));
    let scores = standing.disciplines().filter_map(|metric| row.score(metric));
    never + scores.filter(|score| score.mark == Some(mark)).count()
}

fn scenario(standing: &Standing) -> Section {
    let metrics: Vec<&Metric> = standing.disciplines().collect();
    let title = match standing.division {
        Division::Lossless => league::title(&standing.scenario).to_owned(),
        Division::WithoutFlowControl => {
            format!("{}, without flow control", league::title(&standing.scenario))
        }
    };
    let id = id(standing.division, &standing.scenario);
    let mut section = Section::new(id.as_str(), title)
        .with(Block::Prose(standing.description.clone()))
        .with(Block::Figures(chart::figures(standing, &id)))
        .with(Block::Table(table(standing, &metrics, cell)));
    let notes = [unclear(standing), troubles(standing)];
    let warnings = standing.warnings().into_iter().map(|text| format!("{}.", capital(&text)));
    let notes = notes.into_iter().chain(warnings);
    section.blocks.extend(notes.filter(|note| !note.is_empty()).map(Block::Note));
    section.blocks.extend(slowdowns(standing));
    if standing
        .rows
        .iter()
        .flat_map(|row| row.scores.iter().flatten())
        .any(|score| score.difference.is_some())
    {
        section = section.with(differences(standing, &metrics));
    }
    let lossy = match standing.division {
        Division::Lossless => "",
        Division::WithoutFlowControl => " --set flow_control=none",
    };
    section.with(Block::Note(format!("Run it: setpoint run {}{lossy}", standing.scenario)))
}

fn table(standing: &Standing, metrics: &[&Metric], cell: impl Fn(&Row, &Metric) -> Cell) -> Table {
    let figures = metrics.iter().map(|metric| Column::figures(metric.title));
    let mut table = Table::new([Column::words("Algorithm")].into_iter().chain(figures));
    for row in standing.rows.iter().filter(|row| row.runs > 0) {
        let cells = metrics.iter().map(|metric| cell(row, metric));
        table.row([Cell::words(standing.contestant(&row.algorithm))].into_iter().chain(cells));
    }
    table
}

/// Percentiles of the slowdown by message size, collapsed; none without messages.
fn slowdowns(standing: &Standing) -> Vec<Block> {
    let rows: Vec<(String, &Row)> = standing
        .rows
        .iter()
        .filter(|row| row.runs > 0)
        .map(|row| (standing.contestant(&row.algorithm).to_owned(), row))
        .collect();
    percentiles::tables("Algorithm", &rows, |row, metric| row.score(metric).map(|_| cell(row, metric)))
}

/// The columns in which the algorithms do not clearly differ.
fn unclear(standing: &Standing) -> String {
    let names: Vec<String> =
        standing.with_verdict(Verdict::NoClearDifference).map(|metric| in_sentence(metric.title)).collect();
    match names.len() {
        0 => String::new(),
        _ => format!("No clear difference between the algorithms in {}.", listed(&names)),
    }
}

fn troubles(standing: &Standing) -> String {
    let trouble = |row: &Row| {
        let trouble = row.trouble.as_ref()?;
        Some(format!("{}: {trouble}.", standing.contestant(&row.algorithm)))
    };
    standing.rows.iter().filter_map(trouble).collect::<Vec<_>>().join(" ")
}

/// The differences from the baseline, collapsed.
fn differences(standing: &Standing, metrics: &[&Metric]) -> Block {
    let cell = |row: &Row, metric: &Metric| match row.score(metric).and_then(|score| score.difference) {
        Some(difference) => compared(metric, &difference),
        None => Cell::words("–"),
    };
    let mut table = table(standing, metrics, cell);
    let baseline = standing.contestant(&standing.baseline);
    table.rows.retain(|row| row[0].text != baseline);
    Block::More {
        summary: format!("Differences from {baseline}"),
        blocks: vec![
            Block::Table(table),
            Block::Note(format!(
                "Mean difference from {baseline} over the seeds that have the figure in both, ± its 95 % confidence interval, \
                 widened for the number of algorithms. “Unclear”: the interval contains zero, so there is no clear difference. \
                 {POINTS}"
            )),
        ],
    }
}

/// The id of a section, unique across divisions.
fn id(division: Division, name: &str) -> String {
    match division {
        Division::Lossless => name.to_owned(),
        Division::WithoutFlowControl => format!("{name}-without-flow-control"),
    }
}

fn cell(row: &Row, metric: &Metric) -> Cell {
    let Some(Score { spread, mark, .. }) = row.score(metric) else {
        return match () {
            () if row.is_worst_at_settling(metric) => Cell::mark(document::Mark::Worst, "never"),
            () if row.never_settles(metric) => Cell::words("never"),
            () => Cell::words("–"),
        };
    };
    let (text, uncertainty) = metric.mean_and_uncertainty(&spread);
    let cell = match mark {
        Some(Mark::Best) => Cell::mark(document::Mark::Best, text),
        Some(Mark::Worst) => Cell::mark(document::Mark::Worst, text),
        None => Cell::words(text),
    };
    cell.note(uncertainty).note(spread.coverage_text(row.runs))
}

fn meanings() -> Section {
    let meaning = |metric: &&Metric| format!("{}: {}", metric.title, metric.meaning());
    Section::new("meanings", "Columns").with(Block::Points(DISCIPLINES.iter().map(meaning).collect()))
}

/// A count and a noun: `1 seed`, `5 seeds`.
fn things(count: usize, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}
