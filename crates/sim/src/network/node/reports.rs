//! Reports: data that accompany a frame because they do not fit into it. A partition keeps the reports of the frames
//! that it holds.

use setpoint_control::telemetry::MAX_HOPS;
use setpoint_control::{Acknowledgement, HopReport, Mark};
use setpoint_units::{Bytes, Rate, Time};

use crate::index::{ReportNo, Table};
use crate::prefetch::prefetch;

/// The reports of the frames in a partition.
#[derive(Clone, Debug, Default)]
pub(in crate::network) struct Reports {
    /// Pointers, so that the table stays in the cache although there may be a report for every frame in flight.
    entries: Table<ReportNo, Option<Box<Report>>>,
    free: Vec<ReportNo>,
    /// Former reports, whose memory new ones reuse.
    #[expect(clippy::vec_box, reason = "a report is handed out as a pointer")]
    spare: Vec<Box<Report>>,
}

/// The telemetry of a data frame, or the content of an acknowledgement.
#[derive(Clone, Debug)]
pub(in crate::network) struct Report {
    /// The number of bridges that have reported, including those for which there was no room.
    stamps: usize,
    /// Valid for an acknowledgement.
    content: Content,
    hops: [HopReport; MAX_HOPS],
}

/// The content of an acknowledgement, without the reports of bridges.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::network) struct Content {
    /// The bytes that it acknowledges.
    bytes: Bytes,
    /// Bytes delivered or lost so far.
    settled: Bytes,
    mark: Mark,
}

impl From<&Acknowledgement<'_>> for Content {
    fn from(content: &Acknowledgement<'_>) -> Self {
        let Acknowledgement { bytes, settled, mark, .. } = *content;
        Self { bytes, settled, mark }
    }
}

impl Default for Report {
    fn default() -> Self {
        let nothing = HopReport { at: Time::ZERO, queue: Bytes::ZERO, sent: Bytes::ZERO, rate: Rate::MIN };
        Self { stamps: 0, content: Content::default(), hops: [nothing; MAX_HOPS] }
    }
}

impl Report {
    /// The reports of the bridges on the path.
    pub(in crate::network) fn hops(&self) -> &[HopReport] {
        &self.hops[..self.stamps.min(MAX_HOPS)]
    }

    /// Whether an acknowledgement reports a mark.
    pub(in crate::network) fn mark(&self) -> Mark {
        self.content.mark
    }

    /// The acknowledgement of a frame that was sent at the given time.
    pub(in crate::network) fn acknowledgement(&self, sent_at: Time) -> Acknowledgement<'_> {
        let Content { bytes, settled, mark } = self.content;
        Acknowledgement { sent_at, bytes, settled, mark, hops: self.hops() }
    }

    /// Adds the report of a bridge. Bridges for which there is no room are not observed.
    fn stamp(&mut self, hop: HopReport) {
        if let Some(place) = self.hops.get_mut(self.stamps) {
            *place = hop;
        }
        self.stamps += 1;
    }
}

impl Reports {
    /// Prefetches a report, with the place of the next entry.
    #[inline]
    pub(in crate::network) fn look_at(&self, number: ReportNo, depth: u32) {
        match depth {
            0 => prefetch(&self.entries[number]),
            1 => {
                if let Some(report) = &self.entries[number] {
                    prefetch(&**report);
                }
            }
            _ => (),
        }
    }

    /// Stores an empty report.
    pub(in crate::network) fn put_empty(&mut self) -> ReportNo {
        let mut report = self.spare.pop().unwrap_or_default();
        report.stamps = 0;
        self.put(report)
    }

    /// Stores a report with those of the given bridges.
    pub(in crate::network) fn put_hops(&mut self, hops: &[HopReport]) -> ReportNo {
        let number = self.put_empty();
        hops.iter().for_each(|hop| self.stamp(number, *hop));
        number
    }

    /// The reports of bridges in a report.
    pub(in crate::network) fn hops(&self, number: ReportNo) -> &[HopReport] {
        self.entries[number].as_ref().map_or(&[], |report| report.hops())
    }

    /// Adds the content of an acknowledgement to a report.
    pub(in crate::network) fn set_content(&mut self, number: ReportNo, content: Content) {
        if let Some(report) = &mut self.entries[number] {
            report.content = content;
        }
    }

    /// Stores a report.
    pub(in crate::network) fn put(&mut self, report: Box<Report>) -> ReportNo {
        match self.free.pop() {
            Some(number) => {
                self.entries[number] = Some(report);
                number
            }
            None => self.entries.push(Some(report)),
        }
    }

    /// Removes a report.
    pub(in crate::network) fn take(&mut self, number: ReportNo) -> Option<Box<Report>> {
        self.free.push(number);
        self.entries[number].take()
    }

    /// Keeps the memory of a report that is no longer needed, for reuse. The number of spare reports is at most the number of
    /// reports that this partition has needed at a time, since reports also arrive from other partitions.
    pub(in crate::network) fn recycle(&mut self, report: Box<Report>) {
        if self.spare.len() < self.entries.len() {
            self.spare.push(report);
        }
    }

    /// Adds the report of a bridge to the telemetry of a frame.
    pub(in crate::network) fn stamp(&mut self, number: ReportNo, hop: HopReport) {
        if let Some(report) = &mut self.entries[number] {
            report.stamp(hop);
        }
    }

    /// Removes the report of the last bridge.
    pub(in crate::network) fn remove_stamp(&mut self, number: ReportNo) {
        if let Some(report) = &mut self.entries[number] {
            report.stamps -= 1;
        }
    }

    /// Sets the queue length in the report of the last bridge.
    pub(in crate::network) fn set_queue(&mut self, number: ReportNo, length: Bytes) {
        if let Some(report) = &mut self.entries[number]
            && let Some(last) = report.hops.get_mut(report.stamps.wrapping_sub(1))
        {
            last.queue = length;
        }
    }
}
