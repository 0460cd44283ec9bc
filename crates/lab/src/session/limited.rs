//! A monitor with the limits of a job.

use setpoint_sim::{Controllers, Decision, Monitor, PassingFrame, PortId, Sample, Threads};
use setpoint_units::{Bytes, Time};

/// Passes everything on to a monitor except the limits, which are those of the job.
pub(super) struct Limited<'a> {
    pub(super) monitor: &'a mut dyn Monitor,
    pub(super) memory: Option<Bytes>,
    pub(super) threads: Threads,
}

impl Monitor for Limited<'_> {
    fn progress(&mut self, now: Time, events: u64) -> Decision {
        self.monitor.progress(now, events)
    }

    fn wants_samples(&self) -> bool {
        self.monitor.wants_samples()
    }

    fn sampled(&mut self, sample: &Sample) {
        self.monitor.sampled(sample);
    }

    fn memory_limit(&self) -> Option<Bytes> {
        self.memory
    }

    fn threads(&self) -> Threads {
        self.threads
    }

    fn controllers(&self) -> Controllers {
        self.monitor.controllers()
    }

    fn decides_in_advance(&self) -> bool {
        self.monitor.decides_in_advance()
    }

    fn observes(&self, port: PortId) -> bool {
        self.monitor.observes(port)
    }

    fn passes(&mut self, frame: &PassingFrame) {
        self.monitor.passes(frame);
    }
}
