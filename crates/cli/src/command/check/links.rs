//! The links under flow control, and the buffer that each needs at the bridge it feeds.

use setpoint_record::results::FlowControlSummary;
use setpoint_scenario::at_most;
use setpoint_sim::Spec;
use setpoint_units::Bytes;

use crate::terminal::{Column, Screen, Table, Unit, indented, plain, port, quantity, things};

/// A table of links, with equal links in one row; empty without flow control.
pub(super) fn table(spec: &Spec, screen: Screen) -> String {
    let Some(planned) = FlowControlSummary::planned(spec).filter(|planned| !planned.links.is_empty()) else {
        return String::new();
    };
    // Above its reserve in a shared buffer, an input has a threshold that depends on the free space.
    let (threshold, thresholds) =
        if spec.shared_buffer().is_some() { ("reserve", "reserves") } else { ("xoff", "thresholds") };
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
    format!(
        "\n{}{}{}",
        table.render_folded(screen),
        items(&planned, screen),
        remarks(&planned, thresholds, screen)
    )
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

/// The sum over the inputs of a bridge, and the delays that the figures do not include.
fn remarks(planned: &FlowControlSummary, thresholds: &str, screen: Screen) -> String {
    let reserved = planned.largest_bridge().map(|bridge| {
        format!(
            "the inputs of `{}` reserve {} in all, {thresholds} and headroom of {}{}",
            plain(&bridge.name),
            at_most(Bytes::new(bridge.buffer_bytes)),
            things(bridge.links as u64, "link"),
            if planned.bridges.len() == 1 { "" } else { "; no bridge reserves more" },
        )
    });
    let left_out = planned.left_out_text().map(|text| format!("the required headroom leaves out {text}"));
    let begin = if reserved.is_some() { "\n" } else { "" };
    let lines = reserved.into_iter().chain(left_out).map(|text| indented(&text, 0, screen.width));
    format!("{begin}{}", lines.collect::<String>())
}
