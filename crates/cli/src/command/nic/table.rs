//! Parameters and statistics as a table with a column per priority.

use setpoint_live::nic::{Parameter, State, Statistics};
use setpoint_wire::{Priority, PrioritySet};

use crate::terminal::{self, Column, Screen, Table};

/// The table for the given priorities, and remarks.
pub(super) fn render(state: &State, priorities: PrioritySet, screen: Screen) -> String {
    let mut columns = vec![Column::words("parameter", 0), Column::words("managed object", 1)];
    columns.extend(priorities.iter().map(|priority| Column::figures(format!("priority {priority}"), 0)));
    let mut table = Table::new(columns);
    for parameter in Parameter::ALL {
        let names = [parameter.name(), parameter.managed_object().unwrap_or_default()].map(str::to_owned);
        let value = |priority| state.qcn.get(priority, parameter).to_string();
        table.row(names.into_iter().chain(priorities.iter().map(value)));
    }
    if let Some(statistics) = &state.statistics {
        add_statistics(&mut table, statistics, priorities);
    }
    format!("{}\n{}", table.render_folded(screen), remarks(state, screen))
}

fn add_statistics(table: &mut Table, statistics: &Statistics, priorities: PrioritySet) {
    let index = |priority: Priority| usize::from(priority.number());
    let created = |priority| statistics.created_reaction_points[index(priority)].to_string();
    let names = ["created_reaction_points", "rpppCreatedRps"].map(str::to_owned);
    table.row(names.into_iter().chain(priorities.iter().map(created)));
    let time = |priority| seconds(statistics.reaction_point_centiseconds[index(priority)]);
    let names = ["reaction_point_time", "rpppRpCentiseconds"].map(str::to_owned);
    table.row(names.into_iter().chain(priorities.iter().map(time)));
}

/// Formats hundredths of a second. Their range far exceeds that of `TimeDelta`.
fn seconds(hundredths: u64) -> String {
    format!("{}.{:02} s", hundredths / 100, hundredths % 100)
}

fn remarks(state: &State, screen: Screen) -> String {
    let rate = "min_rate is the card's raw value. Its unit is uncertain: b/s according to linux/dcbnl.h, Mb/s in \
                IEEE 802.1Q.";
    let statistics = if state.statistics.is_none() { " The driver reports no statistics." } else { "" };
    let text = terminal::indented(&format!("{rate}{statistics}"), 0, screen.width);
    text.lines().map(|line| screen.paint.faint(line) + "\n").collect()
}
