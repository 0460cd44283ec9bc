//! Queue lengths over time and their distribution.

use setpoint_record::results::{QueueSummary, RunRecord};

use super::{beside, largest, over_time, port_text, quantile, timed};
use setpoint_plot::{Axis, Band, Colour, Direction, Figure, Line, Mark, Reduction, Reference, Shape};
use setpoint_units::quantity::Unit;

/// Maximum number of queues in a figure.
const MOST: usize = 4;
/// A queue whose mean is below this share of the longest queue's mean appears only in the table.
const WORTH: f64 = 0.1;
/// A peak above this multiple of the 99th percentile is truncated and described in words, since an axis that includes
/// it would flatten everything else.
const CUT: f64 = 6.0;
/// Height of a truncated axis, relative to the 99th percentile.
const HEAD_ROOM: f64 = 1.5;

pub(super) fn figures(record: &RunRecord) -> Vec<Figure> {
    let shown = shown(record);
    if shown.is_empty() {
        return Vec::new();
    }
    let sampled = !record.series.time_s.is_empty() && !record.series.queues.is_empty();
    let measured = shown.iter().any(|&index| record.summary.queues[index].quantiles.len() > 1);
    beside(sampled.then(|| over_the_run(record, &shown)), measured.then(|| distribution(record, &shown)))
}

/// The longest queues, except those much shorter than the longest one.
fn shown(record: &RunRecord) -> Vec<usize> {
    let queues = &record.summary.queues;
    let Some(first) = queues.first() else { return Vec::new() };
    let worth = |&index: &usize| index == 0 || queues[index].mean_bytes >= WORTH * first.mean_bytes.max(1.0);
    (0..queues.len()).filter(worth).take(MOST).collect()
}

fn over_the_run(record: &RunRecord, shown: &[usize]) -> Figure {
    let curves: Vec<(usize, &[f64])> = shown
        .iter()
        .filter_map(|&index| Some((index, record.series.queues.get(index)?.length_bytes.as_slice())))
        .collect();
    let set_point = common_set_point(record, shown);
    let peaks: Vec<(usize, &[f64])> =
        curves.iter().map(|&(index, values)| (index, peaks(record, index).unwrap_or(values))).collect();
    let peak = highest(record, &peaks, 0.0);
    let measured = highest(record, &peaks, record.summary.measure_from_s);
    let usual = usual_top(&curves).max(set_point.unwrap_or(0.0) * 1.2);
    let cut = peak.1 > usual * CUT;
    let top = if cut { usual * HEAD_ROOM } else { peak.1.max(usual) };
    let axis = Axis::from_zero("Queue length", Unit::Bytes, top);
    let mut figure = over_time(record, "queues", &title(record, shown, "Queue length"), axis);
    figure.marks.extend(shades(record, shown));
    let shaded = !figure.marks.is_empty();
    for (place, (index, values)) in curves.into_iter().enumerate() {
        let name = port_text(&record.summary.queues[index].name);
        let points = timed(record, values);
        figure.marks.push(Mark::Line(Line {
            name,
            colour: Colour::Series(place),
            shape: Shape::Straight,
            points,
        }));
    }
    figure.references.extend(set_point.map(|at| reference(at, Direction::Across)));
    figure.beyond = cut.then_some(if measured.1 > figure.y.range.1 { measured } else { peak });
    let shades = if shaded { "Shaded bands reach the largest length in each sample interval. " } else { "" };
    figure.note = format!("{shades}{}", rest_note(record, shown)).trim_end().into();
    figure.alternative =
        format!("Queue length over time, up to {}.{}", Unit::Bytes.text(peak.1), set_point_words(set_point));
    figure
}

/// The largest length within each interval; older records do not have it.
fn peaks(record: &RunRecord, index: usize) -> Option<&[f64]> {
    record
        .series
        .queues
        .get(index)
        .map(|queue| queue.largest_bytes.as_slice())
        .filter(|peaks| !peaks.is_empty())
}

/// Bands from each sample up to the largest length in its interval; they show overflows between samples.
fn shades(record: &RunRecord, shown: &[usize]) -> Vec<Mark> {
    let shade = |(place, &index): (usize, &usize)| {
        let samples = timed(record, &record.series.queues.get(index)?.length_bytes);
        let points =
            samples.into_iter().zip(peaks(record, index)?).map(|((time, low), &high)| (time, low, high));
        // A single band is named in the legend; several are explained in the note.
        let name = if shown.len() == 1 { "largest in the interval".into() } else { String::new() };
        let (colour, reduction) = (Colour::Series(place), Reduction::Extremes);
        Some(Mark::Band(Band { name, colour, opacity: 0.3, reduction, points: points.collect() }))
    };
    shown.iter().enumerate().filter_map(shade).collect()
}

fn distribution(record: &RunRecord, shown: &[usize]) -> Figure {
    let queues = shown.iter().map(|&index| &record.summary.queues[index]);
    // The end of a long tail would flatten the curve; it is given in the table.
    let top = largest(queues.filter_map(|queue| quantile(&queue.quantiles, 0.995)));
    let set_point = common_set_point(record, shown);
    let x = Axis::from_zero("Queue length", Unit::Bytes, largest([top, set_point.unwrap_or(0.0) * 1.2]));
    let y = Axis::linear("Share of time at or below", Unit::Share, (0.0, 1.0));
    let mut figure = Figure::new("queue-cdf", &title(record, shown, "Distribution"), x, y);
    for (place, &index) in shown.iter().enumerate() {
        let queue = &record.summary.queues[index];
        let points = queue.quantiles.iter().map(|&(probability, length)| (length, probability)).collect();
        let (name, colour) = (port_text(&queue.name), Colour::Series(place));
        figure.marks.push(Mark::Line(Line { name, colour, shape: Shape::Straight, points }));
    }
    figure.references.extend(set_point.map(|at| reference(at, Direction::Upright)));
    figure.note = beyond_note(record, shown, figure.x.range.1);
    figure.alternative = distribution_words(&record.summary.queues[shown[0]], set_point);
    figure
}

/// The part of the distribution beyond the axis.
fn beyond_note(record: &RunRecord, shown: &[usize], end: f64) -> String {
    let queues = shown.iter().map(|&index| &record.summary.queues[index]);
    let longest = largest(queues.filter_map(|queue| quantile(&queue.quantiles, 1.0)));
    if longest <= end {
        return String::new();
    }
    format!("The tail extends to {}, beyond the end of the axis.", Unit::Bytes.text(longest))
}

/// The largest sample at or after a given time, with its time.
fn highest(record: &RunRecord, curves: &[(usize, &[f64])], from: f64) -> (f64, f64) {
    let samples = curves.iter().flat_map(|(_, values)| timed(record, values));
    let counted = samples.filter(|(time, length)| *time >= from && length.is_finite());
    counted.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0.0, 0.0))
}

/// The largest 99th percentile among the curves.
fn usual_top(curves: &[(usize, &[f64])]) -> f64 {
    let usual = |(_, values): &(usize, &[f64])| {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len().saturating_sub(1) * 99 / 100).copied().unwrap_or(0.0)
    };
    largest(curves.iter().map(usual))
}

fn title(record: &RunRecord, shown: &[usize], what: &str) -> String {
    match shown {
        [only] => format!("{what} at {}", port_text(&record.summary.queues[*only].name)),
        _ => format!("{what}, {} longest queues", shown.len()),
    }
}

fn distribution_words(queue: &QueueSummary, set_point: Option<f64>) -> String {
    let at = |probability| quantile(&queue.quantiles, probability).map_or(f64::NAN, |length| length);
    format!(
        "Share of time at or below a queue length; at {} the median is {} and the 99th percentile {}.{}",
        port_text(&queue.name),
        Unit::Bytes.text(at(0.5)),
        Unit::Bytes.text(at(0.99)),
        set_point_words(set_point)
    )
}

/// The set point, if all queues shown have the same one.
fn common_set_point(record: &RunRecord, shown: &[usize]) -> Option<f64> {
    let mut points = shown.iter().map(|&index| record.summary.queues[index].set_point_bytes);
    let first = points.next()??;
    points.all(|point| point == Some(first)).then_some(first as f64)
}

fn reference(at: f64, direction: Direction) -> Reference {
    Reference { label: format!("set point {}", Unit::Bytes.text(at)), at, direction }
}

fn set_point_words(set_point: Option<f64>) -> String {
    set_point.map_or(String::new(), |at| format!(" The set point is {}.", Unit::Bytes.text(at)))
}

/// The number of queues that were used but are not drawn.
fn rest_note(record: &RunRecord, shown: &[usize]) -> String {
    let rest = record.summary.queues.iter().enumerate();
    match rest.filter(|(index, queue)| !shown.contains(index) && queue.peak_bytes > 0).count() {
        0 => String::new(),
        1 => "One shorter queue is not shown.".into(),
        rest => format!("{rest} shorter queues are not shown."),
    }
}
