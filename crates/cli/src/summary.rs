//! A run on one screen.

mod entries;
mod groups;
mod jobs;
mod messages;
mod queues;
mod trees;

use setpoint_record::results::{RunRecord, Summary, TotalSummary, Unsettled};

use crate::terminal::{
    Column, Facts, Paint, Screen, Table, Unit, count, indented, plain, port as port_name, quantity, settling,
    things,
};

/// Maximum number of rows in a table; the report has all of them.
const LISTED: usize = 6;
/// Maximum length of a line of prose.
const PROSE: usize = 100;

/// The main figures for a run, laid out to fit the screen.
pub(crate) fn render(record: &RunRecord, screen: Screen) -> String {
    let (summary, paint) = (&record.summary, screen.paint);
    let mut text = format!("{}\n", paint.strong(&plain(&record.manifest.scenario)));
    text += &indented(&plain(&record.manifest.description), 0, screen.width.min(PROSE));
    text += "\n";
    let mut facts = facts(summary, paint);
    for note in record.manifest.warnings_of_run() {
        facts.add("note", [note.message.clone()]);
    }
    text += &facts.render(screen);
    text += &entries::render(summary, screen);
    text += &queues::render(summary, screen);
    text += &groups::render(summary, screen);
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
    if let Some(port) = summary.busiest_port() {
        let busy = format!("{} busy", quantity(Unit::Share, port.utilisation_share));
        facts.add("busiest link", [port_name(&port.name), busy]);
    }
    for (label, queue) in queues::longest(summary) {
        facts.add(label, queues::phrases(summary, queue));
    }
    facts.add("fairness", fairness(total));
    facts.add("loss", [loss(summary, paint)]);
    facts.add("failed links", failed_links(summary, paint));
    facts.add("marks", marks(summary));
    facts.add("notifications", notifications(summary));
    facts.add("acknowledgements", acknowledgements(summary));
    facts.add("culprit search", culprit_search(summary));
    facts.add("fabric", fabric(summary));
    facts.add("pauses", pauses(summary));
    facts.add("headroom", headroom(summary, paint));
    facts.add("shared buffer", shared_buffer(summary));
    facts.add("congestion", trees::congestion(summary));
    facts.add("victims", trees::victims(summary));
    for (label, phrases) in jobs::phrases(summary) {
        facts.add(label, phrases);
    }
    facts.add("messages", messages::phrases(summary));
    for (label, phrases) in messages::sizes(summary) {
        facts.add(label, phrases);
    }
    facts.add("early messages", messages::early(summary));
    facts.add("late messages", messages::late(summary));
    facts.add("query", messages::query(summary));
    facts
}

/// The measurement interval, if that is not the whole run.
fn measured(summary: &Summary) -> Vec<String> {
    let seconds = |at| quantity(Unit::Seconds, at);
    let range = format!("from {} to {}", seconds(summary.measure_from_s), seconds(summary.duration_s));
    let exceptions = "\"(whole run)\" marks exceptions";
    summary.skips_beginning().then(|| format!("{range}; {exceptions}")).into_iter().collect()
}

/// Marks a figure that covers the whole run, if the others do not.
fn whole_run(summary: &Summary, text: &str) -> String {
    if summary.skips_beginning() { format!("{text} (whole run)") } else { text.to_owned() }
}

fn fairness(total: &TotalSummary) -> Vec<String> {
    let index = |words: &str, value: Option<f64>| {
        value.map_or_else(String::new, |value| format!("{words} {}", quantity(Unit::Ratio, value)))
    };
    let window = quantity(Unit::Seconds, total.jain_window_s);
    vec![
        index("Jain's index", total.jain_index),
        index(&format!("in windows of {window} mean"), total.jain_index_windowed_mean),
        index("min", total.jain_index_windowed_min),
    ]
}

fn loss(summary: &Summary, paint: Paint) -> String {
    let total = &summary.total;
    match (total.dropped_frames, total.lossless) {
        (0, true) => paint.good("none, as flow control promises"),
        (0, false) => paint.good("none"),
        (dropped, _) => {
            let share = quantity(Unit::Share, total.loss_share);
            paint.bad(&whole_run(summary, &format!("{}, {share} of all", things(dropped, "frame"))))
        }
    }
}

/// The links that failed, and the frames that they lost.
fn failed_links(summary: &Summary, paint: Paint) -> Vec<String> {
    if summary.failed_links.is_empty() {
        return Vec::new();
    }
    let lost = summary.total.lost_on_links_frames;
    let text = whole_run(summary, &format!("{} lost", things(lost, "frame")));
    let links = match &summary.failed_links[..] {
        [one] => port_name(&one.link),
        several => things(several.len() as u64, "link"),
    };
    vec![links, if lost > 0 { paint.bad(&text) } else { text }]
}

/// The frames that bridges marked, if the algorithm marks frames.
fn marks(summary: &Summary) -> Vec<String> {
    let Some(marked) = summary.total.marked_frames else { return Vec::new() };
    if marked == 0 {
        return vec!["none".to_owned()];
    }
    let sent: u64 = summary.flows.iter().map(|flow| flow.sent_frames).sum();
    let share = quantity(Unit::Share, marked as f64 / sent as f64);
    vec![things(marked, "frame"), whole_run(summary, &format!("{share} of those sent"))]
}

fn notifications(summary: &Summary) -> Vec<String> {
    if summary.total.marked_frames.is_some() {
        // Receivers send them.
        let received: u64 = summary.flows.iter().map(|flow| flow.notifications).sum();
        let overhead = quantity(Unit::Ratio, summary.total.feedback_overhead);
        return match received {
            0 => vec!["none".to_owned()],
            _ => vec![count(received), whole_run(summary, &format!("{overhead} per data frame"))],
        };
    }
    match summary.total.notifications {
        0 => vec!["none".to_owned()],
        sent => {
            let ratio = quantity(Unit::Ratio, summary.total.notifications_per_frame);
            vec![count(sent), whole_run(summary, &format!("{ratio} per data frame"))]
        }
    }
}

/// The acknowledgements that reached sources, if there were any.
fn acknowledgements(summary: &Summary) -> Vec<String> {
    let total = &summary.total;
    let (Some(number), Some(share)) = (total.acknowledgements, total.acknowledgement_share) else {
        return Vec::new();
    };
    let load = whole_run(summary, &format!("{} of the bytes sent", quantity(Unit::Share, share)));
    let round_trip =
        total.round_trip_mean_s.map(|mean| format!("mean round trip {}", quantity(Unit::Seconds, mean)));
    [count(number), load].into_iter().chain(round_trip).collect()
}

/// The cost of finding the flows to notify, for congestion points at inputs.
fn culprit_search(summary: &Summary) -> Vec<String> {
    let Some(culprits) = summary.culprits() else { return Vec::new() };
    let reads = quantity(Unit::Ratio, culprits.reads_per_search);
    let fallbacks = if culprits.fallbacks == 0 { "none".to_owned() } else { count(culprits.fallbacks) };
    vec![
        things(culprits.searches, "notification"),
        format!("{reads} reads each"),
        whole_run(summary, &format!("{fallbacks} fell back")),
    ]
}

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
        whole_run(summary, &format!("{} resequenced", things(fabric.resequenced_frames, "frame"))),
    ]
}

/// The link that used the largest share of its headroom.
fn headroom(summary: &Summary, paint: Paint) -> Vec<String> {
    let link = summary.flow_control.as_ref().and_then(|control| control.most_used());
    let Some(link) = link.filter(|link| link.headroom_used_bytes > 0) else { return Vec::new() };
    let bytes = |value: u64| quantity(Unit::Bytes, value as f64);
    let used = format!(
        "{} of {} used by {}",
        bytes(link.headroom_used_bytes),
        bytes(link.headroom_given_bytes),
        port_name(&link.port)
    );
    let short = (link.headroom_given_bytes < link.headroom_needed_bytes)
        .then(|| paint.bad(&format!("{} needed", bytes(link.headroom_needed_bytes))));
    [whole_run(summary, &used)].into_iter().chain(short).collect()
}

/// The shared buffer that was used most, and the limits that acted on it.
fn shared_buffer(summary: &Summary) -> Vec<String> {
    let fullest =
        summary.shared_buffers.iter().rev().max_by(|a, b| a.used_share().total_cmp(&b.used_share()));
    let Some(buffer) = fullest else { return Vec::new() };
    let bytes = |value: u64| quantity(Unit::Bytes, value as f64);
    let shared = format!(
        "{} of {} shared used by {}",
        bytes(buffer.shared_peak_bytes),
        bytes(buffer.shared_bytes),
        plain(&buffer.name)
    );
    let pool = format!("{} of {} headroom", bytes(buffer.headroom_peak_bytes), bytes(buffer.headroom_bytes));
    let limits = [
        (buffer.pauses, "pauses at the threshold"),
        (buffer.dropped_above_threshold_frames, "frames dropped at the threshold"),
        (buffer.dropped_by_full_pool_frames, "frames dropped by the full pool"),
    ];
    let acted = limits.into_iter().filter(|(times, _)| *times > 0);
    let acted = acted.map(|(times, what)| format!("{} {what}", count(times)));
    let headroom = (buffer.headroom_bytes > 0).then_some(pool);
    [whole_run(summary, &shared)].into_iter().chain(headroom).chain(acted).collect()
}

/// The number of pauses covers the whole run; their duration covers the measurement interval.
fn pauses(summary: &Summary) -> Vec<String> {
    let (pauses, time) = (summary.pauses(), quantity(Unit::Seconds, summary.total.paused_s));
    let time = match (summary.skips_beginning(), summary.total.paused_s > 0.0) {
        _ if pauses == 0 => return vec!["none".to_owned()],
        (false, _) => format!("{time} summed over the ports"),
        (true, true) => format!("{time} in the measurement interval, summed over the ports"),
        (true, false) => "none in the measurement interval".to_owned(),
    };
    vec![whole_run(summary, &count(pauses)), time]
}

fn events(record: &RunRecord, screen: Screen) -> String {
    let events = &record.summary.events_at;
    let unsettled = record.summary.why_nothing_settles();
    let settles = unsettled.is_none();
    let mut columns = vec![Column::figures("at", 0), Column::words("event", 0)];
    columns.extend(settles.then(|| Column::figures("queue settled", 0)));
    let mut table = Table::new(columns);
    for event in events {
        let mut cells = vec![quantity(Unit::Seconds, event.at_s), port_name(&event.label)];
        cells.extend(settles.then(|| settling(event.settling, record.sample_interval())));
        table.row(cells);
    }
    table.render(screen).0 + &remark(unsettled.map_or(SETTLED, Unsettled::sentence), screen)
}

const SETTLED: &str = "settled: the mean queue over every 10 ms (or a tenth of the time to the next event) stays within 10 % of the \
                       set point";

/// A remark below a table.
fn remark(text: &str, screen: Screen) -> String {
    let lines = indented(text, 0, screen.width);
    lines.lines().map(|line| format!("{}\n", screen.paint.faint(line))).collect()
}

/// The number of rows that a table leaves out; empty if it shows all.
fn left_out(rows: usize, [one, several]: [&str; 2], screen: Screen) -> String {
    match rows {
        0 => String::new(),
        1 => remark(&format!("and 1 more {one}, in the report"), screen),
        rows => remark(&format!("and {} more {several}, in the report", count(rows as u64)), screen),
    }
}
