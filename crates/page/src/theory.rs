//! Theory of a scenario, where available.

use serde_json::{Value, json};
use setpoint_lab::sweep::Unwatched as Quiet;
use setpoint_lab::theory::{
    ClassCourse, FluidOptions, PhaseOptions, StabilityOptions, TheoryError, fluid, phase, stability,
};
use setpoint_scenario::{Axis, ParameterRow};
use setpoint_sim::Unwatched;

use crate::applicable;
use crate::limits::Limits;
use crate::refusal::{Reason, Refusal};
use crate::scenario::Scenario;

/// The number of values along each axis of a map.
const MAP: usize = 40;

/// A question about a scenario.
#[derive(Debug, serde::Deserialize)]
pub struct Question {
    #[serde(flatten)]
    scenario: Scenario,
    kind: Kind,
}

/// The kind of answer that is requested.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// Queue and rates of the fluid model over time, as numbers.
    Curves,
    /// The page of the fluid model.
    Fluid,
    /// The page of the phase plane.
    Phase,
    /// The page of the control loop's stability, with a map if the scenario has a round-trip time and senders.
    Stability,
}

/// An answer.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Numbers for the page to draw.
    Numbers(Value),
    /// A document in HTML.
    Page(String),
}

/// Answers a question.
///
/// # Errors
/// If the scenario has a problem, or the requested theory does not apply to it.
pub fn answer(question: &Question, limits: &Limits) -> Result<Answer, Refusal> {
    let (scenario, prepared) = question.scenario.loaded(limits)?;
    let solved = || fluid(&prepared, &FluidOptions::default(), &mut Unwatched).map_err(|error| none(&error));
    Ok(match question.kind {
        Kind::Curves => {
            let record = solved()?;
            let class = |class: &ClassCourse| json!({ "name": class.name, "rate_bps": class.rate_bps });
            Answer::Numbers(json!({
                "model": record.model,
                "queue": record.queue,
                "time_s": record.time_s,
                "queue_bytes": record.queue_bytes,
                "classes": record.classes.iter().map(class).collect::<Vec<_>>(),
            }))
        }
        Kind::Fluid => Answer::Page(setpoint_report::fluid(&solved()?).html()),
        Kind::Phase => {
            let record = phase(&prepared, &PhaseOptions::default()).map_err(|error| none(&error))?;
            Answer::Page(setpoint_report::phase(&record).html())
        }
        Kind::Stability => {
            let axes = axes(&prepared.parameters);
            let options =
                StabilityOptions { seed: Some(prepared.spec.seed), axes, ..StabilityOptions::default() };
            let record = stability(&scenario, &options, &Quiet).map_err(|error| none(&error))?;
            Answer::Page(setpoint_report::stability(&record).html())
        }
    })
}

/// The axes of the map: the round-trip time up to four times its value, and the number of senders up to four
/// times its value.
fn axes(parameters: &[ParameterRow]) -> Option<(Axis, Axis)> {
    let find = |ending: &str| parameters.iter().find(|row| row.key.ends_with(ending));
    let (rtt, senders) = (find(".rtt")?, find(".senders")?);
    let (time, count): (setpoint_units::TimeDelta, u64) =
        (rtt.value.parse().ok()?, senders.value.parse().ok()?);
    let x = format!("{}={}..{}", rtt.key, time / 4, time * 4);
    let y = format!("{}=1..{}", senders.key, (count * 4).max(8));
    Some((Axis::read_range("x", &x, MAP).ok()?, Axis::read_range("y", &y, MAP).ok()?))
}

fn none(error: &TheoryError) -> Refusal {
    Refusal::new(Reason::Inapplicable, applicable::sentence(error))
}
