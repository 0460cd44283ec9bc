//! A scenario with additional settings, and its short version.

use std::cell::LazyCell;

use setpoint_scenario::{Diagnostics, Override, Prepared, Scenario, Source};
use setpoint_units::{Time, TimeDelta};
use sha2::{Digest, Sha256};

use crate::choice::Choice;

/// One case of an experiment, for example the same network with another algorithm.
#[must_use]
#[derive(Clone, Debug)]
pub struct Case {
    /// The short name by which claims and panels refer to the case.
    pub name: String,
    /// Name in legends and tables.
    pub label: String,
    /// Text of the scenario.
    pub scenario: &'static str,
    /// Settings that override the scenario, as `key=value`.
    pub settings: Vec<String>,
    /// The names of choices that have no effect on the case, so that it is not run again for their options.
    pub unaffected: Vec<&'static str>,
    /// Whether the case is used only by our own checks and by panels.
    pub beyond_paper: bool,
}

/// The length of the runs of experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// All times are as in the scenario.
    Full,
    /// All times in the scenario are multiplied by the experiment's factor, for a first look.
    Quick,
    /// All times are as in the paper, even if the scenario is shorter because its runs are costly.
    FullSize,
}

impl Case {
    /// A case without settings.
    pub fn new(name: impl Into<String>, label: impl Into<String>, scenario: &'static str) -> Self {
        Self {
            name: name.into(),
            label: label.into(),
            scenario,
            settings: Vec::new(),
            unaffected: Vec::new(),
            beyond_paper: false,
        }
    }

    /// Sets a key of the scenario, as `key=value`.
    pub fn set(mut self, assignment: impl Into<String>) -> Self {
        self.settings.push(assignment.into());
        self
    }

    /// Sets several keys.
    pub fn set_all<S: Into<String>>(self, assignments: impl IntoIterator<Item = S>) -> Self {
        assignments.into_iter().fold(self, Self::set)
    }

    /// Declares that a choice has no effect on the case.
    pub fn unaffected_by(mut self, choice: &'static Choice) -> Self {
        self.unaffected.push(choice.name);
        self
    }

    /// Declares that the case is used only by our own checks and by panels, so that a search omits it.
    pub fn beyond_paper(self) -> Self {
        Self { beyond_paper: true, ..self }
    }

    /// The same case under another name and label.
    pub fn renamed(self, name: impl Into<String>, label: impl Into<String>) -> Self {
        Self { name: name.into(), label: label.into(), ..self }
    }

    /// Adds settings, as `key=value`, before those of the case, which take precedence. A key of an algorithm
    /// applies only if the case uses the algorithm.
    pub(crate) fn with_defaults<'s>(&self, settings: impl IntoIterator<Item = &'s str>) -> Self {
        let algorithm =
            LazyCell::new(|| self.prepare(1, 1.0).map(|prepared| prepared.algorithm().name()).ok());
        let applies = |setting: &&str| {
            let owner = setting.strip_prefix("control.").and_then(|key| key.split(['.', '=']).next());
            owner.is_none_or(|owner| *algorithm == Some(owner))
        };
        let defaults = settings.into_iter().filter(applies).map(str::to_owned);
        Self { settings: defaults.chain(self.settings.iter().cloned()).collect(), ..self.clone() }
    }

    /// A fingerprint of the network, flows and changes that are simulated. Cases with the same fingerprint
    /// have the same runs, even if their settings differ. For a case that cannot be prepared, it is a fingerprint of
    /// the text.
    pub(crate) fn fingerprint(&self, factor: f64) -> [u8; 32] {
        let text = match self.prepare(1, factor) {
            Ok(prepared) => format!("{:?}", prepared.spec),
            Err(_) => format!("{}{:?}", self.scenario, self.settings),
        };
        Sha256::digest(text.as_bytes()).into()
    }

    /// The parts of the text on which the results depend: everything except comments and empty lines.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &str> {
        let lines = self.scenario.lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        [&*self.name].into_iter().chain(lines).chain(self.settings.iter().map(String::as_str))
    }

    /// Resolves the scenario with a seed and multiplies its times by a factor.
    ///
    /// The factor applies to the duration, the start of the measurement, starts and stops of flows, and
    /// changes. The algorithms' own times, such as timers, are unchanged.
    ///
    /// # Errors
    /// If the scenario or a setting is wrong, which is a mistake in the experiment.
    pub fn prepare(&self, seed: u64, factor: f64) -> Result<Prepared, Diagnostics> {
        let overrides =
            self.settings.iter().map(|text| text.parse()).collect::<Result<Vec<Override>, _>>()?;
        let scenario = Scenario::load(&Source::new(&self.name, self.scenario), &overrides)?;
        let mut prepared = scenario.prepare(seed)?;
        scale_times(&mut prepared, factor);
        Ok(prepared)
    }
}

impl Depth {
    /// Name in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Quick => "quick",
            Self::FullSize => "full size",
        }
    }
}

fn scale_times(prepared: &mut Prepared, factor: f64) {
    let picos = |picos: u64| (picos as f64 * factor).round() as u64;
    let scale = |time: &mut Time| *time = Time::from_picos(picos(time.as_picos()));
    let spec = &mut prepared.spec;
    spec.duration = TimeDelta::from_picos(picos(spec.duration.as_picos()));
    scale(&mut spec.measure_from);
    spec.measure_messages_until.iter_mut().for_each(scale);
    for flow in &mut spec.flows {
        scale(&mut flow.start);
        flow.stop.iter_mut().for_each(scale);
    }
    spec.changes.iter_mut().for_each(|change| scale(&mut change.at));
    prepared.event_labels.iter_mut().for_each(|(at, _)| scale(at));
}
