//! Messages as CSV, one per line: first the completed ones, in order of completion, then the others, in the order in which they
//! were offered.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use setpoint_record::results::{FlowSummary, MessageRecord, MessageState};

use super::curves::csv_error;
use super::error::StoreError;

/// The slowdown can be computed from other columns; it is a convenience for readers of the file.
const HEADER: [&str; 9] =
    ["flow", "size_bytes", "offered_s", "completed_s", "ideal_s", "fct_s", "slowdown", "waited_s", "state"];

/// Writes messages.
pub(super) fn write(file: impl Write, messages: &[MessageRecord], flows: &[FlowSummary]) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(file);
    writer.write_record(HEADER)?;
    for message in messages {
        let figures = [
            Some(message.offered_s),
            message.completed_s,
            Some(message.ideal_s),
            message.fct_s,
            message.slowdown(),
            Some(message.waited_s),
        ];
        writer.write_field(&flows[message.flow].name)?;
        writer.write_field(message.size_bytes.to_string())?;
        for figure in figures {
            writer.write_field(figure.map(|figure| figure.to_string()).unwrap_or_default())?;
        }
        writer.write_record([message.state.name()])?;
    }
    writer.flush()
}

/// Reads messages.
pub(super) fn read(path: &Path, flows: &[FlowSummary]) -> Result<Vec<MessageRecord>, StoreError> {
    let index = flows.iter().enumerate().map(|(index, flow)| (flow.name.as_str(), index)).collect();
    read_lines(path, "a known flow, seven numbers and a state", |record| message(record, &index))
}

/// Reads the lines of a CSV file. `expected` describes a line for the error about one that `read` rejects.
pub(super) fn read_lines<T>(
    path: &Path,
    expected: &str,
    read: impl Fn(&csv::StringRecord) -> Option<T>,
) -> Result<Vec<T>, StoreError> {
    let mut reader = csv::Reader::from_path(path).map_err(|error| csv_error(path, &error))?;
    let parsed = reader.records().map(|record| {
        let record = record.map_err(|error| csv_error(path, &error))?;
        let line = record.position().map_or(0, csv::Position::line);
        let wrong =
            || StoreError::Csv { path: path.to_owned(), line, problem: format!("expected {expected}") };
        read(&record).ok_or_else(wrong)
    });
    parsed.collect()
}

fn message(record: &csv::StringRecord, flows: &BTreeMap<&str, usize>) -> Option<MessageRecord> {
    let number = |column: usize| record.get(column)?.parse().ok();
    let known = |column: usize| record.get(column).filter(|text| !text.is_empty());
    let state = |name: &str| MessageState::ALL.into_iter().find(|state| state.name() == name);
    Some(MessageRecord {
        flow: *flows.get(record.get(0)?)?,
        size_bytes: record.get(1)?.parse().ok()?,
        offered_s: number(2)?,
        completed_s: known(3).map(|_| number(3).ok_or(())).transpose().ok()?,
        ideal_s: number(4)?,
        fct_s: known(5).map(|_| number(5).ok_or(())).transpose().ok()?,
        waited_s: number(7)?,
        state: state(record.get(8)?)?,
    })
}

/// Whether any two flows have the same name.
pub(super) fn ambiguous(flows: &[FlowSummary]) -> bool {
    let mut names: Vec<&str> = flows.iter().map(|flow| flow.name.as_str()).collect();
    names.sort_unstable();
    names.windows(2).any(|pair| pair[0] == pair[1])
}
