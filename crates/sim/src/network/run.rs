//! The run of a network from one item of its agenda to the next.

use crate::error::SimError;
use crate::lossless::LinkBudget;
use crate::monitor::{Decision, Monitor};
use crate::network::agenda::{Agenda, Item};
use crate::network::changes::starts_and_stops;
use crate::network::components::Components;
use crate::network::finish::Ending;
use crate::network::memory::{check_memory, memory};
use crate::network::node;
use crate::network::observe::Observers;
use crate::network::observe::passing::{pass_on, tap};
use crate::network::parallel::execution::Execution;
use crate::outcome::Outcome;
use crate::prefetch;
use crate::progress::Progress;
use crate::sample::Sample;
use crate::spec::Spec;

/// A running network.
pub(crate) struct Network {
    pub(in crate::network) components: Components,
    pub(in crate::network) observers: Observers,
    pub(in crate::network) execution: Execution,
    pub(in crate::network) agenda: Agenda,
    /// The budgets of links under flow control.
    pub(in crate::network) budgets: Vec<LinkBudget>,
    /// The sample that the monitor receives, if it requests samples.
    pub(in crate::network) shown: Option<Sample>,
}

impl Network {
    /// Prepares the run.
    pub(crate) fn begin(&mut self, spec: &Spec, monitor: &dyn Monitor) {
        tap(&mut self.components, spec, monitor);
        for part in self.components.parts.iter_mut() {
            part.cx.rules.decides_in_advance &= monitor.decides_in_advance();
        }
        self.shown = monitor.wants_samples().then(Sample::default);
        self.plan(spec);
    }

    /// Runs to the end of the next sample interval.
    pub(crate) fn advance(&mut self, monitor: &mut dyn Monitor) -> Result<Progress, SimError> {
        loop {
            self.execution.run_until(
                &mut self.components,
                &mut self.observers,
                self.agenda.next(),
                monitor,
            )?;
            match self.agenda.take() {
                Item::Change(change) => self.components.apply(change),
                Item::Reroute(change) => self.components.reroute(change),
                Item::MeasureFrom => self.observers.recorder.measure_from_now(&mut self.components),
                Item::Sample => {
                    self.observers.sample(&mut self.components)?;
                    return self.report(monitor);
                }
            }
        }
    }

    /// Whether the run has reached its end.
    pub(crate) fn has_ended(&self) -> bool {
        self.components.now >= self.components.rules.end
    }

    /// The outcome of a run that has reached its end.
    pub(crate) fn finish(self, spec: &Spec, monitor: &mut dyn Monitor) -> Outcome {
        // Without flow control, a transmission that starts exactly at the end of the run counts as begun.
        let Self { mut components, observers, budgets, .. } = self;
        let now = components.now;
        let until = if components.rules.lossless { now } else { node::after(now) };
        pass_on(&mut components, until, monitor);
        Ending { components, observers, budgets }.outcome(spec)
    }

    /// Reports a sample to the monitor, which may stop the run. Returns whether the run ends here.
    fn report(&mut self, monitor: &mut dyn Monitor) -> Result<Progress, SimError> {
        if let Some(limit) = monitor.memory_limit() {
            check_memory(&self.components, &self.observers, limit)?;
        }
        let now = self.components.now;
        pass_on(&mut self.components, now, monitor);
        if let Some(sample) = &mut self.shown {
            self.observers.recorder.describe(&self.components, sample);
            monitor.sampled(sample);
        }
        let decision = monitor.progress(self.components.now, self.components.events());
        match decision {
            _ if self.has_ended() => Ok(Progress::Ended),
            Decision::Stop => Err(SimError::Stopped { at: self.components.now }),
            Decision::Continue => Ok(Progress::Sampled),
        }
    }

    /// Prepares observers, and schedules the starts and stops of flows.
    fn plan(&mut self, spec: &Spec) {
        if self.components.rules.lossless {
            self.observers.learn(&mut self.components);
        }
        for part in self.components.parts.iter_mut() {
            let cx = &mut part.cx;
            let own = cx.part;
            let sender_of =
                |flow| Some(self.components.senders.of(flow)).filter(|end| end.0 == own).map(|end| end.1);
            cx.events.plan(starts_and_stops(spec, &cx.routes, sender_of));
        }
        let worthwhile = match self.components.rules.sources.telemetry {
            true => node::ahead::WORTHWHILE_WITH_REPORTS,
            false => node::ahead::WORTHWHILE,
        };
        let threads = self.execution.policy.most().min(self.components.parts.len()) as u64;
        if prefetch::IS_AVAILABLE && memory(&self.components, &self.observers).total() > worthwhile * threads
        {
            self.components.parts.iter_mut().for_each(|part| part.cx.look_ahead());
        }
    }
}
