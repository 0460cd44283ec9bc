//! Runs and algorithms side by side.

use setpoint_lab::league::{DISCIPLINES, Mark, Row, Standing};
use setpoint_lab::sweep::{SweepSummary, VariantSummary};
use setpoint_record::VERSION;
use setpoint_record::catalogue::{self, Metric};
use setpoint_record::results::RunRecord;
use setpoint_record::table::{Column, Table as Content};

use super::{Table, counts, numbers, table, texts};

/// A row for each metric that any run has, a column for each run. The unit has its own column.
pub(crate) fn comparison(names: &[String], records: &[RunRecord]) -> Table {
    let values = |record: &RunRecord| -> Vec<Option<f64>> {
        catalogue::all().map(|metric| Some(metric.of_busiest(&record.summary)?.value)).collect()
    };
    let values: Vec<Vec<Option<f64>>> = records.iter().map(values).collect();
    let metrics: Vec<_> = catalogue::all()
        .enumerate()
        .filter(|(place, _)| values.iter().any(|values| values[*place].is_some()))
        .collect();
    let mut columns = vec![
        texts("metric", metrics.iter().map(|(_, metric)| Some(metric.name.to_owned()))),
        texts("unit", metrics.iter().map(|(_, metric)| Some(metric.unit_text().to_owned()))),
    ];
    for (name, values) in names.iter().zip(&values) {
        columns.push(Column { unit: None, ..numbers(name, metrics.iter().map(|(place, _)| values[*place])) });
    }
    table("comparison", columns, &[("version", VERSION)])
}

/// The variants of a sweep as shown in a notebook: the values, and those metrics of the league that any variant has.
pub(crate) fn overview(sweep: &SweepSummary) -> Content {
    let spread = |variant: &VariantSummary, metric: &Metric| {
        variant.spread(metric).map(|spread| metric.unit.text_with_spread(spread.mean, spread.deviation))
    };
    let mut columns: Vec<Column> = (sweep.axes.iter().enumerate())
        .map(|(place, key)| {
            texts(key, sweep.variants.iter().map(|variant| Some(variant.values[place].clone())))
        })
        .collect();
    for metric in DISCIPLINES.iter() {
        if sweep.variants.iter().any(|variant| variant.spread(metric).is_some()) {
            columns.push(texts(metric.title, sweep.variants.iter().map(|variant| spread(variant, metric))));
        }
    }
    Content { name: "variants".to_owned(), columns, origin: Vec::new() }
}

/// A row per division, scenario and algorithm, with the mean, deviation and mark of each metric.
pub(crate) fn standings(standings: &[Standing]) -> Table {
    let rows: Vec<(&Standing, &Row)> =
        standings.iter().flat_map(|standing| standing.rows.iter().map(move |row| (standing, row))).collect();
    let text = |name: &str, of: fn(&(&Standing, &Row)) -> Option<String>| texts(name, rows.iter().map(of));
    let mut columns = vec![
        text("division", |(standing, _)| Some(standing.division.title().to_owned())),
        text("scenario", |(standing, _)| Some(standing.scenario.clone())),
        text("algorithm", |(_, row)| Some(row.algorithm.clone())),
        counts("runs", rows.iter().map(|(_, row)| row.runs as u64)),
        text("trouble", |(_, row)| row.trouble.clone()),
    ];
    for metric in DISCIPLINES.iter() {
        let spreads = || rows.iter().map(|(_, row)| row.score(metric));
        let mean = numbers("", spreads().map(|score| Some(score?.spread.mean)));
        let deviation = numbers("", spreads().map(|score| score?.spread.deviation));
        let mark = |mark: Mark| match mark {
            Mark::Best => "best".to_owned(),
            Mark::Worst => "worst".to_owned(),
        };
        columns.extend([
            Column { name: format!("mean_{}", metric.name), unit: Some(metric.unit), ..mean },
            Column { name: format!("deviation_{}", metric.name), unit: Some(metric.unit), ..deviation },
            texts(&format!("mark_{}", metric.name), spreads().map(|score| score?.mark.map(mark))),
        ]);
    }
    table("standings", columns, &[("version", VERSION)])
}
