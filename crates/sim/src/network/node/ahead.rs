//! Looking ahead: loading the state of events that are due soon.
//!
//! The state of a large network does not fit into a cache, and an event touches a dozen scattered places in it. If events
//! were processed without preparation, most of the time would be spent waiting for memory. Before the events of a bucket are
//! processed, the state of all of them is therefore prefetched together: first the components that the events refer to, then
//! the state to which these refer, and so on. Prefetching does not affect results.

use setpoint_units::Bytes;

use crate::events::Event;
use crate::frame::{Frame, FrameKind};
use crate::network::node::bridge::{BridgeSet, Buffering};
use crate::network::node::context::Context;
use crate::network::node::link::End;
use crate::network::node::station::Stations;
use crate::prefetch::prefetch;

/// The minimum size of a partition's state for which looking ahead pays off: several times the size of a core's own cache.
/// Without optimisation, as in tests, all partitions look ahead.
pub(in crate::network) const WORTHWHILE: Bytes =
    Bytes::new(if cfg!(debug_assertions) { 0 } else { 16 << 20 });

/// The same if frames carry telemetry, which takes much memory once they are on their way.
pub(in crate::network) const WORTHWHILE_WITH_REPORTS: Bytes =
    Bytes::new(if cfg!(debug_assertions) { 0 } else { 2 << 20 });

/// The number of steps it takes to follow the references from an event to its state.
const DEPTH: u32 = 5;

impl Context {
    /// Turns look-ahead on.
    pub(in crate::network) fn look_ahead(&mut self) {
        self.looks_ahead = true;
        self.events.in_crowds();
    }
}

impl Context {
    /// Prefetches the state needed when a data frame reaches its station.
    #[inline]
    fn look_at_delivery(&self, frame: Frame, depth: u32) {
        if depth == 0 {
            self.receivers.prefetch(self.routes.flow_of(frame));
        }
        self.look_at_report(frame, depth);
    }
}

/// Loads the state of the next event, if it is due now, and of those that follow it in the same bucket.
pub(in crate::network) fn prepare<B>(cx: &mut Context, stations: &Stations, bridges: &BridgeSet<B>)
where
    BridgeSet<B>: Buffering,
{
    if cx.events.next_time().is_none_or(|next| next >= cx.until) {
        return;
    }
    for depth in 0..DEPTH {
        for event in cx.events.upcoming() {
            look(cx, stations, bridges, event, depth);
        }
    }
}

#[inline(always)]
fn look<B>(cx: &Context, stations: &Stations, bridges: &BridgeSet<B>, event: Event, depth: u32)
where
    BridgeSet<B>: Buffering,
{
    match event {
        Event::Arrive(link) => {
            let link = &cx.links[link];
            if depth == 0 {
                return prefetch(link);
            }
            let Some(first) = link.flight.front() else { return };
            if depth == 1 {
                return prefetch(first);
            }
            let (frame, depth) = (first.frame, depth - 2);
            match (frame.kind(), link.to) {
                (FrameKind::Data, End::Bridge(_)) => bridges.look_at_arrival(cx, frame, depth),
                (FrameKind::Reply, End::Bridge(_)) => bridges.look_at_reply(cx, frame, depth),
                (FrameKind::Data, End::Station(_)) => cx.look_at_delivery(frame, depth),
                (FrameKind::Reply, End::Station(_)) => stations.look_at_feedback(cx, frame, depth),
                _ => (),
            }
        }
        Event::Send(station) => stations.look_at(station, depth),
        Event::Ready(port) => bridges.look_at_port(cx, port, depth),
        _ => bridges.look_inside(cx, event, depth),
    }
}
