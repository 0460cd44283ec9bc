//! Flows delayed by congestion that they did not cause.
//!
//! A flow is a victim while
//!
//! * a port on its path is asked to pause, for its priority, in a congestion tree whose root is not on its
//!   path, and
//! * it has data to deliver: data offered at its station that has not arrived yet.
//!
//! Both are checked at the tick after such a pause begins or ends or a flow stops ([`crate::network::node::traces`]), and at each sample, never per
//! frame. A pause counts from its beginning to its end. A backlogged flow always has data. For any other flow, the time
//! between two checks counts if some of the data present at the first check had not arrived by the second, because then the
//! flow had data throughout. If the flow ran out of data in between and then received new data, that interval does not
//! count. Data beyond the paused port still counts until it arrives, which takes microseconds. If several ports are paused
//! at once, the time counts once. A flow that never had anything to send is not a victim.

use setpoint_units::{Time, TimeDelta};

use crate::ids::{FlowId, PortId};
use crate::index::Table;
use crate::network::components::Components;

/// The victim state of all flows. Empty without flow control.
#[derive(Clone, Debug, Default)]
pub(in crate::network) struct Victims {
    /// For each port, the flows that pass through it.
    passing: Table<PortId, Vec<FlowId>>,
    flows: Table<FlowId, VictimState>,
}

/// The victim time of a flow.
#[derive(Clone, Copy, Debug, Default)]
struct VictimState {
    /// Current pauses on its path in trees whose root is not on the path.
    pauses: u32,
    /// The time at which it was last checked; valid only while there are such pauses.
    since: Time,
    /// The position of the last byte that had not arrived at that time, counted in bytes of the flow from the
    /// start of the run; zero if all had arrived.
    awaited: u64,
    time: TimeDelta,
}

impl Victims {
    /// The victim times of all flows, in order; empty without flow control.
    pub(in crate::network) fn into_times(self) -> Vec<TimeDelta> {
        self.flows.iter().map(|victim_state| victim_state.time).collect()
    }
}

impl Victims {
    /// Determines the flows that pass through each port. Called before the first frame.
    pub(in crate::network) fn new(net: &Components) -> Self {
        let mut counts: Table<PortId, usize> = net.owners.iter().map(|_| 0).collect();
        for &port in net.flows().flat_map(|flow| net.routes.ports_with_detours(flow)) {
            counts[port] += 1;
        }
        let mut passing: Table<PortId, Vec<FlowId>> =
            counts.iter().map(|&count| Vec::with_capacity(count)).collect();
        for flow in net.flows() {
            for &port in net.routes.ports_with_detours(flow) {
                let flows = &mut passing[port];
                if flows.last() != Some(&flow) {
                    flows.push(flow);
                }
            }
        }
        Self { passing, flows: net.flows().map(|_| VictimState::default()).collect() }
    }

    /// Records that a port is asked to pause, in a tree with the given root.
    pub(in crate::network) fn begin(
        &mut self,
        net: &mut Components,
        at: Time,
        (port, counter): (PortId, usize),
        root: PortId,
    ) {
        for flow in self.bystanders(net, (port, counter), root) {
            if self.flows[flow].pauses == 0 {
                self.begin_to_wait(net, flow, at);
            }
            self.flows[flow].pauses += 1;
        }
    }

    /// Records the end of a port's pause, in a tree with the given root.
    pub(in crate::network) fn end(
        &mut self,
        net: &mut Components,
        at: Time,
        (port, counter): (PortId, usize),
        root: PortId,
    ) {
        for flow in self.bystanders(net, (port, counter), root) {
            self.flows[flow].pauses -= 1;
            if self.flows[flow].pauses == 0 {
                self.count_wait(net, flow, at);
            }
        }
    }

    /// Checks all flows that may be victims now.
    pub(in crate::network) fn check_all(&mut self, net: &mut Components) {
        for flow in self.flows.numbers() {
            self.check(net, flow, net.now);
        }
    }

    /// Updates the victim time of a flow that may be a victim, up to the given time.
    pub(in crate::network) fn check(&mut self, net: &mut Components, flow: FlowId, at: Time) {
        if self.flows.get(flow).is_some_and(|victim_state| victim_state.pauses > 0) {
            self.count_wait(net, flow, at);
            self.begin_to_wait(net, flow, at);
        }
    }

    /// The flows that pass through a port and are stopped by the given counter, but whose path
    /// does not include the root.
    fn bystanders(&self, net: &Components, (port, counter): (PortId, usize), root: PortId) -> Vec<FlowId> {
        let (rules, routes) = (&net.pause_rules, &net.routes);
        let stopped = |flow: &FlowId| rules.counter(routes.facts(*flow).class) == counter;
        let elsewhere = |flow: &FlowId| !routes.ports_with_detours(*flow).any(|port| *port == root);
        let passing = self.passing[port].iter();
        passing.copied().filter(stopped).filter(elsewhere).collect()
    }

    fn begin_to_wait(&mut self, net: &mut Components, flow: FlowId, at: Time) {
        let (part, sender) = net.senders.of(flow);
        let has_more = net.parts[part].stations.has_frame(sender, net.now);
        let never_runs_out = net.sender(flow).source().is_backlogged();
        let (given, arrived) = (given(net, flow), arrived(net, flow));
        let awaited = if never_runs_out {
            u64::MAX
        } else if has_more {
            given + 1
        } else if arrived < given {
            given
        } else {
            0
        };
        let victim_state = &mut self.flows[flow];
        (victim_state.since, victim_state.awaited) = (at, awaited);
    }

    fn count_wait(&mut self, net: &mut Components, flow: FlowId, at: Time) {
        let still_waits = arrived(net, flow) < self.flows[flow].awaited;
        let victim_state = &mut self.flows[flow];
        if still_waits {
            victim_state.time += at - victim_state.since;
        }
    }
}

/// Bytes that a flow has put into the network, including copies that bridges created.
fn given(net: &Components, flow: FlowId) -> u64 {
    net.sent_by(flow) + net.copies_of(flow).created.get()
}

/// Bytes of a flow that have left the network, delivered or lost.
fn arrived(net: &mut Components, flow: FlowId) -> u64 {
    let cx = &mut net.parts[net.receivers.of(flow).0].cx;
    // Deliveries are recorded on access.
    let lasts: Vec<PortId> = cx.paths(flow).filter_map(|path| path.last().copied()).collect();
    for port in lasts {
        cx.deliver_due(port);
    }
    net.books_of(flow).ended() + net.copies_of(flow).unwanted.get()
}
