//! Sends the samples of a run to the page, and lets the page control the run.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use setpoint_sim::{Decision, Monitor, PortId, Sample, Spec};
use setpoint_units::Time;

use super::batch::Batch;
use super::control::{Control, Wait};
use super::shown::{self, Shown};
use super::wire::Line;

/// The interval between messages: the page draws about thirty times a second.
const FRAME: Duration = Duration::from_millis(33);

/// Observes one run.
pub(super) struct Watcher<'a> {
    spec: &'a Spec,
    shown: Shown,
    batch: Option<Batch>,
    line: &'a Line,
    control: Arc<Control>,
    began: Instant,
    /// Time spent waiting because of the page.
    waited: Duration,
    /// Maximum time that the run may compute.
    limit: Duration,
    sent: Instant,
    /// Whether the limit has ended the run.
    pub(super) exhausted: bool,
}

impl<'a> Watcher<'a> {
    pub(super) fn new(
        (spec, shown): (&'a Spec, Shown),
        line: &'a Line,
        control: Arc<Control>,
        limit: Duration,
    ) -> Self {
        let now = Instant::now();
        Self {
            spec,
            shown,
            batch: None,
            line,
            control,
            began: now,
            waited: Duration::ZERO,
            limit,
            sent: now,
            exhausted: false,
        }
    }

    /// The time that the run has computed.
    pub(super) fn computed(&self) -> Duration {
        self.began.elapsed().saturating_sub(self.waited)
    }

    /// Sends the last samples.
    pub(super) fn finish(&mut self) {
        if let Some(samples) = self.take() {
            self.line.must_send("samples", &samples);
        }
    }

    fn take(&mut self) -> Option<Value> {
        self.batch.as_mut().filter(|batch| !batch.is_empty()).map(Batch::take)
    }

    /// Sends the samples collected so far, unless the page has not yet read the earlier ones.
    fn send(&mut self, now: Instant) {
        if self.line.has_room() {
            if let Some(samples) = self.take() {
                self.line.send("samples", &samples);
            }
            self.sent = now;
        }
    }
}

impl Monitor for Watcher<'_> {
    fn progress(&mut self, now: Time, _events: u64) -> Decision {
        let moment = Instant::now();
        if moment - self.sent >= FRAME {
            self.send(moment);
        }
        if self.computed() > self.limit {
            self.exhausted = true;
            return Decision::Stop;
        }
        if self.line.is_closed() {
            return Decision::Stop;
        }
        let (control, line) = (self.control.clone(), self.line);
        let decision = control.pace(
            now,
            || !line.is_closed(),
            |wait| {
                if wait == Wait::Paused {
                    self.send(Instant::now());
                    line.send("paused", &json!({ "at_s": now.as_secs_f64() }));
                }
            },
        );
        self.waited += moment.elapsed();
        decision
    }

    fn wants_samples(&self) -> bool {
        true
    }

    fn sampled(&mut self, sample: &Sample) {
        let Self { spec, shown, line, .. } = self;
        let batch = self.batch.get_or_insert_with(|| {
            shown.choose(&sample.queues);
            let ports: Vec<PortId> = sample.ports.iter().map(|port| port.port).collect();
            line.must_send("parts", &shown::parts(spec, shown, &sample.queues, &ports));
            Batch::new(shown, sample)
        });
        batch.push(shown, sample);
    }
}
