//! Link-level flow control of a scenario.

use setpoint_sim::{FlowControl, Headroom, PauseParams, Priority};

use super::network::{Network, priorities};
use crate::scenario::diagnostics::{Problem, Problems};
use crate::scenario::view::View;

/// Link-level flow control.
pub(super) fn flow_control(
    root: &View<'_>,
    network: &Network,
    problems: &mut Problems,
) -> Option<FlowControl> {
    let kind = root.key("flow_control").kind()?;
    match kind.name() {
        "pause" => Some(FlowControl::Pause(problems.take(thresholds(&kind))?)),
        "pfc" => {
            let priorities = priorities(&kind.key("priorities"), network.priority);
            Some(FlowControl::Pfc(problems.take(thresholds(&kind))?, priorities))
        }
        _ => Some(FlowControl::None),
    }
}

fn thresholds(kind: &View<'_>) -> Result<PauseParams, Problem> {
    let (xoff_key, xon_key) = (kind.key("xoff"), kind.key("xon"));
    let (xoff, xon) = (xoff_key.size().unwrap_or_default(), xon_key.size().unwrap_or_default());
    if xon > xoff {
        let message = format!("`xon` ({xon}) is above `xoff` ({xoff})");
        let (place, other) = if xon_key.is_given() { (&xon_key, &xoff_key) } else { (&xoff_key, &xon_key) };
        return Err(Problem::at(place.place(), message, "a paused link would be released at once")
            .context(other.place(), if other.is_given() { "the other" } else { "the other has its default" })
            .help("a link is paused above `xoff` and released at `xon`, which is the smaller"));
    }
    let headroom = match kind.key("headroom").size() {
        Some(fixed) => Headroom::Fixed(fixed),
        None => Headroom::Automatic,
    };
    let quanta =
        kind.key("quanta").integer().and_then(|quanta| u16::try_from(quanta).ok()).unwrap_or(u16::MAX);
    Ok(PauseParams { xoff, xon, headroom, quanta })
}

/// Whether a priority is never dropped.
pub(super) fn is_lossless(flow_control: &FlowControl, priority: Priority) -> bool {
    match flow_control {
        FlowControl::None => false,
        FlowControl::Pause(_) => true,
        FlowControl::Pfc(_, priorities) => priorities.contains(priority),
    }
}
