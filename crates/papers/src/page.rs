//! What stands on the pages.

use setpoint_report::document::{
    Block, Card, Cell, Column, Document, Link, Mark, Navigation, Section, Table,
};
use setpoint_report::quantity::Unit;

use crate::case::{Case, Depth};
use crate::claim::{Claim, Judgement, Verdict, shown};
use crate::experiment::{Experiment, Paper, Repeats};
use crate::record::ClaimRecord;
use crate::reproduce::Finished;
use crate::rule::Agreement;

/// What a page links to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around<'a> {
    /// The paper that the experiment is of.
    pub(crate) paper: Option<&'a Paper>,
    /// The ids of experiments that have a page.
    pub(crate) listed: &'a [&'a str],
}

/// The page of an experiment.
pub(crate) fn experiment(finished: &Finished<'_>, around: &Around<'_>) -> Document {
    let experiment = finished.experiment;
    let mut document = Document::new(experiment.title);
    document.part_of = format!("{} · {}", experiment.id, around.paper.map_or("", |paper| paper.title));
    document.facts = facts(finished);
    document.navigation = navigation(experiment, around);
    document.sections = vec![
        Section::new("setup", "Set-up").with(Block::Prose(experiment.setup.to_owned())),
        Section::new("paper", "What the paper says").with(Block::Prose(experiment.paper_says.to_owned())),
        Section { blocks: finished.panels.clone(), ..Section::new("shown", "What we see") },
        claims(finished),
        taken(experiment),
        repeat(finished),
    ];
    document.sections.retain(|section| !section.blocks.is_empty());
    document
}

fn facts(finished: &Finished<'_>) -> Vec<String> {
    let experiment = finished.experiment;
    let repeats = match experiment.repeats {
        Repeats::Seeds(seeds) => format!("{seeds} seeds"),
        Repeats::Costly(1) => "one seed: runs are long".to_owned(),
        Repeats::Costly(seeds) => format!("{seeds} seeds only: runs are long"),
        Repeats::Once => "nothing is left to chance: one run each".to_owned(),
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
                "quick run, without verdicts: times multiplied by {factor}; texts give those of the full run"
            )
        }
    };
    [cases, repeats, short].into_iter().chain(verdicts).filter(|fact| !fact.is_empty()).collect()
}

fn navigation(experiment: &Experiment, around: &Around<'_>) -> Navigation {
    let all = around.paper.map_or(&[][..], |paper| &paper.experiments);
    let listed: Vec<&Experiment> = all.iter().filter(|one| around.listed.contains(&one.id)).collect();
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
            "A claim holds if the mean over seeds follows the rule and at least four seeds in five do."
        }
        Depth::Quick => {
            "A quick run gives no verdicts: it shows how many seeds follow the rule with shortened times. In a full run a claim \
             holds if the mean over seeds follows the rule and at least four seeds in five do."
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
        seeds => format!("{} of {seeds} follow", judgement.followers()),
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

/// What is to be said before the cause if the mean is right.
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

fn mark(verdict: &str) -> Cell {
    let mark = match verdict {
        "holds" => Mark::Good,
        "differs" => Mark::Bad,
        _ => Mark::Open,
    };
    Cell::mark(mark, verdict)
}

fn taken(experiment: &Experiment) -> Section {
    let section = Section::new("taken", "What we take");
    if experiment.assumptions.is_empty() {
        return section;
    }
    section
        .with(Block::Prose("Where the paper leaves something open, or we depart from it:".to_owned()))
        .with(Block::Points(experiment.assumptions.clone()))
}

fn repeat(finished: &Finished<'_>) -> Section {
    let quick = match finished.depth {
        Depth::Full => "",
        Depth::Quick => " --quick",
    };
    let command = format!("setpoint reproduce {}{quick}", finished.experiment.id);
    let note = "The same version gives the same figures, whatever the machine and the number of threads.";
    let section = Section::new("repeat", "How to repeat it")
        .with(Block::Command(command))
        .with(Block::Note(note.to_owned()));
    scenarios(&finished.experiment.cases).into_iter().fold(section, Section::with)
}

/// So many cases are shown with their scenario each; of more, those that share one are shown together.
const FEW: usize = 16;

/// The scenarios of cases, with what is set on top of them.
fn scenarios(cases: &[Case]) -> Vec<Block> {
    if cases.len() <= FEW {
        return cases.iter().map(scenario).collect();
    }
    let mut texts: Vec<&str> = cases.iter().map(|case| case.scenario).collect();
    texts.dedup();
    let of_text = |text: &str| {
        let same: Vec<&Case> = cases.iter().filter(|case| case.scenario == text).collect();
        let one = |case: &&Case| format!("# {}: {}\n", case.label, case.settings.join(" "));
        let summary = format!("Scenario of {} cases, with what each of them sets on top", same.len());
        Block::Folded { summary, text: same.iter().map(one).collect::<String>() + "\n" + text }
    };
    texts.into_iter().map(of_text).collect()
}

fn scenario(case: &Case) -> Block {
    let set: String = case.settings.iter().map(|set| format!("# set on top: {set}\n")).collect();
    let summary = format!("Scenario of the case “{}”", case.label);
    Block::Folded { summary, text: set + case.scenario }
}

/// The page that lists all experiments.
pub(crate) fn index(papers: &[Paper], lines: &[ClaimRecord]) -> String {
    let mut document = Document::new("Papers, repeated");
    document.description =
        "Experiments of published papers on congestion control in data-centre Ethernet, run again, \
                            and what became of their claims."
            .to_owned();
    document.cards = cards(lines);
    let sections = papers.iter().filter_map(|paper| of_paper(paper, lines));
    document.sections = sections.collect();
    document.html()
}

fn cards(lines: &[ClaimRecord]) -> Vec<Card> {
    let count = |verdict: &str| lines.iter().filter(|line| line.verdict == verdict).count();
    let quick = count("quick run") + count("not judged in a quick run");
    let card = |label: &str, value: usize, note: &str| Card {
        label: label.to_owned(),
        value: Unit::Count.text(value as f64),
        note: note.to_owned(),
    };
    vec![
        card("Claims", lines.len(), ""),
        card("Hold", count("holds"), "we see what the paper saw"),
        card("Differ", count("differs"), "we see something else"),
        card("Cannot be judged", count("cannot be judged"), "not with what is here"),
    ]
    .into_iter()
    .chain((quick > 0).then(|| card("Without a verdict", quick, "of quick runs")))
    .collect()
}

fn of_paper(paper: &Paper, lines: &[ClaimRecord]) -> Option<Section> {
    let mut table = Table::new([
        Column::words("Experiment"),
        Column::words("Claim"),
        Column::words("Expected"),
        Column::figures("Measured"),
        Column::words("Verdict"),
    ]);
    for experiment in &paper.experiments {
        let of_experiment = |line: &&ClaimRecord| line.experiment == experiment.id;
        for (index, line) in lines.iter().filter(of_experiment).enumerate() {
            let name = if index == 0 { index_name(experiment, line) } else { Cell::default() };
            table.row([name].into_iter().chain(index_row(experiment, line)));
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

/// The experiment stands beside its first claim.
fn index_name(experiment: &Experiment, line: &ClaimRecord) -> Cell {
    let short = if line.depth == Depth::Quick.name() { "quick run" } else { "" };
    Cell::link(format!("{}.html", experiment.id), experiment.id).note(experiment.title).note(short)
}

fn index_row(experiment: &Experiment, line: &ClaimRecord) -> [Cell; 4] {
    let claim = experiment.claims.iter().find(|claim| claim.name == line.claim);
    let unit = line.quantity();
    let deviation = line.spread.and_then(|spread| spread.deviation);
    let spread = line.measured.map_or_else(String::new, |mean| unit.spread_text(mean, deviation));
    let measured = line.measured.map_or_else(String::new, |mean| unit.text(mean));
    [
        Cell::words(claim.map_or("", |claim| &claim.statement)),
        Cell::words(line.expected.clone()),
        Cell::words(measured).note(spread),
        mark(&line.shown_verdict()),
    ]
}
