//! The page of a tuning run: the recommendation and how certain it is, the Pareto front, and the method.

use setpoint_lab::tune::{CheckedCandidate, ParameterRecord, TuneOutcome, TuneRecord};
use setpoint_plot::{Colour, Figure, Line, Mark as Drawn, Points, Shape, Symbol};
use setpoint_record::catalogue::{self, Metric};
use setpoint_record::confidence::Spread;
use setpoint_scenario::key_words;
use setpoint_units::spelling;

use crate::document::{Block, Cell, Column, Document, Mark, Section, Table};
use crate::sweep::{key_headings, scale};
use crate::warnings;

/// The page of a tuning run.
pub fn tune(record: &TuneRecord) -> Document {
    let mut page = Document::new(format!("Tuning of {}", record.scenario));
    page.description = verdict(record);
    page.facts = facts(record);
    let candidates = record.rungs.last().map_or(0, |rung| rung.candidates.len());
    let warnings = warnings::section(&record.warnings, candidates, "candidates");
    let sections = outcome(record).into_iter().chain(warnings);
    page.sections = sections.chain([front(record), check(record), method(record)]).collect();
    page
}

/// The outcome in a sentence or two.
pub fn verdict(record: &TuneRecord) -> String {
    if let Some(problem) = nothing_compared(record) {
        return problem;
    }
    let Some(number) = record.recommended else {
        return "No better than the start: no candidate is better than the scenario’s own values in every objective."
            .to_owned();
    };
    let values = values(record, number);
    let Some(checked) = record.check.candidates.iter().find(|one| one.number == number) else {
        return format!("Not confirmed: {values}. It was not run with unseen seeds.");
    };
    let seeds = record.check.seeds;
    let counts: Vec<String> = record
        .objectives
        .iter()
        .zip(&checked.better)
        .map(|(objective, better)| format!("{} in {better} of {seeds}", title(&objective.metric)))
        .collect();
    let counts = counts.join(", ");
    match record.outcome() {
        TuneOutcome::Confirmed => format!(
            "Confirmed: {values}. With unseen seeds, it is also better than the scenario’s own values ({counts})."
        ),
        _ => format!(
            "Not confirmed: {values} was the best candidate of the search, but with unseen seeds it is not reliably better \
             than the scenario’s own values in every objective ({counts}). Keep the scenario’s own values."
        ),
    }
}

/// The outcome, and how often the best candidate was better with unseen seeds.
fn outcome(record: &TuneRecord) -> Option<Section> {
    if nothing_compared(record).is_some() {
        return None;
    }
    let (mark, advice) = match record.outcome() {
        TuneOutcome::Confirmed => (Mark::Good, "Use the best candidate."),
        TuneOutcome::NotConfirmed => {
            (Mark::Open, "The advantage may be due to chance: keep the scenario’s own values.")
        }
        TuneOutcome::NoBetter => (Mark::Bad, "Keep the scenario’s own values."),
    };
    let best = record.recommended;
    let best = best.and_then(|number| record.check.candidates.iter().find(|one| one.number == number));
    let deciding = metrics(record).into_iter().filter(|_| best.is_some());
    let deciding = deciding.map(|metric| Column::figures(format!("{}: better in", metric.title)));
    let columns = [Column::words("Outcome"), Column::words("Advice")];
    let mut table = Table::new(columns.into_iter().chain(deciding));
    let cells = [Cell::mark(mark, record.outcome().words()), Cell::words(advice)];
    let wins = best.map_or_else(Vec::new, |best| wins(best, record.check.seeds));
    table.row(cells.into_iter().chain(wins));
    Some(Section::new("outcome", "Outcome").with(Block::Table(table)))
}

/// The reason why no two candidates could be compared; none if at least two could.
pub fn nothing_compared(record: &TuneRecord) -> Option<String> {
    let last = record.rungs.last().map_or(&[][..], |rung| &rung.candidates);
    if last.iter().all(|(number, _)| *number == 0) {
        return Some("No candidate could be run, because their values do not fit together.".to_owned());
    }
    let without = |(place, metric): (usize, &Metric)| {
        let none = last.iter().all(|(_, figures)| figures[place].is_none());
        none.then(|| {
            let (title, missing) = (metric.title.to_lowercase(), metric.missing);
            format!("Nothing could be compared: no candidate has a figure for the {title} in every run ({missing}, or the runs failed).")
        })
    };
    metrics(record).into_iter().enumerate().find_map(without)
}

fn facts(record: &TuneRecord) -> Vec<String> {
    let runs = |rung: &setpoint_lab::tune::RungRecord| rung.candidates.len() * rung.seeds as usize;
    let check = record.check.candidates.len() * record.check.seeds as usize;
    let all = record.rungs.iter().map(runs).sum::<usize>() + check;
    vec![
        format!("{} candidates", record.candidates.len()),
        format!("{all} runs"),
        format!("seeds from {}", record.seed),
        format!("Setpoint {}", record.version),
    ]
}

/// The Pareto front in the last rung.
fn front(record: &TuneRecord) -> Section {
    let section = Section::new("front", "Pareto front");
    let last = record.rungs.last().map_or(&[][..], |rung| &rung.candidates);
    let runs = record.rungs.last().map_or(0, |rung| rung.seeds as usize);
    let mut table = Table::new(columns(record));
    for number in with_defaults(record) {
        if let Some((_, figures)) = last.iter().find(|(one, _)| *one == number) {
            let figures = figures.iter().zip(metrics(record)).map(|(spread, metric)| {
                let coverage = spread.map(|spread| spread.coverage_text(runs)).unwrap_or_default();
                figure(spread.as_ref(), metric).note(coverage)
            });
            table.row([name(record, number)].into_iter().chain(figures).chain(cells(record, number)));
        }
    }
    let section = section.with(Block::Prose(
        "The candidates that no other beats in every objective, over the whole duration and all seeds of the last rung, and the \
         scenario’s own values. Mean ± 95 % confidence interval over seeds."
            .to_owned(),
    ));
    let section = match drawing(record) {
        Some(figure) => section.with(Block::Figures(vec![figure])),
        None => section,
    };
    section.with(Block::Table(table))
}

/// The candidates of the last rung in the plane of two objectives; none if there is only one objective.
fn drawing(record: &TuneRecord) -> Option<Figure> {
    let metrics = metrics(record);
    let [x, y] = metrics[..] else { return None };
    let last = &record.rungs.last()?.candidates;
    let place = |number: usize| {
        let (_, figures) = last.iter().find(|(one, _)| *one == number)?;
        Some((figures[0].as_ref()?.mean, figures[1].as_ref()?.mean))
    };
    let drawn =
        || last.iter().map(|(_, figures)| figures).filter(|figures| figures.iter().all(Option::is_some));
    let axis = |metric: &Metric, place: usize| {
        let spreads: Vec<Spread> = drawn().filter_map(|figures| figures[place]).collect();
        scale(metric, &spreads, spreads.iter().map(|spread| spread.mean))
    };
    let (across, up) = (axis(x, 0), axis(y, 1));
    let mut figure = Figure::new("front", "Objectives of the last rung", across, up);
    let front: Vec<(f64, f64)> = record.front.iter().filter_map(|number| place(*number)).collect();
    let points = |name: &str, colour, symbol, points| {
        Drawn::Points(Points { name: name.to_owned(), colour, symbol, points })
    };
    let others = last.iter().map(|(number, _)| *number);
    let others = others.filter(|number| *number != 0 && !record.front.contains(number)).filter_map(place);
    figure.marks = vec![
        Drawn::Line(Line {
            name: "Pareto front".into(),
            colour: Colour::Series(0),
            shape: Shape::Dotted,
            points: front,
        }),
        points("Other candidates", Colour::Series(2), Symbol::Ring, others.collect()),
        points(
            "The scenario’s own values",
            Colour::Series(1),
            Symbol::Square,
            place(0).into_iter().collect(),
        ),
    ];
    let recommended = record.recommended.and_then(place);
    figure.marks.extend(
        recommended
            .map(|point| points(best_candidate(record), Colour::Series(0), Symbol::Triangle, vec![point])),
    );
    figure.alternative = format!("{} over {} for the candidates of the last rung", y.title, x.title);
    figure.note = "A candidate without a figure for both objectives in every run is not shown.".to_owned();
    Some(figure)
}

/// The check with unseen seeds.
fn check(record: &TuneRecord) -> Section {
    let seeds = record.check.seeds;
    // The decisive columns come first, so that they are visible at any width.
    let mut columns = columns(record);
    let deciding =
        metrics(record).into_iter().map(|metric| Column::figures(format!("{}: better in", metric.title)));
    columns.splice(1..1, deciding);
    let mut table = Table::new(columns);
    for number in with_defaults(record) {
        let Some(one) = record.check.candidates.iter().find(|one| one.number == number) else { continue };
        let figures = one.figures.iter().zip(metrics(record)).map(|(spread, metric)| {
            let missing = spread.map_or(seeds as usize, |spread| seeds as usize - spread.count);
            let note =
                if missing > 0 { format!("{} in {missing} runs", metric.missing) } else { String::new() };
            figure(spread.as_ref(), metric).note(note)
        });
        let row = [name(record, number)].into_iter().chain(wins(one, seeds));
        table.row(row.chain(figures).chain(cells(record, number)));
    }
    Section::new("check", "Check with unseen seeds")
        .with(Block::Prose(format!(
            "The front again, with {seeds} seeds that played no part in the selection, starting at {}. “Better in” counts the \
            seeds \
             for which a candidate is better than the scenario’s own values; the percentage is the probability that equal \
             candidates would differ this often (sign test, one-sided). Only the best candidate of the search is \
             judged, because \
             it was chosen before these runs: judging all of them would find one that is better by chance.",
            record.check.first_seed
        )))
        .with(Block::Table(table))
}

fn wins(one: &CheckedCandidate, seeds: u32) -> Vec<Cell> {
    if one.number == 0 {
        return one.better.iter().map(|_| Cell::words("–")).collect();
    }
    let cell = |(better, chance): (&usize, &f64)| {
        Cell::words(format!("{better} of {seeds}"))
            .note(format!("{} by chance", setpoint_units::quantity::Unit::Share.text(*chance)))
    };
    one.better.iter().zip(&one.chance).map(cell).collect()
}

fn method(record: &TuneRecord) -> Section {
    let mut rungs = Table::new([
        Column::words("Rung"),
        Column::figures("Candidates"),
        Column::figures("Duration"),
        Column::figures("Seeds"),
    ]);
    for (place, rung) in record.rungs.iter().enumerate() {
        rungs.row([
            Cell::words((place + 1).to_string()),
            Cell::words(rung.candidates.len().to_string()),
            Cell::words(setpoint_units::quantity::Unit::Share.text(rung.length_share)),
            Cell::words(rung.seeds.to_string()),
        ]);
    }
    let refused = record.candidates.iter().filter(|one| one.refused.is_some()).count();
    let mut space = Table::new([
        Column::words("Parameter"),
        Column::words("From"),
        Column::words("To"),
        Column::figures("Values"),
    ]);
    for parameter in &record.parameters {
        let end = |value: Option<&String>| {
            Cell::words(value.map(|value| spelling::value(value)).unwrap_or_default())
        };
        let count = Cell::words(parameter.values.len().to_string());
        space.row([
            Cell::words(parameter.key.clone()),
            end(parameter.values.first()),
            end(parameter.values.last()),
            count,
        ]);
    }
    let section = Section::new("method", "Method")
        .with(Block::Prose(
            "Multi-objective successive halving: candidates fill the space evenly (Halton’s sequence). All of them are run for a \
             short time, and the best third of each rung runs longer and with more seeds. Candidates are ordered by non-dominated \
             sorting and crowding distance, as in NSGA-II. A candidate without a figure, such as one that does not settle, is \
             worse than any other. The scenario’s own values take part in every rung. The best candidate is the one of \
             the front with the largest improvement in the objective in which it improves least. It is confirmed if it is better \
             than the scenario’s own values in every objective with unseen seeds."
                .to_owned(),
        ))
        .with(Block::Table(space))
        .with(Block::Table(rungs));
    let settings = record.overrides.iter().map(|(key, value)| format!("{key} = {value}")).collect::<Vec<_>>();
    let section = match settings.is_empty() {
        true => section,
        false => section.with(Block::Note(format!("Settings of the scenario: {}.", settings.join(", ")))),
    };
    match refused {
        0 => section,
        count => section.with(Block::Note(format!(
            "{count} candidates have values that do not fit together, and were not run."
        ))),
    }
}

/// The Pareto front, followed by the scenario's own values.
fn with_defaults(record: &TuneRecord) -> Vec<usize> {
    let front = record.front.iter().copied().filter(|number| *number != 0);
    front.chain([0]).collect()
}

fn columns(record: &TuneRecord) -> Vec<Column> {
    let keys: Vec<String> = record.parameters.iter().map(|parameter| parameter.key.clone()).collect();
    let keys = key_headings(&keys).into_iter().map(Column::words);
    let figures = metrics(record).into_iter().map(|metric| Column::figures(metric.title));
    [Column::words("Candidate")].into_iter().chain(figures).chain(keys).collect()
}

fn name(record: &TuneRecord, number: usize) -> Cell {
    match number {
        0 => Cell::words("the scenario’s own"),
        _ if record.recommended == Some(number) => {
            let mark = match record.outcome() {
                TuneOutcome::Confirmed => Mark::Good,
                TuneOutcome::NotConfirmed | TuneOutcome::NoBetter => Mark::Open,
            };
            Cell::mark(mark, record.outcome().words()).note(format!("number {number}"))
        }
        _ => Cell::words(format!("number {number}")),
    }
}

/// The name of the best candidate in a legend.
fn best_candidate(record: &TuneRecord) -> &'static str {
    match record.outcome() {
        TuneOutcome::Confirmed => "Best candidate, confirmed",
        TuneOutcome::NotConfirmed | TuneOutcome::NoBetter => "Best candidate, not confirmed",
    }
}

/// The values of a candidate, with a dash for each of the scenario's own values that is not known.
fn cells(record: &TuneRecord, number: usize) -> Vec<Cell> {
    let own = |parameter: &ParameterRecord| {
        parameter.own.as_ref().map_or_else(|| "–".to_owned(), |value| spelling::value(value))
    };
    match &record.candidates[number].values[..] {
        [] => record.parameters.iter().map(|parameter| Cell::words(own(parameter))).collect(),
        values => values.iter().map(|value| Cell::words(spelling::value(value))).collect(),
    }
}

/// The values of a candidate on one line.
fn values(record: &TuneRecord, number: usize) -> String {
    let keys: Vec<String> = record.parameters.iter().map(|parameter| parameter.key.clone()).collect();
    let values = key_words(&keys).into_iter().zip(&record.candidates[number].values);
    let values = values.map(|(key, value)| format!("{key} {}", spelling::value(value)));
    values.collect::<Vec<_>>().join(", ")
}

fn figure(spread: Option<&Spread>, metric: &Metric) -> Cell {
    match spread {
        Some(spread) => Cell::words(metric.mean_text(spread)),
        None => Cell::words("–").note(metric.missing),
    }
}

fn metrics(record: &TuneRecord) -> Vec<&'static Metric> {
    let named = |name: &str| catalogue::all().find(|metric| metric.name == name);
    record.objectives.iter().filter_map(|objective| named(&objective.metric)).collect()
}

fn title(metric: &str) -> String {
    let found = catalogue::all().find(|one| one.name == metric);
    found.map_or_else(|| metric.to_owned(), |metric| metric.title.to_lowercase())
}
