//! The range of each port's rate during a run.

use setpoint_units::Rate;

use crate::clock::port_rate;
use crate::ids::PortId;
use crate::spec::{Change, Spec};

/// The lowest and highest rate of a port at any time in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateRange {
    /// The lowest rate.
    pub slowest: Rate,
    /// The highest rate.
    pub fastest: Rate,
}

impl RateRange {
    fn widen(&mut self, rate: Rate) {
        self.slowest = self.slowest.min(rate);
        self.fastest = self.fastest.max(rate);
    }
}

/// The rate ranges of all ports. Every effect that makes a port faster or slower than its link
/// must be included here, and only here.
pub(crate) fn rate_ranges(spec: &Spec) -> Vec<RateRange> {
    let at_start = |port: PortId| {
        let rate = port_rate(spec, port, spec.topology.link_at(port.link()).rate);
        RateRange { slowest: rate, fastest: rate }
    };
    let mut ranges: Vec<RateRange> = spec.topology.ports().map(at_start).collect();
    for change in &spec.changes {
        if let Change::PortRate(port, rate) = change.change {
            ranges[port.index()].widen(port_rate(spec, port, rate));
        }
    }
    ranges
}
