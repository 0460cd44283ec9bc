//! Message completion, in words.

use setpoint_record::catalogue;
use setpoint_record::results::{Bounded, MessageClass, RunRecord};

use super::{capital, counted};
use setpoint_units::quantity::Unit;

/// With fewer messages than this, quantiles are not meaningful.
const FEW: u64 = 10;

/// The messages offered in the measurement interval, those offered before and after it, and the query if there is one.
pub(super) fn sentences(record: &RunRecord) -> Option<String> {
    let messages = record.summary.messages.as_ref()?;
    let from = Unit::Seconds.text(record.summary.measure_from_s);
    let until = record.summary.measure_messages_until_s.map(|until| Unit::Seconds.text(until));
    let when = match (&until, record.summary.skips_beginning()) {
        (Some(until), _) => format!(" from {from} to {until}"),
        (None, true) => format!(" from {from} on"),
        (None, false) => String::new(),
    };
    let measured = messages.measured();
    let first = measured.map(|class| format!("{}{when}: {}{}.", offered(class), fates(class), times(class)));
    let second = messages.offered_before.as_ref().map(|class| match measured {
        Some(_) => {
            let verb = if class.count() == 1 { "is" } else { "are" };
            format!(
                "{} before {from} and {verb} not included in these figures: {}.",
                offered(class),
                fates(class)
            )
        }
        None => format!(
            "{} before measurement began at {from}, and none after: {}{}.",
            offered(class),
            fates(class),
            times(class)
        ),
    });
    let third = messages.offered_after.zip(until).map(|(count, until)| {
        format!("{} offered from {until} on, to keep the network loaded until the end.", were(count))
    });
    let fourth = Some(record.summary.not_released())
        .filter(|&waiting| waiting > 0)
        .map(|waiting| format!("{} not released, because the jobs did not end.", were(waiting as u64)));
    let sentences: Vec<String> =
        first.into_iter().chain(second).chain(third).chain(fourth).chain(query(record)).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// The longest query.
fn query(record: &RunRecord) -> Option<String> {
    let completion = catalogue::QUERY_COMPLETION.of_summary(&record.summary)?;
    Some(format!("The query completion time was {}.", time(completion)))
}

fn offered(class: &MessageClass) -> String {
    format!("{} offered", were(class.count()))
}

/// A message count with its verb: “were” or “was”.
fn were(count: u64) -> String {
    let verb = if count == 1 { "was" } else { "were" };
    format!("{} {verb}", capital(&counted(count, "message", "messages")))
}

fn fates(class: &MessageClass) -> String {
    let count = |count: u64| Unit::Count.text(count as f64);
    let MessageClass { completed, unfinished, damaged, .. } = *class;
    format!("{} completed, {} unfinished, {} damaged", count(completed), count(unfinished), count(damaged))
}

/// Completion times of messages; with quantiles only if there are enough messages.
fn times(class: &MessageClass) -> String {
    let at = |probability| class.fct_at(probability).map(time);
    let (Some(half), Some(most), Some(longest)) = (at(0.5), at(0.99), at(1.0)) else { return String::new() };
    match class.count() {
        1 => format!("; it took {longest}"),
        ..FEW => format!("; the slowest took {longest}"),
        _ => format!("; the median completion time was {half} and the 99th percentile {most}"),
    }
}

fn time(figure: Bounded) -> String {
    let text = Unit::Seconds.text(figure.value);
    if figure.is_lower_bound { format!("more than {text}") } else { text }
}
