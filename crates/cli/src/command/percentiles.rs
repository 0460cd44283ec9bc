//! Percentiles of the slowdown by message size on the terminal.

use setpoint_record::catalogue::{Metric, SLOWDOWN_PERCENTILES, SLOWDOWNS, Slowdown};

use crate::terminal::{Column, Screen, Table};

/// Maximum number of rows for each class of message sizes; pages and files contain all rows.
const MOST_ROWS: usize = 20;

/// A table for each definition of the slowdown, with a line for each class of message sizes and each of the `rows`, which
/// begin with the cells under `headings`; empty without messages, or if there are too many rows. `cell` returns none if a
/// row has no value.
pub(super) fn percentiles<R>(
    headings: &[String],
    rows: &[(Vec<String>, R)],
    screen: Screen,
    cell: impl Fn(&R, &'static Metric) -> Option<String>,
) -> String {
    if rows.len() > MOST_ROWS {
        return String::new();
    }
    SLOWDOWNS.iter().map(|slowdown| of(slowdown, headings, rows, screen, &cell)).collect()
}

fn of<R>(
    slowdown: &Slowdown,
    headings: &[String],
    rows: &[(Vec<String>, R)],
    screen: Screen,
    cell: impl Fn(&R, &'static Metric) -> Option<String>,
) -> String {
    let has = |metric: &'static Metric| rows.iter().any(|(_, row)| cell(row, metric).is_some());
    let classes = slowdown.classes_with(has);
    if classes.is_empty() {
        return String::new();
    }
    let shown: Vec<usize> = (0..SLOWDOWN_PERCENTILES.len())
        .filter(|&place| classes.iter().any(|class| has(class.metrics[place])))
        .collect();
    let names = headings.iter().map(|heading| Column::words(heading, 0));
    let figures = shown.iter().map(|&place| Column::figures(SLOWDOWN_PERCENTILES[place], 1));
    let mut table =
        Table::new([Column::words(slowdown.name, 0)].into_iter().chain(names).chain(figures).collect());
    for class in classes {
        for (index, (names, row)) in rows.iter().enumerate() {
            let title = if index == 0 { class.title } else { "" };
            let cells =
                shown.iter().map(|&place| cell(row, class.metrics[place]).unwrap_or_else(|| "-".to_owned()));
            table.row([title.to_owned()].into_iter().chain(names.iter().cloned()).chain(cells));
        }
    }
    format!("\n{}", table.render_folded(screen))
}
