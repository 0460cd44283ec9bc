//! The end of a run.

use serde_json::{Value, json};
use setpoint_record::catalogue;
use setpoint_record::results::{CounterSummary, FlowSummary, RunRecord, WarningRecord};
use setpoint_report::words::capital;
use setpoint_units::quantity::grouped;

/// The number of points in the distribution of completion times.
const QUANTILES: usize = 400;

/// The data of the message `end`: the figures of a finished run, which took the given seconds to compute. `not_stored` is the reason
/// why its files could not be stored.
#[must_use]
pub fn end(record: &RunRecord, took: f64, not_stored: Option<&str>) -> Value {
    let metric = |metric: &catalogue::Metric| {
        let value = metric.of_busiest(&record.summary)?;
        Some(json!({
            "name": metric.name,
            "title": metric.title,
            "meaning": metric.meaning(),
            "value": value.value,
            "text": metric.unit.text(value.value),
            "is_lower_bound": value.is_lower_bound,
        }))
    };
    let counter = |counter: &CounterSummary| {
        json!({
            "name": format!("{}.{}", counter.role.key(), counter.counter),
            "title": format!("{}: {}", capital(counter.role.title()), counter.title()),
            "meaning": "Sum over all flows, whole run",
            "value": counter.count,
            "text": grouped(counter.count as f64),
        })
    };
    let warning = |one: &WarningRecord| json!({ "check": one.check, "message": one.message });
    json!({
        "digest": record.manifest.digest,
        "took_s": took,
        "events": record.summary.events,
        "words": setpoint_report::words::summary(record),
        "warnings": record.manifest.warnings_of_run().map(warning).collect::<Vec<_>>(),
        "metrics": catalogue::all().filter_map(metric).collect::<Vec<_>>(),
        "counters": FlowSummary::counter_totals(&record.summary.flows).iter().map(counter).collect::<Vec<_>>(),
        "completions_s": completions(record),
        "not_stored": not_stored,
    })
}

/// The completion times of messages, in order: all of them, or an evenly spaced selection.
fn completions(record: &RunRecord) -> Vec<f64> {
    let times = record
        .messages
        .iter()
        .filter(|message| record.summary.measures_message(message.offered_s))
        .filter_map(|message| message.fct_s);
    let mut times: Vec<f64> = times.collect();
    times.sort_by(f64::total_cmp);
    if times.len() <= QUANTILES {
        return times;
    }
    let place = |point: usize| point * (times.len() - 1) / (QUANTILES - 1);
    (0..QUANTILES).map(|point| times[place(point)]).collect()
}
