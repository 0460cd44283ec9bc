//! The tables of a sweep: every run, the means of every variant, and the messages of all runs.

mod messages;

use setpoint_record::catalogue::{self, Metric};
use setpoint_record::confidence::Spread;
use setpoint_record::table::{Column, Table, Values, ending};
use setpoint_scenario::axis_numbers;
use setpoint_units::quantity::Unit::Bytes;

use crate::sweep::{RunSummary, SlowdownSpread, SweepSummary, VariantSummary};

pub use messages::messages_of_sweep;

/// The tables of a sweep: `runs`, with a row for every run and a column for every metric, and `variants`, with the means over
/// seeds, their standard deviations and confidence intervals, and the differences from the first variant. With messages,
/// there is also `slowdown_by_size`, with a row for every variant and range of message sizes. An axis whose values are
/// quantities has two columns: the values as written, and as numbers, with their unit in the column's name.
pub fn of_sweep(sweep: &SweepSummary) -> Vec<Table> {
    let table = |name: &str, columns| Table { name: name.to_owned(), columns, origin: origin(sweep) };
    let slowdowns = slowdowns(sweep).map(|columns| table("slowdown_by_size", columns));
    [table("runs", runs(sweep)), table("variants", variants(sweep))].into_iter().chain(slowdowns).collect()
}

/// The version and the scenario.
fn origin(sweep: &SweepSummary) -> Vec<(String, String)> {
    vec![
        ("setpoint.version".to_owned(), sweep.version.clone()),
        ("setpoint.scenario".to_owned(), sweep.scenario.clone()),
    ]
}

fn runs(sweep: &SweepSummary) -> Vec<Column> {
    let pairs = sweep.variants.iter().flat_map(|variant| variant.runs.iter().map(move |run| (variant, run)));
    let (rows, runs): (Vec<&VariantSummary>, Vec<&RunSummary>) = pairs.unzip();
    let text =
        |of: fn(&RunSummary) -> Option<String>| Values::Texts(runs.iter().map(|run| of(run)).collect());
    let mut columns = axes(sweep, &rows);
    // In a sweep over seeds, the column below has the same values.
    columns.retain(|column| !["seed", "seed_number"].contains(&column.name.as_str()));
    columns.extend([
        Column::new("seed", None, "The seed.", counts(runs.iter().map(|run| run.seed))),
        Column::new(
            "folder",
            None,
            "The folder that holds its result.",
            text(|run| Some(run.folder.clone())),
        ),
        Column::new("digest", None, "Digest of the result.", text(|run| run.digest.clone())),
        Column::new("error", None, "The reason why there is no result.", text(|run| run.error.clone())),
        Column::new(
            "queue",
            None,
            "The queue to which queue and port metrics refer.",
            text(|run| run.queue.clone()),
        ),
    ]);
    for metric in catalogue::all() {
        let values: Vec<_> = runs.iter().map(|run| run.value(metric)).collect();
        let numbers = values.iter().map(|value| value.map(|value| value.value)).collect();
        columns.push(figure(metric, metric.name.to_owned(), numbers));
        if metric.can_be_lower_bound() {
            let flags = values.iter().map(|value| value.map(|value| value.is_lower_bound)).collect();
            columns.push(bound(metric.name, flags));
        }
    }
    columns
}

fn variants(sweep: &SweepSummary) -> Vec<Column> {
    let rows: Vec<&VariantSummary> = sweep.variants.iter().collect();
    let failed = |variant: &&VariantSummary| variant.runs.iter().filter(|run| run.error.is_some()).count();
    let mut columns = axes(sweep, &rows);
    columns.extend([
        Column::new("runs", None, "Runs.", counts(rows.iter().map(|row| row.runs.len() as u64))),
        Column::new("failed", None, "Runs that failed.", counts(rows.iter().map(|row| failed(row) as u64))),
    ]);
    for metric in catalogue::all() {
        let spreads: Vec<_> = rows.iter().map(|row| row.spread(metric)).collect();
        let means = spreads.iter().map(|spread| spread.map(|spread| spread.mean)).collect();
        let deviations = spreads.iter().map(|spread| spread.and_then(|spread| spread.deviation)).collect();
        columns.push(figure(metric, format!("mean_{}", metric.name), means));
        columns.push(figure(metric, format!("deviation_{}", metric.name), deviations));
        if metric.can_be_lower_bound() {
            let flags = spreads.iter().map(|spread| spread.map(|spread| spread.is_lower_bound)).collect();
            columns.push(bound(&format!("mean_{}", metric.name), flags));
        }
        columns.extend(intervals(metric, &rows));
    }
    columns
}

/// The ends of the confidence interval of a metric, and its difference from the first variant.
fn intervals(metric: &Metric, rows: &[&VariantSummary]) -> Vec<Column> {
    let mean = |row: &VariantSummary| row.spread(metric)?.interval;
    let difference = |row: &VariantSummary| row.difference(metric)?.interval;
    let column = |part: &str, value: &dyn Fn(&VariantSummary) -> Option<f64>| {
        figure(metric, format!("{part}_{}", metric.name), rows.iter().map(|row| value(row)).collect())
    };
    vec![
        column("low", &|row| Some(mean(row)?.low)),
        column("high", &|row| Some(mean(row)?.high)),
        column("difference", &|row| row.difference(metric)?.mean),
        column("difference_low", &|row| Some(difference(row)?.low)),
        column("difference_high", &|row| Some(difference(row)?.high)),
    ]
}

/// The slowdown by message size; none without messages.
fn slowdowns(sweep: &SweepSummary) -> Option<Vec<Column>> {
    let pairs = sweep
        .variants
        .iter()
        .flat_map(|variant| variant.slowdown_by_size.iter().map(move |size| (variant, size)));
    let (rows, sizes): (Vec<&VariantSummary>, Vec<&SlowdownSpread>) = pairs.unzip();
    let of = |value: fn(&SlowdownSpread) -> u64| counts(sizes.iter().map(|size| value(size)));
    let messages = sizes.iter().map(|size| Some(size.messages)).collect();
    let mut columns = axes(sweep, &rows);
    columns.extend([
        Column::new("from_bytes", Some(Bytes), "Smallest size, inclusive.", of(|size| size.from_bytes)),
        Column::new("to_bytes", Some(Bytes), "Largest size, exclusive.", of(|size| size.to_bytes)),
        Column::new(
            "messages",
            None,
            "Mean number of messages in the runs that have any.",
            Values::Numbers(messages),
        ),
    ]);
    let median: Vec<_> = sizes.iter().map(|size| Some(size.p50)).collect();
    let tail: Vec<_> = sizes.iter().map(|size| size.p99).collect();
    columns.extend(percentile("slowdown_p50", "Median slowdown.", &median));
    columns.extend(percentile("slowdown_p99", "99th percentile of the slowdown.", &tail));
    (!sizes.is_empty()).then_some(columns)
}

/// Mean, deviation and confidence interval of a percentile.
fn percentile(name: &str, meaning: &str, spreads: &[Option<Spread>]) -> Vec<Column> {
    let column = |part: &str, value: fn(&Spread) -> Option<f64>| {
        let numbers = spreads.iter().map(|spread| spread.as_ref().and_then(value)).collect();
        Column::new(format!("{part}_{name}"), None, meaning, Values::Numbers(numbers))
    };
    let flags = spreads.iter().map(|spread| spread.map(|spread| spread.is_lower_bound)).collect();
    vec![
        column("mean", |spread| Some(spread.mean)),
        column("deviation", |spread| spread.deviation),
        bound(&format!("mean_{name}"), flags),
        column("low", |spread| Some(spread.interval?.low)),
        column("high", |spread| Some(spread.interval?.high)),
    ]
}

/// The number of the variant and its values.
fn axes(sweep: &SweepSummary, rows: &[&VariantSummary]) -> Vec<Column> {
    let numbers = counts(rows.iter().map(|row| row.index as u64));
    let mut columns = vec![Column::new("variant", None, "Number of the variant, counted from 0.", numbers)];
    for (place, key) in sweep.axes.iter().enumerate() {
        let texts: Vec<&str> = rows.iter().map(|row| row.values[place].trim_matches('"')).collect();
        let words = texts.iter().map(|text| Some((*text).to_owned())).collect();
        columns.push(Column::new(key, None, "The value as written in the scenario.", Values::Texts(words)));
        if let Some((numbers, unit)) = axis_numbers(key, &texts) {
            let numbers = Values::Numbers(numbers.into_iter().map(Some).collect());
            let name = format!("{key}_{}", ending(unit).unwrap_or("number"));
            columns.push(Column::new(name, Some(unit), "The value as a number.", numbers));
        }
    }
    columns
}

fn figure(metric: &Metric, name: String, values: Vec<Option<f64>>) -> Column {
    Column::new(name, Some(metric.unit), metric.meaning(), Values::Numbers(values))
}

fn bound(name: &str, flags: Vec<Option<bool>>) -> Column {
    let meaning = "Whether the value is a lower bound because some messages were not completed.";
    Column::new(format!("{name}_is_lower_bound"), None, meaning, Values::Flags(flags))
}

fn counts(values: impl Iterator<Item = u64>) -> Values {
    Values::Counts(values.map(Some).collect())
}
