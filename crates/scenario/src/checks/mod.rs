//! Plausibility checks for scenarios that can run: warnings with a code, a place and a remedy.
//!
//! [`crate::check`] declares the checks; the files here implement them, by subject.

mod buffers;
mod control;
mod failures;
mod flow_control;
mod load;
mod names;
mod scheduling;
mod times;

use annotate_snippets::{Level, Renderer};
use setpoint_sim::{LinkBudget, PortId, Spec};
use setpoint_units::Bytes;
use setpoint_units::spelling::arrows;

use super::diagnostics::{Colour, Problem};
use super::format::Root;
use crate::check::Check;
use crate::port_names::PortNames;

pub(crate) use control::fitting_preset;
pub use names::{at_most, named_together};

/// A warning about a part of a scenario that is probably not intended.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    check: &'static Check,
    problem: Problem,
}

impl Warning {
    fn new(check: &'static Check, problem: Problem) -> Self {
        Self { check, problem }
    }

    /// The check that found it.
    pub fn check(&self) -> &'static Check {
        self.check
    }

    /// The problem, its place and its remedies.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// A description of the problem, in one line.
    pub fn message(&self) -> &str {
        self.problem.message()
    }

    /// The warning as text, with the affected lines.
    pub fn render(&self, colour: Colour) -> String {
        self.render_wrapped(colour, str::to_owned)
    }

    /// Like [`Self::render`], with messages and remedies broken into lines.
    pub fn render_wrapped(&self, colour: Colour, wrap: impl Fn(&str) -> String) -> String {
        let problem = self.problem.reworded(wrap);
        let renderer = match colour {
            Colour::Off => Renderer::plain(),
            Colour::On => Renderer::styled(),
        };
        let title = Level::WARNING.primary_title(problem.message()).id(self.check.code);
        renderer.render(&[problem.group_under(title)])
    }
}

/// The input to the checks.
struct Subject<'a> {
    root: &'a Root,
    spec: &'a Spec,
    set_point: Option<Bytes>,
    /// The links under flow control.
    links: Vec<LinkBudget>,
}

impl Subject<'_> {
    /// A short list of ports.
    fn named(&self, ports: impl Iterator<Item = PortId>) -> String {
        let names = PortNames::of_all(&self.spec.topology);
        named_together(&ports.map(|port| arrows(names.of(port))).collect::<Vec<_>>())
    }
}

/// Whether the scenario silences a check.
pub(super) fn is_allowed(root: &Root, code: &str) -> bool {
    root.allow_warnings.as_deref().is_some_and(|codes| codes.iter().any(|allowed| allowed.0 == code))
}

/// All warnings about a scenario, sorted by code.
pub(super) fn warnings(root: &Root, spec: &Spec, set_point: Option<Bytes>) -> Vec<Warning> {
    let links = setpoint_sim::link_budgets(spec).unwrap_or_default();
    let subject = Subject { root, spec, set_point, links };
    let mut found: Vec<Warning> = Vec::new();
    found.extend(buffers::warnings(&subject));
    found.extend(control::warnings(&subject));
    found.extend(failures::warnings(&subject));
    found.extend(flow_control::warnings(&subject));
    found.extend(load::warnings(&subject));
    found.extend(scheduling::warnings(&subject));
    found.extend(times::warnings(&subject));
    found.retain(|warning| !is_allowed(root, warning.check.code));
    found.sort_by_key(|warning| warning.check.code);
    found
}
