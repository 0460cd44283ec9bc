//! A tuning on the terminal.

use std::path::Path;
use std::time::Duration;

use setpoint_lab::tune::{Stage, TuneRecord, Tuning};
use setpoint_record::catalogue;
use setpoint_record::confidence::Spread;
use setpoint_scenario::key_words;

use crate::terminal::{Column, Facts, Screen, Table, Unit, count, mean, plain, quantity, things, value};

/// The line that announces a stage.
pub(super) fn stage(stage: &Stage) -> String {
    let (number, all) = (stage.number + 1, Tuning::stages());
    let candidates = things(stage.variants.len() as u64, "candidate");
    let seeds = things(u64::from(stage.seeds.get()), "seed");
    let length = quantity(Unit::Share, stage.length);
    let purpose = if number == all { "unseen " } else { "" };
    format!("stage {number} of {all}: {candidates}, {length} of the duration, {purpose}{seeds}")
}

/// The front with unseen seeds, and the verdict.
pub(super) fn render(
    record: &TuneRecord,
    took: Duration,
    folder: &Path,
    page: Option<&Path>,
    screen: Screen,
) -> String {
    let mut facts = Facts::new();
    facts.add_text("result", plain(&setpoint_report::tune_verdict(record)));
    let refused = record.candidates.iter().filter(|one| one.refused.is_some()).count();
    let refused =
        (refused > 0).then(|| format!("{} refused: their values do not fit together", count(refused as u64)));
    facts.add("candidates", [count(record.candidates.len() as u64)].into_iter().chain(refused));
    let tested = record.rungs.last().map_or(0, |rung| rung.candidates.len());
    for warning in &record.warnings {
        facts.add_text("note", warning.text(tested, "candidates"));
    }
    facts.add_text("took", quantity(Unit::Seconds, took.as_secs_f64()));
    facts.add_text("results", screen.paint.link(&folder.display().to_string()));
    facts.add("page", page.map(|page| screen.paint.link(&page.display().to_string())));
    format!("{}\n{}", table(record).render(screen).0, facts.render(screen))
}

/// The front and the scenario's own values with unseen seeds.
fn table(record: &TuneRecord) -> Table {
    let metrics: Vec<_> = record
        .objectives
        .iter()
        .filter_map(|objective| catalogue::all().find(|metric| metric.name == objective.metric))
        .collect();
    let keys: Vec<String> = record.parameters.iter().map(|parameter| parameter.key.clone()).collect();
    let mut columns = vec![Column::figures("candidate", 0)];
    columns.extend(key_words(&keys).into_iter().map(|key| Column::figures(key, 0)));
    for metric in &metrics {
        columns.push(Column::figures(metric.header, 0));
        columns.push(Column::figures("better in", 1));
    }
    let mut table = Table::new(columns);
    let seeds = record.check.seeds;
    let front = record.front.iter().copied().filter(|number| *number != 0);
    for number in front.chain([0]) {
        let Some(one) = record.check.candidates.iter().find(|one| one.number == number) else { continue };
        let mut row = vec![match number {
            0 => "own values".to_owned(),
            _ if record.recommended == Some(number) => format!("{number} *"),
            _ => number.to_string(),
        }];
        let values = &record.candidates[number].values;
        row.extend(record.parameters.iter().enumerate().map(|(place, parameter)| {
            let text = values.get(place).or(parameter.own.as_ref());
            text.map_or_else(|| "-".to_owned(), |text| value(text))
        }));
        for (place, metric) in metrics.iter().enumerate() {
            let spread: Option<&Spread> = one.figures[place].as_ref();
            row.push(spread.map_or_else(|| "-".to_owned(), |spread| mean(metric, spread, seeds as usize)));
            row.push(if number == 0 { "-".to_owned() } else { format!("{} of {seeds}", one.better[place]) });
        }
        table.row(row);
    }
    table
}
