//! Curves as CSV in long form: one line per curve and instant, curve after curve.
//!
//! The columns do not depend on the network, so that the same script reads every result
//! (`pandas.read_csv("flows.csv").pivot(index="time_s", columns="flow", values="rate_bps")`), and a
//! spreadsheet filters by name. A value that does not exist is an empty field.

mod kinds;

use std::path::Path;

use super::error::StoreError;
use super::folder;

/// Curves under one name.
pub(super) trait Curves: Default {
    /// Columns: the time, the name, then the curves.
    const HEADER: &'static [&'static str];
    /// Whose curves they are.
    fn name(&self) -> &str;
    /// Says whose curves they are.
    fn set_name(&mut self, name: &str);
    /// How long each curve is.
    fn lengths(&self) -> Vec<usize>;
    /// The values of all curves at one instant.
    fn cells(&self, sample: usize, row: &mut Vec<String>);
    /// Appends the values of all curves; none if they are not numbers.
    fn push(&mut self, cells: &[&str]) -> Option<()>;
}

/// Whether curves have the given names, in order, and all the same length.
pub(super) fn matches<'a, C: Curves>(
    curves: &[C],
    names: impl Iterator<Item = &'a String>,
    samples: usize,
) -> bool {
    curves.iter().map(Curves::name).eq(names.map(String::as_str))
        && curves.iter().all(|curve| curve.lengths().iter().all(|&length| length == samples))
}

/// Writes curves to a new file.
pub(super) fn write<C: Curves>(path: &Path, time: &[f64], curves: &[C]) -> Result<(), StoreError> {
    folder::write_with(path, |file| {
        let mut writer = csv::Writer::from_writer(file);
        writer.write_record(C::HEADER)?;
        let mut row = Vec::with_capacity(C::HEADER.len());
        for curve in curves {
            for (sample, time) in time.iter().enumerate() {
                row.clear();
                row.extend([time.to_string(), curve.name().to_owned()]);
                curve.cells(sample, &mut row);
                writer.write_record(&row)?;
            }
        }
        writer.flush()
    })
}

/// Reads the curves of the given names, in this order. The time axis is set by the first curve and
/// must be that of all others, in other files too.
pub(super) fn read<C: Curves>(
    path: &Path,
    names: &[&str],
    axis: &mut Option<Vec<f64>>,
) -> Result<Vec<C>, StoreError> {
    let mut reader = csv::Reader::from_path(path).map_err(|error| csv_error(path, &error))?;
    let wrong =
        |line, problem: &str| StoreError::Csv { path: path.to_owned(), line, problem: problem.to_owned() };
    if reader.headers().map_err(|error| csv_error(path, &error))?.iter().ne(C::HEADER.iter().copied()) {
        return Err(wrong(1, &format!("the columns must be {}", C::HEADER.join(","))));
    }
    let mut curves = Vec::with_capacity(names.len());
    let mut times: Vec<f64> = Vec::new();
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| csv_error(path, &error))? {
        let line = record.position().map_or(0, csv::Position::line);
        let cells: Vec<&str> = record.iter().collect();
        let time: f64 = cells[0].parse().map_err(|_| wrong(line, "the time is not a number"))?;
        if curves.is_empty() || times.last().is_some_and(|&last| time <= last) {
            finish_axis(&mut times, axis).map_err(|problem| wrong(line, problem))?;
            begin(&mut curves, names);
        }
        times.push(time);
        let curve: &mut C = curves.last_mut().expect("a curve has begun");
        if curve.name() != cells[1] {
            return Err(wrong(line, &format!("expected values of {:?}, found {:?}", curve.name(), cells[1])));
        }
        curve.push(&cells[2..]).ok_or_else(|| wrong(line, "a value is not a number"))?;
    }
    finish_axis(&mut times, axis).map_err(|problem| wrong(reader.position().line(), problem))?;
    // Without samples there are no lines, and all curves are empty.
    while curves.len() < names.len() && axis.as_ref().is_none_or(Vec::is_empty) {
        begin(&mut curves, names);
    }
    if curves.len() != names.len() {
        return Err(wrong(
            reader.position().line(),
            &format!("there are curves of {} of {}", curves.len(), names.len()),
        ));
    }
    Ok(curves)
}

/// Begins the next curve. One more than there are names has no name, which its first line shows.
fn begin<C: Curves>(curves: &mut Vec<C>, names: &[&str]) {
    let mut curve = C::default();
    curve.set_name(names.get(curves.len()).copied().unwrap_or_default());
    curves.push(curve);
}

/// Holds the times of a curve that has ended against those of the first.
fn finish_axis(times: &mut Vec<f64>, axis: &mut Option<Vec<f64>>) -> Result<(), &'static str> {
    let times = std::mem::take(times);
    match axis {
        _ if times.is_empty() => Ok(()),
        None => {
            *axis = Some(times);
            Ok(())
        }
        Some(axis) if *axis == times => Ok(()),
        Some(_) => Err("the curve before has other times than the first"),
    }
}

/// Where a file breaks the rules of CSV.
pub(super) fn csv_error(path: &Path, error: &csv::Error) -> StoreError {
    let line = error.position().map_or(0, csv::Position::line);
    StoreError::Csv { path: path.to_owned(), line, problem: error.to_string() }
}
