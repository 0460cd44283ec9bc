//! The link-level flow control of a scenario.

use setpoint_sim::{FlowControl, Headroom, PauseParams, PauseResponse, Priority};

use super::network::priorities;
use crate::diagnostics::{Problem, Problems};
use crate::format::{self, Root, Thresholds};

/// Link-level flow control.
pub(super) fn flow_control(root: &Root, problems: &mut Problems) -> Option<FlowControl> {
    let network = &root.network;
    // The thresholds of a shared buffer depend on its use. No fixed threshold is ever reached.
    let fixed = |params: PauseParams| match root.shared_buffer() {
        Some(shared) => PauseParams { xoff: *shared.size, xon: *shared.size, ..params },
        None => params,
    };
    Some(match &*root.flow_control {
        format::FlowControl::None(_) => FlowControl::None,
        format::FlowControl::Pause(keys) => FlowControl::Pause(fixed(problems.take(thresholds(keys))?)),
        format::FlowControl::Pfc(keys) => {
            let thresholds = problems.take(thresholds(&keys.thresholds))?;
            FlowControl::Pfc(fixed(thresholds), priorities(&keys.priorities, network))
        }
    })
}

fn thresholds(keys: &Thresholds) -> Result<PauseParams, Problem> {
    let (xoff, xon) = (&keys.xoff, &keys.xon);
    if **xon > **xoff {
        let message = format!("`xon` ({}) is above `xoff` ({})", **xon, **xoff);
        let (key, other, name) = if xon.is_given() { (xon, xoff, "`xoff`") } else { (xoff, xon, "`xon`") };
        let default = if other.is_given() { "" } else { " has its default value" };
        return Err(Problem::at(key.place(), message, "a paused link would be released at once")
            .context(other.place(), format!("{name}{default}"))
            .help("a link is paused above `xoff` and released at `xon`, so `xon` must not be larger"));
    }
    let headroom = keys.headroom.quantity.map_or(Headroom::Automatic, Headroom::Fixed);
    let response = match (keys.response_time.quantity, keys.response_time.word) {
        (Some(time), _) => PauseResponse::Fixed(time),
        (None, "802.1Q") => PauseResponse::Ieee8021Q,
        (None, _) => PauseResponse::Ieee8023,
    };
    Ok(PauseParams { xoff: **xoff, xon: **xon, headroom, quanta: *keys.quanta, response })
}

/// Whether frames of a priority are never dropped.
pub(super) fn is_lossless(flow_control: &FlowControl, priority: Priority) -> bool {
    match flow_control {
        FlowControl::None => false,
        FlowControl::Pause(_) => true,
        FlowControl::Pfc(_, priorities) => priorities.contains(priority),
    }
}
