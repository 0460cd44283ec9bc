//! The links under flow control, and the buffer that each needs at the bridge it feeds.

use setpoint_lab::results::FlowControlSummary;
use setpoint_sim::Spec;

use crate::terminal::{Column, Screen, Table, Unit, quantity, things};

/// A table of links, with equal links in one row; empty without flow control.
pub(super) fn table(spec: &Spec, screen: Screen) -> String {
    let Some(planned) = FlowControlSummary::planned(spec).filter(|planned| !planned.links.is_empty()) else {
        return String::new();
    };
    let mut table = Table::new(vec![
        Column::words("flow control of", 0),
        Column::figures("xoff", 1),
        Column::figures("headroom", 0),
        Column::figures("required", 0),
        Column::figures("port buffer", 2),
    ]);
    let bytes = |value: u64| quantity(Unit::Bytes, value as f64);
    for group in planned.groups() {
        let links =
            if group.count == 1 { String::new() } else { format!("{} ", things(group.count as u64, "link")) };
        table.row([
            format!("{links}{}", group.name),
            bytes(group.link.xoff_bytes),
            bytes(group.link.headroom_given_bytes),
            bytes(group.link.headroom_needed_bytes),
            bytes(group.link.buffer_bytes),
        ]);
    }
    format!("\n{}", table.render_folded(screen))
}
