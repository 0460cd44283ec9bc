//! Reports: data that accompany a frame because they do not fit into it. A partition keeps the reports of the frames
//! that it holds.

use setpoint_control::{Acknowledgement, HopReport, Mark};
use setpoint_units::{Bytes, Time};

use crate::index::{ReportNo, Table};

/// The reports of the frames in a partition.
#[derive(Clone, Debug, Default)]
pub(in crate::network) struct Reports {
    entries: Table<ReportNo, Report>,
    free: Vec<ReportNo>,
}

/// The telemetry of a data frame, or the content of an acknowledgement.
#[derive(Clone, Debug, Default)]
pub(in crate::network) struct Report {
    pub(in crate::network) hops: Vec<HopReport>,
    /// For an acknowledgement: the bytes that it acknowledges.
    pub(in crate::network) bytes: u64,
    /// For an acknowledgement: bytes delivered or lost so far.
    pub(in crate::network) settled: u64,
    /// For an acknowledgement: whether it reports a mark.
    pub(in crate::network) mark: Mark,
}

impl Report {
    /// The content of an acknowledgement.
    pub(in crate::network) fn of(content: &Acknowledgement<'_>) -> Self {
        let Acknowledgement { bytes, settled, mark, hops, .. } = *content;
        Self { hops: hops.to_vec(), bytes: bytes.get(), settled: settled.get(), mark }
    }

    /// The acknowledgement of a frame that was sent at the given time.
    pub(in crate::network) fn acknowledgement(&self, sent_at: Time) -> Acknowledgement<'_> {
        let Self { hops, bytes, settled, mark } = self;
        let (bytes, settled) = (Bytes::new(*bytes), Bytes::new(*settled));
        Acknowledgement { sent_at, bytes, settled, mark: *mark, hops }
    }
}

impl Reports {
    /// Stores a report.
    pub(in crate::network) fn put(&mut self, report: Report) -> ReportNo {
        match self.free.pop() {
            Some(number) => {
                self.entries[number] = report;
                number
            }
            None => self.entries.push(report),
        }
    }

    /// Removes a report.
    pub(in crate::network) fn take(&mut self, number: ReportNo) -> Report {
        self.free.push(number);
        std::mem::take(&mut self.entries[number])
    }

    /// Adds the report of a bridge to the telemetry of a frame.
    pub(in crate::network) fn stamp(&mut self, number: ReportNo, hop: HopReport) {
        self.entries[number].hops.push(hop);
    }
}
