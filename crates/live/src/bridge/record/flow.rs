//! Measurements of a flow that passes through a bridge.

use setpoint_sim::{FlowCurves, FlowOutcome};
use setpoint_units::Bytes;

/// Measurements of a flow so far.
#[derive(Clone, Debug, Default)]
pub(super) struct FlowRecord {
    pub(super) arrived: Count,
    pub(super) delivered: Count,
    pub(super) dropped: Count,
    /// Bytes delivered before measurement began.
    unmeasured: u64,
    curves: FlowCurves,
    sampled: u64,
}

/// A count of frames and of their bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Count {
    frames: u64,
    pub(super) bytes: u64,
}

impl Count {
    pub(super) fn add(&mut self, length: u64) {
        self.frames += 1;
        self.bytes += length;
    }
}

impl FlowRecord {
    pub(super) fn sample(&mut self) {
        self.curves.delivered_series.push(self.delivered.bytes - self.sampled);
        self.sampled = self.delivered.bytes;
    }

    pub(super) fn measure_from(&mut self) {
        self.unmeasured = self.delivered.bytes;
    }

    pub(super) fn thin(&mut self) {
        self.curves.halve();
    }

    pub(super) fn outcome(&self) -> FlowOutcome {
        FlowOutcome {
            sent_frames: self.arrived.frames,
            sent: Bytes::new(self.arrived.bytes),
            delivered_frames: self.delivered.frames,
            delivered: Bytes::new(self.delivered.bytes),
            delivered_measured: Bytes::new(self.delivered.bytes - self.unmeasured),
            dropped_frames: self.dropped.frames,
            dropped: Bytes::new(self.dropped.bytes),
            delivered_series: self.curves.delivered_series.clone(),
            ..FlowOutcome::default()
        }
    }
}
