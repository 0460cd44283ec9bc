//! Pauses as CSV: a line for each change of the paused priorities of a port, in chronological order.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use setpoint_record::results::{PauseRecord, PortSummary};

use super::error::StoreError;
use super::messages::read_lines;

const HEADER: [&str; 3] = ["time_s", "port", "priorities"];

/// Writes pauses.
pub(super) fn write(file: impl Write, changes: &[PauseRecord], ports: &[PortSummary]) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(file);
    writer.write_record(HEADER)?;
    for PauseRecord { time_s, port, priorities } in changes {
        let priorities: Vec<String> = priorities.iter().map(u8::to_string).collect();
        writer.write_record([&time_s.to_string(), &ports[*port].name, &priorities.join(" ")])?;
    }
    writer.flush()
}

/// Reads pauses.
pub(super) fn read(path: &Path, ports: &[PortSummary]) -> Result<Vec<PauseRecord>, StoreError> {
    let index = ports.iter().enumerate().map(|(index, port)| (port.name.as_str(), index)).collect();
    read_lines(path, "a time, a known port and priorities", |record| change(record, &index))
}

fn change(record: &csv::StringRecord, ports: &BTreeMap<&str, usize>) -> Option<PauseRecord> {
    let priority = |text: &str| text.parse().ok().filter(|priority| *priority < 8);
    let priorities = record.get(2)?.split(' ').filter(|text| !text.is_empty());
    Some(PauseRecord {
        time_s: record.get(0)?.parse().ok()?,
        port: *ports.get(record.get(1)?)?,
        priorities: priorities.map(priority).collect::<Option<_>>()?,
    })
}
