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
    /// Empty lists of former reports, which new ones reuse: a frame that crosses five bridges would otherwise allocate
    /// memory several times.
    spare: Vec<Vec<HopReport>>,
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
    /// The acknowledgement of a frame that was sent at the given time.
    pub(in crate::network) fn acknowledgement(&self, sent_at: Time) -> Acknowledgement<'_> {
        let Self { hops, bytes, settled, mark } = self;
        let (bytes, settled) = (Bytes::new(*bytes), Bytes::new(*settled));
        Acknowledgement { sent_at, bytes, settled, mark: *mark, hops }
    }
}

impl Reports {
    /// Stores an empty report.
    pub(in crate::network) fn put_empty(&mut self) -> ReportNo {
        let hops = self.spare.pop().unwrap_or_default();
        self.put(Report { hops, ..Report::default() })
    }

    /// Stores the content of an acknowledgement.
    pub(in crate::network) fn put_content(&mut self, content: &Acknowledgement<'_>) -> ReportNo {
        let Acknowledgement { bytes, settled, mark, hops: reports, .. } = *content;
        let mut hops = self.spare.pop().unwrap_or_default();
        hops.extend_from_slice(reports);
        self.put(Report { hops, bytes: bytes.get(), settled: settled.get(), mark })
    }

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

    /// Keeps the list of a report that is no longer needed, for reuse. The number of lists that are kept is at most the
    /// number of reports that this partition has needed at a time, since reports also arrive from other partitions.
    pub(in crate::network) fn recycle(&mut self, report: Report) {
        let Report { mut hops, .. } = report;
        if self.spare.len() < self.entries.len() {
            hops.clear();
            self.spare.push(hops);
        }
    }

    /// Adds the report of a bridge to the telemetry of a frame.
    pub(in crate::network) fn stamp(&mut self, number: ReportNo, hop: HopReport) {
        self.entries[number].hops.push(hop);
    }

    /// Removes the report of the last bridge.
    pub(in crate::network) fn remove_stamp(&mut self, number: ReportNo) {
        self.entries[number].hops.pop();
    }

    /// Sets the queue length in the report of the last bridge.
    pub(in crate::network) fn set_queue(&mut self, number: ReportNo, length: Bytes) {
        if let Some(hop) = self.entries[number].hops.last_mut() {
            hop.queue = length;
        }
    }
}
