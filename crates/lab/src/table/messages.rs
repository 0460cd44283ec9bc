//! The messages of all runs of a sweep.

use std::path::Path;

use setpoint_record::table::{Column, MESSAGES, Messages, Table, Values};

use super::{axes, origin};
use crate::store::{self, StoreError};
use crate::sweep::{SweepSummary, VariantSummary};

/// The messages of all runs of a stored sweep, with the values of their variant and their seed; none if no run has messages.
///
/// # Errors
/// If a run cannot be read.
pub fn messages_of_sweep(sweep: &SweepSummary, folder: &Path) -> Result<Option<Table>, StoreError> {
    let (mut variants, mut seeds): (Vec<&VariantSummary>, Vec<Option<u64>>) = (Vec::new(), Vec::new());
    let mut messages = Messages::default();
    for variant in &sweep.variants {
        for run in variant.runs.iter().filter(|run| run.error.is_none()) {
            let record = store::read_listed(&folder.join(&run.folder))?;
            variants.extend(record.messages.iter().map(|_| variant));
            seeds.extend(record.messages.iter().map(|_| Some(run.seed)));
            messages.add(record.messages, &record.summary);
        }
    }
    if variants.is_empty() {
        return Ok(None);
    }
    let mut columns: Vec<Column> = axes(sweep, &variants).into_iter().map(repeated).collect();
    columns.retain(|column| column.name != "seed");
    columns.push(Column::new("seed", None, "The seed.", Values::Counts(seeds)));
    columns.extend(messages.columns());
    Ok(Some(Table { name: MESSAGES.to_owned(), columns, origin: origin(sweep) }))
}

/// A column whose strings are repeated many times.
fn repeated(column: Column) -> Column {
    match &column.values {
        Values::Texts(texts) => {
            let values = Values::repeated(texts.iter().map(|text| text.as_deref().unwrap_or_default()));
            Column { values, ..column }
        }
        _ => column,
    }
}
