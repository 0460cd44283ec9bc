//! Sends the samples of a run to the page, and lets the page control the run.

use std::sync::Arc;
use std::time::{Duration, Instant};

use setpoint_page::run::{Watch, paused};
use setpoint_sim::{Decision, Monitor, Sample, Spec};
use setpoint_units::Time;

use super::control::{Control, Wait};
use super::wire::Line;

/// The interval between messages: the page draws about thirty times a second.
const FRAME: Duration = Duration::from_millis(33);

/// Observes one run.
pub(super) struct Watcher<'a> {
    spec: &'a Spec,
    watch: Watch,
    line: &'a Line,
    control: Arc<Control>,
    began: Instant,
    /// Time for which the page has made the run wait.
    waited: Duration,
    /// Maximum time that the run may compute.
    limit: Duration,
    sent: Instant,
    /// Whether the limit has ended the run.
    pub(super) exhausted: bool,
}

impl<'a> Watcher<'a> {
    pub(super) fn new(
        (spec, watch): (&'a Spec, Watch),
        line: &'a Line,
        control: Arc<Control>,
        limit: Duration,
    ) -> Self {
        let now = Instant::now();
        Self {
            spec,
            watch,
            line,
            control,
            began: now,
            waited: Duration::ZERO,
            limit,
            sent: now,
            exhausted: false,
        }
    }

    /// The time that the run has spent computing.
    pub(super) fn computed(&self) -> Duration {
        self.began.elapsed().saturating_sub(self.waited)
    }

    /// Sends the last samples.
    pub(super) fn finish(&mut self) {
        if let Some(samples) = self.watch.take() {
            self.line.must_send("samples", &samples);
        }
    }

    /// Sends the samples collected so far, unless the page has not yet read the earlier ones.
    fn send(&mut self, now: Instant) {
        if self.line.has_room() {
            if let Some(samples) = self.watch.take() {
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
                    line.send("paused", &paused(now));
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
        if let Some(parts) = self.watch.sampled(self.spec, sample) {
            self.line.must_send("parts", &parts);
        }
    }
}
