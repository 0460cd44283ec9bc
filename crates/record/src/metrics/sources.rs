//! Curves of sources that receive acknowledgements, and their means.

use std::ops::Range;

use setpoint_sim::SourceOutcome;
use setpoint_units::{Bytes, TimeDelta};

use super::axis::Axis;
use crate::results::{Series, SourceSeries, Summary, load_ratio};

/// The curves of a flow's source. `marks` is true if the algorithm marks frames.
pub(super) fn series(name: String, outcome: SourceOutcome, marks: bool, axis: &Axis) -> SourceSeries {
    let SourceOutcome {
        flow: _,
        round_trip_series,
        window_series,
        in_flight_series,
        mark_series,
        load_series,
    } = outcome;
    let seconds = |time: Option<TimeDelta>| time.map(TimeDelta::as_secs_f64);
    let number = |bytes: Option<Bytes>| bytes.map(|bytes| bytes.get() as f64);
    let mut curves = SourceSeries {
        name,
        round_trip_s: round_trip_series.into_iter().map(seconds).collect(),
        window_bytes: window_series.into_iter().map(number).collect(),
        in_flight_bytes: in_flight_series.into_iter().map(|bytes| bytes as f64).collect(),
        marked_acknowledgements: mark_series.into_iter().map(|count| marks.then_some(count)).collect(),
        load: load_series.into_iter().map(|load| load.map(load_ratio)).collect(),
    };
    curves.round_trip_s.resize(axis.samples, None);
    curves.window_bytes.resize(axis.samples, None);
    curves.in_flight_bytes.resize(axis.samples, 0.0);
    curves.marked_acknowledgements.resize(axis.samples, marks.then_some(0));
    curves.load.resize(axis.samples, None);
    curves
}

/// Adds the means of windows and loads over the sample intervals in `measured`. Sources are in the order of the flows.
pub(super) fn add_means(summary: &mut Summary, series: &Series, measured: &Range<usize>) {
    let mut sources = series.sources.iter().peekable();
    for flow in &mut summary.flows {
        let Some(source) = sources.next_if(|source| source.name == flow.name) else { continue };
        flow.window_mean_bytes = mean([source].map(|one| &one.window_bytes[measured.clone()]));
        flow.load_mean = mean([source].map(|one| &one.load[measured.clone()]));
    }
    let all = || series.sources.iter();
    summary.total.window_mean_bytes = mean(all().map(|one| &one.window_bytes[measured.clone()]));
    summary.total.load_mean = mean(all().map(|one| &one.load[measured.clone()]));
}

/// The mean of all values; none if there are no values.
fn mean<'a>(curves: impl IntoIterator<Item = &'a [Option<f64>]>) -> Option<f64> {
    let (count, sum) = curves
        .into_iter()
        .flatten()
        .flatten()
        .fold((0u64, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| sum / count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_values_do_not_count() {
        let curves = [vec![None, Some(1.0), Some(2.0)], vec![Some(6.0), None, None]];
        assert_eq!(mean(curves.iter().map(Vec::as_slice)), Some(3.0));
        assert_eq!(mean([&[None, None][..]]), None);
    }
}
