//! Reports that travel with frames.

use super::Context;
use crate::frame::Frame;
use crate::index::ReportNo;
use crate::network::node::reports::Report;

impl Context {
    /// Prefetches the report that travels with a frame.
    #[inline]
    pub(in crate::network) fn look_at_report(&self, frame: Frame, depth: u32) {
        if let Some(report) = self.report_of(frame) {
            self.reports.look_at(report, depth);
        }
    }

    /// The report that travels with a frame. The tag of a data frame is a report only if frames carry telemetry.
    fn report_of(&self, frame: Frame) -> Option<ReportNo> {
        if frame.is_data() && !self.rules.sources.telemetry { None } else { frame.report() }
    }

    /// The report to which bridges add telemetry, if a frame has one.
    #[inline]
    pub(in crate::network) fn telemetry_of(&self, frame: Frame) -> Option<ReportNo> {
        if self.rules.sources.telemetry && frame.is_data() { frame.report() } else { None }
    }

    /// Removes the report that travels with a frame.
    pub(in crate::network) fn take_report(&mut self, frame: Frame) -> Option<Box<Report>> {
        self.report_of(frame).and_then(|number| self.reports.take(number))
    }

    /// Stores the report that came with a frame from another partition, if there is one, and returns the frame with
    /// that report.
    pub(in crate::network) fn receive_report(
        &mut self,
        frame: Frame,
        reports: &mut impl Iterator<Item = Box<Report>>,
    ) -> Frame {
        if self.report_of(frame).is_none() {
            return frame;
        }
        let report = reports.next().expect("a report comes with its frame");
        frame.with_report(self.reports.put(report))
    }

    /// Removes the report of a frame that leaves the network.
    #[inline]
    pub(in crate::network) fn discard_report(&mut self, frame: Frame) {
        if self.rules.answers()
            && let Some(report) = self.take_report(frame)
        {
            self.reports.recycle(report);
        }
    }

    /// The frame with an empty report.
    pub(in crate::network) fn with_new_report(&mut self, frame: Frame) -> Frame {
        frame.with_report(self.reports.put_empty())
    }
}
