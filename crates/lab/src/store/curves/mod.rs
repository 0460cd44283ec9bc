//! Curves as CSV in long form, with a line only where a curve changes.
//!
//! * `samples.csv` is the time axis that all curves share: one line per sample.
//! * The other files hold the curves one after another. A curve has a line at the first sample, and at every later
//!   sample at which one of its values differs from the previous line. Between two lines its values do not change.
//!   A missing value is an empty field.
//!
//! The reason for this form: most flows in a large network are idle most of the time, and lines that
//! repeat their values at every sample would make up nearly the whole file. CSV can be read without
//! this program, and one line per change is tidy data: `pandas` and R expand it in one call (see
//! `docs/results.md`), and `setpoint export` writes complete tables for spreadsheets. Columns do not
//! depend on the network. A binary format would be smaller, but would need its own reader.
//!
//! Values are compared bit by bit, so reading returns exactly what was written.

mod axis;
mod wide;

use std::io::{self, Write};
use std::path::Path;

use setpoint_record::results::Curves;

use super::error::StoreError;
use super::new_file;

pub(super) use axis::{read as read_axis, write as write_axis};
pub(super) use wide::write as write_wide;

/// The number of columns before the curves: the time and the name.
const NAMED: usize = 2;

/// The columns of a file: the time, the name, then the curves.
fn header<C: Curves>() -> Vec<&'static str> {
    ["time_s", C::KIND].into_iter().chain(C::COLUMNS.iter().map(|column| column.name)).collect()
}

/// Whether the curves have the given names, in order, and equal lengths.
pub(super) fn matches<'a, C: Curves>(
    curves: &[C],
    names: impl Iterator<Item = &'a String>,
    samples: usize,
) -> bool {
    curves.iter().map(Curves::name).eq(names.map(String::as_str))
        && curves.iter().all(|one| one.curves().iter().all(|curve| curve.samples() == samples))
}

/// Writes curves.
pub(super) fn write<C: Curves>(file: impl Write, time: &[f64], curves: &[C]) -> io::Result<()> {
    let time: Vec<String> = time.iter().map(f64::to_string).collect();
    let mut writer = csv::Writer::from_writer(file);
    writer.write_record(header::<C>())?;
    for one in curves {
        let columns = one.curves();
        for (sample, time) in time.iter().enumerate() {
            if sample == 0 || columns.iter().any(|curve| curve.changes(sample)) {
                writer.write_field(time)?;
                writer.write_field(one.name())?;
                writer.write_record(columns.iter().map(|curve| curve.text(sample)))?;
            }
        }
    }
    writer.flush()
}

/// Reads the curves with the given names, in this order, and extends them to the whole time axis.
pub(super) fn read<C: Curves>(path: &Path, names: &[&str], time: &[f64]) -> Result<Vec<C>, StoreError> {
    let mut reader = csv::Reader::from_path(path).map_err(|error| csv_error(path, &error))?;
    let columns = header::<C>();
    // Results of earlier versions have no columns for curves that were added since; these curves are missing.
    let found: Vec<&str> = reader.headers().map_err(|error| csv_error(path, &error))?.iter().collect();
    if !columns.starts_with(&found) || found.len() <= NAMED {
        return Err(wrong(path, 1, format!("the columns must be {}", columns.join(","))));
    }
    let mut curves: Vec<C> = Vec::with_capacity(names.len());
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| csv_error(path, &error))? {
        let line = record.position().map_or(0, csv::Position::line);
        add(&mut curves, names, time, &record).map_err(|problem| wrong(path, line, problem))?;
    }
    // Without samples there are no lines, and all curves are empty.
    while curves.len() < names.len() && time.is_empty() {
        begin(&mut curves, names, time);
    }
    if curves.len() != names.len() {
        let problem = format!("there are curves for {} of {}", curves.len(), names.len());
        return Err(wrong(path, reader.position().line(), problem));
    }
    curves.iter_mut().for_each(|one| hold(one, time.len()));
    Ok(curves)
}

/// Processes a line: the first line of the next curve, or a change in the current curve.
fn add<C: Curves>(
    curves: &mut Vec<C>,
    names: &[&str],
    time: &[f64],
    record: &csv::StringRecord,
) -> Result<(), String> {
    let cells: Vec<&str> = record.iter().collect();
    let at: f64 = cells[0].parse().map_err(|_| "the time is not a number")?;
    if time.first() == Some(&at) {
        begin(curves, names, time);
    }
    let curve = curves.last_mut().ok_or("a curve begins at the first time in samples.csv")?;
    if curve.name() != cells[1] {
        return Err(format!("expected values of {:?}, found {:?}", curve.name(), cells[1]));
    }
    let done = curve.curves()[0].samples();
    let ahead = time[done..].iter().position(|&sample| sample >= at).map(|steps| done + steps);
    match ahead {
        Some(sample) if time[sample] == at => hold(curve, sample),
        _ => {
            return Err(
                "the time is not in samples.csv, or not after the time of the previous line".to_owned()
            );
        }
    }
    let values = curve.curves_mut().into_iter().zip(cells[NAMED..].iter().chain(std::iter::repeat(&"")));
    let pushed: Option<()> = values.map(|(curve, text)| curve.push_text(text)).collect();
    pushed.ok_or_else(|| "a value is not a number".to_owned())
}

/// Begins the next curve. A curve beyond the given names has no name, which is detected at its first line.
fn begin<C: Curves>(curves: &mut Vec<C>, names: &[&str], time: &[f64]) {
    if let Some(last) = curves.last_mut() {
        hold(last, time.len());
    }
    let mut curve = C::default();
    curve.set_name(names.get(curves.len()).copied().unwrap_or_default());
    curves.push(curve);
}

/// Repeats the last values until all curves have this number of samples.
fn hold<C: Curves>(curves: &mut C, samples: usize) {
    curves.curves_mut().into_iter().for_each(|curve| curve.hold(samples));
}

fn wrong(path: &Path, line: u64, problem: String) -> StoreError {
    StoreError::Csv { path: path.to_owned(), line, problem }
}

/// A CSV error with its position.
pub(super) fn csv_error(path: &Path, error: &csv::Error) -> StoreError {
    let line = error.position().map_or(0, csv::Position::line);
    wrong(path, line, error.to_string())
}
