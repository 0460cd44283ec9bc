//! Construction of stations from a spec.

use setpoint_control::Pace;
use setpoint_units::Time;

use super::super::bridge::port;
use super::super::context::Classes;
use super::super::pause::PauseState;
use super::super::routes::Routes;
use super::lane::Lane;
use super::schedule::Schedule;
use super::sender::Sender;
use super::{Lanes, Station, Stations};
use crate::clock::Clock;
use crate::ids::{FlowId, NodeId, PortId};
use crate::index::{LaneNo, StationNo, Table};
use crate::random::{Purpose, RandomStream};
use crate::ring::Ring;
use crate::routing::ports_by_node;
use crate::spec::{FlowSpec, Spec};
use crate::traffic::source::Source;

impl Stations {
    /// Builds the stations of a spec and the senders of its flows; `number` gives the number of a station's node.
    pub(in super::super) fn new(
        spec: &Spec,
        classes: &Classes,
        routes: &Routes,
        number: impl Fn(NodeId) -> StationNo,
    ) -> Self {
        let topology = &spec.topology;
        let leaving = ports_by_node(topology);
        let mut homes: Table<StationNo, Vec<LaneNo>> = topology.stations().map(|_| Vec::new()).collect();
        for (index, flow) in spec.flows.iter().enumerate() {
            homes[number(flow.source)].push(LaneNo(index as u32));
        }
        let ports = topology.stations().map(|node| leaving[node.index()][0]);
        let mut stations: Table<StationNo, Station> = ports
            .zip(homes.iter())
            .map(|(id, lanes)| Station::new(spec, id, Schedule::new(lanes, classes.count())))
            .collect();
        let flows = spec.flows.len();
        let (mut lanes, mut senders) = (Lanes::with_capacity(flows), Table::with_capacity(flows));
        for (index, flow) in spec.flows.iter().enumerate() {
            let (id, station) = (FlowId(index as u32), number(flow.source));
            let quantum = &mut stations[station].quantum;
            *quantum = (*quantum).max(flow.frame.get());
            let facts = &routes.flows[id];
            let clock = stations[station].clock;
            lanes.push(Lane::new(station, facts.class, Pace::new(flow.cap.map(|cap| clock.rate(cap)))));
            let line = stations[station].port.rate();
            let source = Source::new(&clock.traffic(&flow.traffic), flow.frame, line, stream(spec, id));
            senders.push(sender(id, flow, source, routes));
        }
        Self { stations, lanes, senders, reaction_params: spec.control.reaction_point, seed: spec.seed }
    }
}

/// The random stream of a flow's traffic.
fn stream(spec: &Spec, flow: FlowId) -> RandomStream {
    RandomStream::new(spec.seed, Purpose::Traffic, flow.0)
}

fn sender(id: FlowId, flow: &FlowSpec, source: Source, routes: &Routes) -> Sender {
    let facts = &routes.flows[id];
    Sender {
        flow: id,
        source,
        lane: LaneNo(id.0),
        hop: facts.first,
        weight: flow.weight,
        class: facts.class,
        sent_frames: 0,
        sent: 0,
        cap: flow.cap,
        limiters: None,
    }
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
            pause_state: PauseState::default(),
        }
    }
}
