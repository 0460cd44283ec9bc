//! Candidates of a tuning.

use setpoint_lab::tune::TuneRecord;
use setpoint_record::catalogue;
use setpoint_record::confidence::Spread;
use setpoint_record::table::{Column, Values};

use super::{Table, column, counts, numbers, table, texts};

/// A row per candidate and rung: its values, and the mean and deviation of each objective.
pub(crate) fn candidates(record: &TuneRecord) -> Table {
    let mut rungs: Vec<(u64, usize, &[Option<Spread>])> = Vec::new();
    for (number, rung) in (0..).zip(&record.rungs) {
        rungs.extend(
            rung.candidates.iter().map(|(candidate, figures)| (number, *candidate, figures.as_slice())),
        );
    }
    let mut columns = vec![counts("rung", rungs.iter().map(|(rung, ..)| *rung))];
    columns.extend(identity(record, &rungs.iter().map(|(_, candidate, _)| *candidate).collect::<Vec<_>>()));
    columns.extend(figures(record, &rungs.iter().map(|(.., figures)| *figures).collect::<Vec<_>>()));
    of_tuning("candidates", columns, record)
}

/// A row per candidate of the front, and one for the scenario's own values, all with unseen seeds.
pub(crate) fn front(record: &TuneRecord) -> Table {
    let checked = &record.check.candidates;
    let mut columns = identity(record, &checked.iter().map(|one| one.number).collect::<Vec<_>>());
    let recommended = checked.iter().map(|one| Some(record.recommended == Some(one.number))).collect();
    columns.push(column("recommended", None, Values::Flags(recommended)));
    columns.extend(figures(record, &checked.iter().map(|one| one.figures.as_slice()).collect::<Vec<_>>()));
    for (place, objective) in record.objectives.iter().enumerate() {
        let name = format!("seeds_better_{}", objective.metric);
        columns.push(counts(&name, checked.iter().map(|one| one.better[place] as u64)));
    }
    of_tuning("front", columns, record)
}

/// The number of each candidate and its values.
fn identity(record: &TuneRecord, rows: &[usize]) -> Vec<Column> {
    let mut columns = vec![counts("candidate", rows.iter().map(|number| *number as u64))];
    for (place, parameter) in record.parameters.iter().enumerate() {
        let value = |number: &usize| {
            let value = record.candidates[*number].values.get(place).or(parameter.own.as_ref());
            value.map(|value| value.trim_matches('"').to_owned())
        };
        columns.push(texts(&parameter.key, rows.iter().map(value)));
    }
    columns
}

fn figures(record: &TuneRecord, rows: &[&[Option<Spread>]]) -> Vec<Column> {
    let of_objective = |(place, name): (usize, &str)| {
        let unit = catalogue::all().find(|metric| metric.name == name).map(|metric| metric.unit);
        let spreads = || rows.iter().map(move |figures| figures[place].as_ref());
        let mean = numbers("", spreads().map(|spread| spread.map(|spread| spread.mean)));
        let deviation = numbers("", spreads().map(|spread| spread.and_then(|spread| spread.deviation)));
        [
            Column { name: format!("mean_{name}"), unit, ..mean },
            Column { name: format!("deviation_{name}"), unit, ..deviation },
        ]
    };
    let names = record.objectives.iter().map(|objective| objective.metric.as_str());
    names.enumerate().flat_map(of_objective).collect()
}

fn of_tuning(name: &str, columns: Vec<Column>, record: &TuneRecord) -> Table {
    let origin = [
        ("version", record.version.as_str()),
        ("scenario", &record.scenario),
        ("scenario_text", &record.scenario_text),
        ("seed", &record.seed.to_string()),
    ];
    table(name, columns, &origin)
}
