//! How bridges signal congestion.

use setpoint_sim::{ControlSpec, PrioritySet};

/// Whether bridges signal congestion by marks in frames, which receivers report, and not by notifications.
pub(crate) fn marks(control: &ControlSpec) -> bool {
    let needs = control.congestion_point.needs();
    needs.marks || needs.departures
}

/// The priorities for which neighbours agree on congestion notification (802.1Qau). Algorithms that mark frames need
/// no such agreement.
pub(crate) fn managed(control: &ControlSpec) -> PrioritySet {
    if marks(control) { PrioritySet::NONE } else { control.priorities }
}
