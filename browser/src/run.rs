//! A run, computed in time slices.

use std::borrow::Borrow;
use std::rc::Rc;
use std::time::Duration;

use serde_json::{Value, json};
use setpoint_lab::build;
use setpoint_lab::store::{self, REPORT};
use setpoint_page::run::{Next, Order, Pace, Wanted, Watch, end, paused};
use setpoint_record::results::RunRecord;
use setpoint_record::run::{RunError, record};
use setpoint_scenario::Prepared;
use setpoint_sim::{Decision, Monitor, Progress, Sample, SimError, Simulation, Spec};
use setpoint_units::{Bytes, Time};
use wasm_bindgen::prelude::*;

use crate::{clock, limits, read, refused};

/// A run and, after its end, its files.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Run {
    scenario: Shared,
    pace: Pace,
    observer: Observer,
    state: State,
    /// The time that the run has spent computing.
    took: Duration,
}

#[derive(Debug)]
enum State {
    /// The first sample has not been computed, or the page permits the next one.
    Going(Simulation<Shared>),
    /// A sample has been computed, and the page decides when the run proceeds.
    Sampled(Simulation<Shared>),
    Ended(Box<RunRecord>),
    /// Stopped or failed.
    Over,
}

/// A scenario that the run and its simulation share.
#[derive(Clone, Debug)]
struct Shared(Rc<Prepared>);

impl Borrow<Spec> for Shared {
    fn borrow(&self) -> &Spec {
        &self.0.spec
    }
}

#[wasm_bindgen]
impl Run {
    /// Prepares a run that the page has requested.
    ///
    /// # Errors
    /// If the scenario has a problem, or its run is too large for a browser.
    #[wasm_bindgen(constructor)]
    pub fn new(wanted: &str, id: u32) -> Result<Self, JsError> {
        let wanted: Wanted = read(wanted)?;
        let (prepared, _) = wanted.admit(&limits::LIMITS).map_err(|refusal| refused(&refusal))?;
        let scenario = Shared(Rc::new(prepared));
        let mut observer = Observer::new(scenario.clone());
        observer.send("start", observer.watch.start(&scenario.0, id.into()));
        let simulation = Simulation::begin(scenario.clone(), &observer)
            .map_err(|error| JsError::from(RunError::new(error, &scenario.0.spec)))?;
        let state = State::Going(simulation);
        Ok(Self { scenario, pace: wanted.pace(), observer, state, took: Duration::ZERO })
    }

    /// Computes for about the given number of milliseconds. Returns the number of milliseconds after which to call it again,
    /// unless a command arrives before then: zero to continue, infinity if the run is paused. None if the run is over.
    pub fn advance(&mut self, milliseconds: f64) -> Option<f64> {
        let began = clock::now();
        let wait = self.compute_until(began + Duration::from_secs_f64(milliseconds / 1e3));
        self.took += clock::now().saturating_sub(began);
        if let State::Ended(record) = &self.state
            && wait.is_none()
        {
            let end = end(record, self.took.as_secs_f64(), None);
            self.observer.send("end", end);
        }
        wait
    }

    /// The messages since the last call, as a JSON list of pairs: a name and its data.
    pub fn messages(&mut self) -> String {
        self.observer.flush();
        // Moved into the list: `json!` would copy them.
        let messages = std::mem::take(&mut self.observer.messages).into_iter();
        let list: Value = messages.map(|(name, data)| Value::Array(vec![name.into(), data])).collect();
        list.to_string()
    }

    /// Applies a command from the page.
    ///
    /// # Errors
    /// If it is not a command.
    pub fn order(&mut self, order: &str) -> Result<(), JsError> {
        self.pace.order(read::<Order>(order)?);
        self.observer.told_paused = false;
        Ok(())
    }

    /// A file of a run that has ended.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<Vec<u8>> {
        let State::Ended(record) = &self.state else { return None };
        match name {
            REPORT => Some(setpoint_report::html(record).into_bytes()),
            name => store::content(record, name),
        }
    }
}

impl Run {
    fn compute_until(&mut self, until: Duration) -> Option<f64> {
        loop {
            let mut simulation = match std::mem::replace(&mut self.state, State::Over) {
                State::Going(simulation) => simulation,
                State::Sampled(simulation) => match self.pace.next(self.observer.now, clock::now()) {
                    Next::Go => simulation,
                    Next::End => {
                        self.fail(SimError::Stopped { at: self.observer.now });
                        return None;
                    }
                    Next::Paused => {
                        self.observer.pause();
                        self.state = State::Sampled(simulation);
                        return Some(f64::INFINITY);
                    }
                    Next::Early(wait) => {
                        self.state = State::Sampled(simulation);
                        return Some(wait.as_secs_f64() * 1e3);
                    }
                },
                over => {
                    self.state = over;
                    return None;
                }
            };
            match simulation.advance(&mut self.observer) {
                Ok(Progress::Sampled) => self.state = State::Sampled(simulation),
                Ok(Progress::Ended) => {
                    self.finish(simulation);
                    return None;
                }
                Err(error) => {
                    self.fail(error);
                    return None;
                }
            }
            if clock::now() >= until {
                return Some(0.0);
            }
        }
    }

    fn finish(&mut self, simulation: Simulation<Shared>) {
        let outcome = simulation.finish(&mut self.observer);
        self.observer.flush();
        self.state = State::Ended(Box::new(record(&self.scenario.0, build::current(), outcome)));
    }

    fn fail(&mut self, error: SimError) {
        let error = RunError::new(error, &self.scenario.0.spec);
        self.observer.flush();
        if error.is_stopped() {
            self.observer.send("stopped", json!({}));
        } else {
            self.observer.send("failed", json!({ "message": error.to_string() }));
        }
    }
}

/// Collects the messages of a run.
#[derive(Debug)]
struct Observer {
    scenario: Shared,
    watch: Watch,
    messages: Vec<(&'static str, Value)>,
    /// The time of the last sample.
    now: Time,
    /// Whether the page knows that the run is paused.
    told_paused: bool,
}

impl Observer {
    fn new(scenario: Shared) -> Self {
        let watch = Watch::of(scenario.borrow());
        Self { scenario, watch, messages: Vec::new(), now: Time::ZERO, told_paused: false }
    }

    fn send(&mut self, name: &'static str, data: Value) {
        self.messages.push((name, data));
    }

    /// Sends the samples so far.
    fn flush(&mut self) {
        if let Some(samples) = self.watch.take() {
            self.send("samples", samples);
        }
    }

    /// Sends the message that the run is paused, once per pause.
    fn pause(&mut self) {
        if !std::mem::replace(&mut self.told_paused, true) {
            self.flush();
            self.send("paused", paused(self.now));
        }
    }
}

impl Monitor for Observer {
    fn progress(&mut self, now: Time, _events: u64) -> Decision {
        self.now = now;
        Decision::Continue
    }

    fn wants_samples(&self) -> bool {
        true
    }

    fn sampled(&mut self, sample: &Sample) {
        if let Some(parts) = self.watch.sampled(self.scenario.borrow(), sample) {
            self.send("parts", parts);
        }
    }

    fn memory_limit(&self) -> Option<Bytes> {
        Some(limits::LIMITS.memory)
    }
}
