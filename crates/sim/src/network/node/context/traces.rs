//! Traces for observers.

use setpoint_units::Time;

use super::Context;
use crate::network::node::traces::{Content, Trace, tick_after};

impl Context {
    /// Records a trace.
    #[cold]
    pub(in crate::network) fn trace(&mut self, content: Content) {
        self.traces.push(Trace { at: self.now, content });
        self.until = self.until.min(tick_after(self.now));
    }

    /// The time at which the recorded traces will be read, if there are any.
    pub(in crate::network) fn tick(&self) -> Option<Time> {
        self.traces.first().map(|first| tick_after(first.at))
    }
}
