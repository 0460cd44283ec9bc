//! Links: frames in flight from a port to the other end.

use crate::frame::InFlight;
use crate::ids::PortId;
use crate::index::{PartNo, PortNo, StationNo, Table};
use crate::ring::Ring;

/// The other end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::network) enum End {
    /// A port of a bridge: every arrival is an event.
    Bridge(PortNo),
    /// A station: arrivals of data frames that need no reply are processed on access; only other arrivals are events.
    Station(StationNo),
    /// A bridge in another partition, with the port that sends to it. Frames are sent there once they can no longer be
    /// recalled.
    Away(PartNo, PortNo),
    /// A bridge, but the link has failed: frames sent on it are lost.
    Broken,
    /// A station, but the link has failed. This is a separate variant so that an end takes only eight bytes.
    BrokenToStation(StationNo),
}

/// One direction of a link.
#[derive(Clone, Debug)]
pub(in crate::network) struct Link {
    pub(in crate::network) to: End,
    pub(in crate::network) flight: Ring<InFlight>,
}

/// All links, by the ports that transmit on them.
pub(in crate::network) type Links = Table<PortId, Link>;

impl Link {
    pub(in crate::network) fn new(to: End) -> Self {
        Self { to, flight: Ring::default() }
    }

    /// Recalls the last `count` frames, which their port has not begun to transmit, and calls `visit` for each in order.
    pub(in crate::network) fn recall(&mut self, count: usize, mut visit: impl FnMut(&InFlight)) {
        let kept = self.flight.len() - count;
        self.flight.iter().skip(kept).for_each(&mut visit);
        self.flight.truncate(kept);
    }
}
