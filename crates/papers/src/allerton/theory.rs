//! The fluid model of a case, its margins and its solutions.

use setpoint_fluid::ModelOptions;
use setpoint_fluid::linear::{Loop, Margin, linearise};
use setpoint_fluid::model::{Course, Horizon, Start, solve};
use setpoint_lab::theory::{Form, form};
use setpoint_units::TimeDelta;

use super::STEADY;
use crate::prelude::*;
use crate::timeline::Timeline;

/// The fluid model of one case.
#[derive(Clone, Debug)]
pub(super) struct Theory {
    form: Form,
    timeline: Timeline,
}

impl Theory {
    /// The fluid model of a case; none if the case does not have one.
    pub(super) fn of(case: &Case) -> Option<Self> {
        let prepared = case.prepare(1, 1.0).ok()?;
        Some(Self { form: form(&prepared).ok()?, timeline: Timeline::new(&prepared.spec, 1.0) })
    }

    /// The loop's delay.
    pub(super) fn delay_s(&self) -> Option<f64> {
        self.form.bottleneck.classes.iter().map(|class| class.delay.as_secs_f64()).reduce(f64::max)
    }

    /// The linearised loop.
    pub(super) fn linear(&self, reading: &ModelOptions) -> Option<Loop> {
        linearise(&self.form.bottleneck, &self.form.scheme, reading).ok()
    }

    /// The exact delay margin, if the loop is stable without a delay.
    pub(super) fn margin(&self, reading: &ModelOptions) -> Option<Margin> {
        self.linear(reading)?.margin()
    }

    /// The solution up to the end of the scenario, sampled every `sample_s` seconds.
    pub(super) fn course(&self, start: Start, reading: &ModelOptions, sample_s: f64) -> Option<Course> {
        let span = |seconds: f64| TimeDelta::from_picos((seconds * 1e12).round() as u64);
        let horizon = Horizon { until: span(self.timeline.time(END)), sample: span(sample_s), start };
        solve(&self.form.bottleneck, &self.form.scheme, reading, &horizon).ok()
    }

    /// The index of a solution's first sample in the steady part.
    pub(super) fn steady_from(&self, course: &Course) -> usize {
        let from = self.timeline.time(STEADY.from());
        course.time_s.partition_point(|time| *time <= from)
    }
}
