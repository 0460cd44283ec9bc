//! The page of an experiment.

mod claims;
mod readings;
mod stored;

use setpoint_report::document::{Block, Cell, Document, Link, Mark, Navigation, Section};
use setpoint_units::quantity::Unit;

use crate::case::{Case, Depth};
use crate::claim::{Claim, Judgement, Origin, VerdictKind};
use crate::experiment::{Experiment, Paper, Repeats};
use crate::reproduce::Finished;
use crate::setup::Setup;

pub(crate) use readings::choices;
pub(crate) use stored::stored;

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
    let [setup, paper] = opening(experiment);
    document.sections = vec![
        setup,
        paper,
        results(finished),
        claims::table(finished, "claims", "The paper’s claims", |origin| origin != Origin::Ours),
        claims::table(finished, "checks", "Our checks", |origin| origin == Origin::Ours),
        Section::new("rules", "Rules for verdicts")
            .with(Block::Note(claims::rules(finished.depth).to_owned())),
        choices(&experiment.choices),
        readings::others(finished),
        assumptions(experiment),
        repetition(experiment, finished.depth),
    ];
    document.sections.retain(|section| !section.blocks.is_empty());
    document
}

/// The sections that begin every page of an experiment.
fn opening(experiment: &Experiment) -> [Section; 2] {
    let section = |id, title, text: &str| Section::new(id, title).with(Block::Prose(text.to_owned()));
    [
        section("setup", "Set-up", experiment.setup),
        section("paper", "The paper’s observations", experiment.paper_says),
    ]
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
    let length = match finished.depth {
        Depth::Full => String::new(),
        Depth::FullSize if experiment.full_size <= 1.0 => String::new(),
        Depth::FullSize => {
            let factor = Unit::Ratio.text(experiment.full_size);
            format!(
                "full size: times are {factor} times those of the scenarios; the text gives the times of the scenarios"
            )
        }
        Depth::Quick => {
            let factor = Unit::Ratio.text(experiment.quick);
            format!(
                "quick run, without verdicts: times are multiplied by {factor}; the text gives the times of the full \
                run"
            )
        }
    };
    [cases, repeats, length].into_iter().chain(verdicts).filter(|fact| !fact.is_empty()).collect()
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

fn assumptions(experiment: &Experiment) -> Section {
    let section = Section::new("assumptions", "Assumptions");
    if experiment.assumptions.is_empty() {
        return section;
    }
    section
        .with(Block::Prose("Where the paper leaves something open, or we depart from it:".to_owned()))
        .with(Block::Points(experiment.assumptions.clone()))
}

fn repetition(experiment: &Experiment, depth: Depth) -> Section {
    let length = match depth {
        Depth::Full => "",
        Depth::Quick => " --quick",
        Depth::FullSize => " --full-size",
    };
    let command = format!("setpoint reproduce {}{length}", experiment.id);
    let note = "The same version gives the same figures on any machine and with any number of threads.";
    let section =
        Section::new("repeat", "Repetition").with(Block::Command(command)).with(Block::Note(note.to_owned()));
    let leading = Setup::leading(&experiment.choices);
    let cases: Vec<Case> = experiment.cases.iter().map(|case| leading.apply(case)).collect();
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

pub(crate) fn mark(kind: VerdictKind) -> Cell {
    Cell::mark(sign(kind), kind.name())
}

fn sign(kind: VerdictKind) -> Mark {
    match kind {
        VerdictKind::Robust | VerdictKind::DependsOnReading => Mark::Good,
        VerdictKind::Differs => Mark::Bad,
        _ => Mark::Open,
    }
}
