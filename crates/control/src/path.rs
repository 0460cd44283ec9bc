//! The properties of a flow's path that its reaction point needs.

use setpoint_units::{Bytes, Rate, TimeDelta};

use crate::parameter::choice;

choice! {
    /// The base round-trip time T, which determines the largest window and the time over which measurements are averaged.
    BaseRtt {
        Network = "network", "The largest of any flow in the network (HPCC).";
        Path = "path", "That of the flow's own path.";
    }
}

/// The path of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path {
    /// The rate of the source's port.
    pub line_rate: Rate,
    /// The time from the beginning of a frame's transmission to the arrival of the reply to it, in an idle network.
    pub base_rtt: TimeDelta,
    /// The largest such time of any flow in the network.
    pub largest_rtt: TimeDelta,
    /// The number of bridges on the path.
    pub bridges: u32,
    /// The length of the flow's frames.
    pub frame: Bytes,
}

impl Path {
    /// A path for reaction points that use only the line rate, such as those of QCN and its relatives.
    pub const fn at(line_rate: Rate) -> Self {
        let zero = TimeDelta::ZERO;
        Self { line_rate, base_rtt: zero, largest_rtt: zero, bridges: 0, frame: Bytes::new(1_000) }
    }

    /// The chosen base round-trip time; never zero.
    pub fn rtt(&self, chosen: BaseRtt) -> TimeDelta {
        let rtt = match chosen {
            BaseRtt::Network => self.largest_rtt.max(self.base_rtt),
            BaseRtt::Path => self.base_rtt,
        };
        rtt.max(TimeDelta::from_picos(1))
    }
}
