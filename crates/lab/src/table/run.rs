//! The tables of a run: its figures, its curves and its messages.

use setpoint_units::quantity::Unit::{BitsPerSecond, Bytes, Ratio, Seconds, Share};

use super::nested::tables;
use super::{Column, Table, Values};
use crate::results::{Manifest, MessageRecord, MessageState, RunRecord, Series, Summary};

/// The tables of a run: `summary` with a single row, a table for each list of the summary that has entries (`flows`,
/// `queues`, `ports` and so on), the curves at every sample (`flow_series`, `queue_series`, `port_series`), and `messages`
/// if there are any.
#[must_use]
pub fn of_run(record: &RunRecord) -> Vec<Table> {
    let series = &record.series;
    let mut all = tables("summary", &record.summary);
    all.iter_mut().for_each(fill);
    all.extend([flow_series(series), queue_series(series), port_series(series)]);
    if !record.messages.is_empty() {
        all.push(messages(&record.messages, &record.summary));
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

fn flow_series(series: &Series) -> Table {
    let flows = &series.flows;
    let mut columns = axis(series, "flow", flows.iter().map(|flow| flow.name.clone()).collect());
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

fn messages(messages: &[MessageRecord], summary: &Summary) -> Table {
    let seconds = |name: &str, meaning: &str, of: fn(&MessageRecord) -> Option<f64>| {
        let values = Values::Numbers(messages.iter().map(of).collect());
        Column::new(name, Some(Seconds), meaning, values)
    };
    let flows = Values::Names {
        names: summary.flows.iter().map(|flow| flow.name.clone()).collect(),
        rows: messages.iter().map(|message| message.flow as u32).collect(),
    };
    let sizes = Values::Counts(messages.iter().map(|message| Some(message.size_bytes)).collect());
    let states = Values::Names {
        names: MessageState::ALL.map(|state| state.name().to_owned()).into(),
        rows: messages.iter().map(|message| message.state as u32).collect(),
    };
    let columns = vec![
        Column::new("flow", None, "Its flow.", flows),
        Column::new("size_bytes", Some(Bytes), "Its size.", sizes),
        seconds("offered_s", "When it was offered.", |message| Some(message.offered_s)),
        seconds("completed_s", "When its last byte arrived; missing unless it was completed.", |message| {
            message.completed_s
        }),
        seconds(
            "ideal_s",
            "How long it would have taken on an empty network at the flow's full rate.",
            |message| Some(message.ideal_s),
        ),
        seconds("fct_s", "How long it took; missing unless it was completed.", |message| message.fct_s),
        Column::new(
            "slowdown",
            Some(Ratio),
            "How long it took, divided by how long it would have taken on an empty network; missing unless it was completed.",
            Values::Numbers(messages.iter().map(MessageRecord::slowdown).collect()),
        ),
        seconds("waited_s", "How long it waited for earlier messages of its flow.", |message| {
            Some(message.waited_s)
        }),
        Column::new("state", None, "How it ended: completed, unfinished or damaged.", states),
    ];
    table("messages", columns)
}

fn numbers<'v>(values: impl Iterator<Item = &'v f64>) -> Values {
    Values::Numbers(values.map(|value| Some(*value)).collect())
}

fn table(name: &str, columns: Vec<Column>) -> Table {
    Table { name: name.to_owned(), columns, origin: Vec::new() }
}
