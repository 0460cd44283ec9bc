//! A run on one screen.

use setpoint_lab::results::{MessageSummary, PortSummary, QueueSummary, RunRecord, Summary, TotalSummary};

use crate::terminal::{Column, Facts, Paint, Screen, Table, Unit, count, indented, plain, quantity, things};

/// Most queues that are listed; the report has all of them.
const LISTED: usize = 6;
/// Lines of prose are not longer than this.
const PROSE: usize = 100;

/// The figures of a run that matter most, to fit the screen.
pub(crate) fn render(record: &RunRecord, screen: Screen) -> String {
    let (summary, paint) = (&record.summary, screen.paint);
    let mut text = format!("{}\n", paint.strong(&plain(&record.manifest.scenario)));
    text += &indented(&plain(&record.manifest.description), 0, screen.width.min(PROSE));
    text += "\n";
    text += &facts(summary, paint).render(screen);
    let used: Vec<&QueueSummary> = summary.queues.iter().filter(|queue| queue.mean_bytes > 0.0).collect();
    if used.len() > 1 {
        text += &format!("\n{}", queues(&used, screen));
    }
    if !summary.events_at.is_empty() {
        text += &format!("\n{}", events(summary, screen));
    }
    text
}

fn facts(summary: &Summary, paint: Paint) -> Facts {
    let total = &summary.total;
    let mut facts = Facts::new();
    let flows = things(summary.flows.len() as u64, "flow");
    facts.add("throughput", [quantity(Unit::BitsPerSecond, total.throughput_bps), flows]);
    if let Some(port) = busiest_port(summary) {
        let busy = format!("{} busy", quantity(Unit::Share, port.utilisation_share));
        facts.add("bottleneck", [plain(&port.name), busy]);
    }
    if let Some(queue) = summary.queues.first() {
        facts.add("queue", queue_phrases(queue));
    }
    facts.add("fairness", fairness(total));
    facts.add("loss", [loss(total, paint)]);
    facts.add("notifications", notifications(total));
    facts.add("pauses", pauses(summary));
    if let Some(messages) = &summary.messages {
        facts.add("messages", message_phrases(messages));
    }
    facts
}

/// The port of the longest queue or, without queues, the one that sent longest.
fn busiest_port(summary: &Summary) -> Option<&PortSummary> {
    let of_queue =
        summary.queues.first().and_then(|queue| summary.ports.iter().find(|port| port.name == queue.port));
    let busiest = || summary.ports.iter().max_by(|a, b| a.utilisation_share.total_cmp(&b.utilisation_share));
    of_queue.or_else(busiest)
}

fn queue_phrases(queue: &QueueSummary) -> Vec<String> {
    let bytes = |value| quantity(Unit::Bytes, value);
    let set_point = queue.set_point_bytes.map(|set_point| format!("set point {}", bytes(set_point as f64)));
    vec![
        format!("mean {}", bytes(queue.mean_bytes)),
        set_point.unwrap_or_default(),
        format!("deviation {}", bytes(queue.deviation_bytes)),
        p99(queue).map_or_else(String::new, |p99| format!("99 % below {}", bytes(p99))),
        format!("peak {}", bytes(queue.peak_bytes as f64)),
    ]
}

/// The length that the queue was below for 99 % of the time.
fn p99(queue: &QueueSummary) -> Option<f64> {
    setpoint_lab::metrics::quantile::at(&queue.quantiles, 0.99)
}

fn fairness(total: &TotalSummary) -> Vec<String> {
    let index = |words: &str, value: Option<f64>| {
        value.map_or_else(String::new, |value| format!("{words} {}", quantity(Unit::Ratio, value)))
    };
    let window = quantity(Unit::Seconds, total.jain_window_s);
    vec![
        index("Jain's index", total.jain_index),
        index(&format!("in windows of {window} mean"), total.jain_index_windowed_mean),
        index("least", total.jain_index_windowed_min),
    ]
}

fn loss(total: &TotalSummary, paint: Paint) -> String {
    match (total.dropped_frames, total.lossless) {
        (0, true) => paint.good("none, as flow control promises"),
        (0, false) => paint.good("none"),
        (dropped, _) => {
            let frames = things(dropped, "frame");
            paint.bad(&format!("{frames}, {} of all", quantity(Unit::Share, total.loss_share)))
        }
    }
}

fn notifications(total: &TotalSummary) -> Vec<String> {
    match total.notifications {
        0 => vec!["none".to_owned()],
        sent => {
            let share = quantity(Unit::Share, total.notification_overhead_share);
            vec![count(sent), format!("{share} of data frames")]
        }
    }
}

fn pauses(summary: &Summary) -> Vec<String> {
    match summary.ports.iter().map(|port| port.pauses).sum() {
        0 => vec!["none".to_owned()],
        pauses => {
            vec![count(pauses), format!("{} over all ports", quantity(Unit::Seconds, summary.total.paused_s))]
        }
    }
}

fn message_phrases(messages: &MessageSummary) -> Vec<String> {
    let at = |quantiles: &[(f64, f64)], share| setpoint_lab::metrics::quantile::at(quantiles, share);
    let mut phrases = vec![format!("{} completed", count(messages.completed))];
    if let Some(all) = messages.classes.first().filter(|class| class.count > 0) {
        phrases.push(format!("mean {}", quantity(Unit::Seconds, all.fct_mean_s)));
        let slowdown = |words: &str, share| {
            at(&all.slowdown_quantiles, share)
                .map_or_else(String::new, |value| format!("{words} {}", quantity(Unit::Ratio, value)))
        };
        phrases.extend([slowdown("median slowdown", 0.5), slowdown("99 % below", 0.99)]);
    }
    phrases.push(format!("{} unfinished", count(messages.unfinished)));
    phrases
}

fn queues(queues: &[&QueueSummary], screen: Screen) -> String {
    let dropped = queues.iter().any(|queue| queue.dropped_frames > 0);
    let mut columns = vec![
        Column::words("queue (port/priority)", 0),
        Column::figures("mean", 0),
        Column::figures("deviation", 3),
        Column::figures("99 % below", 1),
        Column::figures("peak", 2),
        Column::figures("notifications", 4),
    ];
    // A loss is never left out.
    columns.extend(dropped.then(|| Column::figures("dropped", 0)));
    let mut table = Table::new(columns);
    let bytes = |value| quantity(Unit::Bytes, value);
    for queue in queues.iter().take(LISTED) {
        let mut cells = vec![
            queue.name.clone(),
            bytes(queue.mean_bytes),
            bytes(queue.deviation_bytes),
            p99(queue).map_or_else(String::new, bytes),
            bytes(queue.peak_bytes as f64),
            count(queue.notifications),
        ];
        cells.extend(dropped.then(|| count(queue.dropped_frames)));
        table.row(cells);
    }
    let (mut text, _) = table.render(screen);
    if let Some(more @ 1..) = queues.len().checked_sub(LISTED) {
        let line = format!("and {}, in the report", things(more as u64, "more queue"));
        text += &format!("{}\n", screen.paint.faint(&line));
    }
    text
}

/// Less than a sample interval counts as none.
fn settling(seconds: f64) -> String {
    if seconds == 0.0 { "at once".to_owned() } else { quantity(Unit::Seconds, seconds) }
}

fn events(summary: &Summary, screen: Screen) -> String {
    let mut table = Table::new(vec![
        Column::figures("at", 0),
        Column::words("event", 0),
        Column::figures("settled after", 0),
    ]);
    for event in &summary.events_at {
        let settling = event.settling_s.map_or_else(|| "-".to_owned(), settling);
        table.row([quantity(Unit::Seconds, event.at_s), event.label.clone(), settling]);
    }
    table.render(screen).0
}
