//! A run in words: one paragraph generated from the figures, valid for every run.
//!
//! Each sentence is a function that returns `None` if it does not apply. The text states only what the record proves:
//! flows share a port only if the network has no other path for them (`crossing`).

mod crossing;
mod messages;
pub mod trees;

use setpoint_record::results::{EventSummary, Frames, QueueSummary, RunRecord, Settling};

use crate::figures::{port_text, quantile};
use setpoint_units::quantity::{Unit, significant};

/// Maximum number of events whose settling is described.
const SETTLINGS: usize = 3;

/// The paragraph.
pub fn summary(record: &RunRecord) -> String {
    let summary = &record.summary;
    if summary.flows.is_empty() {
        return "The scenario has no flows, so nothing was sent.".into();
    }
    if summary.senders() == 0 {
        return format!("{} sent nothing.", capital(&flows(summary.flows.len())));
    }
    let sentences = [
        Some(traffic(record)),
        queue(record),
        fairness(record),
        notifications(record),
        losses(record),
        pauses(record),
        deadlock(record),
        messages::sentences(record),
        settling(record),
    ];
    sentences.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The port that the report describes: the port with the longest queue or, without queues, the busiest port.
pub(crate) fn central_port(record: &RunRecord) -> Option<&setpoint_record::results::PortSummary> {
    let ports = &record.summary.ports;
    let queue = record.summary.queues.first().filter(|queue| queue.peak_bytes > 0);
    let of_queue = queue.and_then(|queue| ports.iter().find(|port| port.name == queue.port));
    of_queue.or_else(|| record.summary.busiest_port())
}

fn traffic(record: &RunRecord) -> String {
    let senders = senders(record);
    let total = Unit::BitsPerSecond.text(record.summary.total.throughput_bps);
    let done = if record.manifest.frames == Frames::Station { "sent" } else { "delivered" };
    let Some(port) = central_port(record) else {
        return capital(&format!("{}{senders} {done} {total} in total.", period(record)));
    };
    let (name, share) = (port_text(&port.name), spoken(&Unit::Share.text(port.utilisation_share)));
    let sentence = if crossing::all_cross(record, &port.name) {
        let verb = if record.summary.flows.len() == 1 { "used" } else { "shared" };
        format!("{senders} {verb} {name} at {share} utilisation and {done} {total} in total.")
    } else {
        format!("{senders} {done} {total} in total; {name} was at {share} utilisation.")
    };
    capital(&(period(record) + &sentence))
}

/// The measurement interval, as the beginning of the first sentence; empty if it is the whole run.
fn period(record: &RunRecord) -> String {
    let (from, end) = (record.summary.measure_from_s, record.summary.duration_s);
    if record.summary.skips_beginning() {
        format!("measured from {} to {}, ", Unit::Seconds.text(from), Unit::Seconds.text(end))
    } else {
        String::new()
    }
}

/// Marks a count that covers the whole run, if other figures do not.
fn whole_run(record: &RunRecord) -> &'static str {
    if record.summary.skips_beginning() { " in the whole run" } else { "" }
}

/// The flows that sent data, as the subject of a sentence.
fn senders(record: &RunRecord) -> String {
    let all = record.summary.flows.len();
    let active = record.summary.senders();
    if active == all { flows(all) } else { counted(active as u64, "of", "of") + " " + &flows(all) }
}

fn queue(record: &RunRecord) -> Option<String> {
    let queue = record.summary.queues.first()?;
    if queue.peak_bytes == 0 {
        return Some("No queue formed.".into());
    }
    let several = record.summary.queues.len() > 1;
    let which =
        if several { format!("The longest queue, {},", port_text(&queue.name)) } else { "The queue".into() };
    let mean = Unit::Bytes.text(queue.mean_bytes);
    let mut text = format!("{which} had a mean of {mean}{}", against_set_point(queue));
    if let Some(high) = quantile(&queue.quantiles, 0.99) {
        text += &format!(", and a 99th percentile of {}", Unit::Bytes.text(high));
    }
    if queue.empty_share >= 0.005 {
        let share = spoken(&Unit::Share.text(queue.empty_share));
        text += &format!("; it was empty for {share} of the time");
    }
    Some(text + ".")
}

fn against_set_point(queue: &QueueSummary) -> String {
    let Some(set_point) = queue.set_point_bytes.filter(|bytes| *bytes > 0) else { return String::new() };
    let offset = queue.mean_bytes / set_point as f64 - 1.0;
    let point = Unit::Bytes.text(set_point as f64);
    if !offset.is_finite() {
        return format!(" against a set point of {point}");
    }
    if offset > 1.0 {
        return format!(", {} times the set point of {point}", significant(offset + 1.0, 2));
    }
    let percent = (offset.abs() * 100.0).round();
    match (percent >= 1.0, offset > 0.0) {
        (false, _) => format!(", at the set point of {point}"),
        (true, true) => format!(", {percent:.0}\u{a0}% above the set point of {point}"),
        (true, false) => format!(", {percent:.0}\u{a0}% below the set point of {point}"),
    }
}

fn fairness(record: &RunRecord) -> Option<String> {
    let index = record.summary.total.jain_index.filter(|index| index.is_finite())?;
    if record.summary.flows.len() < 2 {
        return None;
    }
    Some(format!("Jain’s fairness index of the mean rates was {}.", spoken(&Unit::Ratio.text(index))))
}

fn notifications(record: &RunRecord) -> Option<String> {
    let total = &record.summary.total;
    if let Some(marked) = total.marked_frames {
        return Some(marks(record, marked));
    }
    if total.notifications == 0 {
        let controlled = record.summary.queues.iter().any(|queue| queue.set_point_bytes.is_some());
        return controlled.then(|| "No congestion point sent a notification.".into());
    }
    let count = counted(total.notifications, "notification", "notifications");
    let frames = (1.0 / total.notifications_per_frame).round();
    let ratio = if frames.is_finite() && frames > 1.0 {
        format!(", one for every {} data frames", Unit::Count.text(frames))
    } else {
        String::new()
    };
    Some(format!("Congestion points sent {count}{}{ratio}.", whole_run(record)))
}

/// The frames that bridges marked, and the notifications that receivers sent because of them.
fn marks(record: &RunRecord, marked: u64) -> String {
    if marked == 0 {
        return "No bridge marked a frame.".into();
    }
    let received = record.summary.flows.iter().map(|flow| flow.notifications).sum();
    let marked = counted(marked, "frame", "frames");
    let received = match received {
        0 => String::new(),
        received => format!(", and {} reached sources", counted(received, "notification", "notifications")),
    };
    format!("Bridges marked {marked}{received}{}.", whole_run(record))
}

fn losses(record: &RunRecord) -> Option<String> {
    let total = &record.summary.total;
    if record.manifest.frames == Frames::Station {
        return Some(
            "Rates are those at which the station sent; it cannot observe which frames arrive.".into(),
        );
    }
    let on_links = match total.lost_on_links_frames {
        0 => String::new(),
        1 => " 1 frame was lost because a link failed.".to_owned(),
        frames => format!(" {} were lost because links failed.", counted(frames, "frame", "frames")),
    };
    if total.dropped_frames == 0 {
        let none =
            if on_links.is_empty() { "No frame was lost." } else { "No frame was lost to congestion." };
        return Some(format!("{none}{on_links}"));
    }
    let share = spoken(&Unit::Share.text(total.loss_share));
    let verb = if total.dropped_frames == 1 { "was" } else { "were" };
    let count = counted(total.dropped_frames, "frame", "frames");
    let dropped = format!("{} {verb} lost{}, {share} of those sent.", capital(&count), whole_run(record));
    Some(dropped + &on_links)
}

/// The number of pauses covers the whole run; their duration covers the measurement interval.
fn pauses(record: &RunRecord) -> Option<String> {
    let total = &record.summary.total;
    let paused =
        record.summary.ports.iter().filter(|port| port.pauses > 0 || port.paused_share > 0.0).count();
    if total.paused_s <= 0.0 && paused == 0 {
        let none = match record.manifest.frames {
            Frames::Simulated | Frames::Real => "No port was paused.",
            Frames::Station => "The station was not paused.",
            // A bridge does not measure how long its neighbours stay paused.
            Frames::Bridge => "Pauses of the stations were not recorded.",
        };
        return total.lossless.then(|| none.into());
    }
    let who = match paused {
        0 => "Ports were".into(),
        1 => "One port was".into(),
        _ => format!("{} were", capital(&counted(paused as u64, "port", "ports"))),
    };
    let time = Unit::Seconds.text(total.paused_s);
    Some(match (whole_run(record), total.paused_s > 0.0) {
        ("", _) => format!("{who} paused, for a total of {time}."),
        (scope, true) => format!("{who} paused{scope}, for a total of {time} of the measurement interval."),
        (scope, false) => format!("{who} paused{scope}, but not in the measurement interval."),
    })
}

/// The time of the deadlock; the page shows the cycle above.
fn deadlock(record: &RunRecord) -> Option<String> {
    let deadlock = record.summary.deadlock.as_ref()?;
    let at = Unit::Seconds.text(deadlock.at_s);
    Some(format!("By {at} flow control had deadlocked: {}", trees::consequence(deadlock).to_lowercase()))
}

fn settling(record: &RunRecord) -> Option<String> {
    let events = &record.summary.events_at;
    let nothing = events.is_empty() || record.summary.why_nothing_settles().is_some();
    if nothing || events.len() > 2 * SETTLINGS {
        return None;
    }
    let clause = |event| settled(event, record.sample_interval());
    let clauses: Vec<String> = events.iter().take(SETTLINGS).map(clause).collect();
    Some(format!("{}.", capital(&clauses.join("; "))))
}

fn settled(event: &EventSummary, interval: f64) -> String {
    let (what, when) = (port_text(&event.label), Unit::Seconds.text(event.at_s));
    let queue = match event.settling {
        settled @ Settling::AfterS(_) => format!("the queue settled {}", settled.text(interval)),
        Settling::NotSettled(reason) => format!("the queue did not settle ({})", reason.words()),
    };
    format!("after “{what}” at {when} {queue}")
}

/// A bound in words: `<0.0001 %` becomes "less than 0.0001 %".
fn spoken(text: &str) -> String {
    text.replace('<', "less than ")
}

fn flows(count: usize) -> String {
    counted(count as u64, "flow", "flows")
}

/// A count with its noun, small numbers in words.
pub(crate) fn counted(count: u64, one: &str, more: &str) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    let number = usize::try_from(count).ok().and_then(|count| WORDS.get(count));
    let number = number.map_or_else(|| Unit::Count.text(count as f64), |word| (*word).into());
    format!("{number} {}", if count == 1 { one } else { more })
}

/// The text with a capital first letter.
pub fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or(String::new(), |first| first.to_uppercase().chain(rest).collect())
}

/// Parts joined by commas and "and".
pub(crate) fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
