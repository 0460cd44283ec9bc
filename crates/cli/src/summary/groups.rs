//! Groups and their receivers, in two tables.

use setpoint_record::results::{GroupSummary, ReceiverSummary, Summary};

use super::{LISTED, left_out, remark};
use crate::terminal::{Column, Screen, Table, Unit, count, quantity};

/// Columns that need an explanation; a narrow screen omits some of them.
const LEGEND: [(&str, &str); 3] = [
    ("rate", "mean over senders"),
    ("feedback", "notifications per frame sent"),
    ("peak", "maximum number of notifications to one sender in 100 ms"),
];

/// The groups of a run, and the receivers with the most losses.
pub(super) fn render(summary: &Summary, screen: Screen) -> String {
    if summary.groups.is_empty() {
        return String::new();
    }
    let table = groups(&summary.groups, screen);
    let shown = |(column, _): &&(&str, &str)| table.contains(column);
    let legend: Vec<String> =
        LEGEND.iter().filter(shown).map(|(column, meaning)| format!("{column}: {meaning}")).collect();
    let mut text = format!("\n{table}");
    text += &remark(&legend.join("; "), screen);
    text += &format!("\n{}", receivers(&summary.groups, screen));
    if summary.skips_beginning() {
        text += &remark("feedback, peak and loss: whole run", screen);
    }
    text
}

fn groups(groups: &[GroupSummary], screen: Screen) -> String {
    let mut table = Table::new(vec![
        Column::words("group", 0),
        Column::figures("senders", 3),
        Column::figures("flows", 4),
        Column::figures("receivers", 2),
        Column::figures("rate", 0),
        Column::figures("Jain", 1),
        Column::figures("feedback", 1),
        Column::figures("peak", 0),
        Column::figures("loss", 0),
    ]);
    for group in groups {
        table.row([
            group.name.clone(),
            count(group.sources as u64),
            count(group.flows as u64),
            count(group.receivers.len() as u64),
            quantity(Unit::BitsPerSecond, group.rate_mean_bps),
            group.jain_index.map_or_else(|| "-".to_owned(), |index| quantity(Unit::Ratio, index)),
            quantity(Unit::Share, group.feedback_overhead),
            quantity(Unit::PerSecond, group.notifications_per_source_peak),
            quantity(Unit::Share, group.loss_share),
        ]);
    }
    table.render(screen).0
}

/// The receivers, those with the largest loss first; receivers with equal loss are in the order of their groups.
fn receivers(groups: &[GroupSummary], screen: Screen) -> String {
    let mut rows: Vec<(&str, &ReceiverSummary)> = groups
        .iter()
        .flat_map(|group| group.receivers.iter().map(|receiver| (group.name.as_str(), receiver)))
        .collect();
    rows.sort_by(|first, second| second.1.loss_share.total_cmp(&first.1.loss_share));
    let mut table = Table::new(vec![
        Column::words("receiver", 0),
        Column::words("of", 0),
        Column::figures("rate", 0),
        Column::figures("lost frames", 1),
        Column::figures("loss", 0),
    ]);
    for (group, receiver) in rows.iter().take(LISTED) {
        table.row([
            receiver.station.clone(),
            (*group).to_owned(),
            quantity(Unit::BitsPerSecond, receiver.rate_bps),
            count(receiver.lost_frames),
            quantity(Unit::Share, receiver.loss_share),
        ]);
    }
    table.render(screen).0 + &left_out(rows.len().saturating_sub(LISTED), ["receiver", "receivers"], screen)
}
