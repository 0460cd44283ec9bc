//! The limits of an engine.

use setpoint_lab::memory::{Estimate, rounded};
use setpoint_scenario::Prepared;
use setpoint_units::Bytes;

use crate::command;
use crate::refusal::{Reason, Refusal};
use crate::scenario::Scenario;

/// The limits of an engine.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum length of a scenario, in bytes.
    pub scenario: usize,
    /// The maximum memory that a run may need.
    pub memory: Bytes,
    /// The location of the engine, for messages.
    pub place: Place,
}

/// The location of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The program that serves the page.
    Server,
    /// The browser that shows the page.
    Browser,
}

impl Limits {
    /// The memory that a run may need, and the reason why the run is refused, if that is too much.
    pub(crate) fn estimate(
        &self,
        scenario: &Scenario,
        prepared: &Prepared,
    ) -> Result<(Estimate, Option<String>), Refusal> {
        let estimate = Estimate::of(&prepared.spec)
            .map_err(|error| Refusal::new(Reason::Malformed, error.to_string()))?;
        let refusal = self.refusal(&estimate, scenario, prepared);
        Ok((estimate, refusal))
    }

    fn refusal(&self, estimate: &Estimate, scenario: &Scenario, prepared: &Prepared) -> Option<String> {
        match self.place {
            Place::Server => estimate.refusal(self.memory),
            Place::Browser => {
                let limit = format!("the limit of {} in a browser", rounded(self.memory));
                let refusal = estimate.refusal_above(self.memory, &limit)?;
                let command = command::native(scenario, prepared, rounded(estimate.total()));
                Some(format!("{refusal}; {command}"))
            }
        }
    }
}
