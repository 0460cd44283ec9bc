//! The thread of a run.

use std::sync::Arc;

use serde_json::{Value, json};
use setpoint_lab::session::{Ended, Job, JobError};
use setpoint_record::catalogue;
use setpoint_record::results::{CounterSummary, FlowSummary, RunRecord};
use setpoint_report::words::capital;
use setpoint_units::quantity::grouped;

use super::Runs;
use super::batch;
use super::control::Control;
use super::shown::{self, Shown};
use super::slots::Ticket;
use super::watcher::Watcher;
use super::wire::Line;

/// The number of points in the distribution of completion times.
const QUANTILES: usize = 400;

/// A run that has been admitted.
pub(super) struct Watched {
    pub(super) id: u64,
    pub(super) job: Job,
    pub(super) control: Arc<Control>,
    pub(super) line: Line,
    pub(super) ticket: Ticket,
    pub(super) runs: Arc<Runs>,
}

impl Watched {
    /// Runs to the end, or for as long as the page watches.
    pub(super) fn run(self) {
        let Self { id, job, control, line, ticket, runs } = self;
        let shown = Shown::of(&job.prepared.spec);
        let mut description = shown::description(&job.prepared, &shown);
        description["id"] = json!(id);
        description["curves"] = json!(batch::declared());
        line.must_send("start", &description);
        if ticket.wait(|| !line.is_closed(), |ahead| line.send("waiting", &json!({ "ahead": ahead }))) {
            let mut watcher = Watcher::new((&job.prepared.spec, shown), &line, control, runs.limits.run_time);
            let ended = job.run(&mut watcher);
            watcher.finish();
            let (took, exhausted) = (watcher.computed(), watcher.exhausted);
            match ended {
                Ok(Ended { record, .. }) => {
                    let stored = runs.keep.put(id, &record).map_err(|error| error.to_string());
                    line.must_send("end", &end(&record, took.as_secs_f64(), stored.err().as_deref()));
                }
                Err(_) if exhausted => {
                    let limit = runs.limits.run_time.as_secs();
                    let message = format!(
                        "stopped after {limit} s, the maximum computing time on this server; run it with `setpoint run`"
                    );
                    line.must_send("failed", &json!({ "message": message }));
                }
                Err(JobError::Run(error)) if error.is_stopped() => line.must_send("stopped", &json!({})),
                Err(error) => line.must_send("failed", &json!({ "message": error.to_string() })),
            }
        }
        runs.forget(id);
    }
}

/// The figures of a finished run.
fn end(record: &RunRecord, took: f64, not_stored: Option<&str>) -> Value {
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
            "name": format!("{}.{}", counter.role, counter.counter),
            "title": format!("{}: {}", capital(counter.role_title()), counter.title()),
            "meaning": "Sum over all flows, whole run",
            "value": counter.count,
            "text": grouped(counter.count as f64),
        })
    };
    json!({
        "digest": record.manifest.digest,
        "took_s": took,
        "events": record.summary.events,
        "words": setpoint_report::words::summary(record),
        "metrics": catalogue::all().filter_map(metric).collect::<Vec<_>>(),
        "counters": FlowSummary::counter_totals(&record.summary.flows).iter().map(counter).collect::<Vec<_>>(),
        "completions_s": completions(record),
        "not_stored": not_stored,
    })
}

/// The completion times of messages, in order: all of them, or evenly spaced ones.
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
