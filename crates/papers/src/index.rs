//! The page that lists all experiments.

use setpoint_report::document::{Block, Card, Cell, Column, Document, Section, Table};
use setpoint_report::words::capital;
use setpoint_units::quantity::Unit;

use crate::case::Depth;
use crate::claim::VerdictKind;
use crate::experiment::{Experiment, Paper};
use crate::page::mark;
use crate::record::ClaimRecord;

/// The page that lists all experiments, with links to the searches of some papers.
pub(crate) fn document(papers: &[Paper], records: &[ClaimRecord], searched: &[&str]) -> Document {
    let mut document = Document::new("Reproduced papers");
    document.description =
        "Reproduced experiments from published papers on congestion control in data-centre Ethernet, with verdicts on \
        the papers’ claims."
            .to_owned();
    document.cards = if records.is_empty() { Vec::new() } else { cards(records) };
    let sections = papers.iter().filter_map(|paper| of_paper(paper, records, searched.contains(&paper.id)));
    document.sections = sections.collect();
    document
}

fn cards(records: &[ClaimRecord]) -> Vec<Card> {
    let count = |of_paper: bool, kind: Option<VerdictKind>| {
        let counts = |record: &&ClaimRecord| {
            record.is_of_paper() == of_paper && (kind.is_none() || record.kind() == kind)
        };
        records.iter().filter(counts).count()
    };
    let card = |label: &str, value: usize, note: &str| Card {
        label: label.to_owned(),
        value: Unit::Count.text(value as f64),
        note: note.to_owned(),
    };
    let of_kind = |kind: VerdictKind| card(&capital(kind.name()), count(true, Some(kind)), kind.meaning());
    let hold = records.iter().filter(|record| !record.is_of_paper() && record.holds()).count();
    let checks = count(false, None);
    let quick = [VerdictKind::Quick, VerdictKind::TooShort].map(|kind| count(true, Some(kind))).iter().sum();
    let checks = Card {
        label: "Our checks".to_owned(),
        value: format!("{hold} of {checks}"),
        note: format!("hold, {} differ; counted separately", count(false, Some(VerdictKind::Differs))),
    };
    [card("The papers’ claims", count(true, None), "")]
        .into_iter()
        .chain(VerdictKind::FULL.map(of_kind))
        .chain((quick > 0).then(|| card("Without a verdict", quick, "from quick runs")))
        .chain([checks])
        .collect()
}

fn of_paper(paper: &Paper, records: &[ClaimRecord], is_searched: bool) -> Option<Section> {
    let claims = table(paper, records, true);
    let checks = table(paper, records, false);
    if claims.rows.is_empty() && checks.rows.is_empty() && !is_searched {
        return None;
    }
    let section = Section::new(paper.id, paper.title)
        .with(Block::Note(paper.source.to_owned()))
        .with(Block::Prose(paper.about.to_owned()));
    let section = if is_searched { section.with(Block::Table(search_link(paper))) } else { section };
    let section = if claims.rows.is_empty() { section } else { section.with(Block::Table(claims)) };
    if checks.rows.is_empty() {
        return Some(section);
    }
    let summary = match checks.rows.len() {
        1 => "One check of our own".to_owned(),
        count => format!("{count} checks of our own"),
    };
    Some(section.with(Block::More { summary, blocks: vec![Block::Table(checks)] }))
}

/// A link to a search page.
fn search_link(paper: &Paper) -> Table {
    let mut table = Table::new([Column::words("Search over all readings")]);
    table.row([Cell::link(format!("{}/search.html", paper.id), "Which reading explains the most claims?")]);
    table
}

/// The claims of a paper, or our checks.
fn table(paper: &Paper, records: &[ClaimRecord], of_paper: bool) -> Table {
    let mut table = Table::new([
        Column::words("Experiment"),
        Column::words("Claim"),
        Column::words("Expected"),
        Column::figures("Measured"),
        Column::words("Verdict"),
    ]);
    for experiment in &paper.experiments {
        let listed =
            |record: &&ClaimRecord| record.experiment == experiment.id && record.is_of_paper() == of_paper;
        for (index, record) in records.iter().filter(listed).enumerate() {
            let name = if index == 0 { index_name(experiment, record) } else { Cell::default() };
            table.row([name].into_iter().chain(index_row(experiment, record)));
        }
    }
    table
}

/// The name of the experiment, which is shown next to its first claim.
fn index_name(experiment: &Experiment, record: &ClaimRecord) -> Cell {
    let length = match &*record.depth {
        depth if depth == Depth::Quick.name() => "quick run",
        depth if depth == Depth::FullSize.name() => "full size",
        _ => "",
    };
    Cell::link(format!("{}.html", experiment.id), experiment.id).note(experiment.title).note(length)
}

fn index_row(experiment: &Experiment, record: &ClaimRecord) -> [Cell; 4] {
    let claim = experiment.claims.iter().find(|claim| claim.name == record.claim);
    let unit = record.quantity();
    let deviation = record.spread.and_then(|spread| spread.deviation).filter(|_| record.interval.is_none());
    let pair = |mean| unit.pair_text(mean, deviation);
    let (measured, spread) = record.measured.map(pair).unwrap_or_default();
    [
        Cell::words(claim.map_or("", |claim| &claim.statement)).note(capital(&record.place)),
        Cell::words(record.expected.clone()),
        Cell::words(measured).note(spread),
        verdict(record),
    ]
}

/// The verdict on a claim, the set-ups in which it holds if it does not hold in the leading one, and the number of
/// seeds in the leading one.
fn verdict(record: &ClaimRecord) -> Cell {
    let cell = record.kind().map_or_else(Cell::default, mark);
    match record.holds_with().join("; or ").as_str() {
        "" => cell.note(record.support()),
        others => cell.note(others).note(format!("leading set-up: {}", record.support())),
    }
}
