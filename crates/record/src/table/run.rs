//! The tables of a run: its figures, its curves and its messages.

use setpoint_units::quantity::Unit::Seconds;

use super::entries::Entries;
use super::nested::tables;
use super::{Column, Table, Values, messages};
use crate::results::{Curve, CurveColumn, Curves, Form, Manifest, RunRecord, Series};

/// The tables of a run: `summary` with a single row, a table for each list of the summary that has entries (`flows`,
/// `queues`, `ports` and so on), the curves at every sample (`flow_series`, `queue_series`, `port_series`), and
/// `source_series` and `messages` if there are any.
pub fn of_run(record: &RunRecord) -> Vec<Table> {
    let series = &record.series;
    let mut all = tables("summary", &record.summary);
    all.iter_mut().for_each(fill);
    let entries = Entries::of(&record.summary);
    if let (Some(entries), Some(flows)) = (&entries, all.iter_mut().find(|table| table.name == "flows")) {
        flows.columns.insert(1, entries.column(0..record.summary.flows.len()));
    }
    let (flows, samples) = (series.flows.len(), series.time_s.len());
    let rows = || (0..flows).flat_map(|flow| std::iter::repeat_n(flow, samples));
    let of_flows = entries.as_ref().map(|entries| entries.column(rows()));
    all.extend([
        curves(series, &series.flows, of_flows),
        curves(series, &series.queues, None),
        curves(series, &series.ports, None),
    ]);
    if !series.sources.is_empty() {
        all.push(curves(series, &series.sources, None));
    }
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

/// The information needed to repeat the run.
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

/// The curves of a kind of object, at every sample: all samples of the first object, then of the next. `extra` is another
/// column after the name.
fn curves<C: Curves>(series: &Series, objects: &[C], extra: Option<Column>) -> Table {
    let names = objects.iter().map(|one| one.name().to_owned()).collect();
    let mut columns = axis(series, C::KIND, names);
    columns.extend(extra);
    let all: Vec<Vec<&dyn Curve>> = objects.iter().map(Curves::curves).collect();
    for (place, CurveColumn { name, unit, form, meaning, .. }) in C::COLUMNS.iter().enumerate() {
        let curves = all.iter().map(|curves| curves[place]);
        let numbers = curves.flat_map(|curve| (0..curve.samples()).map(|sample| curve.number(sample)));
        let values = match form {
            Form::Count => Values::Counts(numbers.map(|number| number.map(|count| count as u64)).collect()),
            _ => Values::Numbers(numbers.collect()),
        };
        columns.push(Column::new(*name, *unit, meaning, values));
    }
    Table { name: format!("{}_series", C::KIND), columns, origin: Vec::new() }
}

/// The time and the name for each row: all samples of the first curve, then of the next.
fn axis(series: &Series, kind: &str, names: Vec<String>) -> Vec<Column> {
    let (curves, samples) = (names.len(), series.time_s.len());
    let times = (0..curves).flat_map(|_| &series.time_s);
    let rows = (0..curves).flat_map(|curve| std::iter::repeat_n(curve as u32, samples)).collect();
    vec![
        Column::new(
            "time_s",
            Some(Seconds),
            "End of the interval.",
            Values::Numbers(times.copied().map(Some).collect()),
        ),
        Column::new(kind, None, "Its name.", Values::Names { names, rows }),
    ]
}
