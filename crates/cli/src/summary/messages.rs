//! Message completion, in a line or two.

use setpoint_record::catalogue;
use setpoint_record::results::{Bounded, MessageClass, SizeClass, Summary};

use crate::terminal::{Unit, bounded, count, quantity, things};

/// The messages by which the run is judged: how many were completed, and how long they took.
pub(super) fn phrases(summary: &Summary) -> Vec<String> {
    let Some((messages, class)) =
        summary.messages.as_ref().and_then(|messages| Some((messages, messages.judged()?)))
    else {
        return Vec::new();
    };
    let waiting = summary.not_released();
    let mut fates = fates(class);
    if waiting > 0 {
        fates += &format!(", {} not released", count(waiting as u64));
    }
    let mut phrases = vec![fates, figure("mean", Unit::Seconds, class.fct_mean())];
    match class.count() {
        1 => phrases.push(figure("slowdown", Unit::Ratio, class.slowdown_at(0.5))),
        _ => phrases.extend([
            figure("99th percentile", Unit::Seconds, class.fct_tail()),
            figure("median slowdown", Unit::Ratio, class.slowdown_at(0.5)),
            figure("99th percentile", Unit::Ratio, class.slowdown_tail()),
        ]),
    }
    if messages.measured().is_none() {
        phrases.push(format!("all offered before measure_from ({})", measure_from(summary)));
    }
    phrases
}

/// The messages offered before the measurement interval, if others were offered in it.
pub(super) fn early(summary: &Summary) -> Vec<String> {
    let Some(early) = summary.messages.as_ref().and_then(|messages| messages.early()) else {
        return Vec::new();
    };
    let (messages, from) = (things(early.count(), "message"), measure_from(summary));
    vec![format!("{messages} offered before measure_from ({from}) not included here: {}", fates(early))]
}

/// The messages offered after the measurement interval for messages.
pub(super) fn late(summary: &Summary) -> Vec<String> {
    let count = summary.messages.as_ref().and_then(|messages| messages.offered_after);
    let line = |(count, until)| {
        let (messages, until) = (things(count, "message"), quantity(Unit::Seconds, until));
        format!("{messages} offered at or after measure_messages_until ({until}) not included here")
    };
    count.zip(summary.measure_messages_until_s).map(line).into_iter().collect()
}

/// Short, medium and large messages, if there are two kinds or more.
pub(super) fn sizes(summary: &Summary) -> Vec<(String, Vec<String>)> {
    let classes = summary.size_classes.iter().filter(|_| summary.size_classes.len() > 1);
    let line = |class: &SizeClass| {
        let messages = &class.messages;
        let phrases = vec![
            things(messages.count(), "message"),
            figure("mean", Unit::Seconds, messages.fct_mean()),
            figure("99th percentile", Unit::Seconds, messages.fct_tail()),
            figure("median slowdown", Unit::Ratio, messages.slowdown_at(0.5)),
        ];
        (format!("  {}", class.size.name()), phrases)
    };
    classes.map(line).collect()
}

/// The longest query.
pub(super) fn query(summary: &Summary) -> Vec<String> {
    let time = catalogue::QUERY_COMPLETION.of_summary(summary);
    time.map(|time| format!("completion time {}", bounded(Unit::Seconds, time))).into_iter().collect()
}

fn figure(words: &str, unit: Unit, figure: Option<Bounded>) -> String {
    figure.map_or_else(String::new, |figure| format!("{words} {}", bounded(unit, figure)))
}

fn measure_from(summary: &Summary) -> String {
    quantity(Unit::Seconds, summary.measure_from_s)
}

fn fates(class: &MessageClass) -> String {
    let MessageClass { completed, unfinished, damaged, .. } = *class;
    format!("{} completed, {} unfinished, {} damaged", count(completed), count(unfinished), count(damaged))
}
