//! The section on shared buffers: pools, their largest use, and the limits that acted.

use setpoint_record::results::{RunRecord, SharedBufferSummary};
use setpoint_units::quantity::{Unit, grouped};

use super::Table;

/// Number of table rows shown; the rest are collapsed.
const OPEN_ROWS: usize = 12;

/// The shared buffers of bridges.
pub(super) struct SharedBuffers {
    /// A description in words.
    pub(super) text: String,
    pub(super) rows: Table<SharedBufferRow>,
}

/// The shared buffer of one bridge.
pub(super) struct SharedBufferRow {
    pub(super) name: String,
    pub(super) reserves: String,
    pub(super) shared: String,
    pub(super) shared_peak: String,
    pub(super) headroom: String,
    pub(super) headroom_peak: String,
    pub(super) pauses: String,
    pub(super) headroom_frames: String,
    pub(super) dropped: String,
    /// Whether the headroom pool is smaller than required in the worst case.
    pub(super) is_short: bool,
    /// Whether frames were dropped.
    pub(super) drops: bool,
}

impl SharedBuffers {
    /// The section; `None` if no bridge has a shared buffer.
    pub(super) fn of(record: &RunRecord) -> Option<Self> {
        let buffers = &record.summary.shared_buffers;
        let fullest = buffers.iter().rev().max_by(|a, b| a.used_share().total_cmp(&b.used_share()))?;
        let text = format!(
            "The buffer that was used most, that of {}, had at most {} of {} in its shared pool in use, or {}.",
            fullest.name,
            Unit::Bytes.text(fullest.shared_peak_bytes as f64),
            Unit::Bytes.text(fullest.shared_bytes as f64),
            Unit::Share.text(fullest.used_share())
        );
        let rows = buffers.iter().map(SharedBufferRow::new);
        Some(Self { text, rows: Table::opened(OPEN_ROWS, buffers.len(), rows) })
    }
}

impl SharedBufferRow {
    fn new(buffer: &SharedBufferSummary) -> Self {
        let bytes = |value: u64| Unit::Bytes.text(value as f64);
        let share = |used: u64, of: u64| match of {
            0 => "–".to_owned(),
            _ => format!("{} ({})", bytes(used), Unit::Share.text(used as f64 / of as f64)),
        };
        let dropped = buffer.dropped_above_threshold_frames + buffer.dropped_by_full_pool_frames;
        Self {
            name: buffer.name.clone(),
            reserves: bytes(buffer.reserves_bytes),
            shared: bytes(buffer.shared_bytes),
            shared_peak: share(buffer.shared_peak_bytes, buffer.shared_bytes),
            headroom: bytes(buffer.headroom_bytes),
            headroom_peak: share(buffer.headroom_peak_bytes, buffer.headroom_bytes),
            pauses: grouped(buffer.pauses as f64),
            headroom_frames: grouped(buffer.headroom_frames as f64),
            dropped: grouped(dropped as f64),
            is_short: buffer.headroom_bytes < buffer.headroom_needed_bytes,
            drops: dropped > 0,
        }
    }
}
