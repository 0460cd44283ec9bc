//! Round-trip times, windows, bytes in flight, marks and loads of sources that receive acknowledgements.

use setpoint_plot::{Axis, Colour, Figure, Line, Mark, Room, Shape};
use setpoint_record::results::{RunRecord, SourceSeries};
use setpoint_units::quantity::Unit;

use super::{largest, over_time, timed};

/// Up to this many sources are drawn as individual lines; for larger numbers, the mean and the largest value are drawn.
const LINES: usize = 6;

pub(super) fn figures(record: &RunRecord) -> Vec<Figure> {
    let round_trips = Quantity {
        id: "round-trips",
        title: "Round-trip time",
        axis: "Mean in the interval",
        unit: Unit::Seconds,
        read: |source, sample| source.round_trip_s[sample].unwrap_or(f64::NAN),
    };
    let windows = Quantity {
        id: "windows",
        title: "Window",
        axis: "Window",
        unit: Unit::Bytes,
        read: |source, sample| source.window_bytes[sample].unwrap_or(f64::NAN),
    };
    let in_flight = Quantity {
        id: "in-flight",
        title: "Bytes in flight",
        axis: "Sent and not yet acknowledged",
        unit: Unit::Bytes,
        read: |source, sample| source.in_flight_bytes[sample],
    };
    let marks = Quantity {
        id: "marked-acknowledgements",
        title: "Acknowledgements of marked frames",
        axis: "In each sample interval",
        unit: Unit::Count,
        read: |source, sample| source.marked_acknowledgements[sample].map_or(f64::NAN, f64::from),
    };
    let loads = Quantity {
        id: "loads",
        title: "Load computed by the source",
        axis: "Load; 1 is a fully used port without a queue",
        unit: Unit::Ratio,
        read: |source, sample| source.load[sample].unwrap_or(f64::NAN),
    };
    // Without windows, the bytes in flight are shown in their place.
    let second = windows.figure(record).or_else(|| in_flight.figure(record));
    let half = |figure| Figure { room: Room::Half, ..figure };
    let further = [marks, loads].into_iter().filter_map(|quantity| quantity.figure(record));
    round_trips.figure(record).into_iter().chain(second).chain(further).map(half).collect()
}

/// A curve of sources.
struct Quantity {
    id: &'static str,
    title: &'static str,
    axis: &'static str,
    unit: Unit,
    /// The value of a sample; NaN if it is missing.
    read: fn(&SourceSeries, usize) -> f64,
}

impl Quantity {
    /// The figure, unless there are no values.
    fn figure(&self, record: &RunRecord) -> Option<Figure> {
        let (sources, samples) = (&record.series.sources, record.series.time_s.len());
        let curve = |source: &SourceSeries| (0..samples).map(|sample| (self.read)(source, sample)).collect();
        let curves: Vec<Vec<f64>> = sources.iter().map(curve).collect();
        if curves.iter().flatten().all(|value| value.is_nan()) {
            return None;
        }
        let top = largest(curves.iter().flatten().copied());
        let mut figure = over_time(record, self.id, self.title, Axis::from_zero(self.axis, self.unit, top));
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
        figure.alternative = format!("{} over time, up to {}.", self.title, self.unit.text(top));
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
