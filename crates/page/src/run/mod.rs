//! Runs that a page watches: their messages, and how they proceed.
//!
//! The messages of a run are, in order: `start`, the description of the run; `parts`, with the first sample; `samples`, any
//! number of them, and `paused` whenever the run pauses; and at last `end`, `failed` or `stopped`.

mod batch;
mod end;
mod pace;
mod shown;

use serde_json::{Value, json};
use setpoint_lab::memory::Estimate;
use setpoint_scenario::Prepared;
use setpoint_sim::{PortId, Sample, Spec};
use setpoint_units::Time;

use crate::limits::Limits;
use crate::refusal::{Reason, Refusal};
use crate::scenario::Scenario;
use batch::Batch;
use shown::Shown;

pub use end::end;
pub use pace::{Next, Order, Pace};

/// A page's request to start a run.
#[derive(Debug, serde::Deserialize)]
pub struct Wanted {
    #[serde(flatten)]
    scenario: Scenario,
    /// Simulated seconds per second; if `None`, the run is as fast as possible.
    #[serde(default)]
    speed: Option<f64>,
    /// Whether to wait before the first sample.
    #[serde(default)]
    paused: bool,
}

impl Wanted {
    /// Prepares the run, unless it may need too much memory. Also returns the estimate of its memory.
    ///
    /// # Errors
    /// If the scenario has a problem, or its run is too large.
    pub fn admit(&self, limits: &Limits) -> Result<(Prepared, Estimate), Refusal> {
        let prepared = self.scenario.prepare(limits)?;
        match limits.estimate(&self.scenario, &prepared)? {
            (_, Some(refusal)) => Err(Refusal::new(Reason::TooLarge, refusal)),
            (estimate, None) => Ok((prepared, estimate)),
        }
    }

    /// How the run begins.
    #[must_use]
    pub fn pace(&self) -> Pace {
        Pace::new(self.speed, self.paused)
    }
}

/// The samples of a run for its page.
#[derive(Debug)]
pub struct Watch {
    shown: Shown,
    batch: Option<Batch>,
}

impl Watch {
    /// No samples so far.
    #[must_use]
    pub fn of(spec: &Spec) -> Self {
        Self { shown: Shown::of(spec), batch: None }
    }

    /// The data of the message `start`.
    #[must_use]
    pub fn start(&self, prepared: &Prepared, id: u64) -> Value {
        let mut description = shown::description(prepared, &self.shown);
        description["id"] = json!(id);
        description["curves"] = json!(batch::declared(&self.shown));
        description
    }

    /// Records a sample. With the first one, returns the data of the message `parts`.
    pub fn sampled(&mut self, spec: &Spec, sample: &Sample) -> Option<Value> {
        let Self { shown, batch } = self;
        let mut parts = None;
        let batch = batch.get_or_insert_with(|| {
            shown.choose(&sample.queues);
            let ports: Vec<PortId> = sample.ports.iter().map(|port| port.port).collect();
            parts = Some(shown::parts(spec, shown, &sample.queues, &ports));
            Batch::new(shown, sample)
        });
        batch.push(shown, sample);
        parts
    }

    /// Takes the samples recorded since the last call, as the data of the message `samples`, if there are any.
    pub fn take(&mut self) -> Option<Value> {
        self.batch.as_mut().filter(|batch| !batch.is_empty()).map(|batch| batch.take(&self.shown))
    }
}

/// The data of the message `paused`.
#[must_use]
pub fn paused(now: Time) -> Value {
    json!({ "at_s": now.as_secs_f64() })
}
