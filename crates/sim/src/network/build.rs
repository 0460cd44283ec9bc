//! Construction of a network from a spec.

use setpoint_control::{CongestionPoint, CongestionPointParams, Pace, PointId, RpCounters, Tenant};
use setpoint_units::{Bytes, Time, TimeDelta};

use super::changes::timeline;
use super::cioq::Cioq;
use super::deadlock::DeadlockWatch;
use super::flow::{Books, Flow, Limiters};
use super::lane::Lane;
use super::multicast::Groups;
use super::pause::{Counting, Input, PauseRules, PauseState};
use super::port::{Owner, Port, Toward};
use super::queue::Queue;
use super::recorder::Recorder;
use super::schedule::Schedule;
use super::station::Station;
use super::trees::Trees;
use super::victims::Victims;
use super::{Classes, Network, Rules};
use crate::clock::Clock;
use crate::dwell::Dwell;
use crate::error::SpecError;
use crate::events::EventQueue;
use crate::ids::{NodeId, PortId, Priority, PrioritySet};
use crate::lossless::{LinkBudget, budgets};
use crate::passing::PointPlace;
use crate::random::{Purpose, RandomStream};
use crate::ring::Ring;
use crate::routing::{Route, ports_by_node, routes};
use crate::spec::{Bridges, FlowControl, FlowSpec, Side, Spec};
use crate::topology::NodeKind;
use crate::traffic::source::Source;

impl Network {
    /// Builds an idle network from a validated spec.
    pub(crate) fn new(spec: &Spec) -> Result<Self, SpecError> {
        let routes = routes(spec)?;
        let (classes, budgets) = (classes(spec), budgets(spec, &routes));
        let station_of = station_indices(spec);
        let flows = spec.flows.iter().zip(&routes).enumerate();
        let starts: Vec<Time> = flows.map(|(index, (flow, route))| start(spec, index, flow, route)).collect();
        let mut network = Self {
            now: Time::ZERO,
            events: EventQueue::new(),
            ports: ports(spec, &station_of),
            queues: queues(spec, &classes),
            stations: stations(spec, &classes, &station_of),
            lanes: Vec::new(),
            flows: Vec::new(),
            steps: Vec::new(),
            groups: Groups::default(),
            inputs: inputs(spec, &budgets),
            budgets,
            pause_state: vec![PauseState::default(); spec.topology.links().len() * 2],
            pause_rules: pause_rules(spec, &classes),
            cioq: Cioq::new(spec, &classes),
            trees: Trees::default(),
            victims: Victims::default(),
            deadlocks: DeadlockWatch::default(),
            reaction_params: spec.control.reaction_point,
            rules: rules(spec, &classes),
            changes: timeline(spec, &starts),
            next_change: 0,
            recorder: Recorder::new(spec, recorded_queues(spec, &classes, &routes), recorded_ports(&routes)),
            reacting: Ring::default(),
            notifications: Vec::new(),
            books_checked: 0,
            violation: None,
            tap: None,
            interrupted: false,
            classes,
        };
        for (index, (flow, route)) in spec.flows.iter().zip(&routes).enumerate() {
            network.add_flow(spec, index as u32, flow, route, &station_of);
        }
        network.lay_out_trees(spec, &routes);
        Ok(network)
    }

    fn add_flow(
        &mut self,
        spec: &Spec,
        index: u32,
        flow: &FlowSpec,
        route: &Route,
        station_of: &[Option<u32>],
    ) {
        let station = station_of[flow.source.index()].expect("a flow's source is a station");
        let class = self.classes.of(flow.priority);
        let line = self.ports[self.stations[station as usize].port as usize].rate();
        let entropy = RandomStream::new(spec.seed, Purpose::Traffic, index);
        let second_step = self.steps.len() as u32 + 1;
        if let Route::Path(path) = route {
            self.steps.extend(path.iter().map(|port| port.0));
        }
        let clock = Clock::of(spec, flow.source);
        let mut lane = Lane::new(station, class, index, clock);
        lane.pace = Pace::new(flow.cap.map(|cap| clock.rate(cap)));
        self.lanes.push(lane);
        self.flows.push(Flow {
            source: Source::new(&clock.traffic(&flow.traffic), flow.frame, line, entropy),
            lane: index,
            second_step,
            steps: self.steps.len() as u32 + 1 - second_step,
            class,
            weight: flow.weight,
            cap: flow.cap,
            reaction: flow.reaction,
            tenant: Tenant { id: flow.tenant, weight: flow.weight, max: flow.max },
            books: Books::default(),
            limiters: Box::new(Limiters {
                entropy: RandomStream::new(spec.seed, Purpose::ReactionPoint, index),
                past: RpCounters::default(),
                first_notified: None,
            }),
        });
        let quantum = &mut self.stations[station as usize].quantum;
        *quantum = (*quantum).max(flow.frame.get());
    }
}

/// When a flow starts. Flows that start together do not send in step: each begins at a random time within its
/// first frame time.
fn start(spec: &Spec, index: usize, flow: &FlowSpec, route: &Route) -> Time {
    let span = spec.topology.link_at(route.first().link()).rate.time_to_send(flow.frame);
    let share = RandomStream::new(spec.seed, Purpose::Phase, index as u32).unit();
    flow.start.saturating_add(TimeDelta::from_picos((span.as_picos() as f64 * share) as u64))
}

fn station_indices(spec: &Spec) -> Vec<Option<u32>> {
    let mut next = 0;
    let mut index = |kind| {
        (kind == NodeKind::Station).then(|| {
            next += 1;
            next - 1
        })
    };
    spec.topology.nodes().iter().map(|node| index(node.kind)).collect()
}

fn ports(spec: &Spec, station_of: &[Option<u32>]) -> Vec<Port> {
    let topology = &spec.topology;
    let port = |id: PortId| {
        let link = topology.link_at(id.link());
        let owner = station_of[topology.source(id).index()].map_or(Owner::Bridge, Owner::Station);
        let toward = match topology.node_at(topology.target(id)).kind {
            NodeKind::Bridge | NodeKind::Spine => Toward::Bridge,
            NodeKind::Station => Toward::Station,
        };
        let overhead = if topology.is_inside(id) { Bytes::ZERO } else { spec.overhead };
        Port::new(link, overhead, toward, owner, Clock::of(spec, topology.source(id)))
    };
    topology.ports().map(port).collect()
}

fn stations(spec: &Spec, classes: &Classes, station_of: &[Option<u32>]) -> Vec<Station> {
    let topology = &spec.topology;
    let leaving = ports_by_node(topology);
    let mut lanes: Vec<Vec<u32>> = vec![Vec::new(); topology.stations().count()];
    for (index, flow) in spec.flows.iter().enumerate() {
        let station = station_of[flow.source.index()].expect("a flow's source is a station");
        lanes[station as usize].push(index as u32);
    }
    let station = |(node, lanes): (NodeId, Vec<u32>)| {
        Station::new(leaving[node.index()][0].0, Schedule::new(&lanes, classes.count()))
    };
    topology.stations().zip(lanes).map(station).collect()
}

/// The priorities of flows and of notifications.
pub(super) fn classes(spec: &Spec) -> Classes {
    let mut used = PrioritySet::only(spec.control.notification_priority);
    for flow in &spec.flows {
        used = used.with(flow.priority);
    }
    let priorities =
        (0..Priority::COUNT as u8).filter_map(Priority::new).filter(|&priority| used.contains(priority));
    Classes { priorities: priorities.collect() }
}

/// The number of a congestion point, which is also the owner of its random stream ([`Purpose::CongestionPoint`]). `None` if
/// the spec does not use its priority.
#[must_use]
pub fn point_id(spec: &Spec, place: &PointPlace) -> Option<PointId> {
    let classes = classes(spec);
    let class = classes.priorities.iter().position(|priority| *priority == place.priority)?;
    let side = match place.side {
        Side::Output => 0,
        Side::Input => spec.topology.links().len() * 2,
    };
    Some(PointId(((side + place.port.index()) * classes.count() + class) as u32))
}

/// The output queues of all ports, followed by the input buffers if bridges have them.
fn queues(spec: &Spec, classes: &Classes) -> Vec<Queue> {
    let sides: &[Side] = match spec.bridges {
        Bridges::OutputQueued => &[Side::Output],
        Bridges::Cioq(_) => &[Side::Output, Side::Input],
    };
    let mut queues = Vec::with_capacity(spec.topology.links().len() * 2 * classes.count() * sides.len());
    for &side in sides {
        for port in spec.topology.ports() {
            for &priority in &classes.priorities {
                let index = queues.len() as u32;
                queues.push(queue(spec, index, side, port, priority));
            }
        }
    }
    queues
}

fn queue(spec: &Spec, index: u32, side: Side, port: PortId, priority: Priority) -> Queue {
    let (source, target) = (spec.topology.source(port), spec.topology.target(port));
    let (node, limit) = match (side, spec.bridges) {
        (Side::Input, Bridges::Cioq(cioq)) => (target, cioq.input_buffer),
        _ => (source, spec.buffer),
    };
    let controlled = spec.topology.node_at(node).kind == NodeKind::Bridge
        && !spec.topology.is_inside(port)
        && spec.control.placement.includes(side)
        && spec.control.priorities.contains(priority);
    let params = if controlled { spec.control.congestion_point } else { CongestionPointParams::None };
    Queue {
        frames: Ring::default(),
        committed: Ring::default(),
        length: 0,
        limit: limit.get(),
        congestion_point: CongestionPoint::for_audience(&params, PointId(index), spec.control.audience),
        entropy: RandomStream::new(spec.seed, Purpose::CongestionPoint, index),
        dwell: Dwell::new(),
        largest: 0,
        dropped_frames: 0,
        dropped: 0,
        notifications: 0,
    }
}

/// The queues that flows pass through: output queues and, if bridges have them, input buffers.
pub(super) fn recorded_queues(spec: &Spec, classes: &Classes, routes: &[Route]) -> Vec<usize> {
    let inputs_at = spec.topology.links().len() * 2 * classes.count();
    let at = |port: &PortId, priority| port.index() * classes.count() + usize::from(classes.of(priority));
    let mut queues = Vec::new();
    let paths =
        spec.flows.iter().zip(routes).flat_map(|(flow, route)| route.paths().map(move |path| (flow, path)));
    for (flow, path) in paths {
        queues.extend(path[1..].iter().map(|port| at(port, flow.priority)));
        if spec.bridges != Bridges::OutputQueued {
            let inputs = &path[..path.len() - 1];
            queues.extend(inputs.iter().map(|port| inputs_at + at(port, flow.priority)));
        }
    }
    queues.sort_unstable();
    queues.dedup();
    queues
}

/// The ports that flows pass through. No other port sends data or is paused.
pub(super) fn recorded_ports(routes: &[Route]) -> Vec<usize> {
    let mut ports: Vec<usize> =
        routes.iter().flat_map(Route::paths).flatten().map(|port| port.index()).collect();
    ports.sort_unstable();
    ports.dedup();
    ports
}

fn pause_rules(spec: &Spec, classes: &Classes) -> PauseRules {
    let Some(params) = spec.flow_control.params() else { return PauseRules::NONE };
    let counting = match spec.flow_control {
        FlowControl::Pause(_) => Counting::WholeLink,
        _ => Counting::PerClass,
    };
    let bits = classes.priorities.iter().enumerate();
    let protected = bits
        .filter(|(_, priority)| spec.flow_control.protected().contains(**priority))
        .fold(0, |set, (class, _)| set | 1 << class);
    PauseRules { protected, counting, xoff: params.xoff.get(), xon: params.xon.get(), quanta: params.quanta }
}

/// The input counters of each port. Ports that carry no frames under flow control have no room and need none.
fn inputs(spec: &Spec, budgets: &[LinkBudget]) -> Vec<Input> {
    let mut inputs = vec![Input::default(); spec.topology.links().len() * 2];
    for budget in budgets {
        inputs[budget.port.index()] = Input::new(budget);
    }
    inputs
}

fn rules(spec: &Spec, classes: &Classes) -> Rules {
    let control = &spec.control;
    Rules {
        overhead: spec.overhead,
        limiters: control.limiters_per_station,
        sampled: control.sampled,
        points_drop: control.congestion_point.drops(),
        reads_tenants: control.congestion_point.reads_tenants(),
        tags: control.reaction_point.tags(),
        group: control.group,
        notification_bytes: control.notification_size.get() as u16,
        notification_class: classes.of(control.notification_priority),
        reaction_delay: control.reaction_delay,
        sample_interval: spec.sample_interval,
        end: Time::ZERO + spec.duration,
    }
}
