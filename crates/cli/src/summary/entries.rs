//! The `[[flows]]` entries of a run, in a table.

use setpoint_record::results::{EntrySummary, MessageClass, Summary};

use super::{LISTED, left_out, remark};
use crate::terminal::{Column, Screen, Table, Unit, bounded, count, quantity};

/// The entries, if there are two or more.
pub(super) fn render(summary: &Summary, screen: Screen) -> String {
    if summary.entries.len() < 2 {
        return String::new();
    }
    let mut text = format!("\n{}", table(&summary.entries, screen));
    if summary.skips_beginning() {
        text += &remark("loss and notifications: whole run", screen);
    }
    text
}

fn table(entries: &[EntrySummary], screen: Screen) -> String {
    let messages = entries.iter().any(|entry| entry.messages.is_some());
    let queries = entries.iter().any(|entry| entry.query_completion().is_some());
    let mut columns = vec![
        Column::words("flows entry", 0),
        Column::figures("flows", 2),
        Column::figures("rate", 0),
        Column::figures("per flow", 1),
        Column::figures("Jain", 4),
        Column::figures("loss", 0),
        Column::figures("notifications", 5),
        Column::figures("mean delay", 3),
    ];
    columns.extend(messages.then(|| Column::figures("mean completion", 1)));
    columns.extend(messages.then(|| Column::figures("99th pct", 2)));
    columns.extend(queries.then(|| Column::figures("query", 0)));
    let mut table = Table::new(columns);
    for entry in entries.iter().take(LISTED) {
        let of_messages = |figure: fn(&MessageClass) -> _| entry.messages.as_ref().and_then(figure);
        let time = |figure: Option<_>| figure.map_or_else(dash, |figure| bounded(Unit::Seconds, figure));
        let mut cells = vec![
            entry.name.clone(),
            count(entry.flows as u64),
            quantity(Unit::BitsPerSecond, entry.rate_sum_bps),
            quantity(Unit::BitsPerSecond, entry.rate_mean_bps),
            entry.jain_index.map_or_else(dash, |index| quantity(Unit::Ratio, index)),
            quantity(Unit::Share, entry.loss_share),
            count(entry.notifications),
            entry.delay_mean_s.map_or_else(dash, |delay| quantity(Unit::Seconds, delay)),
        ];
        cells.extend(messages.then(|| time(of_messages(MessageClass::fct_mean))));
        cells.extend(messages.then(|| time(of_messages(MessageClass::fct_tail))));
        cells.extend(queries.then(|| time(entry.query_completion())));
        table.row(cells);
    }
    table.render(screen).0 + &left_out(entries.len().saturating_sub(LISTED), ["entry", "entries"], screen)
}

fn dash() -> String {
    "-".to_owned()
}
