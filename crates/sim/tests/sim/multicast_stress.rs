//! Every valid spec with group flows runs to its end with consistent results, and a group with
//! one member is equivalent to a flow to that member.

use crate::support;
use crate::support::adds_up::adds_up;
use crate::support::draw::{Draw, Scale, Ways};
use proptest::prelude::*;
use setpoint_control::{GroupParams, GroupRule, Marking, NotificationPointParams, culprit};
use setpoint_sim::topology::RackFabric;
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{
    Bridges, Change, Cioq, ControlSpec, Copies, Delivery, Destination, FlowControl, FlowSpec, GroupId,
    GroupSpec, NodeId, Outcome, Placement, Priority, PrioritySet, SimError, Spec, TimedChange, Topology,
    Unwatched, simulate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

impl Draw {
    /// Adds groups whose members join and leave, and redirects some flows to them.
    fn groups(&mut self, spec: &mut Spec) {
        let stations: Vec<NodeId> = spec.topology.stations().collect();
        for index in 0..1 + self.below(3) {
            let id = GroupId(index as u32);
            let source = self.one(&stations);
            let mut members = Vec::new();
            for &station in stations.iter().filter(|&&station| station != source) {
                let mut times: Vec<Time> = (0..self.below(3)).map(|_| self.time()).collect();
                times.sort_unstable();
                let mut member = self.chance(60);
                members.extend(member.then_some(station));
                for at in times {
                    member = !member;
                    let change = if member { Change::Join(id, station) } else { Change::Leave(id, station) };
                    spec.changes.push(TimedChange { at, change });
                }
            }
            if members.is_empty() {
                members.push(*stations.iter().find(|&&one| one != source).unwrap());
                spec.changes
                    .retain(|one| !matches!(one.change, Change::Join(g, _) | Change::Leave(g, _) if g == id));
            }
            spec.groups.push(GroupSpec { name: String::new(), members });
            for _ in 0..1 + self.below(3) {
                let mut flow = self.flow(&spec.topology);
                flow.source = source;
                flow.destination = Destination::Group(id);
                if flow.traffic.sends_messages() {
                    flow.traffic = Traffic::Backlogged;
                }
                let place = self.below(spec.flows.len() as u64 + 1) as usize;
                spec.flows.insert(place, flow);
            }
        }
        let rules = [GroupRule::EveryNotification, GroupRule::SlowestPath, GroupRule::WorstPoint];
        spec.control.group =
            GroupParams { rule: self.one(&rules), memory: TimeDelta::from_micros(self.below(300)) };
    }

    fn spec(&mut self, seed: u64) -> Spec {
        let mut spec = self.plain(seed, Ways::Several);
        let changes = std::mem::take(&mut spec.changes);
        self.groups(&mut spec);
        spec.changes.extend(changes);
        spec
    }
}

/// The outcome rewritten as if the flow were addressed to a single station.
fn as_unicast(mut outcome: Outcome) -> Outcome {
    for flow in &mut outcome.flows {
        flow.receivers.clear();
        assert_eq!(flow.copies.get(), Copies::default());
    }
    outcome
}

fn is_refused(outcome: &Result<Outcome, SimError>) -> bool {
    matches!(outcome, Err(SimError::Spec(_)))
}

impl Draw {
    /// Bridges in a ring with two stations each; flows to groups and stations up to half the ring away, under
    /// PFC. Flows stop long before the end, so anything left at the end is stuck.
    fn ring(&mut self, seed: u64) -> Spec {
        let count = 4 + self.below(4) as usize;
        let mut net = Topology::new();
        let rate = Rate::from_gbps(1);
        let bridges: Vec<NodeId> = (0..count).map(|n| net.bridge(format!("b{n}"), 1)).collect();
        let mut stations = Vec::new();
        for index in 0..count {
            net.connect(bridges[index], bridges[(index + 1) % count], rate, TimeDelta::from_nanos(500));
            for number in 0..2 {
                let station = net.station(format!("h{index}{number}"), 0);
                net.connect(station, bridges[index], rate, TimeDelta::from_nanos(500));
                stations.push(station);
            }
        }
        let (mut flows, mut groups) = (Vec::new(), Vec::new());
        for (index, &source) in stations.iter().enumerate() {
            let mut members: Vec<NodeId> = (0..1 + self.below(4))
                .map(|_| stations[(index + 1 + self.below(count as u64) as usize) % stations.len()])
                .collect();
            members.sort_unstable();
            members.dedup();
            let traffic = match self.below(3) {
                0 => Traffic::Constant { rate: Rate::from_mbps(500) },
                _ => Traffic::Backlogged,
            };
            let destination = if self.chance(75) {
                groups.push(GroupSpec { name: String::new(), members });
                Destination::Group(GroupId(groups.len() as u32 - 1))
            } else {
                members[0].into()
            };
            flows.push(FlowSpec {
                destination,
                stop: Some(Time::ZERO + TimeDelta::from_millis(3)),
                ..support::flow(source, source, traffic)
            });
        }
        let input_buffer = Bytes::new(100_000);
        let bridges = match self.below(3) {
            0 => Bridges::OutputQueued,
            1 => Bridges::Cioq(Cioq { input_buffer, ..support::cioq() }),
            _ => Bridges::Cioq(Cioq { input_buffer, delivery: Delivery::Reliable, ..support::cioq() }),
        };
        Spec {
            groups,
            bridges,
            buffer: Bytes::new(self.one(&[5_000, 30_000])),
            flow_control: support::pfc(),
            sample_interval: TimeDelta::from_micros(100),
            seed,
            ..support::spec(net, flows, TimeDelta::from_millis(30))
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_spec_with_groups_runs_and_adds_up(seed: u64) {
        let spec = Draw::new(seed, Scale::Usual).spec(seed);
        let outcome = simulate(&spec, &mut Unwatched);
        prop_assume!(!is_refused(&outcome));
        adds_up(&spec, &outcome.unwrap());
    }

    #[test]
    fn a_group_of_one_is_a_flow_to_it(seed: u64) {
        let mut draw = Draw::new(seed, Scale::Usual);
        let plain = draw.plain(seed, Ways::One);
        let alone = simulate(&plain, &mut Unwatched);
        // The receivers of a group do not reply.
        prop_assume!(!is_refused(&alone) && plain.control.notification_point == NotificationPointParams::None);
        let mut grouped = plain.clone();
        for flow in &mut grouped.flows {
            let Destination::Station(station) = flow.destination else { continue };
            if draw.chance(60) && !flow.traffic.sends_messages() {
                flow.destination = Destination::Group(GroupId(grouped.groups.len() as u32));
                grouped.groups.push(GroupSpec { name: String::new(), members: vec![station] });
            }
        }
        let outcome = simulate(&grouped, &mut Unwatched).unwrap();
        prop_assert!(as_unicast(outcome) == alone.unwrap(), "seed {seed}");
    }

    #[test]
    fn a_ring_is_deadlocked_if_and_only_if_frames_are_left(seed: u64) {
        let spec = Draw::new(seed, Scale::Usual).ring(seed);
        let outcome = simulate(&spec, &mut Unwatched);
        let outcome = outcome.unwrap();
        support::cycle_is_silent(&outcome);
        let left: u64 = outcome.queues.iter().filter_map(|queue| queue.length_series.last()).sum();
        prop_assert_eq!(left > 0, outcome.deadlock.is_some(), "{} bytes are left", left);
    }
}

/// The random specs above exercise both cases.
#[test]
fn some_rings_deadlock_and_some_do_not() {
    let locked = |seed: &u64| {
        let spec = Draw::new(*seed, Scale::Usual).ring(*seed);
        simulate(&spec, &mut Unwatched).unwrap().deadlock.is_some()
    };
    let count = (0..40).filter(locked).count();
    assert!((5..35).contains(&count), "{count} of 40 deadlocked");
}

impl Draw {
    /// Leaves and spines under flow control, with groups that span several leaves, including the
    /// sender's. Flows stop, and the network becomes idle.
    fn fabric(&mut self, seed: u64) -> Spec {
        let rate = Rate::from_gbps(1);
        let net = RackFabric {
            racks: 1 + self.below(2) as u32,
            leaves_per_rack: 1 + self.below(3) as u32,
            stations_per_leaf: 3,
            spines: 1 + self.below(3) as u32,
            access_rate: rate,
            access_delay: TimeDelta::from_nanos(self.one(&[0, 500])),
            fabric_rate: rate,
            fabric_delay: TimeDelta::from_nanos(self.one(&[0, 500])),
        }
        .build();
        let mut spec = support::spec(net, Vec::new(), TimeDelta::from_millis(60));
        let stations: Vec<NodeId> = spec.topology.stations().collect();
        for &source in &stations {
            let others = stations.iter().copied().filter(|&other| other != source);
            let members: Vec<NodeId> = others.filter(|_| self.chance(50)).collect();
            let Some(&first) = members.first() else { continue };
            let id = GroupId(spec.groups.len() as u32);
            if self.chance(50) {
                let at = Time::ZERO + TimeDelta::from_micros(self.below(1_000));
                spec.changes.push(TimedChange { at, change: Change::Leave(id, first) });
            }
            spec.groups.push(GroupSpec { name: String::new(), members });
            spec.flows.push(FlowSpec {
                destination: Destination::Group(id),
                priority: Priority::new(self.one(&[3, 3, 5])).unwrap(),
                stop: Some(Time::ZERO + TimeDelta::from_millis(1)),
                ..support::flow(source, first, Traffic::Backlogged)
            });
        }
        let (params, random) = (support::thresholds(), Marking::RandomOccupancy(culprit::Search::default()));
        let lossless = PrioritySet::only(support::DATA).with(Priority::new(5).unwrap());
        spec.flow_control = self.one(&[FlowControl::Pause(params), FlowControl::Pfc(params, lossless)]);
        spec.bridges = Bridges::Cioq(Cioq {
            input_buffer: Bytes::new(100_000),
            delivery: self.one(&[Delivery::Plain, Delivery::Reliable]),
            ..support::cioq()
        });
        spec.control = ControlSpec {
            placement: self.one(&[Placement::Inputs, Placement::Both]),
            marking: random,
            keep_alive: Some(Bytes::new(30_000)),
            priorities: PrioritySet::ALL,
            ..support::qcn_control()
        };
        spec.buffer = Bytes::new(self.one(&[5_000, 30_000]));
        spec.sample_interval = TimeDelta::from_micros(100);
        spec.seed = seed;
        spec
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_fabric_under_flow_control_delivers_all(seed: u64) {
        let spec = Draw::new(seed, Scale::Usual).fabric(seed);
        let outcome = simulate(&spec, &mut Unwatched).unwrap();
        prop_assert_eq!(&outcome.deadlock, &None);
        for flow in &outcome.flows {
            prop_assert_eq!(flow.sent + flow.copies.get().created, flow.delivered + flow.copies.get().unwanted);
            let most = flow.receivers.iter().map(|one| one.delivered).max();
            prop_assert!(most.is_none_or(|most| most <= flow.sent));
        }
    }
}
