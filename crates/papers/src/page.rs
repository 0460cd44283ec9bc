//! The page of an experiment.

use setpoint_report::document::{Block, Cell, Column, Document, Link, Mark, Navigation, Section, Table};
use setpoint_units::quantity::Unit;

use crate::case::{Case, Depth};
use crate::claim::{Claim, Judgement, Verdict, shown};
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
        Section { blocks: finished.panels.clone(), ..Section::new("shown", "Results") },
        claims(finished),
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
    let count =
        |name: &str| finished.judgements.iter().filter(|judgement| judgement.verdict.name() == name).count();
    let verdicts = [
        ("holds", "hold"),
        ("differs", "differ"),
        ("cannot be judged", "cannot be judged"),
        ("not judged in a quick run", "not judged in a quick run"),
    ];
    let verdicts = verdicts.map(|(one, several)| match count(one) {
        0 => String::new(),
        1 => format!("1 claim {one}"),
        count => format!("{count} claims {several}"),
    });
    let short = match finished.depth {
        Depth::Full => String::new(),
        Depth::Quick => {
            let factor = Unit::Ratio.text(experiment.quick);
            format!(
                "quick run, without verdicts: times are multiplied by {factor}; texts give the times of the full run"
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

fn claims(finished: &Finished<'_>) -> Section {
    let mut table = Table::new([
        Column::words("Claim"),
        Column::words("Expected"),
        Column::figures("Measured"),
        Column::figures("Over seeds"),
        Column::words("Verdict"),
    ]);
    for (claim, judgement) in finished.experiment.claims.iter().zip(&finished.judgements) {
        table.row(row(claim, judgement));
    }
    let rule = match finished.depth {
        Depth::Full => {
            "A claim holds if its rule holds for the mean over seeds and for at least four seeds in five."
        }
        Depth::Quick => {
            "A quick run gives no verdicts: it shows for how many seeds the rule holds with shortened times. In a full \
            run a claim holds if its rule holds for the mean over seeds and for at least four seeds in five."
        }
    };
    Section::new("claims", "Claims").with(Block::Table(table)).with(Block::Note(rule.to_owned()))
}

fn row(claim: &Claim, judgement: &Judgement) -> [Cell; 5] {
    let text = |value| judgement.unit.text(value);
    let spread = judgement.spread();
    let measured = spread.map_or_else(String::new, |spread| text(spread.mean));
    let deviation =
        spread.map_or_else(String::new, |spread| judgement.unit.spread_text(spread.mean, spread.deviation));
    let range = spread.map_or_else(String::new, |spread| match spread.count {
        1 => String::new(),
        _ => format!("{} to {}", text(spread.min), text(spread.max)),
    });
    let following = match judgement.values.len() {
        0 | 1 => String::new(),
        seeds => format!("holds for {} of {seeds}", judgement.followers()),
    };
    [
        Cell::words(claim.statement.clone()).note(why(&judgement.verdict)),
        Cell::words(claim.expected()).note(claim.reading.clone()),
        Cell::words(measured).note(deviation),
        Cell::words(range).note(following),
        mark(&shown(judgement.verdict.name(), judgement.followers(), judgement.values.len())),
    ]
}

fn why(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Holds => String::new(),
        Verdict::Differs { cause: Some(cause), .. } => format!("{}Likely cause: {cause}", too_few(verdict)),
        Verdict::Differs { cause: None, .. } => format!("{}The cause has not been found.", too_few(verdict)),
        Verdict::CannotBeJudged { why } | Verdict::TooShort { why } => format!("Not judged: {why}"),
        Verdict::Quick { .. } => capital(&verdict.why()),
    }
}

/// The sentence before the cause if the rule holds for the mean but for too few seeds.
fn too_few(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Differs { agreement: agreement @ Agreement::TooFewSeeds, .. } => {
            format!("{}. ", capital(agreement.words()))
        }
        _ => String::new(),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

pub(crate) fn mark(verdict: &str) -> Cell {
    let mark = match verdict {
        "holds" => Mark::Good,
        "differs" => Mark::Bad,
        _ => Mark::Open,
    };
    Cell::mark(mark, verdict)
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
    scenarios(&finished.experiment.cases).into_iter().fold(section, Section::with)
}

/// Up to this number, each case is shown with its scenario. If there are more cases, those with the same scenario are
/// shown together.
const FEW: usize = 16;

/// The scenarios of cases, with their settings.
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
