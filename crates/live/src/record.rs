//! Measurements at a port, of a bridge or of a station: octets sent, and the time spent sending and paused.

use setpoint_sim::{PortCurves, PortId, PortOutcome};
use setpoint_units::{Bytes, Time, TimeDelta};

use crate::pauses::Pauses;
use crate::transmitter::Transmitter;

/// Measurements at a port so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct PortRecord {
    curves: PortCurves,
    /// The totals at the last sample.
    so_far: Totals,
    /// The totals at the beginning of the measurement.
    unmeasured: Totals,
}

#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    sent: u64,
    busy: TimeDelta,
    paused: TimeDelta,
}

/// The state of a port at one instant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PortState<'a> {
    pub(crate) now: Time,
    pub(crate) transmitter: &'a Transmitter,
    pub(crate) pauses: &'a Pauses,
}

impl PortState<'_> {
    fn totals(self) -> Totals {
        Totals {
            sent: self.transmitter.bytes,
            busy: self.transmitter.busy_until(self.now),
            paused: self.pauses.total(self.now),
        }
    }
}

impl PortRecord {
    /// Ends a sample interval.
    pub(crate) fn sample(&mut self, state: PortState<'_>) {
        let totals = state.totals();
        let before = std::mem::replace(&mut self.so_far, totals);
        self.curves.sent_series.push(totals.sent - before.sent);
        self.curves.busy_series.push(totals.busy.saturating_sub(before.busy));
        self.curves.paused_series.push(totals.paused.saturating_sub(before.paused));
    }

    /// Begins the measurement.
    pub(crate) fn measure_from(&mut self, state: PortState<'_>) {
        self.unmeasured = state.totals();
    }

    /// Halves the number of samples.
    pub(crate) fn thin(&mut self) {
        self.curves.halve();
    }

    /// The number of samples.
    pub(crate) fn samples(&self) -> usize {
        self.curves.sent_series.len()
    }

    /// The outcome of a port so far.
    pub(crate) fn outcome(&self, port: PortId, state: PortState<'_>) -> PortOutcome {
        let totals = state.totals();
        let PortCurves { sent_series, busy_series, paused_series } = self.curves.clone();
        PortOutcome {
            port,
            sent_frames: state.transmitter.frames,
            sent: Bytes::new(totals.sent),
            busy: totals.busy.saturating_sub(self.unmeasured.busy),
            paused: totals.paused.saturating_sub(self.unmeasured.paused),
            pauses: state.pauses.begun,
            sent_series,
            busy_series,
            paused_series,
        }
    }
}
