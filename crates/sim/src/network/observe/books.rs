//! Conservation of bytes: everything a flow has sent is delivered, dropped, queued or in flight.

use setpoint_units::{Bytes, Time, TimeDelta};

use crate::error::SimError;
use crate::frame::Frame;
use crate::ids::{FlowId, PortId};
use crate::index::{Conversation, PortNo};
use crate::network::components::Components;
use crate::network::node::partition::Partition;
use crate::network::node::places::Place;

/// Bytes of one flow in transit.
#[derive(Clone, Copy)]
struct UnderWay {
    flow: FlowId,
    queued: u64,
    in_flight: u64,
    /// The time at which the oldest of these frames was sent.
    oldest: Time,
}

impl UnderWay {
    fn nothing(flow: FlowId) -> Self {
        Self { flow, queued: 0, in_flight: 0, oldest: Time::MAX }
    }

    /// Adds bytes of the same flow in other frames.
    fn add(&mut self, other: &Self) {
        self.queued += other.queued;
        self.in_flight += other.in_flight;
        self.oldest = self.oldest.min(other.oldest);
    }
}

/// The last check of the conservation of bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::network) struct Audit {
    /// The event count at that time.
    checked: u64,
}

impl Audit {
    /// Checks the conservation of bytes if a check costs less than the events since the last one, so a network with
    /// many frames in transit is not checked at every sample. The end of the run is always checked.
    pub(in crate::network) fn check_in_proportion(&mut self, net: &mut Components) -> Result<(), SimError> {
        let flying = |part: &Partition| part.cx.links.iter().map(|link| link.flight.len()).sum::<usize>();
        let frames: usize = net.parts.iter().map(|part| flying(part) + part.bridges.frame_count()).sum();
        let events = net.events();
        if net.now < net.rules.end && events - self.checked < frames as u64 {
            return Ok(());
        }
        self.checked = events;
        debug_assert!(net.parts.iter().all(|part| part.bridges.adds_up(&part.cx) == Ok(())));
        let mut all = under_way(net, frames).into_iter().peekable();
        for flow in net.flows() {
            let mut own = UnderWay::nothing(flow);
            while let Some(one) = all.next_if(|one| one.flow == flow) {
                own.add(&one);
            }
            check_flow(net, &own)?;
            // Lost message frames that are older than every frame still in transit are settled here, as the next delivery
            // would settle them. Otherwise a flow that delivers nothing would accumulate them without bound.
            let (part, _) = net.receivers.of(flow);
            net.parts[part].cx.receivers.settle_losses(flow, own.oldest);
        }
        Ok(())
    }
}

fn check_flow(net: &Components, under_way: &UnderWay) -> Result<(), SimError> {
    let UnderWay { flow, queued, in_flight, .. } = *under_way;
    let (sent, books) = (net.sent_by(flow), net.books_of(flow));
    let copies = net.copies_of(flow);
    let arisen = sent + copies.created.get();
    let ended = books.ended() + copies.unwanted.get();
    if arisen == ended + queued + in_flight {
        return Ok(());
    }
    Err(SimError::Unbalanced {
        at: net.now,
        flow,
        sent: Bytes::new(sent),
        copied: copies.created,
        unwanted: copies.unwanted,
        delivered: Bytes::new(books.delivered),
        dropped: Bytes::new(books.ended() - books.delivered),
        queued: Bytes::new(queued),
        in_flight: Bytes::new(in_flight),
    })
}

/// Data in transit, sorted by flow; a flow may occur several times. `frames` is the number of frames in transit.
fn under_way(net: &Components, frames: usize) -> Vec<UnderWay> {
    let is_data = |frame: &&Frame| frame.is_data();
    let one =
        |frame: &Frame| UnderWay { oldest: frame.sent_at(), ..UnderWay::nothing(net.routes.flow_of(*frame)) };
    let queued = |frame: &Frame| UnderWay { queued: u64::from(frame.bytes()), ..one(frame) };
    let flying = |frame: &Frame| UnderWay { in_flight: u64::from(frame.bytes()), ..one(frame) };
    let links = net.parts.iter().flat_map(|part| part.cx.links.iter());
    let in_flight = links.flat_map(|link| link.flight.iter()).map(|flying| &flying.frame);
    let queued = net.parts.iter().flat_map(|part| part.bridges.frames()).filter(is_data).map(queued);
    let all = queued.chain(in_flight.filter(is_data).map(flying));
    if net.routes.flow_count() <= frames {
        let mut sums: Vec<UnderWay> = net.flows().map(UnderWay::nothing).collect();
        all.for_each(|one| sums[one.flow.index()].add(&one));
        return sums;
    }
    // A network may have far more flows than frames.
    let mut under_way: Vec<UnderWay> = Vec::with_capacity(frames);
    // Faster than `collect`, which would fetch the frames of this nested iterator one by one.
    all.for_each(|one| under_way.push(one));
    under_way.sort_unstable_by_key(|one| one.flow);
    under_way
}

/// The time that a message takes to travel the path of its conversation in an otherwise empty network.
///
/// All frames except the last have full length and follow each other at the pace of the slowest link so
/// far. The last frame may be shorter, and its predecessor can delay it.
pub(in crate::network) fn ideal_time(net: &Components, conversation: Conversation, size: u64) -> TimeDelta {
    ideal_passage(net, conversation, size, |_, _| {})
}

/// Like [`ideal_time`]; calls `visit` with each port on the path and the time at which the last frame arrives at the far end
/// of its link.
pub(in crate::network) fn ideal_passage(
    net: &Components,
    conversation: Conversation,
    size: u64,
    mut visit: impl FnMut(PortId, TimeDelta),
) -> TimeDelta {
    let full = net.sender(net.routes.conversations().flow_of(conversation)).source().frame_bytes();
    let last = ((size - 1) % u64::from(full) + 1) as u16;
    let before_last = (size - 1) / u64::from(full);
    let (mut travelled, mut slowest, mut current) = (TimeDelta::ZERO, TimeDelta::ZERO, TimeDelta::ZERO);
    let mut arrived_at: Option<(&Partition, PortNo)> = None;
    let (first, length) = net.routes.way_of(conversation);
    for &id in net.routes.ports(first, length) {
        let port = net.port(id).0;
        if let (Some((part, input)), Place::Bridge(output)) = (arrived_at, net.owners[id].place) {
            let bridges = &part.bridges;
            travelled += bridges.idle_crossing(input, output, full);
            current += bridges.idle_crossing(input, output, last);
        }
        let span = port.transmission_time(full);
        travelled += span;
        slowest = slowest.max(span);
        if before_last > 0 {
            current = current.max(travelled + slowest * (before_last - 1));
        }
        current += port.transmission_time(last) + port.delay();
        visit(id, current);
        travelled += port.delay();
        arrived_at = net.far_input(id);
    }
    current
}
