//! Random groups over random networks, with members that join and leave.
//!
//! In a debug build, a run checks that no byte is lost or invented, that buffers match their counters, and
//! that every receiver gets each frame once and in order. In these tests, flows stop, the network becomes idle, and
//! the byte balance is checked.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use proptest::prelude::*;
use setpoint_control::{CongestionPointParams, GroupParams, GroupRule, qcn};
use setpoint_sim::topology::{FatTree, RackFabric, Star};
use setpoint_sim::traffic::{Silence, Traffic};
use setpoint_sim::{
    Bridges, Change, Cioq, ControlSpec, Delivery, Destination, FlowControl, FlowSpec, GroupId, GroupSpec,
    Headroom, NodeId, Outcome, PauseParams, PauseResponse, Placement, Purpose, RandomStream, SimError, Spec,
    SpecError, TimedChange, Topology, Unwatched, simulate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use crate::support;

const STOP: Time = Time::from_picos(1_000_000_000);

struct Draw(RandomStream);

impl Draw {
    fn below(&mut self, bound: u64) -> u64 {
        self.0.below(bound)
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    fn rate(&mut self) -> Rate {
        Rate::from_mbps(self.one(&[500, 1_000, 10_000]))
    }

    fn delay(&mut self) -> TimeDelta {
        TimeDelta::from_nanos(self.one(&[0, 50, 1_000]))
    }

    /// Bridges with stations and with up to three links to earlier bridges, so that several paths can be equally
    /// short.
    fn mesh(&mut self, rings: bool) -> Topology {
        let mut net = Topology::new();
        let bridges: Vec<NodeId> = (0..1 + self.below(6)).map(|n| net.bridge(format!("b{n}"), 1)).collect();
        for (index, &bridge) in bridges.iter().enumerate().skip(1) {
            let links = if rings { 1 + self.below(3) } else { 1 };
            let before: BTreeSet<NodeId> = (0..links).map(|_| self.one(&bridges[..index])).collect();
            for other in before {
                net.connect(other, bridge, self.rate(), self.delay());
            }
        }
        for number in 0..3 + self.below(8) {
            let station = net.station(format!("h{number}"), 0);
            net.connect(station, self.one(&bridges), self.rate(), self.delay());
        }
        net
    }

    fn network(&mut self, rings: bool) -> Topology {
        let rate = Rate::from_gbps(self.one(&[1, 10]));
        match self.below(6) {
            0 => Star { stations: 3 + self.below(6) as u32, rate, delay: self.delay() }.build(),
            1 if rings => FatTree { k: 4, rate, delay: self.delay() }.build(),
            2 if rings => RackFabric {
                racks: 1 + self.below(2) as u32,
                leaves_per_rack: 1 + self.below(3) as u32,
                stations_per_leaf: 3,
                spines: 1 + self.below(3) as u32,
                access_rate: rate,
                access_delay: self.delay(),
                fabric_rate: Rate::from_gbps(10),
                fabric_delay: self.delay(),
            }
            .build(),
            _ => self.mesh(rings),
        }
    }

    fn traffic(&mut self) -> Traffic {
        match self.below(3) {
            0 => Traffic::Constant { rate: self.rate() },
            1 => Traffic::OnOff {
                burst: Bytes::new(1 + self.below(9_000)),
                offered: Rate::from_mbps(400),
                silence: Silence::Exponential,
            },
            _ => Traffic::Backlogged,
        }
    }

    /// Groups with their joins and leaves. The first station is in no group.
    fn groups(&mut self, net: &Topology) -> (Vec<GroupSpec>, Vec<TimedChange>) {
        let stations: Vec<NodeId> = net.stations().skip(1).collect();
        let (mut groups, mut changes) = (Vec::new(), Vec::new());
        for index in 0..1 + self.below(3) {
            let id = GroupId(index as u32);
            let mut members: Vec<NodeId> = Vec::new();
            for &station in &stations {
                let mut times: Vec<u64> = (0..self.below(4)).map(|_| self.below(900_000)).collect();
                times.sort_unstable();
                let from_start = self.below(2) == 0;
                members.extend(from_start.then_some(station));
                for (turn, nanos) in times.into_iter().enumerate() {
                    let joins = (turn % 2 == 0) != from_start;
                    let change = if joins { Change::Join(id, station) } else { Change::Leave(id, station) };
                    changes.push(TimedChange { at: Time::ZERO + TimeDelta::from_nanos(nanos), change });
                }
            }
            groups.push(GroupSpec { name: format!("g{index}"), members });
        }
        (groups, changes)
    }

    fn flows(&mut self, net: &Topology, groups: u64) -> Vec<FlowSpec> {
        let stations: Vec<NodeId> = net.stations().collect();
        let mut flows = Vec::new();
        for _ in 0..1 + self.below(6) {
            let to_group = self.below(4) > 0;
            let source = if to_group { stations[0] } else { self.one(&stations[1..]) };
            let group = GroupId(self.below(groups) as u32);
            let destination = if to_group { Destination::Group(group) } else { stations[0].into() };
            flows.push(FlowSpec {
                destination,
                frame: Bytes::new(self.one(&[64, 300, 1_522])),
                start: Time::ZERO + TimeDelta::from_micros(self.below(300)),
                stop: Some(STOP),
                ..support::flow(source, stations[0], self.traffic())
            });
        }
        flows
    }

    fn control(&mut self, bridges: &Bridges) -> ControlSpec {
        let rules = [GroupRule::EveryNotification, GroupRule::SlowestPath, GroupRule::WorstPoint];
        let placement = match bridges {
            Bridges::OutputQueued | Bridges::SharedBuffer(_) => Placement::Outputs,
            Bridges::Cioq(_) => self.one(&[Placement::Outputs, Placement::Inputs, Placement::Both]),
        };
        let group = GroupParams { rule: self.one(&rules), memory: TimeDelta::from_micros(self.below(500)) };
        let mut params = qcn::Params::default();
        params.cp.sample_base = Bytes::new(10_000);
        params.cp.set_point = Bytes::new(self.one(&[2_000, 26_000]));
        let congestion_point = CongestionPointParams::Qcn(params.cp);
        ControlSpec { congestion_point, placement, group, ..support::qcn_control() }
    }

    fn flow_control(&mut self) -> FlowControl {
        let params = PauseParams {
            xoff: Bytes::new(self.one(&[20_000, 60_000])),
            xon: Bytes::new(self.one(&[0, 15_000])),
            headroom: Headroom::Automatic,
            quanta: 65_535,
            response: PauseResponse::IMMEDIATE,
        };
        FlowControl::Pause(params)
    }

    /// A random spec. Only networks without rings, which cannot deadlock, have pauses.
    fn spec(&mut self, seed: u64) -> Spec {
        let lossless = self.below(2) == 0;
        let net = self.network(!lossless);
        let has_spines = net.find("spine1").is_some();
        let (groups, changes) = self.groups(&net);
        let flows = self.flows(&net, groups.len() as u64);
        let delivery = self.one(&[Delivery::Plain, Delivery::Reliable]);
        let bridges = match self.below(2) {
            0 if !has_spines => Bridges::OutputQueued,
            _ => Bridges::Cioq(Cioq {
                input_buffer: Bytes::new(self.one(&[200_000, 600_000])),
                control_delay: self.delay(),
                delivery,
                ..support::cioq()
            }),
        };
        let control = if self.below(3) == 0 { support::no_control() } else { self.control(&bridges) };
        Spec {
            groups,
            changes,
            control,
            bridges,
            flow_control: if lossless { self.flow_control() } else { FlowControl::None },
            buffer: Bytes::new(self.one(&[3_072, 40_000, 150_000])),
            overhead: Bytes::new(self.one(&[0, 20])),
            sample_interval: TimeDelta::from_micros(self.one(&[50, 110])),
            seed,
            ..support::spec(net, flows, TimeDelta::from_millis(40))
        }
    }
}

/// The stations that are members of a group during the whole run.
fn steady(spec: &Spec, group: GroupId) -> BTreeSet<NodeId> {
    let moves = spec.changes.iter().filter_map(|change| match change.change {
        Change::Join(id, station) | Change::Leave(id, station) if id == group => Some(station),
        _ => None,
    });
    let moves: BTreeSet<NodeId> = moves.collect();
    spec.groups[group.index()].members.iter().copied().filter(|member| !moves.contains(member)).collect()
}

fn books_balance(spec: &Spec, outcome: &Outcome) {
    for (flow, outcome) in spec.flows.iter().zip(&outcome.flows) {
        let copies = outcome.copies.get();
        assert_eq!(outcome.sent + copies.created, outcome.delivered + outcome.dropped + copies.unwanted);
        assert_eq!(
            outcome.sent_frames + copies.created_frames,
            outcome.delivered_frames + outcome.dropped_frames + copies.unwanted_frames
        );
        let Destination::Group(group) = flow.destination else { continue };
        let delivered: u64 = outcome.receivers.iter().map(|receiver| receiver.delivered_frames).sum();
        assert_eq!(delivered, outcome.delivered_frames);
        let steady = steady(spec, group);
        for receiver in outcome.receivers.iter().filter(|receiver| steady.contains(&receiver.station)) {
            assert_eq!(receiver.delivered_frames + receiver.lost_frames, outcome.sent_frames);
            assert_eq!(receiver.delivered + receiver.lost, outcome.sent);
        }
        if spec.flow_control != FlowControl::None {
            assert!(
                outcome.dropped_frames == 0
                    && outcome.receivers.iter().all(|receiver| receiver.lost_frames == 0)
            );
        }
    }
    for queue in &outcome.queues {
        assert_eq!(queue.length_series.last(), Some(&0), "frames are left at {:?}", queue.port);
    }
    assert_eq!(outcome.deadlock, None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_frame_in_is_copies_out_and_drops(seed: u64) {
        let spec = Draw(RandomStream::new(seed, Purpose::Matrix, 0)).spec(seed);
        let outcome = simulate(&spec, &mut Unwatched);
        // No station ever joined, or a link is too fast or too long for the thresholds.
        prop_assume!(!matches!(outcome, Err(SimError::Spec(SpecError::EmptyGroup(_) | SpecError::InputTooSmall { .. }))));
        books_balance(&spec, &outcome.unwrap());
    }

    /// A single frame to all members crosses every port at most once and reaches every receiver on
    /// a shortest path.
    #[test]
    fn a_tree_has_shortest_paths_that_diverge_once(seed: u64) {
        let mut draw = Draw(RandomStream::new(seed, Purpose::Matrix, 0));
        let net = draw.network(true);
        prop_assume!(net.find("spine1").is_none());
        let stations: Vec<NodeId> = net.stations().collect();
        let (source, members) = (stations[0], stations[1..].to_vec());
        let stop = Some(Time::ZERO + TimeDelta::from_micros(20));
        let frame = FlowSpec {
            destination: Destination::Group(GroupId(0)),
            stop,
            ..support::flow(source, stations[1], Traffic::Constant { rate: Rate::from_mbps(10) })
        };
        let groups = vec![GroupSpec { name: String::new(), members }];
        let spec = Spec { groups, seed, ..support::spec(net, vec![frame], TimeDelta::from_millis(5)) };
        let outcome = simulate(&spec, &mut Unwatched).unwrap();
        prop_assert_eq!(outcome.flows[0].sent_frames, 1);
        let mut parent: BTreeMap<NodeId, NodeId> = BTreeMap::new();
        for port in &outcome.ports {
            prop_assert_eq!(port.sent_frames, 1);
            let (from, to) = (spec.topology.source(port.port), spec.topology.target(port.port));
            prop_assert_eq!(parent.insert(to, from), None, "two ways to {:?}", to);
        }
        for &member in &spec.groups[0].members {
            let hops = std::iter::successors(Some(member), |node| parent.get(node).copied()).count() - 1;
            prop_assert_eq!(hops, distance(&spec.topology, source, member));
        }
    }
}

fn distance(net: &Topology, from: NodeId, to: NodeId) -> usize {
    let mut seen = BTreeMap::from([(from, 0)]);
    let mut next = VecDeque::from([from]);
    while let Some(node) = next.pop_front() {
        for port in net.ports().filter(|&port| net.source(port) == node) {
            let neighbour = net.target(port);
            let hops = seen[&node] + 1;
            seen.entry(neighbour).or_insert_with(|| {
                next.push_back(neighbour);
                hops
            });
        }
    }
    seen[&to]
}

/// The random specs above exercise all these cases.
#[test]
fn the_draws_reach_everything() {
    let [mut created, mut unwanted, mut dropped, mut paused, mut notified, mut at_spines] = [0u64; 6];
    for seed in 0..100 {
        let spec = Draw(RandomStream::new(seed, Purpose::Matrix, 0)).spec(seed);
        let Ok(outcome) = simulate(&spec, &mut Unwatched) else { continue };
        created += outcome.flows.iter().map(|flow| flow.copies.get().created_frames).sum::<u64>();
        unwanted += outcome.flows.iter().map(|flow| flow.copies.get().unwanted_frames).sum::<u64>();
        let lost = |flow: &setpoint_sim::FlowOutcome| {
            flow.receivers.iter().map(|receiver| receiver.lost_frames).sum::<u64>()
        };
        dropped += outcome.flows.iter().map(lost).sum::<u64>();
        paused += outcome.ports.iter().map(|port| port.pauses).sum::<u64>();
        let to_group = |flow: &&setpoint_sim::FlowOutcome| !flow.receivers.is_empty();
        notified += outcome.flows.iter().filter(to_group).map(|flow| flow.notifications).sum::<u64>();
        at_spines += u64::from(outcome.fabric.cells > 0);
    }
    assert!(created > 10_000 && unwanted > 1_000, "{created} copies, {unwanted} unwanted");
    assert!(
        dropped > 1_000 && paused > 100 && notified > 100,
        "{dropped} lost, {paused} pauses, {notified} notifications"
    );
    assert!(at_spines > 3, "{at_spines} runs with spines");
}
