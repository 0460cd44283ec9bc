//! The claims of an experiment with their verdicts.

use setpoint_report::document::{Block, Cell, Column, Section, Table};

use setpoint_report::words::capital;

use super::mark;
use crate::case::Depth;
use crate::claim::{Claim, Judgement, Origin, Verdict};
use crate::reproduce::Finished;

/// The columns of a table of claims with their verdicts.
pub(super) fn columns() -> [Column; 5] {
    [
        Column::words("Claim"),
        Column::words("Expected"),
        Column::figures("Measured"),
        Column::figures("Over seeds"),
        Column::words("Verdict"),
    ]
}

/// A table of the claims of a given origin.
pub(super) fn table(finished: &Finished<'_>, id: &str, title: &str, shown: fn(Origin) -> bool) -> Section {
    let mut table = Table::new(columns());
    for (claim, judgement) in finished.experiment.claims.iter().zip(&finished.judgements) {
        if shown(claim.origin) {
            table.row(row(claim, judgement));
        }
    }
    let section = Section::new(id, title);
    if table.rows.is_empty() { section } else { section.with(Block::Table(table)) }
}

/// How claims are judged.
pub(super) fn rules(depth: Depth) -> &'static str {
    match depth {
        Depth::Full | Depth::FullSize => {
            "A claim holds if its rule holds for the mean over seeds and for at least four seeds in five; in an \
            equivalence test (“with 95 % confidence”), for the whole confidence interval of the mean. A figure for all \
            seeds together is judged by bootstrap samples of the seeds instead. A claim that holds is robust if it also \
            holds in every set-up that differs in one choice. A claim that does not hold is within spread if a single \
            run, such as the paper’s, could show it: if the 95 % prediction interval of one more run contains the \
            paper’s single value or, where the paper gives none, values that the rule allows, and the rule holds for at \
            least one seed."
        }
        Depth::Quick => {
            "A quick run gives no verdicts: it shows for how many seeds the rule holds with shortened times. In a full \
            run a claim holds if its rule holds for the mean over seeds and for at least four seeds in five."
        }
    }
}

fn row(claim: &Claim, judgement: &Judgement) -> [Cell; 5] {
    let text = |value| judgement.unit.text(value);
    let measured = &judgement.measured;
    let deviation = measured.spread().filter(|_| measured.pooled.is_none());
    let deviation = deviation.and_then(|spread| spread.deviation);
    let pair = |figure| judgement.unit.pair_text(figure, deviation);
    let (figure, deviation) = measured.figure().map(pair).unwrap_or_default();
    let pooled = if measured.pooled.is_some() { "all seeds together" } else { "" };
    let range = match (measured.range(), &measured.pooled, measured.values.len()) {
        (Some((low, high)), Some(_), _) => format!("95 % interval {} to {}", text(low), text(high)),
        (Some(_), None, 1) | (None, ..) => String::new(),
        (Some((low, high)), None, _) => format!("{} to {}", text(low), text(high)),
    };
    let published = claim.published.map_or_else(String::new, |value| format!("paper: {}", text(value)));
    let statement = Cell::words(claim.statement.clone());
    let statement = match claim.origin {
        Origin::Paper(place) => statement.note(capital(place)),
        Origin::Ours => statement,
    };
    [
        statement.note(premise(claim)).note(why(&judgement.verdict)),
        Cell::words(claim.expected()).note(claim.reading.clone()),
        Cell::words(figure).note(deviation).note(pooled).note(published),
        Cell::words(range),
        mark(judgement.verdict.kind())
            .note(judgement.rule.map_or_else(String::new, |rule| measured.support(rule))),
    ]
}

/// The premise of a claim as a sentence; empty if there is none.
pub(super) fn premise(claim: &Claim) -> String {
    match claim.premise() {
        "" => String::new(),
        words => format!("Premise: {words}"),
    }
}

fn why(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Differs { cause: Some(cause) } => format!("Likely cause: {cause}"),
        Verdict::Differs { cause: None } => "The cause has not been found.".to_owned(),
        Verdict::CannotBeJudged { why } | Verdict::TooShort { why } => format!("Not judged: {why}"),
        Verdict::Holds { .. }
        | Verdict::WithinSpread { .. }
        | Verdict::HoldsIf { .. }
        | Verdict::Quick { .. } => capital(&verdict.why()),
    }
}
