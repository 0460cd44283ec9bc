//! Tables of the percentiles of the slowdown, one for each class of message sizes.

use setpoint_record::catalogue::{Metric, SLOWDOWN_PERCENTILES, slowdown_classes};

use crate::document::{Block, Cell, Column, Table};
use crate::words::capital;

/// A row for each name and a column for each percentile, collapsed; none without messages. `cell` returns none if the row has
/// no value.
pub(crate) fn tables<R>(
    heading: &str,
    rows: &[(String, R)],
    cell: impl Fn(&R, &'static Metric) -> Option<Cell>,
) -> Option<Block> {
    let has = |metric: &'static Metric| rows.iter().any(|(_, row)| cell(row, metric).is_some());
    let mut blocks = Vec::new();
    for class in slowdown_classes(has) {
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
    let summary = "Percentiles of the slowdown by message size".to_owned();
    (!blocks.is_empty()).then_some(Block::More { summary, blocks })
}
