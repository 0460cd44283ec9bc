//! The thread of a run.

use std::sync::Arc;

use serde_json::json;
use setpoint_lab::session::{Ended, Job, JobError};
use setpoint_page::run::{Watch, end};

use super::Runs;
use super::control::Control;
use super::slots::Ticket;
use super::watcher::Watcher;
use super::wire::Line;

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
        let watch = Watch::of(&job.prepared.spec);
        line.must_send("start", &watch.start(&job.prepared, id));
        if ticket.wait(|| !line.is_closed(), |ahead| line.send("waiting", &json!({ "ahead": ahead }))) {
            let mut watcher = Watcher::new((&job.prepared.spec, watch), &line, control, runs.limits.run_time);
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
