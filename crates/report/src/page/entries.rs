//! Tables of `[[flows]]` entries and of messages by size.

use setpoint_record::results::{Bounded, EntrySummary, MessageClass, RunRecord};

use super::Table;
use setpoint_units::quantity::{Unit, grouped};

/// The entries; `None` if there are fewer than two.
pub(super) fn entries(record: &RunRecord) -> Option<Table<EntryRow>> {
    let entries = &record.summary.entries;
    (entries.len() > 1).then(|| Table::new(entries.len(), entries.iter().map(EntryRow::new)))
}

/// One `[[flows]]` entry.
pub(super) struct EntryRow {
    pub(super) name: String,
    pub(super) flows: String,
    pub(super) sum: String,
    pub(super) mean: String,
    pub(super) range: String,
    pub(super) fairness: String,
    pub(super) loss: String,
    /// Whether a frame was lost.
    pub(super) alarm: bool,
    pub(super) notifications: String,
    pub(super) delay: String,
    pub(super) completion: String,
    pub(super) tail: String,
    pub(super) query: String,
}

impl EntryRow {
    fn new(entry: &EntrySummary) -> Self {
        let rate = |value| Unit::BitsPerSecond.text(value);
        let of_messages = |figure: fn(&MessageClass) -> _| time(entry.messages.as_ref().and_then(figure));
        Self {
            name: entry.name.clone(),
            flows: grouped(entry.flows as f64),
            sum: rate(entry.rate_sum_bps),
            mean: rate(entry.rate_mean_bps),
            range: format!("{} – {}", rate(entry.rate_min_bps), rate(entry.rate_max_bps)),
            fairness: Unit::Ratio.text(entry.jain_index.unwrap_or(f64::NAN)),
            loss: Unit::Share.text(entry.loss_share),
            alarm: entry.dropped_frames > 0,
            notifications: grouped(entry.notifications as f64),
            delay: Unit::Seconds.text(entry.delay_mean_s.unwrap_or(f64::NAN)),
            completion: of_messages(MessageClass::fct_mean),
            tail: of_messages(MessageClass::fct_tail),
            query: time(entry.query_completion()),
        }
    }
}

/// Messages by size; empty if all are in one class.
pub(super) fn sizes(record: &RunRecord) -> Vec<SizeRow> {
    let classes = &record.summary.size_classes;
    let rows = classes.iter().filter(|_| classes.len() > 1);
    rows.map(|class| SizeRow::new(class.size.name(), &class.messages)).collect()
}

/// Messages of one size class.
pub(super) struct SizeRow {
    pub(super) name: &'static str,
    pub(super) sizes: String,
    pub(super) count: String,
    pub(super) not_completed: String,
    pub(super) mean: String,
    pub(super) median: String,
    pub(super) tail: String,
    pub(super) slowdown: String,
    pub(super) slowdown_tail: String,
}

impl SizeRow {
    fn new(name: &'static str, class: &MessageClass) -> Self {
        let ratio = |figure: Option<Bounded>| {
            figure.map_or_else(|| "–".to_owned(), |figure| Unit::Ratio.bounded_text(figure))
        };
        Self {
            name,
            sizes: crate::figures::messages::class_text(class),
            count: grouped(class.count() as f64),
            not_completed: grouped(class.not_completed() as f64),
            mean: time(class.fct_mean()),
            median: time(class.fct_at(0.5)),
            tail: time(class.fct_tail()),
            slowdown: ratio(class.slowdown_at(0.5)),
            slowdown_tail: ratio(class.slowdown_tail()),
        }
    }
}

fn time(figure: Option<Bounded>) -> String {
    figure.map_or_else(|| "–".to_owned(), |figure| Unit::Seconds.bounded_text(figure))
}
