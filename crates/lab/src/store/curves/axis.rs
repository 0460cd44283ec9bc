//! The time axis of all curves: the ends of the sample intervals.

use std::io::{self, Write};
use std::path::Path;

use super::{csv_error, wrong};
use crate::store::StoreError;

const HEADER: &str = "time_s";

/// Writes the axis.
pub(in crate::store) fn write(file: impl Write, time: &[f64]) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(file);
    writer.write_record([HEADER])?;
    time.iter().try_for_each(|time| writer.write_record([time.to_string()]))?;
    writer.flush()
}

/// Reads the axis: times in ascending order.
pub(in crate::store) fn read(path: &Path) -> Result<Vec<f64>, StoreError> {
    let mut reader = csv::Reader::from_path(path).map_err(|error| csv_error(path, &error))?;
    if reader.headers().map_err(|error| csv_error(path, &error))?.iter().ne([HEADER]) {
        return Err(wrong(path, 1, format!("the only column must be {HEADER}")));
    }
    let mut axis: Vec<f64> = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| csv_error(path, &error))?;
        let line = record.position().map_or(0, csv::Position::line);
        match record[0].parse::<f64>() {
            Ok(time) if axis.last().is_none_or(|&last| last < time) => axis.push(time),
            Ok(_) => {
                return Err(wrong(
                    path,
                    line,
                    "the time is not after the time of the previous line".to_owned(),
                ));
            }
            Err(_) => return Err(wrong(path, line, "the time is not a number".to_owned())),
        }
    }
    Ok(axis)
}
