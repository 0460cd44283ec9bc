//! The section on congestion trees, and the note on a deadlock.

use setpoint_record::results::{FlowSummary, PauseSummary, RunRecord};

use super::Table;
use crate::figures::port_text;
use crate::{topology, words};
use setpoint_plot::{Size, Surface};
use setpoint_units::quantity::{Unit, grouped};

/// Number of rows shown in these tables; the rest are collapsed.
const OPEN_ROWS: usize = 12;

/// How pauses spread.
pub(super) struct Trees {
    /// A description in words.
    pub(super) text: String,
    /// The drawing, wide and narrow; empty for a record without a network.
    pub(super) wide: String,
    pub(super) narrow: String,
    pub(super) alternative: String,
    pub(super) pauses: Table<PauseRow>,
    pub(super) victims: Table<VictimRow>,
}

impl Trees {
    /// The section; `None` if there were no pauses.
    pub(super) fn of(record: &RunRecord) -> Option<Self> {
        let summary = &record.summary;
        let pauses = &summary.congestion_trees.pauses;
        let text = words::trees::summary(record)?;
        let drawing = |size| topology::congestion_trees(record, size, Surface::Page).unwrap_or_default();
        let rows = pauses.iter().map(|pause| PauseRow::new(pause, summary.duration_s));
        Some(Self {
            text,
            wide: drawing(Size::Wide),
            narrow: drawing(Size::Narrow),
            alternative: words::trees::alternative(record),
            pauses: Table::opened(OPEN_ROWS, pauses.len(), rows),
            victims: victims(record),
        })
    }
}

/// Flows delayed by congestion elsewhere, the longest delay first.
fn victims(record: &RunRecord) -> Table<VictimRow> {
    let victims = record.summary.victims();
    let rows = victims.iter().map(|flow| VictimRow::new(flow, record.summary.duration_s));
    Table::opened(OPEN_ROWS, victims.len(), rows)
}

/// The pauses of a port with the same cause and root.
pub(super) struct PauseRow {
    pub(super) port: String,
    pub(super) cause: String,
    pub(super) root: String,
    pub(super) depth: u32,
    pub(super) pauses: String,
    pub(super) time: String,
    pub(super) share: String,
}

impl PauseRow {
    fn new(pause: &PauseSummary, duration: f64) -> Self {
        Self {
            port: port_text(&pause.port),
            cause: port_text(&pause.cause),
            root: port_text(&pause.root),
            depth: pause.depth,
            pauses: grouped(pause.pauses as f64),
            time: Unit::Seconds.text(pause.time_s),
            share: share(pause.time_s, duration),
        }
    }
}

/// A flow delayed by congestion that is not on its path.
pub(super) struct VictimRow {
    pub(super) name: String,
    pub(super) path: String,
    pub(super) time: String,
    pub(super) share: String,
    pub(super) rate: String,
}

impl VictimRow {
    fn new(flow: &FlowSummary, duration: f64) -> Self {
        Self {
            name: flow.name.clone(),
            path: format!("{} → {}", flow.source, flow.destination),
            time: Unit::Seconds.text(flow.victim_s),
            share: share(flow.victim_s, duration),
            rate: Unit::BitsPerSecond.text(flow.rate_bps),
        }
    }
}

/// A pause time as a share of the run. Pauses of several priorities add up, so the share can exceed 100 %.
fn share(time: f64, duration: f64) -> String {
    Unit::Share.text(if duration > 0.0 { time / duration } else { 0.0 })
}

/// A deadlock, shown prominently.
pub(super) struct DeadlockNote {
    pub(super) at: String,
    pub(super) cycle: String,
    pub(super) consequence: String,
}

impl DeadlockNote {
    /// The note on the run's deadlock, if there was one.
    pub(super) fn of(record: &RunRecord) -> Option<Self> {
        let deadlock = record.summary.deadlock.as_ref()?;
        Some(Self {
            at: Unit::Seconds.text(deadlock.at_s),
            cycle: words::trees::cycle(deadlock),
            consequence: words::trees::consequence(deadlock),
        })
    }
}
