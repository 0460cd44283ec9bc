//! The section on headroom: configured, required and used.

use setpoint_record::results::{FlowControlSummary, LinkGroup, RunRecord};

use super::Table;
use crate::figures::port_text;
use crate::words::counted;
use setpoint_units::quantity::{Unit, grouped};

/// Number of table rows shown; the rest are collapsed.
const OPEN_ROWS: usize = 12;

/// The links under flow control, grouped by equal figures.
pub(super) struct Links {
    /// A description in words.
    pub(super) text: String,
    /// The parts of the largest required headroom, and the sum over a bridge.
    pub(super) parts: String,
    /// Delays that the required headroom does not include.
    pub(super) left_out: String,
    /// The heading of the thresholds, which are reserves in a shared buffer.
    pub(super) threshold: &'static str,
    /// A remark on thresholds that depend on the free space.
    pub(super) shared: &'static str,
    pub(super) rows: Table<LinkRow>,
}

impl Links {
    /// The section; `None` if no link is under flow control.
    pub(super) fn of(record: &RunRecord) -> Option<Self> {
        let control = record.summary.flow_control.as_ref().filter(|control| !control.links.is_empty())?;
        let groups = control.groups();
        let most = control.most_used()?;
        let text = if most.headroom_used_bytes == 0 {
            "No input exceeded its threshold.".to_owned()
        } else {
            format!(
                "The link that used the largest share, {}, used {} of its {} of headroom, or {}.",
                port_text(&most.port),
                Unit::Bytes.text(most.headroom_used_bytes as f64),
                Unit::Bytes.text(most.headroom_given_bytes as f64),
                Unit::Share.text(most.used_share())
            )
        };
        let rows = groups.iter().map(LinkRow::new);
        let left_out = control.left_out_text().map_or(String::new(), |what| format!("It leaves out {what}."));
        let (threshold, shared) = if record.summary.shared_buffers.is_empty() {
            ("Threshold", "")
        } else {
            (
                "Reserve",
                "Above its reserve, an input has a threshold that depends on the free space of the shared buffer.",
            )
        };
        Some(Self {
            text,
            threshold,
            shared,
            parts: parts(control, threshold),
            left_out,
            rows: Table::opened(OPEN_ROWS, groups.len(), rows),
        })
    }
}

/// The parts of the largest required headroom, and the buffer of the bridge that needs most.
fn parts(control: &FlowControlSummary, threshold: &str) -> String {
    let bytes = |value: u64| Unit::Bytes.text(value as f64);
    let groups = control.groups();
    let largest = groups.iter().rev().max_by_key(|group| group.link.headroom_needed_bytes);
    let items = largest.map(|group| {
        let items: Vec<String> =
            group.link.items().into_iter().map(|(name, value)| format!("{name} {}", bytes(value))).collect();
        format!("The required headroom of {} consists of: {}.", port_text(&group.name), items.join("; "))
    });
    let bridge = control.largest_bridge().map(|bridge| {
        format!(
            "The inputs of {} reserve {} in all, {}s and headroom of {}.",
            bridge.name,
            bytes(bridge.buffer_bytes),
            threshold.to_lowercase(),
            counted(bridge.links as u64, "link", "links")
        )
    });
    items.into_iter().chain(bridge).collect::<Vec<_>>().join(" ")
}

/// Links with equal thresholds and headroom.
pub(super) struct LinkRow {
    pub(super) name: String,
    pub(super) count: String,
    pub(super) threshold: String,
    pub(super) given: String,
    pub(super) needed: String,
    pub(super) used: String,
    pub(super) share: String,
    pub(super) buffer: String,
    /// Whether less headroom was configured than required.
    pub(super) alarm: bool,
}

impl LinkRow {
    fn new(group: &LinkGroup<'_>) -> Self {
        let (link, bytes) = (group.link, |value: u64| Unit::Bytes.text(value as f64));
        Self {
            name: port_text(&group.name),
            count: grouped(group.count as f64),
            threshold: bytes(link.xoff_bytes),
            given: bytes(link.headroom_given_bytes),
            needed: bytes(link.headroom_needed_bytes),
            used: bytes(link.headroom_used_bytes),
            share: Unit::Share.text(link.used_share()),
            buffer: bytes(link.buffer_bytes),
            alarm: link.headroom_given_bytes < link.headroom_needed_bytes,
        }
    }
}
