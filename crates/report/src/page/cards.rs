//! The row of key figures.

use setpoint_record::catalogue::QUERY_COMPLETION;
use setpoint_record::results::{Frames, RunRecord};

use crate::figures::{port_text, quantile};
use crate::words::central_port;
use setpoint_units::quantity::Unit;

/// A key figure.
pub(super) struct Card {
    pub(super) label: &'static str,
    pub(super) value: String,
    pub(super) note: String,
    /// Whether it indicates a problem.
    pub(super) alarm: bool,
}

fn card(label: &'static str, value: String, note: String) -> Card {
    Card { label, value, note, alarm: false }
}

/// The key figures that a run has, in a fixed order.
pub(super) fn cards(record: &RunRecord) -> Vec<Card> {
    let total = &record.summary.total;
    let mut cards = Vec::new();
    let count = record.summary.flows.len();
    let senders = record.summary.senders();
    let of = if senders == count { String::new() } else { format!("{senders} of ") };
    let note = format!("{of}{}", things(count, "flow"));
    cards.push(card("Throughput", Unit::BitsPerSecond.text(total.throughput_bps), note));
    if let Some(port) = central_port(record) {
        cards.push(card("Utilisation", Unit::Share.text(port.utilisation_share), port_text(&port.name)));
    }
    cards.extend(queue_cards(record));
    if let Some(index) = total.jain_index.filter(|_| count > 1) {
        let note = total.jain_index_windowed_min.map_or(String::new(), |worst| {
            format!("min {} over {}", Unit::Ratio.text(worst), Unit::Seconds.text(total.jain_window_s))
        });
        cards.push(card("Fairness (Jain)", Unit::Ratio.text(index), note));
    }
    cards.extend(messages(record));
    cards.extend(query(record));
    if total.notifications > 0 {
        let ratio = Unit::Ratio.text(total.notifications_per_frame);
        let note = format!("{ratio} per data frame{}", whole_run(record));
        cards.push(card("Notifications", Unit::Count.text(total.notifications as f64), note));
    }
    cards.push(losses(record));
    cards.extend(pauses(record));
    cards
}

/// The median completion time, with the number of messages that were not completed.
fn messages(record: &RunRecord) -> Option<Card> {
    let messages = record.summary.messages.as_ref()?.judged()?;
    let at = |probability| messages.fct_at(probability).map(|time| Unit::Seconds.bounded_text(time));
    let tail = at(0.99).filter(|_| messages.count() > 1);
    let tail = tail.map_or_else(|| "one message only".to_owned(), |tail| format!("99th percentile {tail}"));
    let missing = match messages.not_completed() {
        0 => String::new(),
        missing => format!("; {} of {} not completed", missing, things(messages.count() as usize, "message")),
    };
    let median = at(0.5).unwrap_or_else(|| "–".to_owned());
    // Some messages are always in progress when a run ends.
    let alarm = messages.damaged > 0 || messages.fct_at(0.5).is_none_or(|median| median.is_lower_bound);
    Some(Card { alarm, ..card("Median completion", median, tail + &missing) })
}

/// The longest query.
fn query(record: &RunRecord) -> Option<Card> {
    let queries = record.summary.entries.iter().filter(|entry| entry.query_completion().is_some());
    let completion = QUERY_COMPLETION.of_summary(&record.summary)?;
    let note = match queries.clone().count() {
        1 => queries.map(|entry| format!("{}, {}", entry.name, things(entry.flows, "message"))).collect(),
        count => format!("the longest of {count} queries"),
    };
    let text = Unit::Seconds.bounded_text(completion);
    Some(Card { alarm: completion.is_lower_bound, ..card("Query completion", text, note) })
}

/// Marks a figure that covers the whole run, if other figures do not.
fn whole_run(record: &RunRecord) -> &'static str {
    if record.summary.skips_beginning() { ", whole run" } else { "" }
}

/// The time covers the measured part; the number of pauses covers the whole run.
fn pauses(record: &RunRecord) -> Option<Card> {
    let (total, ports) = (&record.summary.total, &record.summary.ports);
    let pauses = record.summary.pauses();
    if total.paused_s > 0.0 {
        let paused = ports.iter().filter(|port| port.paused_share > 0.0).count();
        let note = format!("summed over {}", things(paused, "port"));
        return Some(card("Paused", Unit::Seconds.text(total.paused_s), note));
    }
    let note = format!("{} before the measurement interval", things(pauses as usize, "pause"));
    (pauses > 0).then(|| card("Paused", Unit::Seconds.text(0.0), note))
}

fn things(count: usize, one: &str) -> String {
    format!("{} {one}{}", Unit::Count.text(count as f64), if count == 1 { "" } else { "s" })
}

fn queue_cards(record: &RunRecord) -> Vec<Card> {
    let Some(queue) = record.summary.queues.first() else { return Vec::new() };
    let note = queue
        .set_point_bytes
        .map_or(port_text(&queue.name), |point| format!("set point {}", Unit::Bytes.text(point as f64)));
    let high = quantile(&queue.quantiles, 0.99).unwrap_or(f64::NAN);
    let peak = format!("peak {}{}", Unit::Bytes.text(queue.peak_bytes as f64), whole_run(record));
    vec![
        card("Mean queue", Unit::Bytes.text(queue.mean_bytes), note),
        card("Queue, 99th percentile", Unit::Bytes.text(high), peak),
    ]
}

fn losses(record: &RunRecord) -> Card {
    let total = &record.summary.total;
    if record.manifest.frames == Frames::Station {
        return card("Frames lost", "–".into(), "a station cannot observe which frames arrive".into());
    }
    let on_links = total.lost_on_links_frames;
    let note = match (total.dropped_frames, total.lossless) {
        _ if on_links > 0 => format!("and {} on failed links", Unit::Count.text(on_links as f64)),
        (0, true) => "lossless by design".into(),
        (0, false) => "drops were allowed".into(),
        _ => format!("{} of those sent{}", Unit::Share.text(total.loss_share), whole_run(record)),
    };
    Card {
        alarm: total.dropped_frames + on_links > 0,
        ..card("Frames lost", Unit::Count.text(total.dropped_frames as f64), note)
    }
}
