//! The use of the buffers that the ports of a bridge share.

use setpoint_sim::{SharedBufferOutcome, Topology};
use setpoint_units::Bytes;

use super::keyed::keyed;

keyed! {
    /// The shared buffer of one bridge.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct SharedBufferSummary {
        /// The bridge.
        pub name: String,
        /// The whole buffer.
        pub size_bytes: u64 = Bytes,
        /// Sum of the reserves.
        pub reserves_bytes: u64 = Bytes,
        /// The shared pool: the buffer without reserves and headroom.
        pub shared_bytes: u64 = Bytes,
        /// Largest use of the shared pool; whole run.
        pub shared_peak_bytes: u64 = Bytes,
        /// The headroom pool.
        pub headroom_bytes: u64 = Bytes,
        /// The headroom that suffices in the worst case. Frames can be lost if the pool has less.
        pub headroom_needed_bytes: u64 = Bytes,
        /// Largest use of the headroom pool; whole run.
        pub headroom_peak_bytes: u64 = Bytes,
        /// Pauses because an input was at its dynamic threshold; whole run.
        pub pauses: u64,
        /// Frames stored in headroom; whole run.
        pub headroom_frames: u64,
        /// Frames and notifications dropped because an output queue was at its dynamic threshold; whole run.
        pub dropped_above_threshold_frames: u64,
        /// Frames and notifications dropped because the shared pool was full, which can happen only with an `egress_alpha`
        /// above 1; whole run.
        pub dropped_by_full_pool_frames: u64,
    }
}

impl SharedBufferSummary {
    pub(crate) fn of(topology: &Topology, outcome: &SharedBufferOutcome) -> Self {
        let budget = &outcome.budget;
        Self {
            name: topology.node_at(budget.bridge).name.clone(),
            size_bytes: budget.size.get(),
            reserves_bytes: budget.reserves.get(),
            shared_bytes: budget.shared().map_or(0, Bytes::get),
            shared_peak_bytes: outcome.shared_peak.get(),
            headroom_bytes: budget.headroom_pool.get(),
            headroom_needed_bytes: budget.headroom_needed.get(),
            headroom_peak_bytes: outcome.headroom_peak.get(),
            pauses: outcome.pauses,
            headroom_frames: outcome.headroom_frames,
            dropped_above_threshold_frames: outcome.dropped_above_threshold,
            dropped_by_full_pool_frames: outcome.dropped_by_full_pool,
        }
    }

    /// The share of the shared pool that was used.
    pub fn used_share(&self) -> f64 {
        if self.shared_bytes == 0 { 0.0 } else { self.shared_peak_bytes as f64 / self.shared_bytes as f64 }
    }
}
