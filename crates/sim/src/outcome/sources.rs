//! The results of sources that receive acknowledgements.

use setpoint_control::telemetry::Load;
use setpoint_units::{Bytes, Time, TimeDelta};

use crate::ids::FlowId;

/// The source of a flow whose receiver acknowledges. The values of independent messages are added up, except for round-trip
/// times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceOutcome {
    /// The flow.
    pub flow: FlowId,
    /// The mean round-trip time in each interval, rounded down, or `None` if no acknowledgement arrived.
    pub round_trip_series: Vec<Option<TimeDelta>>,
    /// The window at the end of each interval, or `None` without one.
    pub window_series: Vec<Option<Bytes>>,
    /// Bytes that were sent and not yet acknowledged at the end of each interval.
    pub in_flight_series: Vec<u64>,
    /// Acknowledgements that arrived with a mark in each interval.
    pub mark_series: Vec<u32>,
    /// The load of the path that the source had computed last at the end of each interval, or `None` if the algorithm does not
    /// compute one. For independent messages, the largest.
    pub load_series: Vec<Option<Load>>,
}

/// Acknowledgements of a flow. A round-trip time lasts from the beginning of a frame's transmission to the arrival of the
/// acknowledgement that it caused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoundTrips {
    /// Acknowledgements that reached the source, over the whole run.
    pub acknowledgements: u64,
    /// Acknowledgements that reached the source from [`Outcome::measure_from`](crate::Outcome::measure_from) on.
    pub measured: u64,
    /// The sum of the round-trip times of these, in picoseconds.
    pub sum: u128,
    /// The longest of these.
    pub max: TimeDelta,
    /// The time at which an acknowledgement first lowered the rate or the window of the flow, in the whole run.
    pub first_lowered: Option<Time>,
}

impl RoundTrips {
    /// Counts an acknowledgement.
    pub(crate) fn add(&mut self, round_trip: TimeDelta) {
        self.acknowledgements += 1;
        self.measured += 1;
        self.sum += u128::from(round_trip.as_picos());
        self.max = self.max.max(round_trip);
    }

    /// Begins measurement.
    pub(crate) fn restart(&mut self) {
        let Self { acknowledgements, first_lowered, .. } = *self;
        *self = Self { acknowledgements, first_lowered, ..Self::default() };
    }
}
