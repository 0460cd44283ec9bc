//! The section on links that failed.

use setpoint_record::results::{FailedLinkSummary, RunRecord};
use setpoint_units::quantity::{Unit, grouped};

use super::Table;
use crate::figures::port_text;

/// The links that failed, and their losses.
pub(super) struct FailedLinks {
    pub(super) rows: Table<FailedLinkRow>,
}

/// One link that failed.
pub(super) struct FailedLinkRow {
    pub(super) name: String,
    pub(super) down: String,
    pub(super) in_flight: String,
    pub(super) sent: String,
    pub(super) bytes: String,
    pub(super) control: String,
}

impl FailedLinks {
    /// The section; `None` if no link failed.
    pub(super) fn of(record: &RunRecord) -> Option<Self> {
        let links = &record.summary.failed_links;
        let rows = Table::new(links.len(), links.iter().map(FailedLinkRow::new));
        (!rows.is_empty()).then_some(Self { rows })
    }
}

impl FailedLinkRow {
    fn new(link: &FailedLinkSummary) -> Self {
        let count = |frames: u64| grouped(frames as f64);
        Self {
            name: port_text(&link.link),
            down: Unit::Seconds.text(link.down_s),
            in_flight: count(link.lost_in_flight_frames),
            sent: count(link.lost_sent_frames),
            bytes: Unit::Bytes.text(link.lost_bytes as f64),
            control: count(link.lost_control_frames),
        }
    }
}
