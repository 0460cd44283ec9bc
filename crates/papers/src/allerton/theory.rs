//! What theory says of a case: its fluid form, margins and solutions.

use setpoint_fluid::ModelOptions;
use setpoint_fluid::linear::{Loop, Margin, linearise};
use setpoint_fluid::model::{Course, Horizon, Start, solve};
use setpoint_lab::theory::{Form, form};
use setpoint_units::TimeDelta;

use crate::case::Case;

/// The theory of one case.
#[derive(Clone, Debug)]
pub(super) struct Theory {
    form: Form,
}

impl Theory {
    /// The fluid form of a case; none where it has none.
    pub(super) fn of(case: &Case) -> Option<Self> {
        let prepared = case.prepare(1, 1.0).ok()?;
        Some(Self { form: form(&prepared).ok()? })
    }

    /// The loop's delay.
    pub(super) fn delay_s(&self) -> Option<f64> {
        self.form.bottleneck.classes.iter().map(|class| class.delay.as_secs_f64()).reduce(f64::max)
    }

    /// The linearised loop.
    pub(super) fn linear(&self, reading: &ModelOptions) -> Option<Loop> {
        linearise(&self.form.bottleneck, &self.form.scheme, reading).ok()
    }

    /// The exact delay margin, where the loop is stable without a delay.
    pub(super) fn margin(&self, reading: &ModelOptions) -> Option<Margin> {
        self.linear(reading)?.margin()
    }

    /// The solution from the start of the sources on.
    pub(super) fn course(&self, reading: &ModelOptions, until_s: f64, sample_s: f64) -> Option<Course> {
        self.from(Start::LineRates, reading, until_s, sample_s)
    }

    /// The solution from a small disturbance of the equilibrium on.
    pub(super) fn disturbed(&self, reading: &ModelOptions, until_s: f64, sample_s: f64) -> Option<Course> {
        self.from(Start::NearEquilibrium, reading, until_s, sample_s)
    }

    fn from(&self, start: Start, reading: &ModelOptions, until_s: f64, sample_s: f64) -> Option<Course> {
        let horizon = Horizon { until: span(until_s), sample: span(sample_s), start };
        solve(&self.form.bottleneck, &self.form.scheme, reading, &horizon).ok()
    }
}

fn span(seconds: f64) -> TimeDelta {
    TimeDelta::from_picos((seconds * 1e12).round() as u64)
}
