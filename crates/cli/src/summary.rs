//! A run on one screen.

mod groups;
mod messages;
mod trees;

use setpoint_lab::results::{
    CulpritSummary, PortSummary, QueueSummary, RunRecord, Settling, Side, Summary, TotalSummary, Unsettled,
};

use crate::terminal::{
    Column, Facts, Paint, Screen, Table, Unit, count, indented, plain, quantity, settling, things,
};

/// Most queues that are listed; the report has all of them.
const LISTED: usize = 6;
/// Most queues of each side of a bridge, where there are input buffers too.
const LISTED_OF_A_SIDE: usize = 4;
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
        if summary.measure_from_s > 0.0 {
            text += &remark("peak, notifications and dropped: whole run", screen);
        }
    }
    if !summary.groups.is_empty() {
        text += &groups::render(summary, screen);
    }
    if !summary.events_at.is_empty() {
        text += &format!("\n{}", events(record, screen));
    }
    text
}

fn facts(summary: &Summary, paint: Paint) -> Facts {
    let total = &summary.total;
    let mut facts = Facts::new();
    facts.add("DEADLOCK", trees::deadlock(summary, paint));
    facts.add("measured", measured(summary));
    let flows = things(summary.flows.len() as u64, "flow");
    facts.add("throughput", [quantity(Unit::BitsPerSecond, total.throughput_bps), flows]);
    if let Some(port) = busiest_link(summary) {
        let busy = format!("{} busy", quantity(Unit::Share, port.utilisation_share));
        facts.add("busiest link", [plain(&port.name), busy]);
    }
    for (label, queue) in longest(summary) {
        facts.add(label, queue_phrases(summary, queue));
    }
    facts.add("fairness", fairness(total));
    facts.add("loss", [loss(summary, paint)]);
    facts.add("notifications", notifications(summary));
    facts.add("culprit search", culprit_search(summary));
    facts.add("fabric", fabric(summary));
    facts.add("pauses", pauses(summary));
    facts.add("headroom", headroom(summary, paint));
    facts.add("congestion", trees::congestion(summary));
    facts.add("victims", trees::victims(summary));
    facts.add("messages", messages::phrases(summary));
    facts.add("early messages", messages::early(summary));
    facts
}

/// The longest queue; of each side of a bridge, where there are input buffers.
fn longest(summary: &Summary) -> Vec<(&'static str, &QueueSummary)> {
    let of = |side| summary.queues.iter().find(move |queue| queue.side == side);
    let longest = match of(Side::Input) {
        None => vec![("longest queue", of(Side::Output))],
        input => vec![("longest input", input), ("longest output", of(Side::Output))],
    };
    let used = |(label, queue): (_, Option<_>)| Some((label, queue?));
    longest
        .into_iter()
        .filter_map(used)
        .filter(|(_, queue): &(_, &QueueSummary)| queue.peak_bytes > 0)
        .collect()
}

/// The measured time, if that is not the whole run.
fn measured(summary: &Summary) -> Vec<String> {
    if summary.measure_from_s <= 0.0 {
        return Vec::new();
    }
    let seconds = |at| quantity(Unit::Seconds, at);
    let range = format!("from {} to {}", seconds(summary.measure_from_s), seconds(summary.duration_s));
    vec![range, "but for what is marked (whole run)".to_owned()]
}

/// Marks what covers the whole run, where the rest does not.
fn whole_run(summary: &Summary, text: &str) -> String {
    if summary.measure_from_s > 0.0 { format!("{text} (whole run)") } else { text.to_owned() }
}

/// The port that sent longest, the first of equals.
fn busiest_link(summary: &Summary) -> Option<&PortSummary> {
    summary.ports.iter().rev().max_by(|a, b| a.utilisation_share.total_cmp(&b.utilisation_share))
}

fn queue_phrases(summary: &Summary, queue: &QueueSummary) -> Vec<String> {
    let bytes = |value| quantity(Unit::Bytes, value);
    let set_point = queue.set_point_bytes.map(|set_point| format!("set point {}", bytes(set_point as f64)));
    vec![
        plain(&queue.name),
        format!("mean {}", bytes(queue.mean_bytes)),
        set_point.unwrap_or_default(),
        format!("deviation {}", bytes(queue.deviation_bytes)),
        p99(queue).map_or_else(String::new, |p99| format!("99 % below {}", bytes(p99))),
        whole_run(summary, &format!("peak {}", bytes(queue.peak_bytes as f64))),
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

fn loss(summary: &Summary, paint: Paint) -> String {
    let total = &summary.total;
    match (total.dropped_frames, total.lossless) {
        (0, true) => paint.good("none, as flow control promises"),
        (0, false) => paint.good("none"),
        (dropped, _) => {
            let lost =
                format!("{}, {} of all", things(dropped, "frame"), quantity(Unit::Share, total.loss_share));
            paint.bad(&whole_run(summary, &lost))
        }
    }
}

fn notifications(summary: &Summary) -> Vec<String> {
    match summary.total.notifications {
        0 => vec!["none".to_owned()],
        sent => {
            let ratio = quantity(Unit::Ratio, summary.total.notifications_per_frame);
            vec![count(sent), whole_run(summary, &format!("{ratio} per data frame"))]
        }
    }
}

/// What it cost to find the flows that congestion points at inputs told.
fn culprit_search(summary: &Summary) -> Vec<String> {
    let culprits = || summary.queues.iter().filter_map(|queue| queue.culprits.as_ref());
    let sum = |of: fn(&CulpritSummary) -> u64| culprits().map(of).sum::<u64>();
    let (searches, fallbacks) = (sum(|culprits| culprits.searches), sum(|culprits| culprits.fallbacks));
    if searches == 0 {
        return Vec::new();
    }
    let reads = quantity(Unit::Ratio, sum(|culprits| culprits.reads) as f64 / searches as f64);
    let fell_back = if fallbacks == 0 { "none".to_owned() } else { count(fallbacks) };
    vec![
        things(searches, "notification"),
        format!("{reads} reads each"),
        whole_run(summary, &format!("{fell_back} fell back")),
    ]
}

/// Cells, and what of them had to wait.
fn fabric(summary: &Summary) -> Vec<String> {
    let Some(fabric) = &summary.fabric else { return Vec::new() };
    let share = |waited: u64| quantity(Unit::Share, waited as f64 / fabric.cells as f64);
    vec![
        things(fabric.cells, "cell"),
        format!(
            "{} waited at leaves and {} at spines",
            share(fabric.waited_at_leaves),
            share(fabric.waited_at_spines)
        ),
        whole_run(summary, &format!("{} put into order", things(fabric.resequenced_frames, "frame"))),
    ]
}

/// The pauses are those of the whole run, their time that of the measured part.
/// The link that used the largest share of its headroom.
fn headroom(summary: &Summary, paint: Paint) -> Vec<String> {
    let link = summary.flow_control.as_ref().and_then(|control| control.most_used());
    let Some(link) = link.filter(|link| link.headroom_used_bytes > 0) else { return Vec::new() };
    let bytes = |value: u64| quantity(Unit::Bytes, value as f64);
    let used = format!(
        "{} of {} used by {}",
        bytes(link.headroom_used_bytes),
        bytes(link.headroom_given_bytes),
        plain(&link.port)
    );
    let short = (link.headroom_given_bytes < link.headroom_needed_bytes)
        .then(|| paint.bad(&format!("{} needed", bytes(link.headroom_needed_bytes))));
    [whole_run(summary, &used)].into_iter().chain(short).collect()
}

fn pauses(summary: &Summary) -> Vec<String> {
    let pauses = summary.ports.iter().map(|port| port.pauses).sum();
    let time = quantity(Unit::Seconds, summary.total.paused_s);
    match (pauses, summary.measure_from_s > 0.0) {
        (0, _) => vec!["none".to_owned()],
        (pauses, false) => vec![count(pauses), format!("{time} summed over the ports")],
        (pauses, true) if summary.total.paused_s > 0.0 => {
            vec![
                whole_run(summary, &count(pauses)),
                format!("{time} of the measured time, summed over the ports"),
            ]
        }
        (pauses, true) => vec![whole_run(summary, &count(pauses)), "none in the measured time".to_owned()],
    }
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
    let listed = listed(queues);
    for queue in &listed {
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
    if let Some(more @ 1..) = queues.len().checked_sub(listed.len()) {
        let line = format!("and {}, in the report", things(more as u64, "more queue"));
        text += &format!("{}\n", screen.paint.faint(&line));
    }
    text
}

/// The longest queues; of each side, where there are input buffers, so that neither hides the other.
fn listed<'a>(queues: &[&'a QueueSummary]) -> Vec<&'a QueueSummary> {
    if queues.iter().all(|queue| queue.side.is_output()) {
        return queues.iter().copied().take(LISTED).collect();
    }
    let of = |side| queues.iter().copied().filter(move |queue| queue.side == side).take(LISTED_OF_A_SIDE);
    of(Side::Input).chain(of(Side::Output)).collect()
}

fn events(record: &RunRecord, screen: Screen) -> String {
    let events = &record.summary.events_at;
    let nothing_to_settle = Settling::NotSettled(Unsettled::NoSetPoint);
    let settles = events.iter().any(|event| event.settling != nothing_to_settle);
    let mut columns = vec![Column::figures("at", 0), Column::words("event", 0)];
    columns.extend(settles.then(|| Column::figures("queue settled", 0)));
    let mut table = Table::new(columns);
    let interval = record.series.time_s.first().copied().unwrap_or(0.0);
    for event in events {
        let mut cells = vec![quantity(Unit::Seconds, event.at_s), event.label.clone()];
        cells.extend(settles.then(|| settling(event.settling, interval)));
        table.row(cells);
    }
    let remark = if settles { remark(SETTLED, screen) } else { String::new() };
    table.render(screen).0 + &remark
}

const SETTLED: &str = "settled: the mean queue over every 10 ms (or a tenth of the time to the next event) stays within 10 % of the \
                       set point";

/// What is to be known about a table, below it.
fn remark(text: &str, screen: Screen) -> String {
    let lines = indented(text, 0, screen.width);
    lines.lines().map(|line| format!("{}\n", screen.paint.faint(line))).collect()
}
