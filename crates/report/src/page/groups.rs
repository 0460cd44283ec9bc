//! Tables of groups and their receivers.

use setpoint_record::results::{GroupSummary, ReceiverSummary, RunRecord};

use super::Table;
use setpoint_units::quantity::{Unit, grouped};

/// Groups and their receivers.
pub(super) struct Groups {
    pub(super) groups: Vec<GroupRow>,
    pub(super) receivers: Table<ReceiverRow>,
}

impl Groups {
    pub(super) fn of(record: &RunRecord) -> Option<Self> {
        let groups = &record.summary.groups;
        let rows =
            groups.iter().flat_map(|group| group.receivers.iter().map(|one| ReceiverRow::new(group, one)));
        let all = groups.iter().map(|group| group.receivers.len()).sum();
        (!groups.is_empty()).then(|| Self {
            groups: groups.iter().map(GroupRow::new).collect(),
            receivers: Table::new(all, rows),
        })
    }
}

pub(super) struct GroupRow {
    pub(super) name: String,
    pub(super) sources: String,
    pub(super) flows: String,
    pub(super) receivers: String,
    pub(super) rate: String,
    pub(super) fairness: String,
    pub(super) feedback: String,
    pub(super) notifications: String,
    pub(super) peak: String,
    pub(super) loss: String,
    /// Whether a frame was lost.
    pub(super) alarm: bool,
}

impl GroupRow {
    fn new(group: &GroupSummary) -> Self {
        Self {
            name: group.name.clone(),
            sources: grouped(group.sources as f64),
            flows: grouped(group.flows as f64),
            receivers: grouped(group.receivers.len() as f64),
            rate: Unit::BitsPerSecond.text(group.rate_mean_bps),
            fairness: Unit::Ratio.text(group.jain_index.unwrap_or(f64::NAN)),
            feedback: Unit::Share.text(group.feedback_overhead),
            notifications: Unit::PerSecond.text(group.notifications_per_source_mean),
            peak: Unit::PerSecond.text(group.notifications_per_source_peak),
            loss: Unit::Share.text(group.loss_share),
            alarm: group.loss_share > 0.0,
        }
    }
}

/// A receiver of a group.
pub(super) struct ReceiverRow {
    pub(super) station: String,
    pub(super) group: String,
    pub(super) rate: String,
    pub(super) delivered: String,
    pub(super) lost: String,
    pub(super) loss: String,
    /// Whether a frame was lost.
    pub(super) alarm: bool,
}

impl ReceiverRow {
    fn new(group: &GroupSummary, receiver: &ReceiverSummary) -> Self {
        Self {
            station: receiver.station.clone(),
            group: group.name.clone(),
            rate: Unit::BitsPerSecond.text(receiver.rate_bps),
            delivered: grouped(receiver.delivered_frames as f64),
            lost: grouped(receiver.lost_frames as f64),
            loss: Unit::Share.text(receiver.loss_share),
            alarm: receiver.lost_frames > 0,
        }
    }
}
