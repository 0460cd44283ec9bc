//! The state of a running bridge, for display.

use setpoint_units::{Bytes, Rate, Time};

use super::Bridge;
use crate::marking::marks;

/// The state of a running bridge.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The time since the start.
    pub now: Time,
    /// The rate of each configured flow since the last snapshot; `None` if it sent nothing.
    pub rates: Vec<Option<Rate>>,
    /// The length of the longest queue.
    pub queue: Bytes,
    /// Notifications so far.
    pub notifications: u64,
    /// Marks so far, if the algorithm marks frames.
    pub marks: Option<Marks>,
    /// Pause frames so far.
    pub pauses: u64,
    /// Frames lost in lossless priorities so far.
    pub lost: u64,
}

/// Marks, and the replies of receivers to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marks {
    /// Frames marked.
    pub marked: u64,
    /// Congestion notification packets forwarded to sources.
    pub cnps: u64,
}

/// The state of a bridge at the last snapshot.
#[derive(Clone, Debug, Default)]
pub(super) struct LastLook {
    at: Time,
    delivered: Vec<u64>,
}

impl Bridge {
    /// The current state. Rates are measured since the last call.
    pub fn look(&mut self, now: Time) -> Snapshot {
        let delivered = self.record.delivered();
        let last = std::mem::replace(&mut self.last_look, LastLook { at: now, delivered });
        let span = now.saturating_since(last.at);
        let rate = |(flow, delivered): (usize, &u64)| {
            let before = last.delivered.get(flow).copied().unwrap_or(0);
            Rate::from_bytes_over(Bytes::new(delivered - before), span)
        };
        let longest = self.ports.iter().flat_map(|port| port.output.lengths).max();
        Snapshot {
            now,
            rates: self.last_look.delivered.iter().enumerate().map(rate).collect(),
            queue: Bytes::new(longest.unwrap_or(0)),
            notifications: self.counters.notifications,
            marks: marks(&self.plan.control)
                .then_some(Marks { marked: self.counters.marked, cnps: self.counters.cnps }),
            pauses: self.ports.iter().map(|port| port.input.frames).sum(),
            lost: self.counters.lost,
        }
    }
}
