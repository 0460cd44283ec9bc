//! Construction of a network from a spec.

use std::collections::BTreeMap;
use std::ops::Range;

use setpoint_control::{Answers, BridgeNeeds, PointId, SourceNeeds, Tenant};
use setpoint_random::{Purpose, RandomStream};
use setpoint_units::{Time, TimeDelta};

use crate::controllers::Controllers;
use crate::events::EventQueue;
use crate::idle::{bridges, round_trip};
use crate::ids::{FlowId, PortId, Priority, PrioritySet};
use crate::index::{BridgeNo, HopNo, PartNo, QueueNo, Table};
use crate::monitor::Threads;
use crate::network::agenda::Agenda;
use crate::network::components::Components;
use crate::network::node::bridge::{Bridges, Numbers, QueueNumbers, place_of_point, point_of};
use crate::network::node::context::{Classes, Context, Rules};
use crate::network::node::expected::Sequence;
use crate::network::node::followers::Followers;
use crate::network::node::link::{End, Link};
use crate::network::node::milestones::Milestones;
use crate::network::node::multicast::Groups;
use crate::network::node::partition::Partition;
use crate::network::node::places::{Ends, Owners, Place};
use crate::network::node::receive::Receivers;
use crate::network::node::remote::Outbox;
use crate::network::node::reports::Reports;
use crate::network::node::routes::{FlowFacts, Routes, RoutesInMaking};
use crate::network::node::station::{IdlePath, Stations};
use crate::network::observe::Observers;
use crate::network::observe::messages::Messages;
use crate::network::observe::recorder::Recorder;
use crate::network::parallel::execution::Execution;
use crate::network::parallel::plan::Plan;
use crate::network::parallel::thread_policy::ThreadPolicy;
use crate::network::parallel::threads::on_threads;
use crate::network::parallel::workers::Workers;
use crate::network::run::Network;
use crate::passing::PointPlace;
use crate::routing::{Detour, Route};
use crate::spec::{self, FlowSpec, Scheduling, Side, Spec};
use crate::validate::Findings;

impl Network {
    /// Builds an idle network from a spec and the findings of its validation, for the given threads.
    pub(crate) fn new(spec: &Spec, findings: Findings, threads: Threads) -> Self {
        let Findings { routes, budgets } = findings;
        let classes = classes(spec);
        let numbers = Numbers::new(&spec.topology);
        let queue_numbers = QueueNumbers::new(spec, &numbers, &classes);
        let plan = Plan::new(spec, &routes, &numbers, threads);
        let (table, groups) = tables(spec, &classes, &routes, &numbers);
        let (queues, ports) = (recorded_queues(spec, &classes, &routes), recorded_ports(&routes));
        // With many flows, these take up a lot of memory.
        drop(routes);
        let queue = |place: &PointPlace| queue_at(&queue_numbers, &numbers, &classes, place);
        let queues: Vec<QueueNo> = queues.iter().map(queue).collect();
        let recorder = Recorder::new(spec, queues, ports, groups.receivers().len());
        let reservoir = RandomStream::new(spec.seed, Purpose::Reservoir, 0);
        let rules = rules(spec, &classes);
        let followers = Followers::new(spec);
        let owners = plan.owners(spec, &numbers);
        let senders = Ends::new(plan.len(), spec.flows.iter().map(|flow| plan.part_of(flow.source)));
        let receivers = Ends::new(plan.len(), spec.flows.iter().map(|flow| plan.destination(flow)));
        let partition = |&(part, range): &(PartNo, &Range<BridgeNo>)| {
            let sequence = if table.may_change() { Sequence::Any } else { Sequence::Sent };
            let point = spec.control.notification_point;
            let mut receiving = Receivers::new(&spec.flows, point, part, receivers.clone(), sequence);
            receiving.expect_members(groups.receivers().len());
            let stations = plan.stations(spec, part);
            let mut stations = Stations::new(spec, &classes, &table, (part, &stations), senders.clone());
            stations.follow_with(followers.clone());
            let bridges = Bridges::new(spec, &numbers, queue_numbers.clone(), &classes, &budgets, range);
            let cx = Context {
                part,
                now: Time::ZERO,
                until: Time::ZERO,
                events: EventQueue::new(),
                looks_ahead: false,
                links: spec.topology.ports().map(|port| Link::new(end_of(&owners, port, part))).collect(),
                routes: table.clone(),
                groups: groups.clone(),
                receivers: receiving,
                rules,
                classes: classes.clone(),
                reports: Reports::default(),
                outbox: Outbox::new(plan.len()),
                away: Vec::new(),
                part_of: plan.bridges(),
                traces: Vec::new(),
                violation: None,
                tap: None,
                lost_on_links: BTreeMap::new(),
                milestones: Milestones::default(),
            };
            Box::new(Partition::new(cx, stations, bridges))
        };
        let ranges: Vec<(PartNo, &Range<BridgeNo>)> = plan.ranges().collect();
        let parts: Table<PartNo, Box<Partition>> =
            on_threads(threads.most.get(), &ranges, partition).into_iter().collect();
        let components = Components {
            pause_rules: *parts[PartNo(0)].bridges.core().pause_rules(),
            parts,
            now: Time::ZERO,
            owners,
            senders,
            receivers,
            routes: table.without_tenants(),
            rules,
            queue_numbers,
            classes,
        };
        let messages = Messages::new((spec.measure_from, spec.measure_messages_until), reservoir);
        let mut network = Self {
            components,
            observers: Observers::new(recorder, messages, has_dependents(spec) || spec.records_pauses),
            execution: Execution {
                lookahead: plan.lookahead(),
                policy: ThreadPolicy::new(threads),
                workers: Workers::new(plan.len()),
            },
            agenda: Agenda::new(spec),
            budgets,
            shown: None,
        };
        if network.components.rules.answers() {
            network.components.learn_paths(spec);
        }
        network
    }
}

impl Network {
    /// Replaces the points of an idle network with points defined outside the simulator.
    pub(crate) fn use_controllers(&mut self, spec: &Spec, controllers: &Controllers) {
        let Controllers { congestion_point, notification_point, reaction_point, needs, .. } = controllers;
        for part in self.components.parts.iter_mut() {
            let Rules { mut bridges, mut answers, mut sources, .. } = part.cx.rules;
            if let Some(make) = congestion_point {
                bridges = needs.bridge;
                part.bridges.core_mut().make_congestion_points(make, spec.control.audience);
            }
            if notification_point.is_some() {
                answers = needs.answers;
                part.cx.receivers.make_notification_points(notification_point.clone());
            }
            if reaction_point.is_some() {
                sources = needs.source;
                part.stations.make_reaction_points(reaction_point.clone());
            }
            part.cx.rules = part.cx.rules.with_needs(bridges, answers, sources);
        }
        self.components.rules = self.components.parts[PartNo(0)].cx.rules;
        self.components.learn_paths(spec);
    }
}

impl Components {
    /// Computes the base round-trip times of all flows to a station and counts their bridges, on their first paths.
    fn learn_paths(&mut self, spec: &Spec) {
        let idle_path = |flow: FlowId| {
            let ports = self.routes.paths_of(flow).next().unwrap_or_default();
            let rtt = round_trip(spec, spec.flows[flow.index()].frame, ports);
            IdlePath { rtt, bridges: bridges(ports) }
        };
        let all: Vec<(PartNo, IdlePath)> =
            self.flows().map(|flow| (self.senders.of(flow).0, idle_path(flow))).collect();
        let largest = all.iter().map(|(_, path)| path.rtt).max().unwrap_or(TimeDelta::ZERO);
        for part in self.parts.numbers() {
            let own = all.iter().filter(|(owner, _)| *owner == part).map(|(_, path)| *path);
            self.parts[part].stations.set_idle_paths(own.collect(), largest);
        }
    }
}

/// The far end of a port's link, as represented in a partition.
pub(in crate::network) fn end_of(owners: &Owners, port: PortId, part: PartNo) -> End {
    let far = owners[port.peer()];
    match (far.place, owners[port].place) {
        (Place::Station(station), _) => End::Station(station),
        (Place::Bridge(own), Place::Bridge(_)) if far.part == part => End::Bridge(own),
        (Place::Bridge(_), Place::Bridge(sender)) => End::Away(far.part, sender),
        (Place::Bridge(own), Place::Station(_)) => End::Bridge(own),
    }
}

/// The routes of all flows: first those to one station, then those to groups.
fn tables(spec: &Spec, classes: &Classes, routes: &[Route], numbers: &Numbers) -> (Routes, Groups) {
    let entries = routes.iter().flat_map(Route::paths).map(<[PortId]>::len).sum();
    let mut table = RoutesInMaking::with_capacity(spec.flows.len(), entries);
    for (flow, route) in spec.flows.iter().zip(routes) {
        let first = HopNo(table.len() as u32);
        let paths = if let Route::Paths(paths) = route.usual() { paths.len() } else { 1 };
        // The entries of trees are set when the trees are laid out.
        if !matches!(route, Route::Tree(_)) {
            for path in route.usual_paths() {
                table.add(path, |port| numbers.of(port));
            }
        }
        table.flows.push(FlowFacts {
            first,
            length: table.len() as u32 - first.0,
            paths: paths as u16,
            class: classes.of(flow.priority),
            reaction: flow.reaction,
        });
        let flow = FlowId(table.flows.len() as u32 - 1);
        for Detour { change, place, path } in route.detours() {
            let usual = HopNo(first.0 + *place as u32 * (table.flows[flow].length / paths as u32));
            table.add_detour((flow, *change, usual), path.as_deref(), |port| numbers.of(port));
        }
    }
    let tenants = if spec.control.congestion_point.needs().tenants {
        let tenant = |flow: &FlowSpec| Tenant { id: flow.tenant, weight: flow.weight, max: flow.max };
        spec.flows.iter().map(tenant).collect()
    } else {
        Table::default()
    };
    let groups = Groups::lay_out(spec, routes, &mut table, |port| numbers.of(port));
    (table.finish(spec.seed, tenants), groups)
}

/// The priorities of flows and of notifications.
pub(in crate::network) fn classes(spec: &Spec) -> Classes {
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
    Some(point_of(&classes, spec.topology.links().len() * 2, place, class as u8))
}

/// The queue at a location.
fn queue_at(queues: &QueueNumbers, numbers: &Numbers, classes: &Classes, place: &PointPlace) -> QueueNo {
    let port = match place.side {
        Side::Output => place.port,
        Side::Input => place.port.peer(),
    };
    queues.of(place.side, numbers.of(port), classes.of(place.priority))
}

/// The queues that flows pass through: output queues and, if bridges have them, input buffers. In the order of their congestion
/// points.
pub(in crate::network) fn recorded_queues(
    spec: &Spec,
    classes: &Classes,
    routes: &[Route],
) -> Vec<PointPlace> {
    let ports = spec.topology.links().len() * 2;
    let mut points = Vec::new();
    let paths =
        spec.flows.iter().zip(routes).flat_map(|(flow, route)| route.paths().map(move |path| (flow, path)));
    for (flow, path) in paths {
        let mut add = |side: Side, port: PortId| {
            let place = PointPlace { port, side, priority: flow.priority };
            points.push(point_of(classes, ports, &place, classes.of(flow.priority)));
        };
        path[1..].iter().for_each(|&port| add(Side::Output, port));
        if matches!(spec.bridges, spec::Bridges::Cioq(_)) {
            path[..path.len() - 1].iter().for_each(|&port| add(Side::Input, port));
        }
    }
    points.sort_unstable();
    points.dedup();
    points.into_iter().map(|point| place_of_point(point, classes, ports)).collect()
}

/// The ports that flows pass through. No other port sends data or is paused.
pub(in crate::network) fn recorded_ports(routes: &[Route]) -> Vec<PortId> {
    let mut ports: Vec<PortId> = routes.iter().flat_map(Route::paths).flatten().copied().collect();
    ports.sort_unstable();
    ports.dedup();
    ports
}

/// Whether any message waits for other messages.
fn has_dependents(spec: &Spec) -> bool {
    spec.flows.iter().any(|flow| !flow.traffic.dependent_messages().is_empty())
}

fn rules(spec: &Spec, classes: &Classes) -> Rules {
    let control = &spec.control;
    let rules = Rules {
        overhead: spec.overhead,
        limiters: control.limiters_per_station,
        sampled: control.sampled,
        // A link that fails holds no frames whose transmission has not begun.
        decides_in_advance: !spec.has_failures(),
        lossless: classes.priorities.iter().any(|priority| spec.flow_control.protected().contains(*priority)),
        bridges: BridgeNeeds::NONE,
        answers: Answers::Never,
        sources: SourceNeeds::NONE,
        intervenes: false,
        sees_departures: false,
        labels: false,
        dependents: has_dependents(spec),
        takes_turns: !matches!(spec.scheduling, Scheduling::Strict),
        extras: false,
        group: control.group,
        notification_bytes: control.notification_size.get() as u16,
        notification_class: classes.of(control.notification_priority),
        reaction_delay: control.reaction_delay,
        sample_interval: spec.sample_interval,
        end: Time::ZERO + spec.duration,
    };
    let (bridges, sources) = (control.congestion_point.needs(), control.reaction_point.needs());
    rules.with_needs(bridges, control.notification_point.answers(), sources)
}
