//! The tables of a run: its figures, its curves and its messages.

use setpoint_units::quantity::Unit::{BitsPerSecond, Bytes, Seconds, Share};

use super::entries::Entries;
use super::nested::tables;
use super::{Column, Table, Values, messages};
use crate::results::{Manifest, RunRecord, Series};

/// The tables of a run: `summary` with a single row, a table for each list of the summary that has entries (`flows`,
/// `queues`, `ports` and so on), the curves at every sample (`flow_series`, `queue_series`, `port_series`), and `messages`
/// if there are any.
#[must_use]
pub fn of_run(record: &RunRecord) -> Vec<Table> {
    let series = &record.series;
    let mut all = tables("summary", &record.summary);
    all.iter_mut().for_each(fill);
    let entries = Entries::of(&record.summary);
    if let (Some(entries), Some(flows)) = (&entries, all.iter_mut().find(|table| table.name == "flows")) {
        flows.columns.insert(1, entries.column(0..record.summary.flows.len()));
    }
    all.extend([flow_series(series, entries.as_ref()), queue_series(series), port_series(series)]);
    if !record.messages.is_empty() {
        all.push(messages::of_run(&record.messages, &record.summary));
    }
    let origin = origin(&record.manifest);
    all.iter_mut().for_each(|table| table.origin.clone_from(&origin));
    all
}

/// Fills in values that `summary.json` omits because most flows or queues have them.
fn fill(table: &mut Table) {
    let Table { name, columns, .. } = table;
    for column in columns {
        match (name.as_str(), column.name.as_str(), &mut column.values) {
            ("flows", "feedback_overhead", Values::Numbers(values)) => {
                values.iter_mut().for_each(|value| *value = value.or(Some(0.0)));
            }
            ("flow_control.links", "lapses_bytes", Values::Counts(values)) => {
                values.iter_mut().for_each(|value| *value = value.or(Some(0)));
            }
            ("queues", "side", Values::Texts(values)) => {
                let output = || "output".to_owned();
                values.iter_mut().for_each(|value| *value = Some(value.take().unwrap_or_else(output)));
            }
            _ => {}
        }
    }
}

/// Enough to repeat the run.
fn origin(manifest: &Manifest) -> Vec<(String, String)> {
    let overrides = manifest.overrides.iter().map(|(key, value)| format!("{key}={value}"));
    [
        ("setpoint.version", manifest.version.clone()),
        ("setpoint.scenario", manifest.scenario.clone()),
        ("setpoint.scenario_text", manifest.scenario_text.clone()),
        ("setpoint.overrides", overrides.collect::<Vec<_>>().join("\n")),
        ("setpoint.seed", manifest.seed.to_string()),
        ("setpoint.digest", manifest.digest.clone()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into()
}

fn flow_series(series: &Series, entries: Option<&Entries>) -> Table {
    let (flows, samples) = (&series.flows, series.time_s.len());
    let mut columns = axis(series, "flow", flows.iter().map(|flow| flow.name.clone()).collect());
    let repeated = (0..flows.len()).flat_map(|flow| std::iter::repeat_n(flow, samples));
    columns.extend(entries.map(|entries| entries.column(repeated)));
    columns.extend([
        Column::new(
            "rate_bps",
            Some(BitsPerSecond),
            "Delivery rate in the interval.",
            numbers(flows.iter().flat_map(|flow| &flow.rate_bps)),
        ),
        Column::new(
            "limit_bps",
            Some(BitsPerSecond),
            "Rate of its limiter at the end of the interval; missing without a limiter.",
            Values::Numbers(flows.iter().flat_map(|flow| flow.limit_bps.iter().copied()).collect()),
        ),
        notifications(flows.iter().flat_map(|flow| &flow.notifications)),
    ]);
    table("flow_series", columns)
}

fn queue_series(series: &Series) -> Table {
    let queues = &series.queues;
    let mut columns = axis(series, "queue", queues.iter().map(|queue| queue.name.clone()).collect());
    columns.extend([
        Column::new(
            "length_bytes",
            Some(Bytes),
            "Length at the end of the interval.",
            numbers(queues.iter().flat_map(|queue| &queue.length_bytes)),
        ),
        Column::new(
            "largest_bytes",
            Some(Bytes),
            "Largest length within the interval.",
            numbers(queues.iter().flat_map(|queue| &queue.largest_bytes)),
        ),
        notifications(queues.iter().flat_map(|queue| &queue.notifications)),
    ]);
    table("queue_series", columns)
}

fn port_series(series: &Series) -> Table {
    let ports = &series.ports;
    let mut columns = axis(series, "port", ports.iter().map(|port| port.name.clone()).collect());
    columns.extend([
        Column::new(
            "utilisation_share",
            Some(Share),
            "Share of the interval spent transmitting.",
            numbers(ports.iter().flat_map(|port| &port.utilisation_share)),
        ),
        Column::new(
            "paused_share",
            Some(Share),
            "Share of the interval in which it was paused.",
            numbers(ports.iter().flat_map(|port| &port.paused_share)),
        ),
    ]);
    table("port_series", columns)
}

/// The time and the name in each row: all samples of the first curve, then of the next.
fn axis(series: &Series, kind: &str, names: Vec<String>) -> Vec<Column> {
    let (curves, samples) = (names.len(), series.time_s.len());
    let times = (0..curves).flat_map(|_| &series.time_s);
    let rows = (0..curves).flat_map(|curve| std::iter::repeat_n(curve as u32, samples)).collect();
    vec![
        Column::new("time_s", Some(Seconds), "End of the interval.", numbers(times)),
        Column::new(kind, None, "Its name.", Values::Names { names, rows }),
    ]
}

fn notifications<'v>(values: impl Iterator<Item = &'v u32>) -> Column {
    let values = Values::Counts(values.map(|value| Some(u64::from(*value))).collect());
    Column::new("notifications", None, "Notifications in the interval.", values)
}

fn numbers<'v>(values: impl Iterator<Item = &'v f64>) -> Values {
    Values::Numbers(values.map(|value| Some(*value)).collect())
}

fn table(name: &str, columns: Vec<Column>) -> Table {
    Table { name: name.to_owned(), columns, origin: Vec::new() }
}
