//! What became of messages, in a line or two.

use setpoint_lab::results::{Bounded, MessageClass, Summary};

use crate::terminal::{Unit, bounded, count, quantity, things};

/// The messages by which the run is judged: how many of them had which fate, and how long they took.
pub(super) fn phrases(summary: &Summary) -> Vec<String> {
    let Some(class) = summary.messages.as_ref().and_then(|messages| messages.judged()) else {
        return Vec::new();
    };
    let figure = |words: &str, unit: Unit, figure: Option<Bounded>| {
        let text = |figure| format!("{words} {}", bounded(unit, figure));
        figure.map_or_else(String::new, text)
    };
    let mut phrases = vec![fates(class), figure("mean", Unit::Seconds, class.fct_mean())];
    match class.count() {
        1 => phrases.push(figure("slowdown", Unit::Ratio, class.slowdown_at(0.5))),
        _ => phrases.extend([
            figure("99th percentile", Unit::Seconds, class.fct_at(0.99)),
            figure("median slowdown", Unit::Ratio, class.slowdown_at(0.5)),
            figure("99th percentile", Unit::Ratio, class.slowdown_at(0.99)),
        ]),
    }
    if is_early(summary, class) {
        phrases.push(format!("all offered before measure_from ({})", measure_from(summary)));
    }
    phrases
}

/// The messages that were offered before measurement began, where others were offered after.
pub(super) fn early(summary: &Summary) -> Vec<String> {
    let early = summary.messages.as_ref().and_then(|messages| messages.offered_before.as_ref());
    let Some(early) = early.filter(|early| !is_early(summary, early)) else { return Vec::new() };
    let (messages, from) = (things(early.count(), "message"), measure_from(summary));
    vec![format!("{messages} offered before measure_from ({from}) not in these figures: {}", fates(early))]
}

/// Whether the run is judged by these messages, all of which were offered before measurement began.
fn is_early(summary: &Summary, class: &MessageClass) -> bool {
    let messages = summary.messages.as_ref();
    let judged = messages.and_then(|messages| messages.judged());
    let early = messages.and_then(|messages| messages.offered_before.as_ref());
    judged.zip(early).is_some_and(|(judged, early)| std::ptr::eq(judged, early) && judged == class)
}

fn measure_from(summary: &Summary) -> String {
    quantity(Unit::Seconds, summary.measure_from_s)
}

fn fates(class: &MessageClass) -> String {
    let MessageClass { completed, unfinished, damaged, .. } = *class;
    format!("{} completed, {} unfinished, {} damaged", count(completed), count(unfinished), count(damaged))
}
