//! The page that lists all experiments.

use setpoint_report::document::{Block, Card, Cell, Column, Document, Section, Table};
use setpoint_units::quantity::Unit;

use crate::case::Depth;
use crate::experiment::{Experiment, Paper};
use crate::page::mark;
use crate::record::ClaimRecord;

/// The page that lists all experiments.
pub(crate) fn page(papers: &[Paper], records: &[ClaimRecord]) -> String {
    let mut document = Document::new("Reproduced papers");
    document.description =
        "Repeated experiments from published papers on congestion control in data-centre Ethernet, with verdicts on \
        their claims."
            .to_owned();
    document.cards = cards(records);
    let sections = papers.iter().filter_map(|paper| of_paper(paper, records));
    document.sections = sections.collect();
    document.html()
}

fn cards(records: &[ClaimRecord]) -> Vec<Card> {
    let count = |verdict: &str| records.iter().filter(|record| record.verdict == verdict).count();
    let quick = count("quick run") + count("not judged in a quick run");
    let card = |label: &str, value: usize, note: &str| Card {
        label: label.to_owned(),
        value: Unit::Count.text(value as f64),
        note: note.to_owned(),
    };
    vec![
        card("Claims", records.len(), ""),
        card("Hold", count("holds"), "we observe what the paper states"),
        card("Differ", count("differs"), "we observe something else"),
        card("Cannot be judged", count("cannot be judged"), "needs hardware, or a run failed"),
    ]
    .into_iter()
    .chain((quick > 0).then(|| card("Without a verdict", quick, "from quick runs")))
    .collect()
}

fn of_paper(paper: &Paper, records: &[ClaimRecord]) -> Option<Section> {
    let mut table = Table::new([
        Column::words("Experiment"),
        Column::words("Claim"),
        Column::words("Expected"),
        Column::figures("Measured"),
        Column::words("Verdict"),
    ]);
    for experiment in &paper.experiments {
        let of_experiment = |record: &&ClaimRecord| record.experiment == experiment.id;
        for (index, record) in records.iter().filter(of_experiment).enumerate() {
            let name = if index == 0 { index_name(experiment, record) } else { Cell::default() };
            table.row([name].into_iter().chain(index_row(experiment, record)));
        }
    }
    if table.rows.is_empty() {
        return None;
    }
    let section = Section::new(paper.id, paper.title);
    Some(
        section
            .with(Block::Note(paper.source.to_owned()))
            .with(Block::Prose(paper.about.to_owned()))
            .with(Block::Table(table)),
    )
}

/// The experiment; it is shown beside its first claim.
fn index_name(experiment: &Experiment, record: &ClaimRecord) -> Cell {
    let short = if record.depth == Depth::Quick.name() { "quick run" } else { "" };
    Cell::link(format!("{}.html", experiment.id), experiment.id).note(experiment.title).note(short)
}

fn index_row(experiment: &Experiment, record: &ClaimRecord) -> [Cell; 4] {
    let claim = experiment.claims.iter().find(|claim| claim.name == record.claim);
    let unit = record.quantity();
    let deviation = record.spread.and_then(|spread| spread.deviation);
    let spread = record.measured.map_or_else(String::new, |mean| unit.spread_text(mean, deviation));
    let measured = record.measured.map_or_else(String::new, |mean| unit.text(mean));
    [
        Cell::words(claim.map_or("", |claim| &claim.statement)),
        Cell::words(record.expected.clone()),
        Cell::words(measured).note(spread),
        mark(&record.shown_verdict()),
    ]
}
