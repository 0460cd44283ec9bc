//! Round-trip times, windows, bytes in flight, marks and loads of sources that receive acknowledgements.

use setpoint_plot::{Axis, Colour, Figure, Line, Mark, Room, Shape};
use setpoint_record::results::{CurveColumn, Curves, RunRecord, SourceSeries};

use super::{largest, over_time, timed};

/// Up to this many sources are drawn as individual lines; for larger numbers, the mean and the largest value are drawn.
const LINES: usize = 6;

pub(super) fn figures(record: &RunRecord) -> Vec<Figure> {
    let figure = |id, curve, axis| Quantity::of(id, curve, axis)?.figure(record);
    let round_trips = figure("round-trips", "round_trip_s", "Mean in the interval");
    // Without windows, the bytes in flight are shown in their place.
    let windows = figure("windows", "window_bytes", "Window")
        .or_else(|| figure("in-flight", "in_flight_bytes", "Sent and not yet acknowledged"));
    let marks = figure("marked-acknowledgements", "marked_acknowledgements", "In each sample interval");
    let loads = figure("loads", "load", "Load; 1 is a fully used port without a queue");
    let half = |figure| Figure { room: Room::Half, ..figure };
    [round_trips, windows, marks, loads].into_iter().flatten().map(half).collect()
}

/// A curve of sources.
struct Quantity {
    id: &'static str,
    /// The place of its column.
    place: usize,
    axis: &'static str,
}

impl Quantity {
    fn of(id: &'static str, curve: &str, axis: &'static str) -> Option<Self> {
        let place = SourceSeries::COLUMNS.iter().position(|column| column.name == curve)?;
        Some(Self { id, place, axis })
    }

    /// The figure, unless there are no values.
    fn figure(&self, record: &RunRecord) -> Option<Figure> {
        let (sources, samples) = (&record.series.sources, record.series.time_s.len());
        let CurveColumn { title, .. } = SourceSeries::COLUMNS[self.place];
        let unit = SourceSeries::COLUMNS[self.place].shown_in();
        let curve = |source: &SourceSeries| {
            let curve = source.curves()[self.place];
            (0..samples).map(|sample| curve.number(sample).unwrap_or(f64::NAN)).collect()
        };
        let curves: Vec<Vec<f64>> = sources.iter().map(curve).collect();
        if curves.iter().flatten().all(|value| value.is_nan()) {
            return None;
        }
        let top = largest(curves.iter().flatten().copied());
        let mut figure = over_time(record, self.id, title, Axis::from_zero(self.axis, unit, top));
        let mut add = |name: String, values: &[f64]| {
            let (colour, shape) = (Colour::Series(figure.marks.len()), Shape::Straight);
            let points = timed(record, values);
            figure.marks.push(Mark::Line(Line { name, colour, shape, points }));
        };
        if sources.len() <= LINES {
            sources.iter().zip(&curves).for_each(|(source, curve)| add(source.name.clone(), curve));
        } else {
            let (mean, highest) = over_sources(&curves, samples);
            add(format!("mean of {} flows", sources.len()), &mean);
            add("largest of any flow".to_owned(), &highest);
        }
        figure.alternative = format!("{} over time, up to {}.", title, unit.text(top));
        Some(figure)
    }
}

/// The mean and the largest of the values at each sample, leaving out those that are missing.
fn over_sources(curves: &[Vec<f64>], samples: usize) -> (Vec<f64>, Vec<f64>) {
    let at = |sample: usize| {
        let values = curves.iter().map(|curve| curve[sample]).filter(|value| value.is_finite());
        let (count, sum, highest) = values
            .fold((0, 0.0, f64::NAN), |(count, sum, highest): (u32, f64, f64), value| {
                (count + 1, sum + value, highest.max(value))
            });
        (if count > 0 { sum / f64::from(count) } else { f64::NAN }, highest)
    };
    (0..samples).map(at).unzip()
}
