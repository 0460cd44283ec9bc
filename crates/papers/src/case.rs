//! What is run: scenarios, what is set on top of them, and their short versions.

use setpoint_lab::scenario::{Diagnostics, Override, Scenario, Source};
use setpoint_report::quantity::decimal;

/// One case of an experiment, such as the same network with another algorithm.
#[derive(Clone, Debug)]
pub struct Case {
    /// Short name, by which claims and figures ask for it.
    pub name: &'static str,
    /// What it is called in legends.
    pub label: &'static str,
    /// The scenario's text.
    pub scenario: &'static str,
    /// What is set on top of it, as `key=value`.
    pub set: Vec<String>,
}

/// Whether everything is run, or a short version for a first look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// As the paper has it.
    Full,
    /// Less simulated time.
    Quick,
}

/// The times of an experiment, and how its short version shortens them.
///
/// The short version is the same experiment with all these times multiplied by one factor: what happens, happens
/// in the same order. Times of the algorithms (timers, sampling) are not touched, so that what is still moving
/// takes up a larger part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// The keys of a scenario that hold a time, and the time in seconds in the full version. What stands in the
    /// scenario is the same.
    pub times: Vec<(&'static str, f64)>,
    /// What they are multiplied by in the short version.
    pub quick: f64,
}

impl Case {
    /// A case that is the scenario as it stands.
    #[must_use]
    pub fn new(name: &'static str, label: &'static str, scenario: &'static str) -> Self {
        Self { name, label, scenario, set: Vec::new() }
    }

    /// The same with a key of the scenario set, as `key=value`.
    #[must_use]
    pub fn set(mut self, assignment: impl Into<String>) -> Self {
        self.set.push(assignment.into());
        self
    }

    /// Reads and checks the scenario.
    ///
    /// # Errors
    /// If the scenario or what is set is wrong, which is a mistake in the experiment.
    pub fn load(&self, timing: &Timing, depth: Depth) -> Result<Scenario, Diagnostics> {
        let set = self.set.iter().cloned().chain(timing.overrides(depth));
        let overrides = set.map(|text| text.parse()).collect::<Result<Vec<Override>, _>>()?;
        Scenario::load(&Source::new(self.name, self.scenario), &overrides)
    }
}

impl Timing {
    /// What the times are multiplied by.
    #[must_use]
    pub fn factor(&self, depth: Depth) -> f64 {
        match depth {
            Depth::Full => 1.0,
            Depth::Quick => self.quick,
        }
    }

    /// What is set for a depth; nothing for the full version.
    fn overrides(&self, depth: Depth) -> Vec<String> {
        match depth {
            Depth::Full => Vec::new(),
            Depth::Quick => self.assignments(self.quick),
        }
    }

    /// The times multiplied by a factor, as `key=value`, to the microsecond.
    #[must_use]
    pub fn assignments(&self, factor: f64) -> Vec<String> {
        let micros = |seconds: f64| decimal((seconds * factor * 1e6).round(), 0);
        self.times.iter().map(|(key, seconds)| format!("{key}=\"{} us\"", micros(*seconds))).collect()
    }
}

impl Depth {
    /// Its name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Quick => "quick",
        }
    }
}
