//! The output of `setpoint check` for a scenario, while it is typed.

mod sliders;

use std::time::Duration;

use serde_json::{Value, json};
use setpoint_lab::session::Request;
use setpoint_lab::trial;
use setpoint_scenario::{Prepared, Problem, Scenario as Loaded, Source};

use crate::applicable;
use crate::limits::Limits;
use crate::network;
use crate::refusal::{Reason, Refusal};
use crate::scenario::Scenario;

/// The name by which messages refer to the text in the editor.
const NAME: &str = "scenario.toml";

/// Problems with a scenario, or a reason not to examine it.
enum Wrong {
    Problems(Vec<Value>),
    Refused(Refusal),
}

impl Scenario {
    fn check_size(&self, limits: &Limits) -> Result<(), Refusal> {
        let length = self.text.len() + self.settings.iter().map(String::len).sum::<usize>();
        if length <= limits.scenario {
            return Ok(());
        }
        let message = format!("the scenario has {length} bytes; this page reads at most {}", limits.scenario);
        Err(Refusal::new(Reason::TooLarge, message))
    }

    fn load(&self, limits: &Limits) -> Result<(Loaded, Prepared), Wrong> {
        self.check_size(limits).map_err(Wrong::Refused)?;
        let problems = |found: setpoint_scenario::Diagnostics| {
            Wrong::Problems(found.problems().iter().map(|problem| as_json(problem, "error", None)).collect())
        };
        // Text that does not come from a file cannot extend files, only built-in scenarios.
        let source = Source::new(NAME, self.text.clone());
        let request = Request::new(source, &self.settings, self.seed);
        request.and_then(|request| request.prepare()).map_err(problems)
    }

    /// The scenario, prepared for simulation.
    pub(crate) fn prepare(&self, limits: &Limits) -> Result<Prepared, Refusal> {
        self.loaded(limits).map(|(_, prepared)| prepared)
    }

    /// The scenario, and the same scenario prepared for simulation.
    pub(crate) fn loaded(&self, limits: &Limits) -> Result<(Loaded, Prepared), Refusal> {
        self.load(limits).map_err(|wrong| match wrong {
            Wrong::Refused(refusal) => refusal,
            Wrong::Problems(problems) => {
                let first =
                    problems.first().and_then(|problem| problem["message"].as_str()).unwrap_or_default();
                Refusal::new(Reason::Inapplicable, format!("the scenario has a problem: {first}"))
            }
        })
    }
}

/// A problem with its position. Lines and columns count from 1; a problem with a setting has none.
fn as_json(problem: &Problem, severity: &str, code: Option<&str>) -> Value {
    let here = problem.file() == Some(NAME);
    let begin = problem.line_and_column().filter(|_| here);
    let end = problem.end_line_and_column().filter(|_| here);
    json!({
        "severity": severity,
        "code": code,
        "message": problem.message(),
        "help": problem.remedies().join("; "),
        "fixes": problem.replacements(),
        "line": begin.map(|place| place.0),
        "column": begin.map(|place| place.1),
        "end_line": end.map(|place| place.0),
        "end_column": end.map(|place| place.1),
    })
}

/// Problems and warnings and, if the scenario can run, its parameters, the time and memory that it needs, and the theory that does not apply to it. `clock` is the
/// time since any fixed moment; the time is estimated from a trial.
///
/// # Errors
/// If the scenario is too long, or a flow has no path.
pub fn check(scenario: &Scenario, limits: &Limits, clock: &dyn Fn() -> Duration) -> Result<Value, Refusal> {
    let (loaded, prepared) = match scenario.load(limits) {
        Ok(found) => found,
        Err(Wrong::Refused(refusal)) => return Err(refusal),
        Err(Wrong::Problems(problems)) => return Ok(json!({ "ok": false, "problems": problems })),
    };
    let warnings = prepared.warnings();
    let warning = |warning: &setpoint_scenario::Warning| {
        as_json(warning.problem(), "warning", Some(warning.check().code))
    };
    let (memory, refusal) = limits.estimate(scenario, &prepared)?;
    // A trial needs nearly as much memory as the run.
    let takes_s = if refusal.is_none() { trial::seconds(&prepared, clock) } else { None };
    Ok(json!({
        "ok": true,
        "problems": warnings.iter().map(warning).collect::<Vec<_>>(),
        "name": prepared.name,
        "description": prepared.description,
        "seed": prepared.spec.seed,
        "duration_s": prepared.spec.duration.as_picos() as f64 / 1e12,
        "flows": prepared.spec.flows.len(),
        "stations": prepared.spec.topology.stations().count(),
        "algorithm": prepared.algorithm().name(),
        "network": network::preview(&prepared.spec),
        "is_sweep": loaded.axes().count() > 0,
        "sliders": sliders::of(&prepared),
        "memory_bytes": memory.total().get(),
        "refused": refusal,
        "inapplicable": applicable::reasons(&prepared),
        "takes_s": takes_s,
    }))
}
