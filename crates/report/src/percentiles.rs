//! Tables of the percentiles of the slowdown, one for each class of message sizes.

use setpoint_record::catalogue::{Metric, SLOWDOWN_PERCENTILES, SLOWDOWNS, Slowdown};

use crate::document::{Block, Cell, Column, Table};
use crate::words::capital;

/// Collapsed tables for each definition of the slowdown, with a row for each name and a column for each percentile; none
/// without messages. `cell` returns none if the row has no value.
pub(crate) fn tables<R>(
    heading: &str,
    rows: &[(String, R)],
    cell: impl Fn(&R, &'static Metric) -> Option<Cell>,
) -> Vec<Block> {
    SLOWDOWNS.iter().filter_map(|slowdown| of(slowdown, heading, rows, &cell)).collect()
}

fn of<R>(
    slowdown: &Slowdown,
    heading: &str,
    rows: &[(String, R)],
    cell: impl Fn(&R, &'static Metric) -> Option<Cell>,
) -> Option<Block> {
    let has = |metric: &'static Metric| rows.iter().any(|(_, row)| cell(row, metric).is_some());
    let mut blocks = Vec::new();
    for class in slowdown.classes_with(has) {
        let percentiles = class.metrics.into_iter().zip(SLOWDOWN_PERCENTILES);
        let shown: Vec<(&'static Metric, &str)> = percentiles.filter(|(metric, _)| has(metric)).collect();
        let headings = shown.iter().map(|(_, percentile)| Column::figures(*percentile));
        let mut table = Table::scrolled([Column::words(heading)].into_iter().chain(headings));
        for (name, row) in rows {
            let cells = shown.iter().map(|(metric, _)| cell(row, metric).unwrap_or_else(|| Cell::words("–")));
            table.row([Cell::words(name.as_str())].into_iter().chain(cells));
        }
        blocks.extend([Block::Prose(capital(class.title)), Block::Table(table)]);
    }
    let summary = slowdown.title.to_owned();
    (!blocks.is_empty()).then_some(Block::More { summary, blocks })
}
