//! The page of an experiment.

use setpoint_report::document::{Block, Cell, Column, Document, Link, Mark, Navigation, Section, Table};
use setpoint_units::quantity::Unit;

use crate::case::{Case, Depth};
use crate::choice::{Choice, Setup};
use crate::claim::{Claim, Judgement, Measured, Origin, Verdict, VerdictKind};
use crate::experiment::{Experiment, Paper, Repeats};
use crate::reproduce::Finished;
use crate::rule::Agreement;

/// The context of a page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    /// The paper of the experiment.
    pub(crate) paper: Option<&'a Paper>,
    /// The ids of experiments that have a page.
    pub(crate) listed: &'a [&'a str],
}

/// The page of an experiment.
pub(crate) fn experiment(finished: &Finished<'_>, context: &Context<'_>) -> Document {
    let experiment = finished.experiment;
    let mut document = Document::new(experiment.title);
    document.part_of = format!("{} · {}", experiment.id, context.paper.map_or("", |paper| paper.title));
    document.facts = facts(finished);
    document.navigation = navigation(experiment, context);
    document.sections = vec![
        Section::new("setup", "Set-up").with(Block::Prose(experiment.setup.to_owned())),
        Section::new("paper", "The paper’s observations")
            .with(Block::Prose(experiment.paper_says.to_owned())),
        results(finished),
        claims(finished, "claims", "The paper’s claims", |origin| origin != Origin::Ours),
        claims(finished, "checks", "Our checks", |origin| origin == Origin::Ours),
        Section::new("rules", "Rules for verdicts").with(Block::Note(rules(finished).to_owned())),
        choices(&experiment.choices),
        other_readings(finished),
        assumptions(experiment),
        repetition(finished),
    ];
    document.sections.retain(|section| !section.blocks.is_empty());
    document
}

fn facts(finished: &Finished<'_>) -> Vec<String> {
    let experiment = finished.experiment;
    let repeats = match experiment.repeats {
        Repeats::Seeds(seeds) => format!("{seeds} seeds"),
        Repeats::Costly(1) => "one seed, since runs are long".to_owned(),
        Repeats::Costly(seeds) => format!("only {seeds} seeds, since runs are long"),
        Repeats::Once => "not random: one run each".to_owned(),
    };
    let cases = match experiment.cases.len() {
        0 => "computed, without runs".to_owned(),
        1 => "one case".to_owned(),
        cases => format!("{cases} cases"),
    };
    let verdicts = [("claim", "of the paper", false), ("check", "of our own", true)];
    let verdicts = verdicts.into_iter().flat_map(|(name, whose, ours)| {
        let counted = move |kind: VerdictKind| {
            let counts = |(claim, judgement): &(&Claim, &Judgement)| {
                judgement.verdict.kind() == kind && (claim.origin == Origin::Ours) == ours
            };
            match experiment.claims.iter().zip(&finished.judgements).filter(counts).count() {
                0 => String::new(),
                1 => format!("1 {name} {whose} {}", kind.predicate(1)),
                count => format!("{count} {name}s {whose} {}", kind.predicate(count)),
            }
        };
        VerdictKind::ALL.map(counted)
    });
    let short = match finished.depth {
        Depth::Full => String::new(),
        Depth::Quick => {
            let factor = Unit::Ratio.text(experiment.quick);
            format!(
                "quick run, without verdicts: times are multiplied by {factor}; the text gives the times of the full \
                run"
            )
        }
    };
    [cases, repeats, short].into_iter().chain(verdicts).filter(|fact| !fact.is_empty()).collect()
}

fn navigation(experiment: &Experiment, context: &Context<'_>) -> Navigation {
    let all = context.paper.map_or(&[][..], |paper| &paper.experiments);
    let listed: Vec<&Experiment> = all.iter().filter(|one| context.listed.contains(&one.id)).collect();
    let place = listed.iter().position(|one| one.id == experiment.id);
    let link = |index: Option<usize>| {
        let neighbour = listed.get(index?)?;
        Some(Link::new(
            format!("{}.html", neighbour.name()),
            format!("{}: {}", neighbour.id, neighbour.title),
        ))
    };
    Navigation {
        up: Some(Link::new("../index.html", "All experiments")),
        previous: link(place.and_then(|place| place.checked_sub(1))),
        next: link(place.map(|place| place + 1)),
    }
}

/// Figures and tables in the leading set-up.
fn results(finished: &Finished<'_>) -> Section {
    let section = Section::new("shown", "Results");
    let setup = Setup::leading(&finished.experiment.choices);
    let options: Vec<&str> = setup.options().map(|(_, option)| option.words).collect();
    let section = match options.is_empty() {
        true => section,
        false => section.with(Block::Note(format!("Leading set-up: {}.", options.join(", ")))),
    };
    finished.panels.iter().cloned().fold(section, Section::with)
}

/// A table of the claims of some origin.
fn claims(finished: &Finished<'_>, id: &str, title: &str, shown: fn(Origin) -> bool) -> Section {
    let mut table = Table::new([
        Column::words("Claim"),
        Column::words("Expected"),
        Column::figures("Measured"),
        Column::figures("Over seeds"),
        Column::words("Verdict"),
    ]);
    for (claim, judgement) in finished.experiment.claims.iter().zip(&finished.judgements) {
        if shown(claim.origin) {
            table.row(row(claim, judgement));
        }
    }
    let section = Section::new(id, title);
    if table.rows.is_empty() { section } else { section.with(Block::Table(table)) }
}

/// How claims are judged.
fn rules(finished: &Finished<'_>) -> &'static str {
    match finished.depth {
        Depth::Full => {
            "A claim holds if its rule holds for the mean over seeds and for at least four seeds in five. It is within \
            spread if the paper’s single value lies between the smallest and the largest figure of our seeds or, where \
            the paper gives no single value, if the rule holds for the mean but for fewer seeds. A figure for all \
            seeds together is judged by bootstrap samples of the seeds instead."
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
    let figure = measured.figure().map_or_else(String::new, text);
    let deviation = measured.spread().filter(|_| measured.pooled.is_none());
    let deviation = deviation
        .map_or_else(String::new, |spread| judgement.unit.spread_text(spread.mean, spread.deviation));
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
        statement.note(why(&judgement.verdict)),
        Cell::words(claim.expected()).note(claim.reading.clone()),
        Cell::words(figure).note(deviation).note(pooled).note(published),
        Cell::words(range),
        mark(judgement.verdict.kind())
            .note(judgement.rule.map_or_else(String::new, |rule| measured.support(rule))),
    ]
}

fn why(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Holds => String::new(),
        Verdict::Differs { cause: Some(cause) } => format!("Likely cause: {cause}"),
        Verdict::Differs { cause: None } => "The cause has not been found.".to_owned(),
        Verdict::CannotBeJudged { why } | Verdict::TooShort { why } => format!("Not judged: {why}"),
        Verdict::WithinSpread { .. } | Verdict::HoldsIf { .. } | Verdict::Quick { .. } => {
            capital(&verdict.why())
        }
    }
}

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
fn other_readings(finished: &Finished<'_>) -> Section {
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
            cell(measured, if follows { VerdictKind::Holds } else { VerdictKind::Differs })
        };
        // A figure for all seeds together has no part that belongs to the first seeds.
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
        Block::More { summary: format!("Results with {}", setup.words()), blocks }
    });
    let note = format!(
        "Each column changes one choice and keeps the others, with {beside} seeds. Marks show whether the claim’s rule \
        holds."
    );
    let section = section.with(Block::Table(table)).with(Block::Note(note));
    panels.fold(section, Section::with)
}

pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

pub(crate) fn mark(kind: VerdictKind) -> Cell {
    Cell::mark(sign(kind), kind.name())
}

fn sign(kind: VerdictKind) -> Mark {
    match kind {
        VerdictKind::Holds => Mark::Good,
        VerdictKind::Differs => Mark::Bad,
        _ => Mark::Open,
    }
}

fn assumptions(experiment: &Experiment) -> Section {
    let section = Section::new("assumptions", "Assumptions");
    if experiment.assumptions.is_empty() {
        return section;
    }
    section
        .with(Block::Prose("Where the paper leaves something open, or we depart from it:".to_owned()))
        .with(Block::Points(experiment.assumptions.clone()))
}

fn repetition(finished: &Finished<'_>) -> Section {
    let quick = match finished.depth {
        Depth::Full => "",
        Depth::Quick => " --quick",
    };
    let command = format!("setpoint reproduce {}{quick}", finished.experiment.id);
    let note = "The same version gives the same figures on any machine and with any number of threads.";
    let section =
        Section::new("repeat", "Repetition").with(Block::Command(command)).with(Block::Note(note.to_owned()));
    let leading = Setup::leading(&finished.experiment.choices);
    let cases: Vec<Case> = finished.experiment.cases.iter().map(|case| leading.apply(case)).collect();
    scenarios(&cases).into_iter().fold(section, Section::with)
}

/// Up to this number of cases, each one is shown with its scenario. If there are more, those with the same
/// scenario are shown together.
const FEW: usize = 16;

/// The scenarios of cases, with their settings in the leading set-up.
fn scenarios(cases: &[Case]) -> Vec<Block> {
    if cases.len() <= FEW {
        return cases.iter().map(scenario).collect();
    }
    let mut texts: Vec<&str> = cases.iter().map(|case| case.scenario).collect();
    texts.dedup();
    let of_text = |text: &str| {
        let same: Vec<&Case> = cases.iter().filter(|case| case.scenario == text).collect();
        let one = |case: &&Case| format!("# {}: {}\n", case.label, case.settings.join(" "));
        let summary = format!("Scenario of {} cases, with the settings of each", same.len());
        Block::Folded { summary, text: same.iter().map(one).collect::<String>() + "\n" + text }
    };
    texts.into_iter().map(of_text).collect()
}

fn scenario(case: &Case) -> Block {
    let set: String = case.settings.iter().map(|set| format!("# setting: {set}\n")).collect();
    let summary = format!("Scenario of the case “{}”", case.label);
    Block::Folded { summary, text: set + case.scenario }
}
