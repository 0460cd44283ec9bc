//! The kinds of theory that apply to a scenario, determined without computing them.

use setpoint_fluid::ModelOptions;
use setpoint_fluid::linear::linearise;
use setpoint_fluid::model::{Horizon, Start, solve};
use setpoint_fluid::phase::Plane;
use setpoint_units::TimeDelta;

use super::error::TheoryError;
use super::form::Form;

/// Models refuse parameters when they begin.
const BEGINNING: TimeDelta = TimeDelta::from_nanos(1);

impl Form {
    /// Whether the fluid model can be solved.
    ///
    /// # Errors
    /// The reason why it cannot.
    pub fn check_fluid(&self) -> Result<(), TheoryError> {
        let horizon = Horizon { until: BEGINNING, sample: BEGINNING, start: Start::LineRates };
        solve(&self.bottleneck, &self.scheme, &ModelOptions::default(), &horizon)?;
        Ok(())
    }

    /// Whether there is a phase plane.
    ///
    /// # Errors
    /// The reason why there is none.
    pub fn check_plane(&self) -> Result<(), TheoryError> {
        Plane::new(&self.bottleneck, &self.scheme)?;
        Ok(())
    }

    /// Whether the loop has a linearisation, from which its stability follows.
    ///
    /// # Errors
    /// The reason why it has none.
    pub fn check_loop(&self) -> Result<(), TheoryError> {
        linearise(&self.bottleneck, &self.scheme, &ModelOptions::default())?;
        Ok(())
    }
}
