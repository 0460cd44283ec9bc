//! Completion times and slowdowns of messages, for runs with messages.

use setpoint_record::results::{MessageClass, RunRecord};

use super::{largest, quantile};
use setpoint_plot::axis::nice_step;
use setpoint_plot::{Axis, Bars, Colour, Figure, Line, Mark, Room, Shape};
use setpoint_units::quantity::{Unit, significant};

/// Fewer messages than this are drawn one by one.
const FEW: u64 = 20;

pub(super) fn figures(record: &RunRecord) -> Vec<Figure> {
    let Some(messages) = &record.summary.messages else { return Vec::new() };
    if messages.judged().is_none_or(|all| all.count() < 2) {
        // A single message has no distribution; the text describes it.
        return Vec::new();
    }
    // If all messages were offered before the measurement interval, draw those.
    let early =
        messages.offered_before.as_ref().filter(|_| messages.classes.iter().all(|class| class.count() == 0));
    let classes: Vec<&MessageClass> = match early {
        Some(early) => vec![early],
        None => messages.classes.iter().filter(|class| class.count() > 0).collect(),
    };
    [completion(record, &classes), slowdown(&classes)].into_iter().flatten().collect()
}

/// The curve of a size class: every message if there are few, quantiles if there are many. Messages that were not
/// completed have no completion time, so the curve ends below 100 %.
pub(crate) fn distribution(record: &RunRecord, class: &MessageClass) -> (Shape, Vec<(f64, f64)>) {
    let is_early =
        record.summary.messages.as_ref().and_then(|messages| messages.offered_before.as_ref()) == Some(class);
    let summary = &record.summary;
    let offered = record.messages.iter().filter(|one| match is_early {
        true => one.offered_s < summary.measure_from_s,
        false => summary.measures_message(one.offered_s),
    });
    let of_class = offered.filter(|one| {
        class.from_bytes.is_none_or(|from| one.size_bytes >= from)
            && class.to_bytes.is_none_or(|to| one.size_bytes < to)
    });
    let mut times: Vec<f64> = of_class.filter_map(|one| Some(one.completed_s? - one.offered_s)).collect();
    if class.count() >= FEW || times.len() as u64 != class.completed {
        let points = class.fct_quantiles.iter().map(|&(probability, time)| (time, probability));
        return (Shape::Straight, points.collect());
    }
    times.sort_by(f64::total_cmp);
    let count = class.count() as f64;
    let start = times.first().map(|&first| (first, 0.0));
    let steps = times.iter().enumerate().map(|(index, &time)| (time, (index + 1) as f64 / count));
    (Shape::Step, start.into_iter().chain(steps).collect())
}

/// The size range of a class in words.
pub(crate) fn class_text(class: &MessageClass) -> String {
    let size = |bytes: u64| Unit::Bytes.text(bytes as f64);
    match (class.from_bytes, class.to_bytes) {
        (None, None) => "all sizes".into(),
        (None, Some(to)) => format!("below {}", size(to)),
        (Some(from), None) => format!("from {}", size(from)),
        (Some(from), Some(to)) => format!("{} to {}", size(from), size(to)),
    }
}

/// The size range of a class, short enough for axis labels.
fn class_short(class: &MessageClass) -> String {
    let size = |bytes: u64| Unit::Bytes.text(bytes as f64);
    match (class.from_bytes, class.to_bytes) {
        (None, None) => "all".into(),
        (None, Some(to)) => format!("<{}", size(to)),
        (Some(from), None) => format!("≥{}", size(from)),
        (Some(from), Some(to)) => span(from as f64, to as f64),
    }
}

/// Two sizes in the unit of the larger one, unless the smaller one is too small for that.
fn span(from: f64, to: f64) -> String {
    let factor = Unit::Bytes.multiple_for(to).factor;
    let from = if from / factor >= 0.01 { significant(from / factor, 3) } else { Unit::Bytes.text(from) };
    format!("{from}–{}", Unit::Bytes.text(to))
}

fn completion(record: &RunRecord, classes: &[&MessageClass]) -> Option<Figure> {
    let drawn: Vec<&&MessageClass> = classes.iter().filter(|class| class.fct_quantiles.len() > 1).collect();
    let times = || drawn.iter().flat_map(|class| class.fct_quantiles.iter().map(|point| point.1));
    let shortest = times().filter(|time| *time > 0.0).fold(f64::INFINITY, f64::min);
    let first = drawn.first()?;
    let x = Axis::logarithmic("Completion time", Unit::Seconds, (shortest, largest(times())));
    let y = Axis::linear("Share of messages", Unit::Share, (0.0, 1.0));
    let mut figure = Figure::new("completion-times", "Completion times of messages", x, y);
    for (index, class) in drawn.iter().take(6).enumerate() {
        let whole = class.from_bytes.is_none() && class.to_bytes.is_none();
        let colour = if whole { Colour::Ink } else { Colour::Series(index.saturating_sub(1)) };
        let (shape, points) = distribution(record, class);
        let shape = if whole && shape == Shape::Straight { Shape::Dashed } else { shape };
        figure.marks.push(Mark::Line(Line { name: class_text(class), colour, shape, points }));
    }
    let at = |probability| {
        first.fct_at(probability).map_or_else(|| "–".to_owned(), |time| Unit::Seconds.bounded_text(time))
    };
    figure.alternative = format!(
        "Share of messages completed within a given time; {}: median {}, 99th percentile {}.",
        class_text(first),
        at(0.5),
        at(0.99)
    );
    figure.note = not_completed(first);
    figure.room = Room::Half;
    Some(figure)
}

/// The number of messages missing from the curves, and what that means for percentiles.
fn not_completed(all: &MessageClass) -> String {
    let missing = all.not_completed();
    if missing == 0 {
        return String::new();
    }
    let count = |count: u64| Unit::Count.text(count as f64);
    let remedy = if all.unfinished > 0 {
        " With the key measure_messages_until, all measured messages have time to complete."
    } else {
        ""
    };
    format!(
        "{} of {} messages were not completed ({} unfinished, {} damaged); where a percentile depends on how long they \
         would have taken, it is a lower bound.{remedy}",
        count(missing),
        count(all.count()),
        count(all.unfinished),
        count(all.damaged)
    )
}

fn slowdown(classes: &[&MessageClass]) -> Option<Figure> {
    let drawn: Vec<&&MessageClass> =
        classes.iter().filter(|class| !class.slowdown_quantiles.is_empty()).collect();
    let at = |class: &MessageClass, probability| {
        quantile(&class.slowdown_quantiles, probability).unwrap_or(f64::NAN)
    };
    drawn.first()?;
    let top = largest(drawn.iter().map(|class| at(class, 0.99)));
    let x = Axis::categories("Message size", drawn.iter().map(|class| class_short(class)).collect());
    // Logarithmic, since medians are near one and tails are in the thousands. Bars start at the ideal value.
    let y = Axis::logarithmic("Slowdown (ideal = 1)", Unit::Ratio, (1.0, nice_step(top.max(2.0))));
    let mut figure = Figure::new("slowdowns", "Slowdown by message size", x, y);
    for (index, (name, probability)) in
        [("median", 0.5), ("95th percentile", 0.95), ("99th percentile", 0.99)].into_iter().enumerate()
    {
        let values = drawn.iter().map(|class| at(class, probability)).collect();
        let colour = [Colour::Series(5), Colour::Series(0), Colour::Series(1)][index];
        figure.marks.push(Mark::Bars(Bars { name: name.into(), colour, values }));
    }
    figure.alternative = format!(
        "Median and 95th and 99th percentiles of the slowdown for {} size classes, up to {}.",
        drawn.len(),
        Unit::Ratio.text(top)
    );
    figure.note =
        "Slowdown is the completion time of a message divided by its completion time on an empty network. A \
                   bar is left out if the percentile depends on messages that were not completed."
            .into();
    figure.room = Room::Half;
    Some(figure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_of_sizes_are_short() {
        let text = |from, to| span(from, to).replace('\u{a0}', " ");
        assert_eq!(text(1e3, 1e4), "1–10 kB");
        assert_eq!(text(1e5, 1e6), "0.1–1 MB");
        assert_eq!(text(1e3, 1e6), "1 kB–1 MB");
    }
}
