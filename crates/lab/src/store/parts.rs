//! The files of a result, except derived ones.

use std::io::{self, Write};

use setpoint_record::json;
use setpoint_record::results::RunRecord;

use super::{
    FLOWS, MANIFEST, MESSAGES, PAUSES, PORTS, QUEUES, SAMPLES, SOURCES, SUMMARY, TOPOLOGY, curves, messages,
    pauses,
};

/// A file of a result.
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) write: Writer,
}

type Writer = fn(&RunRecord, &mut dyn Write) -> io::Result<()>;

const PARTS: [(&str, Writer); 10] = [
    (SUMMARY, |record, file| json::write(&record.summary, file)),
    (TOPOLOGY, |record, file| json::write(&record.topology, file)),
    (SAMPLES, |record, file| curves::write_axis(file, &record.series.time_s)),
    (FLOWS, |record, file| curves::write(file, &record.series.time_s, &record.series.flows)),
    (SOURCES, |record, file| curves::write(file, &record.series.time_s, &record.series.sources)),
    (QUEUES, |record, file| curves::write(file, &record.series.time_s, &record.series.queues)),
    (PORTS, |record, file| curves::write(file, &record.series.time_s, &record.series.ports)),
    (MESSAGES, |record, file| messages::write(file, &record.messages, &record.summary.flows)),
    (PAUSES, |record, file| {
        pauses::write(file, record.pauses.as_deref().unwrap_or_default(), &record.summary.ports)
    }),
    (MANIFEST, |record, file| json::write(&record.manifest, file)),
];

impl Part {
    /// The files of a result. Files of sources and of messages exist only if they are not empty, and the file of pauses only if they
    /// were recorded.
    pub(super) fn of(record: &RunRecord) -> impl Iterator<Item = Self> {
        let exists = |name| match name {
            MESSAGES => !record.messages.is_empty(),
            SOURCES => !record.series.sources.is_empty(),
            PAUSES => record.pauses.is_some(),
            _ => true,
        };
        PARTS.into_iter().filter(move |(name, _)| exists(*name)).map(|(name, write)| Self { name, write })
    }
}

/// The content of a file of a result, as [`write()`](super::write()) stores it; `None` if the result has no file of that name, or
/// the file is derived.
pub fn content(record: &RunRecord, name: &str) -> Option<Vec<u8>> {
    let part = Part::of(record).find(|part| part.name == name)?;
    let mut content = Vec::new();
    (part.write)(record, &mut content).ok()?;
    Some(content)
}
