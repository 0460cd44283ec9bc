//! Queues, in one line each and in a table.

use setpoint_record::results::{QueueSummary, Side, Summary};

use super::{LISTED, left_out, remark, whole_run};
use crate::terminal::{Column, Screen, Table, Unit, count, port, quantity};

/// Maximum number of queues shown on each side of a bridge with input buffers.
const LISTED_PER_SIDE: usize = 4;

/// The longest queue; in bridges with input buffers, the longest on each side.
pub(super) fn longest(summary: &Summary) -> Vec<(&'static str, &QueueSummary)> {
    let of = |side| summary.queues.iter().find(move |queue| queue.side == side);
    let longest = match of(Side::Input) {
        None => vec![("longest queue", of(Side::Output))],
        input => vec![("longest input", input), ("longest output", of(Side::Output))],
    };
    let found = longest.into_iter().filter_map(|(label, queue)| Some((label, queue?)));
    found.filter(|(_, queue)| queue.peak_bytes > 0).collect()
}

/// The figures for a queue in a line.
pub(super) fn phrases(summary: &Summary, queue: &QueueSummary) -> Vec<String> {
    let set_point = queue.set_point_bytes.map(|set_point| format!("set point {}", bytes(set_point as f64)));
    vec![
        port(&queue.name),
        format!("mean {}", bytes(queue.mean_bytes)),
        set_point.unwrap_or_default(),
        format!("deviation {}", bytes(queue.deviation_bytes)),
        queue.p99().map_or_else(String::new, |p99| format!("99th percentile {}", bytes(p99))),
        whole_run(summary, &format!("peak {}", bytes(queue.peak_bytes as f64))),
    ]
}

/// The queues in use as a table, if there are two or more.
pub(super) fn render(summary: &Summary, screen: Screen) -> String {
    let used: Vec<&QueueSummary> = summary.queues.iter().filter(|queue| queue.mean_bytes > 0.0).collect();
    if used.len() < 2 {
        return String::new();
    }
    let mut text = format!("\n{}", table(&used, screen));
    if summary.skips_beginning() {
        text += &remark("peak, notifications and dropped: whole run", screen);
    }
    text
}

fn table(queues: &[&QueueSummary], screen: Screen) -> String {
    let dropped = queues.iter().any(|queue| queue.dropped_frames > 0);
    let mut columns = vec![
        Column::words("queue (port/priority)", 0),
        Column::figures("mean", 0),
        Column::figures("deviation", 3),
        Column::figures("99th pct", 1),
        Column::figures("peak", 2),
        Column::figures("notifications", 4),
    ];
    // Losses are never left out.
    columns.extend(dropped.then(|| Column::figures("dropped", 0)));
    let mut table = Table::new(columns);
    let listed = listed(queues);
    for queue in &listed {
        let mut cells = vec![
            port(&queue.name),
            bytes(queue.mean_bytes),
            bytes(queue.deviation_bytes),
            queue.p99().map_or_else(String::new, bytes),
            bytes(queue.peak_bytes as f64),
            count(queue.notifications),
        ];
        cells.extend(dropped.then(|| count(queue.dropped_frames)));
        table.row(cells);
    }
    table.render(screen).0 + &left_out(queues.len() - listed.len(), ["queue", "queues"], screen)
}

/// The longest queues; in bridges with input buffers, the longest on each side, so that neither hides the other.
fn listed<'a>(queues: &[&'a QueueSummary]) -> Vec<&'a QueueSummary> {
    if queues.iter().all(|queue| queue.side.is_output()) {
        return queues.iter().copied().take(LISTED).collect();
    }
    let of = |side| queues.iter().copied().filter(move |queue| queue.side == side).take(LISTED_PER_SIDE);
    of(Side::Input).chain(of(Side::Output)).collect()
}

fn bytes(value: f64) -> String {
    quantity(Unit::Bytes, value)
}
