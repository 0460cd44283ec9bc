//! The links under flow control, and the buffer that each needs at the bridge it feeds.

use setpoint_record::results::FlowControlSummary;
use setpoint_scenario::at_most;
use setpoint_sim::{Spec, shared_budgets};
use setpoint_units::Bytes;

use crate::terminal::{Column, Screen, Table, Unit, indented, plain, port, quantity, things};

/// A table of links, with equal links in one row; empty without flow control.
pub(super) fn table(spec: &Spec, screen: Screen) -> String {
    let Some(planned) = FlowControlSummary::planned(spec).filter(|planned| !planned.links.is_empty()) else {
        return String::new();
    };
    // Above its reserve in a shared buffer, an input has a threshold that depends on the free space.
    let threshold = if spec.shared_buffer().is_some() { "reserve" } else { "xoff" };
    let mut table = Table::new(vec![
        Column::words("flow control of", 0),
        Column::figures(threshold, 1),
        Column::figures("headroom", 0),
        Column::figures("required", 0),
        Column::figures("port buffer", 2),
    ]);
    let bytes = |value: u64| quantity(Unit::Bytes, value as f64);
    for group in planned.groups() {
        let links =
            if group.count == 1 { String::new() } else { format!("{} ", things(group.count as u64, "link")) };
        table.row([
            format!("{links}{}", port(&group.name)),
            bytes(group.link.xoff_bytes),
            bytes(group.link.headroom_given_bytes),
            bytes(group.link.headroom_needed_bytes),
            bytes(group.link.buffer_bytes),
        ]);
    }
    let reserved = if spec.shared_buffer().is_some() { divided(spec) } else { reserved(&planned) };
    let remarks = remarks(reserved, &planned, screen);
    format!("\n{}{}{remarks}", table.render_folded(screen), items(&planned, screen))
}

/// The parts of the largest required headroom.
fn items(planned: &FlowControlSummary, screen: Screen) -> String {
    let groups = planned.groups();
    let Some(group) = groups.iter().rev().max_by_key(|group| group.link.headroom_needed_bytes) else {
        return String::new();
    };
    let title = format!("required by {}", port(&group.name));
    let mut table = Table::new(vec![Column::words(title, 0), Column::figures("headroom", 0)]);
    for (name, bytes) in group.link.items() {
        table.row([name.to_owned(), quantity(Unit::Bytes, bytes as f64)]);
    }
    format!("\n{}", table.render_folded(screen))
}

/// The sum over the inputs of the bridge that reserves the most.
fn reserved(planned: &FlowControlSummary) -> Option<String> {
    let bridge = planned.largest_bridge()?;
    Some(format!(
        "the inputs of `{}` reserve {} in all, thresholds and headroom of {}{}",
        plain(&bridge.name),
        at_most(Bytes::new(bridge.buffer_bytes)),
        things(bridge.links as u64, "link"),
        if planned.bridges.len() == 1 { "" } else { "; no bridge reserves more" },
    ))
}

/// The parts of the shared buffer of the bridge whose queues share the least.
fn divided(spec: &Spec) -> Option<String> {
    let budgets = shared_budgets(spec).ok()?;
    let budget = budgets.iter().min_by_key(|budget| budget.shared())?;
    let needed = match budget.oversubscribed() {
        Bytes::ZERO => String::new(),
        _ => format!("; in the worst case, its inputs need {} of headroom", at_most(budget.headroom_needed)),
    };
    Some(format!(
        "the buffer of `{}` is divided into reserves of {}, a headroom pool of {} and {} that all queues share{needed}{}",
        plain(&spec.topology.node_at(budget.bridge).name),
        at_most(budget.reserves),
        at_most(budget.headroom_pool),
        quantity(Unit::Bytes, budget.shared().unwrap_or(Bytes::ZERO).get() as f64),
        if budgets.len() == 1 { "" } else { "; no bridge shares less" },
    ))
}

/// The space that a bridge reserves, and the delays that the figures do not include.
fn remarks(reserved: Option<String>, planned: &FlowControlSummary, screen: Screen) -> String {
    let left_out = planned.left_out_text().map(|text| format!("the required headroom leaves out {text}"));
    let begin = if reserved.is_some() { "\n" } else { "" };
    let lines = reserved.into_iter().chain(left_out).map(|text| indented(&text, 0, screen.width));
    format!("{begin}{}", lines.collect::<String>())
}
