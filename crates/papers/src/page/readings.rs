//! The points that a paper leaves open, and the figures in other readings.

use setpoint_report::document::{Block, Cell, Column, Section, Table};

use setpoint_report::words::capital;

use super::sign;
use crate::choice::Choice;
use crate::claim::{Measured, VerdictKind};
use crate::reproduce::Finished;
use crate::rule::Agreement;
use crate::setup::Setup;

/// The points that the paper leaves open.
pub(crate) fn choices(choices: &[&Choice]) -> Section {
    let section = Section::new("choices", "Choices");
    if choices.is_empty() {
        return section;
    }
    let mut table = Table::new([
        Column::words("Question"),
        Column::words("The paper"),
        Column::words("Leading option"),
        Column::words("Other options"),
    ]);
    choices.iter().for_each(|choice| table.row(choice_row(choice)));
    section
        .with(Block::Prose(
            "Where the paper leaves something open, we chose the leading option by the text alone:"
                .to_owned(),
        ))
        .with(Block::Table(table))
}

fn choice_row(choice: &Choice) -> [Cell; 4] {
    let others: Vec<String> = choice.options[1..].iter().map(|option| capital(option.words)).collect();
    [
        Cell::words(choice.question),
        Cell::words(choice.text),
        Cell::words(capital(choice.leading().words)).note(choice.why),
        Cell::words(others.join("; ")),
    ]
}

/// The figures for all claims, and the panels, in set-ups that differ in one choice.
pub(super) fn others(finished: &Finished<'_>) -> Section {
    let section = Section::new("readings", "Other readings");
    if finished.beside.is_empty() {
        return section;
    }
    let (leading, beside) = (finished.experiment.seed_numbers().count(), finished.seeds_beside());
    let fewer = (leading > beside).then(|| Column::figures(format!("Leading set-up, first {beside} seeds")));
    let words = finished.beside.iter().map(|(setup, _)| Column::figures(capital(&setup.words())));
    let columns = [Column::words("Claim"), Column::figures("Leading set-up")].into_iter().chain(fewer);
    let mut table = Table::new(columns.chain(words));
    for (claim, judgement) in finished.experiment.claims.iter().zip(&finished.judgements) {
        let Some(rule) = judgement.rule else { continue };
        let cell = |measured: &Measured, kind: VerdictKind| match measured.figure() {
            Some(figure) => Cell::mark(sign(kind), judgement.unit.text(figure)).note(measured.support(rule)),
            None if measured.failure().is_some() => Cell::words("a run failed"),
            None => Cell::words("not measured"),
        };
        let by_rule = |measured: &Measured| {
            let follows = measured.agreement(rule) == Agreement::Follows;
            cell(measured, if follows { VerdictKind::Robust } else { VerdictKind::Differs })
        };
        // A pooled figure cannot be restricted to the first seeds.
        let first = (leading > beside).then(|| match judgement.measured.pooled {
            Some(_) => Cell::words("–"),
            None => by_rule(&judgement.measured.first(beside)),
        });
        let others = judgement.beside.iter().map(|(_, measured)| by_rule(measured));
        let cells = [Cell::words(claim.name.clone()), cell(&judgement.measured, judgement.verdict.kind())];
        table.row(cells.into_iter().chain(first).chain(others));
    }
    // An option that changes only what is measured may leave all panels as they are.
    let differs = |(_, panels): &&(Setup, Vec<Block>)| !panels.is_empty() && *panels != finished.panels;
    let panels = finished.beside.iter().filter(differs).map(|(setup, panels)| {
        let names: Vec<String> =
            setup.departures().map(|(choice, option)| format!("{}-{}", choice.name, option.name)).collect();
        let blocks = panels.iter().map(|block| block.clone().named(&names.join("-"))).collect();
        let seeds = if leading > beside { format!(", first {beside} seeds") } else { String::new() };
        Block::More { summary: format!("Results with {}{seeds}", setup.words()), blocks }
    });
    let note = format!(
        "Each column changes one choice and keeps the others. A set-up is run with {beside} seeds, and with all {leading} \
        if the verdict on a claim depends on it and {beside} seeds do not settle it. Marks show whether the claim’s rule \
        holds."
    );
    let section = section.with(Block::Table(table)).with(Block::Note(note));
    panels.fold(section, Section::with)
}
