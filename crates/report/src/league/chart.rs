//! Small plots of a scenario: the mean of every algorithm with its confidence interval.

use setpoint_lab::league::{Row, Standing, Verdict};
use setpoint_plot::{Axis, Colour, Figure, Mark, Points, Room, Scale, Symbol, Whiskers};
use setpoint_record::catalogue::{Better, Metric};

use crate::slowdown::{BOUND, INTERVAL};
use crate::sweep::vertical;

/// Maximum number of plots per scenario; the table has all columns.
const MOST: usize = 4;

/// The columns in which algorithms clearly differ or, if there are none, the first ones.
pub(super) fn figures(standing: &Standing, prefix: &str) -> Vec<Figure> {
    let clear: Vec<&Metric> = standing.with_verdict(Verdict::Clear).collect();
    let mut chosen = if clear.is_empty() { standing.disciplines().collect() } else { clear };
    // If there are messages, the time that they take matters most.
    chosen.sort_by_key(|metric| !metric.can_be_lower_bound());
    chosen.into_iter().take(MOST).map(|metric| figure(standing, metric, prefix)).collect()
}

fn figure(standing: &Standing, metric: &Metric, prefix: &str) -> Figure {
    let rows: Vec<(&Row, _)> =
        standing.rows.iter().filter_map(|row| Some((row, row.score(metric)?.spread))).collect();
    let names = rows.iter().map(|(row, _)| standing.contestant(&row.algorithm).to_owned()).collect();
    let spreads: Vec<_> = rows.iter().map(|(_, spread)| Some(*spread)).collect();
    let y = vertical(metric, &spreads);
    // An interval that extends below a logarithmic axis is truncated.
    let floor = if y.scale == Scale::Logarithmic { y.range.0 } else { f64::NEG_INFINITY };
    let name = format!("{prefix}-{}", metric.name);
    let mut figure = Figure::new(&name, metric.title, Axis::categories("", names), y);
    let intervals: Vec<(f64, f64, f64)> = rows
        .iter()
        .enumerate()
        .filter_map(|(place, (_, spread))| {
            let interval = spread.interval?;
            Some((place as f64, interval.low.max(floor), interval.high))
        })
        .collect();
    if !intervals.is_empty() {
        let (name, colour) = (INTERVAL.to_owned(), Colour::Ink);
        figure.marks.push(Mark::Whiskers(Whiskers { name, colour, points: intervals }));
    }
    let points = |is_lower_bound: bool| -> Vec<(f64, f64)> {
        let all = rows.iter().enumerate().map(|(place, (_, spread))| (place as f64, spread));
        all.filter(|(_, spread)| spread.is_lower_bound == is_lower_bound)
            .map(|(x, spread)| (x, spread.mean))
            .collect()
    };
    let kinds = [("mean", Symbol::Disc, points(false)), (BOUND, Symbol::Rising, points(true))];
    for (name, symbol, points) in kinds.into_iter().filter(|(_, _, points)| !points.is_empty()) {
        let (name, colour) = (name.to_owned(), Colour::Series(0));
        figure.marks.push(Mark::Points(Points { name, colour, symbol, points }));
    }
    let word = |(row, spread): &(&Row, _)| {
        format!("{} {}", standing.contestant(&row.algorithm), metric.mean_text(spread))
    };
    let words: Vec<String> = rows.iter().map(word).collect();
    figure.alternative = format!("{}: {}.", metric.title, words.join(", "));
    figure.note = match metric.better {
        Better::Larger => "Higher is better.".to_owned(),
        Better::Smaller => "Lower is better.".to_owned(),
        Better::Neither => String::new(),
    };
    figure.room = Room::Half;
    figure
}
