//! Curves of sources that receive acknowledgements.

use setpoint_sim::SourceOutcome;
use setpoint_units::{Bytes, TimeDelta};

use super::axis::Axis;
use crate::results::SourceSeries;

/// The curves of a flow's source.
pub(super) fn series(name: String, outcome: SourceOutcome, axis: &Axis) -> SourceSeries {
    let SourceOutcome { flow: _, round_trip_series, window_series, in_flight_series } = outcome;
    let seconds = |time: Option<TimeDelta>| time.map(TimeDelta::as_secs_f64);
    let number = |bytes: Option<Bytes>| bytes.map(|bytes| bytes.get() as f64);
    let mut curves = SourceSeries {
        name,
        round_trip_s: round_trip_series.into_iter().map(seconds).collect(),
        window_bytes: window_series.into_iter().map(number).collect(),
        in_flight_bytes: in_flight_series.into_iter().map(|bytes| bytes as f64).collect(),
    };
    curves.round_trip_s.resize(axis.samples, None);
    curves.window_bytes.resize(axis.samples, None);
    curves.in_flight_bytes.resize(axis.samples, 0.0);
    curves
}
