//! Curves as complete tables: one file per quantity, a line per sample, a column per curve.

use std::path::Path;

use setpoint_record::results::{Curve, Curves};

use super::new_file;
use crate::store::StoreError;

/// Writes a table per quantity into a folder, named `KIND.QUANTITY.csv`. A quantity without values has no table.
pub(in crate::store) fn write<C: Curves>(
    folder: &Path,
    kind: &str,
    time: &[f64],
    curves: &[C],
) -> Result<(), StoreError> {
    let is_missing = |column: &usize| {
        let mut columns = curves.iter().map(|one| one.curves()[*column]);
        !curves.is_empty()
            && columns.all(|curve| (0..time.len()).all(|sample| curve.number(sample).is_none()))
    };
    let quantities = C::COLUMNS.iter().enumerate().filter(|(column, _)| !is_missing(column));
    quantities
        .map(|(column, quantity)| (column, folder.join(format!("{kind}.{}.csv", quantity.name))))
        .try_for_each(|(column, path)| table(&path, column, time, curves))
}

fn table<C: Curves>(path: &Path, column: usize, time: &[f64], curves: &[C]) -> Result<(), StoreError> {
    new_file::write_with(path, |file| {
        let mut writer = csv::Writer::from_writer(file);
        writer.write_record(["time_s"].into_iter().chain(curves.iter().map(Curves::name)))?;
        let columns: Vec<&dyn Curve> = curves.iter().map(|one| one.curves()[column]).collect();
        for (sample, time) in time.iter().enumerate() {
            writer.write_field(time.to_string())?;
            for curve in &columns {
                writer.write_field(curve.text(sample))?;
            }
            writer.write_record(None::<&[u8]>)?;
        }
        writer.flush()
    })
}
