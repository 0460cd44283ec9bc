//! The frames that a link carries, and the buffer space they occupy at its far end.

use std::collections::{BTreeMap, BTreeSet};

use setpoint_control::CongestionPointParams;
use setpoint_units::{Bytes, Rate, TimeDelta};

use super::PAUSE_FRAME;
use crate::ids::{PortId, Priority, PrioritySet};
use crate::routing::Route;
use crate::spec::{Bridges, FlowSpec, Spec};

/// The frames that a port sends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carried {
    /// The longest frame of any kind.
    pub(super) longest: Bytes,
    /// Priorities of data frames and replies that flow control protects. The fields below cover only these frames.
    pub(super) priorities: PrioritySet,
    /// The maximum buffer space that one frame occupies.
    pub(super) largest: Bytes,
    /// The highest ratio of buffer space occupied to time on the link.
    pub(super) density: Density,
    /// Maximum number of copies of one frame that the bridge at the far end creates and stores.
    pub(super) copies: u64,
}

/// Buffer space that a frame occupies, per byte that it takes up on the link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Density {
    room: u64,
    wire: u64,
}

impl Density {
    /// The maximum buffer space occupied by whole frames that fit into a time span at the given rate, rounded up.
    pub(super) fn room_in(&self, rate: Rate, span: TimeDelta) -> Bytes {
        let bits = u128::from(rate.bits_per_second()) * u128::from(span.as_picos());
        let wire = bits.div_ceil(u128::from(Rate::BYTE_PICOS)).min(u128::from(u64::MAX));
        let room = (wire * u128::from(self.room)).div_ceil(u128::from(self.wire.max(1)));
        Bytes::new(u64::try_from(room).unwrap_or(u64::MAX))
    }

    fn or_denser(self, other: Self) -> Self {
        let denser =
            u128::from(other.room) * u128::from(self.wire) > u128::from(self.room) * u128::from(other.wire);
        if denser { other } else { self }
    }
}

/// The frames carried by each port.
pub(super) fn carried(spec: &Spec, routes: &[Route]) -> Vec<Carried> {
    let nothing = Carried {
        longest: Bytes::new(u64::from(PAUSE_FRAME)),
        priorities: PrioritySet::NONE,
        largest: Bytes::ZERO,
        density: Density { room: 0, wire: 1 },
        copies: 1,
    };
    let mut carried = vec![nothing; spec.topology.links().len() * 2];
    let control = &spec.control;
    let replied = control.replies_in(PrioritySet::ALL);
    let notified = !matches!(control.congestion_point, CongestionPointParams::None) || replied;
    let protected = spec.flow_control.protected();
    let reply = control.replies_in(protected).then(|| Load::of_reply(spec));
    for (flow, route) in spec.flows.iter().zip(routes) {
        let of_flow = protected.contains(flow.priority).then(|| Load::of(spec, flow));
        for &port in route.paths().flatten() {
            let entry = &mut carried[port.index()];
            entry.longest = entry.longest.max(flow.frame);
            if let Some(load) = &of_flow {
                entry.add(flow.priority, load);
            }
            if notified {
                let back = &mut carried[port.peer().index()];
                back.longest = back.longest.max(control.notification_size);
            }
            if let Some(load) = &reply {
                carried[port.peer().index()].add(control.notification_priority, load);
            }
        }
    }
    if !matches!(spec.bridges, Bridges::Cioq(_)) {
        for (port, copies) in fan_out(routes) {
            carried[port.index()].copies = copies;
        }
    }
    carried
}

impl Carried {
    fn add(&mut self, priority: Priority, load: &Load) {
        self.priorities = self.priorities.with(priority);
        self.largest = self.largest.max(load.largest);
        self.density = self.density.or_denser(load.density);
    }
}

/// The buffer space occupied by the frames of a flow, or by replies.
struct Load {
    largest: Bytes,
    density: Density,
}

impl Load {
    fn of(spec: &Spec, flow: &FlowSpec) -> Self {
        let (frame, overhead) = (flow.frame.get(), spec.overhead.get());
        let unit = match spec.bridges {
            Bridges::OutputQueued | Bridges::SharedBuffer(_) => 1,
            Bridges::Cioq(cioq) => cioq.unit.get(),
        };
        let density = |bytes: u64| Density { room: bytes.next_multiple_of(unit), wire: bytes + overhead };
        let shortest = flow.traffic.shortest_frame(flow.frame).get();
        // Among frames that take the same number of units, the shortest is the densest. Among frames that
        // just exceed a unit boundary, the one with the fewest units is.
        let beyond = ((shortest - 1).next_multiple_of(unit) + 1).min(frame);
        let lengths = [shortest, beyond, frame];
        let densest = lengths.into_iter().map(density).reduce(Density::or_denser);
        Self {
            largest: Bytes::new(frame.next_multiple_of(unit)),
            density: densest.unwrap_or(Density { room: 0, wire: 1 }),
        }
    }

    /// Replies, which only output-queued bridges forward.
    fn of_reply(spec: &Spec) -> Self {
        let largest = spec.control.notification_size;
        Self { largest, density: Density { room: largest.get(), wire: (largest + spec.overhead).get() } }
    }
}

/// Maximum number of copies of one frame that an output-queued bridge creates, by the port that delivers the
/// frame. Ports that do not lead to a branching point are left out.
fn fan_out(routes: &[Route]) -> BTreeMap<PortId, u64> {
    let mut most = BTreeMap::new();
    for tree in routes.iter().filter(|route| matches!(route, Route::Tree(_))) {
        let mut after: BTreeMap<PortId, BTreeSet<PortId>> = BTreeMap::new();
        for hop in tree.paths().flat_map(|path| path.windows(2)) {
            after.entry(hop[0]).or_default().insert(hop[1]);
        }
        for (port, branches) in after {
            let most = most.entry(port).or_insert(1);
            *most = branches.len().max(*most as usize) as u64;
        }
    }
    most
}
