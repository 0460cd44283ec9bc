//! Percentiles of the slowdown by message size on the terminal.

use setpoint_record::catalogue::{Metric, SLOWDOWN_PERCENTILES, slowdown_classes};

use crate::terminal::{Column, Screen, Table};

/// Maximum number of rows for each class of message sizes; pages and files contain all rows.
const MOST_ROWS: usize = 20;

/// A table with a line for each class of message sizes and each of the `rows`, which begin with the cells under `headings`;
/// empty without messages, or if there are too many rows. `cell` returns none if a row has no value.
pub(super) fn percentiles<R>(
    headings: Vec<String>,
    rows: &[(Vec<String>, R)],
    screen: Screen,
    cell: impl Fn(&R, &'static Metric) -> Option<String>,
) -> String {
    let has = |metric: &'static Metric| rows.iter().any(|(_, row)| cell(row, metric).is_some());
    let classes = slowdown_classes(has);
    if classes.is_empty() || rows.len() > MOST_ROWS {
        return String::new();
    }
    let shown: Vec<usize> = (0..SLOWDOWN_PERCENTILES.len())
        .filter(|&place| classes.iter().any(|class| has(class.metrics[place])))
        .collect();
    let names = headings.into_iter().map(|heading| Column::words(heading, 0));
    let figures = shown.iter().map(|&place| Column::figures(SLOWDOWN_PERCENTILES[place], 1));
    let mut table =
        Table::new([Column::words("slowdown", 0)].into_iter().chain(names).chain(figures).collect());
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
