//! Construction of stations from a spec.

use setpoint_control::Pace;
use setpoint_random::{Purpose, RandomStream};
use setpoint_units::{Time, TimeDelta};

use super::lane::Lane;
use super::schedule::Schedule;
use super::sender::Sender;
use super::{Dispatch, Lanes, Station, Stations};
use crate::clock::Clock;
use crate::ids::{FlowId, NodeId, PortId};
use crate::index::{Conversation, LaneNo, PartNo, SenderNo, StationNo, Table};
use crate::lossless::response_on;
use crate::network::node::bridge::port;
use crate::network::node::context::Classes;
use crate::network::node::followers::Followers;
use crate::network::node::pause::PauseState;
use crate::network::node::places::Ends;
use crate::network::node::routes::Routes;
use crate::network::node::turns::Turns;
use crate::ring::Ring;
use crate::routing::ports_by_node;
use crate::spec::{FlowSpec, Spec};
use crate::traffic::source::Source;

impl Stations {
    /// Builds the given stations of a spec, in the order of their numbers, and the senders of their flows.
    pub(in crate::network) fn new(
        spec: &Spec,
        classes: &Classes,
        routes: &Routes,
        (part, nodes): (PartNo, &[NodeId]),
        ends: Ends<SenderNo>,
    ) -> Self {
        let topology = &spec.topology;
        let leaving = ports_by_node(topology);
        let mut numbers = vec![None; topology.nodes().len()];
        for (number, node) in nodes.iter().enumerate() {
            numbers[node.index()] = Some(StationNo(number as u32));
        }
        let number =
            |flow: &FlowSpec| numbers[flow.source.index()].expect("a flow's source is in its partition");
        let flows = || {
            let flows = spec.flows.iter().enumerate().map(|(index, flow)| (FlowId(index as u32), flow));
            flows.filter(|(id, _)| ends.of(*id).0 == part)
        };
        let mut homes: Table<StationNo, Vec<LaneNo>> = nodes.iter().map(|_| Vec::new()).collect();
        for (lane, (_, flow)) in flows().enumerate() {
            homes[number(flow)].push(LaneNo(lane as u32));
        }
        let ports = nodes.iter().map(|node| leaving[node.index()][0]);
        let mut spawns = vec![false; topology.nodes().len()];
        for (_, flow) in flows().filter(|(_, flow)| flow.sends_independent_messages()) {
            spawns[flow.source.index()] = true;
        }
        let spawning = |port: PortId| spawns[topology.source(port).index()];
        let mut stations: Table<StationNo, Station> = ports
            .zip(homes.iter())
            .map(|(id, lanes)| {
                let turns = Turns::of(spec, classes);
                Station::new(spec, id, Schedule::new(lanes, classes.count(), spawning(id), turns))
            })
            .collect();
        let count = flows().count();
        let (mut lanes, mut senders) = (Lanes::with_capacity(count), Table::with_capacity(count));
        for (id, flow) in flows() {
            let station = number(flow);
            let quantum = &mut stations[station].quantum;
            *quantum = (*quantum).max(flow.frame.get());
            let clock = stations[station].clock;
            let pace = Pace::new(flow.cap.map(|cap| clock.rate(cap)));
            let home = lanes.push(Lane::new(station, routes.facts(id).class, pace));
            let line = stations[station].port.rate();
            let source = Source::new(
                &clock.traffic(&flow.traffic),
                flow.message_order(),
                flow.frame,
                line,
                stream(spec, id),
            );
            senders.push(sender(id, home, flow, source, routes));
        }
        Self {
            stations,
            lanes,
            ends,
            dispatch: Dispatch::new(senders.len()),
            senders,
            reaction_params: spec.control.reaction_point,
            make: None,
            idle_paths: Table::default(),
            largest_rtt: TimeDelta::ZERO,
            seed: spec.seed,
            followers: Followers::default(),
        }
    }
}

/// The random stream of a flow's traffic.
fn stream(spec: &Spec, flow: FlowId) -> RandomStream {
    RandomStream::new(spec.seed, Purpose::Traffic, flow.0)
}

fn sender(id: FlowId, home: LaneNo, flow: &FlowSpec, source: Source, routes: &Routes) -> Sender {
    let facts = routes.facts(id);
    Sender { cap: flow.cap, ..Sender::new(source, Conversation::of_flow(id), home, facts.first, flow.weight) }
}

impl Station {
    fn new(spec: &Spec, id: PortId, schedule: Schedule) -> Self {
        Self {
            port: port(spec, id),
            schedule,
            armed: Time::MAX,
            quantum: 1,
            clock: Clock::of(spec, spec.topology.source(id)),
            limited: Vec::new(),
            reacting: Ring::default(),
            replies: Ring::default(),
            pause_state: PauseState::new(response_on(spec, spec.topology.link_at(id.link()))),
        }
    }
}
