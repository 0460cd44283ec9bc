//! The page of a search.

use setpoint_plot::{Axis, Figure, Shape};
use setpoint_report::document::{
    Block, Card, Cell, Column, Document, Link, Mark, Navigation, Section, Table,
};
use setpoint_report::words::capital;
use setpoint_units::quantity::Unit;

use super::effects::Effects;
use super::{Scored, Scores, Search};
use crate::experiment::Experiment;
use crate::panel::line;
use crate::setup::Setup;

/// The number of set-ups that the table of the best set-ups shows.
const BEST: usize = 12;
/// A list of up to this many pairs is not collapsed.
const FEW_PAIRS: usize = 12;

pub(super) fn page(search: &Search<'_>, scored: &Scored<'_>, listed: &[&str]) -> Document {
    let Scored { effects, scores } = scored;
    let paper = search.paper();
    let mut document = Document::new("Which reading explains the most claims?");
    document.part_of = format!("{} · {}", paper.id, paper.title);
    document.navigation =
        Navigation { up: Some(Link::new("../index.html", "All experiments")), ..Navigation::default() };
    document.cards = cards(search, scores);
    document.sections = vec![
        best(scores),
        numbers(scores, listed),
        worth(search, scores),
        without_effect(search, effects),
        claims(scores, listed),
        pairs(scores),
        choices(search),
        Section::new("repeat", "Repetition")
            .with(Block::Command(format!("setpoint reproduce {} --search", paper.id))),
    ];
    document.sections.retain(|section| !section.blocks.is_empty());
    document
}

fn cards(search: &Search<'_>, scores: &Scores<'_>) -> Vec<Card> {
    let claims = scores.claims().len();
    let never = scores.by_claim().iter().filter(|one| one.holds_in == 0).count();
    let of_claims = |count: usize| format!("{count} of {claims}");
    let confirmed = |setup: &Setup| {
        scores.confirmed(setup).map_or_else(String::new, |count| format!("{count} with other seeds"))
    };
    let (best, score) = scores.ranking()[0];
    let leading = Setup::leading(&best.options().map(|(choice, _)| choice).collect::<Vec<_>>());
    let card = |label: &str, value: String, note: String| Card { label: label.to_owned(), value, note };
    vec![
        card(
            "Set-ups",
            Unit::Count.text(scores.count() as f64),
            match (search.possible(), scores.combined()) {
                (possible, combined) if possible == combined => "all combinations of the choices".to_owned(),
                (possible, combined) => {
                    let count = |count: usize| Unit::Count.text(count as f64);
                    let near = match scores.count() - combined {
                        0 => String::new(),
                        near => format!(" and {} near the best of them", count(near)),
                    };
                    let combined = count(combined);
                    format!(
                        "{combined} combinations of the options that matter{near}; {} in all",
                        count(possible)
                    )
                }
            },
        ),
        card("Leading set-up", of_claims(scores.leading()), confirmed(&leading)),
        card("Best set-up", of_claims(score), confirmed(best)),
        card("Hold in no set-up", of_claims(never), "with the scoring seeds".to_owned()),
    ]
}

/// The set-ups with the highest scores.
fn best(scores: &Scores<'_>) -> Section {
    let mut table = Table::new([
        Column::words("Options other than the leading ones"),
        Column::figures("Claims that hold"),
        Column::figures("With other seeds"),
    ]);
    let ranking = scores.ranking();
    let place_of_leading = ranking.iter().position(|(setup, _)| setup.leads());
    let shown = (0..ranking.len()).filter(|place| *place < BEST || Some(*place) == place_of_leading);
    for (setup, score) in shown.map(|place| ranking[place]) {
        let confirmed = scores.confirmed(setup).map_or_else(|| "–".to_owned(), |count| count.to_string());
        table.row([capital(&setup.words()), score.to_string(), confirmed].map(Cell::words));
    }
    let note = "A claim holds in a set-up if its rule holds for the mean over the scoring seeds (1 and 3; for figures that \
    cover all seeds together, every other seed) and for both of them; a claim that is only within spread \
        does not count. Since the best of many set-ups is best partly by chance, it is run again with the other \
        seeds, as is the leading one. Of set-ups that satisfy the same number of claims, the one with the fewest \
        options other than the leading ones comes first. Every set-up that differs from the best one in a single choice \
        was run, and none of them satisfies more claims.";
    Section::new("best", "Best set-up")
        .with(Block::Prose(outcome(scores, &ranking)))
        .with(Block::Figures(vec![ranked(&ranking, scores.claims().len())]))
        .with(Block::Table(table))
        .with(Block::Note(note.to_owned()))
}

/// States which set-up is best, and whether the other half of the seeds confirms it.
fn outcome(scores: &Scores<'_>, ranking: &[(&Setup, usize)]) -> String {
    let (best, score) = ranking[0];
    if best.leads() {
        return "No other set-up satisfies more claims than the leading one.".to_owned();
    }
    let tied = ranking.iter().filter(|(_, other)| *other == score).count() - 1;
    let tied = match tied {
        0 => String::new(),
        1 => " Another set-up satisfies the same number of claims.".to_owned(),
        tied => format!(" {tied} other set-ups satisfy the same number of claims."),
    };
    let leading = ranking.iter().find(|(setup, _)| setup.leads()).map(|(setup, _)| *setup);
    let with_others = |setup: &Setup| scores.confirmed(setup).unwrap_or(0);
    let confirmed = leading.is_some_and(|leading| with_others(best) > with_others(leading));
    let confirmed = match confirmed {
        true => "The other seeds confirm that it is better than the leading one.",
        false => {
            "The other seeds do not confirm this: with them, it satisfies no more claims than the leading set-up."
        }
    };
    let words = best.words();
    format!("The best set-up differs from the leading one as follows: {words}.{tied} {confirmed}")
}

/// The scores of all set-ups, from the best to the worst.
fn ranked(ranking: &[(&Setup, usize)], claims: usize) -> Figure {
    let points = ranking.iter().enumerate().map(|(place, (_, score))| (place as f64 + 1.0, *score as f64));
    let leading = ranking.iter().position(|(setup, _)| setup.leads()).unwrap_or(0);
    let x = Axis::linear("Set-ups, best first", Unit::Count, (1.0, (ranking.len() as f64).max(2.0)));
    let y = Axis::linear("Claims that hold", Unit::Count, (0.0, claims as f64));
    let mut figure = Figure::new("scores", "Claims that hold in each set-up", x, y);
    figure.marks = vec![line("", setpoint_plot::Colour::Series(0), Shape::Dotted, points.collect())];
    figure.references = vec![crate::panel::upright(leading as f64 + 1.0, "leading set-up")];
    figure
}

/// The benefit of each option.
fn worth(search: &Search<'_>, scores: &Scores<'_>) -> Section {
    let mut table = Table::new([
        Column::words("Choice"),
        Column::words("Option"),
        Column::words("Claims gained by this option alone"),
        Column::words("Claims lost by this option alone"),
        Column::figures("Mean change over all combinations"),
    ]);
    for worth in scores.worth(search.choices()) {
        table.row([
            Cell::words(worth.choice.question),
            Cell::words(capital(worth.option.words)),
            names(scores, &worth.gained),
            names(scores, &worth.lost),
            Cell::words(signed(worth.mean)),
        ]);
    }
    let section = Section::new("worth", "Effect of each choice");
    if table.rows.is_empty() {
        return section;
    }
    let note = "Gained and lost claims: those whose outcome changes if the option replaces the leading one and all \
        other choices keep their leading options.";
    section.with(Block::Table(table)).with(Block::Note(note.to_owned()))
}

/// The values that the paper gives, next to ours in the best set-up and in the leading one.
fn numbers(scores: &Scores<'_>, listed: &[&str]) -> Section {
    let section = Section::new("numbers", "The paper’s numbers");
    let best = scores.best();
    let leading = Setup::leading(&best.options().map(|(choice, _)| choice).collect::<Vec<_>>());
    let columns = [scores.figures(best), scores.confirmed_figures(best), scores.figures(&leading)];
    let mut table = Table::new([
        Column::words("Experiment"),
        Column::words("Claim"),
        Column::figures("Paper"),
        Column::figures("Best set-up"),
        Column::figures("Best set-up, other seeds"),
        Column::figures("Leading set-up"),
    ]);
    for (index, (of, claim)) in scores.claims().iter().enumerate() {
        let Some(published) = claim.published else { continue };
        let cell = |figures: &Vec<Option<f64>>| {
            let Some(figure) = figures.get(index).copied().flatten() else { return Cell::words("–") };
            let holds = claim.rule().is_some_and(|rule| rule.allows(figure));
            Cell::mark(if holds { Mark::Good } else { Mark::Bad }, claim.unit().text(figure))
        };
        let words = [experiment(of, listed), Cell::words(claim.statement.clone())];
        let paper = Cell::words(claim.unit().text(published));
        table.row(words.into_iter().chain([paper]).chain(columns.iter().map(cell)));
    }
    if table.rows.is_empty() {
        return section;
    }
    let note = "Means over seeds. A mark shows whether the mean satisfies the rule; a claim also needs enough seeds.";
    section.with(Block::Table(table)).with(Block::Note(note.to_owned()))
}

/// The options that were not combined with others.
fn without_effect(search: &Search<'_>, effects: &Effects) -> Section {
    let mut table = Table::new([Column::words("Question"), Column::words("Option")]);
    for choice in search.choices() {
        for (place, option) in choice.options.iter().enumerate().skip(1) {
            if !effects.has_anywhere(choice, place) {
                table.row([Cell::words(choice.question), Cell::words(capital(option.words))]);
            }
        }
    }
    let section = Section::new("without-effect", "Options without effect");
    if table.rows.is_empty() {
        return section;
    }
    let note = "These options change the outcome of no claim if they replace those of the leading set-up, so they were not \
        combined with others. Each was tried again in the best set-up. An option may matter in some experiments only; \
        it is combined only there.";
    section.with(Block::Table(table)).with(Block::Note(note.to_owned()))
}

/// The number of claims, with their names.
fn names(scores: &Scores<'_>, claims: &[usize]) -> Cell {
    let names: Vec<String> = claims.iter().map(|claim| name(scores, *claim)).collect();
    Cell::words(claims.len().to_string()).note(names.join(", "))
}

fn name(scores: &Scores<'_>, claim: usize) -> String {
    let (experiment, claim) = scores.claims()[claim];
    format!("{} {}", experiment.name(), claim.name)
}

fn signed(value: f64) -> String {
    let text = format!("{:.1}", value.abs());
    match text.as_str() {
        "0.0" => "0".to_owned(),
        _ if value < 0.0 => format!("−{text}"),
        _ => format!("+{text}"),
    }
}

/// All claims, beginning with those that hold in the fewest set-ups.
fn claims(scores: &Scores<'_>, listed: &[&str]) -> Section {
    let mut table = Table::new([
        Column::words("Experiment"),
        Column::words("Claim"),
        Column::words("Expected"),
        Column::figures("Range over all set-ups"),
        Column::words("Leading"),
        Column::words("Best"),
        Column::figures("Set-ups in which it holds"),
    ]);
    let best = scores.best();
    let leading = Setup::leading(&best.options().map(|(choice, _)| choice).collect::<Vec<_>>());
    let (in_leading, in_best) = (scores.holds(&leading), scores.holds(best));
    let mut rows: Vec<_> = scores.by_claim().into_iter().enumerate().collect();
    rows.sort_by_key(|(index, one)| (one.holds_in, *index));
    for (index, one) in rows {
        let unit = one.claim.unit();
        let range = one.range.map_or_else(
            || "–".to_owned(),
            |(low, high)| {
                let (low, high) = (unit.text(low), unit.text(high));
                if low == high { low } else { format!("{low} to {high}") }
            },
        );
        table.row([
            experiment(one.experiment, listed),
            Cell::words(one.claim.statement.clone()).note(capital(one.claim.origin.place())),
            Cell::words(one.claim.expected()),
            Cell::words(range),
            mark(in_leading[index]),
            mark(in_best[index]),
            Cell::words(format!("{} of {}", one.holds_in, one.measured_in)),
        ]);
    }
    Section::new("claims", "Claims").with(Block::Table(table))
}

/// The name of an experiment, with a link if it has a page.
fn experiment(experiment: &Experiment, listed: &[&str]) -> Cell {
    let name = experiment.name();
    if listed.contains(&experiment.id) { Cell::link(format!("{name}.html"), name) } else { Cell::words(name) }
}

fn mark(holds: bool) -> Cell {
    if holds { Cell::mark(Mark::Good, "holds") } else { Cell::mark(Mark::Bad, "does not hold") }
}

/// Pairs of claims that exclude each other.
fn pairs(scores: &Scores<'_>) -> Section {
    let pairs = scores.exclusive_pairs();
    let section = Section::new("pairs", "Claims that exclude each other");
    if pairs.is_empty() {
        return section.with(Block::Prose(
            "Any two claims that each hold in some set-up also hold together in some set-up.".to_owned(),
        ));
    }
    let mut table = Table::new([Column::words("Claim"), Column::words("Never holds together with")]);
    for first in 0..scores.claims().len() {
        let others: Vec<String> = pairs
            .iter()
            .filter_map(|(one, other)| match (*one == first, *other == first) {
                (true, _) => Some(name(scores, *other)),
                (_, true) => Some(name(scores, *one)),
                _ => None,
            })
            .collect();
        if !others.is_empty() {
            table.row([Cell::words(name(scores, first)), Cell::words(others.join(", "))]);
        }
    }
    let text = format!(
        "For {} of claims, no set-up satisfies both, although each of them holds in some set-up.",
        if pairs.len() == 1 { "one pair".to_owned() } else { format!("{} pairs", pairs.len()) }
    );
    let section = section.with(Block::Prose(text));
    match table.rows.len() <= FEW_PAIRS {
        true => section.with(Block::Table(table)),
        false => {
            section.with(Block::More { summary: "All pairs".to_owned(), blocks: vec![Block::Table(table)] })
        }
    }
}

/// The choices, as the experiments declare them.
fn choices(search: &Search<'_>) -> Section {
    crate::page::choices(search.choices())
}
