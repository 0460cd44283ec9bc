//! The page of an experiment from the records of its claims, without its runs and figures.

use setpoint_report::document::{Block, Cell, Column, Document, Section, Table};
use setpoint_report::words::capital;

use super::{Context, assumptions, choices, claims, mark, navigation, opening, repetition, sign};
use crate::case::Depth;
use crate::claim::{Claim, VerdictKind};
use crate::experiment::Experiment;
use crate::record::{BesideRecord, ClaimRecord};

/// A claim with its record.
type Pair<'a> = (&'a Claim, &'a ClaimRecord);

/// The page of an experiment with the recorded verdicts of a full run.
pub(crate) fn stored(experiment: &Experiment, records: &[ClaimRecord], context: &Context<'_>) -> Document {
    let pairs: Vec<Pair<'_>> =
        experiment.claims.iter().filter_map(|claim| pair(experiment, claim, records)).collect();
    let mut document = Document::new(experiment.title);
    document.part_of = format!("{} · {}", experiment.id, context.paper.map_or("", |paper| paper.title));
    document.facts = vec![
        "stored verdicts of a full run".to_owned(),
        "the figures are on the page that the command below writes".to_owned(),
    ];
    document.navigation = navigation(experiment, context);
    let [setup, paper] = opening(experiment);
    document.sections = vec![
        setup,
        paper,
        table(&pairs, "claims", "The paper’s claims", true),
        table(&pairs, "checks", "Our checks", false),
        Section::new("rules", "Rules for verdicts").with(Block::Note(claims::rules(Depth::Full).to_owned())),
        choices(&experiment.choices),
        readings(&pairs),
        assumptions(experiment),
        repetition(experiment, Depth::Full),
    ];
    document.sections.retain(|section| !section.blocks.is_empty());
    document
}

fn pair<'a>(experiment: &Experiment, claim: &'a Claim, records: &'a [ClaimRecord]) -> Option<Pair<'a>> {
    let is_of_claim =
        |record: &&ClaimRecord| record.experiment == experiment.id && record.claim == claim.name;
    Some((claim, records.iter().find(is_of_claim)?))
}

/// A table of the paper's claims, or of our checks.
fn table(pairs: &[Pair<'_>], id: &str, title: &str, of_paper: bool) -> Section {
    let mut table = Table::new(claims::columns());
    for (claim, record) in pairs.iter().filter(|(_, record)| record.is_of_paper() == of_paper) {
        table.row(row(claim, record));
    }
    let section = Section::new(id, title);
    if table.rows.is_empty() { section } else { section.with(Block::Table(table)) }
}

fn row(claim: &Claim, record: &ClaimRecord) -> [Cell; 5] {
    let unit = record.quantity();
    let text = |value| unit.text(value);
    let deviation = record.spread.and_then(|spread| spread.deviation).filter(|_| record.interval.is_none());
    let (figure, deviation) = record.measured.map(|mean| unit.pair_text(mean, deviation)).unwrap_or_default();
    let published = record.published.map_or_else(String::new, |value| format!("paper: {}", text(value)));
    let range = match (record.interval, record.spread) {
        (Some([low, high]), _) => format!("95 % interval {} to {}", text(low), text(high)),
        (None, Some(spread)) if record.seeds > 1 => format!("{} to {}", text(spread.min), text(spread.max)),
        _ => String::new(),
    };
    [
        Cell::words(claim.statement.clone())
            .note(capital(&record.place))
            .note(claims::premise(claim))
            .note(why(claim, record)),
        Cell::words(record.expected.clone()).note(claim.reading.clone()),
        Cell::words(figure).note(deviation).note(published),
        Cell::words(range),
        record.kind().map_or_else(Cell::default, mark).note(record.support()),
    ]
}

/// The reason for a verdict, as far as it follows from the record.
fn why(claim: &Claim, record: &ClaimRecord) -> String {
    let cause = |relation: &str| match &claim.cause {
        Some(cause) => format!("{relation}: {cause}"),
        None => String::new(),
    };
    let fails = |other: &&BesideRecord| !other.holds;
    match record.kind() {
        Some(VerdictKind::DependsOnReading) => {
            let others: Vec<String> = record.beside.iter().filter(fails).map(with_support).collect();
            format!("It does not hold with {}", others.join(", or with "))
        }
        Some(VerdictKind::HoldsIf) => {
            let holds = format!("It holds with {}", record.holds_with().join(", or with "));
            match cause("In the leading set-up") {
                none if none.is_empty() => holds,
                cause => format!("{holds}. {cause}"),
            }
        }
        Some(VerdictKind::Differs) if claim.cause.is_none() => "The cause has not been found.".to_owned(),
        Some(VerdictKind::WithinSpread | VerdictKind::Differs) => cause("Likely cause"),
        Some(VerdictKind::CannotBeJudged) if !claim.premise().is_empty() => {
            "Not judged: the premise does not hold in the leading set-up".to_owned()
        }
        Some(VerdictKind::CannotBeJudged) => {
            record.beside.first().map_or_else(String::new, |other| format!("Not judged: {}", other.why))
        }
        _ => String::new(),
    }
}

fn with_support(other: &BesideRecord) -> String {
    match other.seeds {
        0 | 1 => other.words.clone(),
        seeds => format!("{} ({} of {seeds} seeds)", other.words, other.seeds_following),
    }
}

/// The figures for all claims in set-ups that differ in one choice.
fn readings(pairs: &[Pair<'_>]) -> Section {
    let section = Section::new("readings", "Other readings");
    let Some((_, first)) = pairs.first().filter(|(_, record)| !record.beside.is_empty()) else {
        return section;
    };
    let words = first.beside.iter().map(|other| Column::figures(capital(&other.words)));
    let columns = [Column::words("Claim"), Column::figures("Leading set-up")];
    let mut table = Table::new(columns.into_iter().chain(words));
    for (claim, record) in pairs.iter().filter(|(claim, _)| claim.rule().is_some()) {
        let leading = cell(record, record.measured, record.holds()).note(record.support());
        let others = record.beside.iter().map(|other| match other.seeds {
            0 | 1 => cell(record, other.measured, other.holds),
            seeds => cell(record, other.measured, other.holds)
                .note(format!("{} of {seeds} seeds", other.seeds_following)),
        });
        table.row([Cell::words(claim.name.clone()), leading].into_iter().chain(others));
    }
    let note =
        "Each column changes one choice and keeps the others. Marks show whether the claim’s rule holds.";
    section.with(Block::Table(table)).with(Block::Note(note.to_owned()))
}

fn cell(record: &ClaimRecord, measured: Option<f64>, holds: bool) -> Cell {
    let kind = if holds { VerdictKind::Robust } else { VerdictKind::Differs };
    match measured {
        Some(figure) => Cell::mark(sign(kind), record.quantity().text(figure)),
        None => Cell::words("not measured"),
    }
}
