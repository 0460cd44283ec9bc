//! Messages as CSV, one per line, in order of completion.

use std::collections::BTreeMap;
use std::path::Path;

use super::curves::csv_error;
use super::error::StoreError;
use super::folder;
use crate::metrics::moments::ratio;
use crate::results::{FlowSummary, MessageRecord};

/// The last column can be computed from the others; it is a convenience for readers of the file.
const HEADER: [&str; 7] = ["flow", "size_bytes", "offered_s", "completed_s", "ideal_s", "fct_s", "slowdown"];

/// Writes messages to a new file.
pub(super) fn write(
    path: &Path,
    messages: &[MessageRecord],
    flows: &[FlowSummary],
) -> Result<(), StoreError> {
    folder::write_with(path, |file| {
        let mut writer = csv::Writer::from_writer(file);
        writer.write_record(HEADER)?;
        for message in messages {
            let figures = [
                message.offered_s,
                message.completed_s,
                message.ideal_s,
                message.fct_s,
                ratio(message.fct_s, message.ideal_s),
            ];
            writer.write_field(&flows[message.flow].name)?;
            writer.write_field(message.size_bytes.to_string())?;
            writer.write_record(figures.map(|figure| figure.to_string()))?;
        }
        writer.flush()
    })
}

/// Reads messages.
pub(super) fn read(path: &Path, flows: &[FlowSummary]) -> Result<Vec<MessageRecord>, StoreError> {
    let mut reader = csv::Reader::from_path(path).map_err(|error| csv_error(path, &error))?;
    let index: BTreeMap<&str, usize> =
        flows.iter().enumerate().map(|(index, flow)| (flow.name.as_str(), index)).collect();
    let mut messages = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| csv_error(path, &error))?;
        let line = record.position().map_or(0, csv::Position::line);
        let problem = "expected a known flow and six numbers".to_owned();
        let wrong = || StoreError::Csv { path: path.to_owned(), line, problem };
        messages.push(message(&record, &index).ok_or_else(wrong)?);
    }
    Ok(messages)
}

fn message(record: &csv::StringRecord, flows: &BTreeMap<&str, usize>) -> Option<MessageRecord> {
    let number = |column: usize| record.get(column)?.parse().ok();
    Some(MessageRecord {
        flow: *flows.get(record.get(0)?)?,
        size_bytes: record.get(1)?.parse().ok()?,
        offered_s: number(2)?,
        completed_s: number(3)?,
        ideal_s: number(4)?,
        fct_s: number(5)?,
    })
}

/// Whether any two flows have the same name.
pub(super) fn ambiguous(flows: &[FlowSummary]) -> bool {
    let mut names: Vec<&str> = flows.iter().map(|flow| flow.name.as_str()).collect();
    names.sort_unstable();
    names.windows(2).any(|pair| pair[0] == pair[1])
}
