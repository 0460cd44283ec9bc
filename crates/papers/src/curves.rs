//! Curves of runs on axes: the figures that papers have again and again.

use setpoint_report::plot::{Axis, Colour, Figure, Line, Mark, Shape, merged};
use setpoint_report::quantity::Unit;

use crate::runs::Run;

/// A figure over a run's time, with its events.
pub(crate) fn over_time(run: &Run, name: &str, title: &str, y: Axis) -> Figure {
    let x = Axis::linear("Time", Unit::Seconds, (0.0, run.summary.duration_s));
    let mut figure = Figure::new(name, title, x, y);
    let events = run.summary.events_at.iter().filter(|event| event.at_s > 0.0);
    figure.events = merged(events.map(|event| (event.at_s, event.label.replace("->", "→"))));
    figure
}

/// The length of a queue over time.
pub(crate) fn queue(run: &Run, queue: &str, name: &str, title: &str) -> Figure {
    let lengths = run.queue(queue).unwrap_or_default();
    let y = Axis::from_zero("Queue", Unit::Bytes, largest(lengths));
    let mut figure = over_time(run, name, title, y);
    figure.marks.push(line("queue", Colour::Series(0), Shape::Straight, timed(run, lengths)));
    figure.alternative =
        format!("Length of the queue over time, up to {}.", Unit::Bytes.text(largest(lengths)));
    figure
}

/// The rates of some flows over time, each with the name it has in the legend.
pub(crate) fn rates(run: &Run, flows: &[(&str, &str)], name: &str, title: &str) -> Figure {
    let of = |flow: &str| run.rates(flow).unwrap_or_default();
    let top = flows.iter().map(|(flow, _)| largest(of(flow))).fold(0.0, f64::max);
    let mut figure = over_time(run, name, title, Axis::from_zero("Rate", Unit::BitsPerSecond, top));
    for (index, (flow, label)) in flows.iter().enumerate() {
        figure.marks.push(line(label, Colour::Series(index), Shape::Straight, timed(run, of(flow))));
    }
    figure.alternative =
        format!("Rates of {} flows over time, up to {}.", flows.len(), Unit::BitsPerSecond.text(top));
    figure
}

/// A line.
pub(crate) fn line(name: &str, colour: Colour, shape: Shape, points: Vec<(f64, f64)>) -> Mark {
    Mark::Line(Line { name: name.to_owned(), colour, shape, points })
}

/// A series with its times.
pub(crate) fn timed(run: &Run, values: &[f64]) -> Vec<(f64, f64)> {
    run.series.time_s.iter().copied().zip(values.iter().copied()).collect()
}

/// The largest finite value, at least zero.
pub(crate) fn largest(values: &[f64]) -> f64 {
    values.iter().copied().filter(|value| value.is_finite()).fold(0.0, f64::max)
}

/// Points of a distribution at most; more are not seen.
const POINTS: usize = 500;

/// The cumulative distribution of some values, as (value, share of the values at or below it).
pub(crate) fn cdf(mut values: Vec<f64>) -> Vec<(f64, f64)> {
    values.retain(|value| value.is_finite());
    values.sort_unstable_by(f64::total_cmp);
    let count = values.len();
    // The last of equal values has the share of all of them.
    let last = |index: usize| index + 1 == count || values[index] < values[index + 1];
    let steps: Vec<(f64, f64)> = (0..count)
        .filter(|&index| last(index))
        .map(|index| (values[index], (index + 1) as f64 / count as f64))
        .collect();
    let stride = steps.len().div_ceil(POINTS).max(1);
    let kept = |index: &usize| index % stride == 0 || index + 1 == steps.len();
    (0..steps.len()).filter(kept).map(|index| steps[index]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distribution_ends_at_one_and_counts_equal_values_together() {
        let steps = cdf(vec![2.0, 1.0, 2.0, f64::NAN, 4.0]);
        assert_eq!(steps, [(1.0, 0.25), (2.0, 0.75), (4.0, 1.0)]);
        assert!(cdf(Vec::new()).is_empty());
    }

    #[test]
    fn a_long_distribution_is_thinned_and_keeps_its_ends() {
        let steps = cdf((0..10_000).map(f64::from).collect());
        assert!(steps.len() <= POINTS + 1, "{}", steps.len());
        assert_eq!((steps[0].0, *steps.last().unwrap()), (0.0, (9_999.0, 1.0)));
    }
}
