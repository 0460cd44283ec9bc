//! Links from other pages into the laboratory, which runs scenarios in the browser.

use setpoint_papers::{Case, Experiment};

use crate::address::{encoded, relative};

/// The folder of the laboratory.
pub(crate) const FOLDER: &str = "lab";
/// The first page of the laboratory.
pub(crate) const PAGE: &str = "lab/index.html";

/// A scenario that the laboratory can open: a built-in one, or a case of an experiment, with settings.
pub(crate) struct Scene(String);

impl Scene {
    /// A built-in scenario.
    pub(crate) fn builtin<'a>(name: &'a str, settings: impl Iterator<Item = &'a String>) -> Self {
        Self::new(&["scenario", name], settings)
    }

    /// A case of an experiment.
    pub(crate) fn case<'a>(id: &'a str, case: &'a str, settings: impl Iterator<Item = &'a String>) -> Self {
        Self::new(&["experiment", id, case], settings)
    }

    /// The first case of an experiment; none if it is computed without a run.
    pub(crate) fn of(experiment: &Experiment) -> Option<Self> {
        let Case { name, .. } = experiment.cases.first()?;
        Some(Self::case(experiment.id, name, [].iter()))
    }

    fn new<'a>(path: &[&'a str], settings: impl Iterator<Item = &'a String>) -> Self {
        let parts = path.iter().copied().chain(settings.map(String::as_str));
        Self(parts.map(|part| format!("/{}", encoded(part))).collect())
    }

    /// The address of the bench with this scenario, as seen from a page.
    pub(crate) fn bench(&self, from: &str) -> String {
        format!("{}#/bench{}", relative(from, PAGE), self.0)
    }

    /// The address of the bench without the header of its page, to be shown inside another page.
    pub(crate) fn figure(&self, from: &str) -> String {
        format!("{}#/figure{}", relative(from, PAGE), self.0)
    }
}
