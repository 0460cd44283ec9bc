//! Any spec with flows to groups that passes validation runs to its end, and what it leaves behind adds up; and a group of
//! one member is a flow to that member.

mod support;

use proptest::prelude::*;
use setpoint_control::parameter::Percent;
use setpoint_control::qcn::{Release, Sampling};
use setpoint_control::{
    Algorithm, CongestionPointParams, GroupParams, GroupRule, Marking, Params, ReactionPointParams, culprit,
    qcn,
};
use setpoint_sim::topology::RackFabric;
use setpoint_sim::traffic::{Silence, SizeDistribution, Traffic};
use setpoint_sim::{
    Bridges, Change, Cioq, ControlSpec, Copies, Delivery, Destination, FlowControl, FlowId, FlowSpec,
    GroupId, GroupSpec, Headroom, NodeId, Outcome, PauseParams, Placement, PortId, Priority, PrioritySet,
    Purpose, RandomStream, Reaction, Recording, SampledFrames, SimError, Spec, TimedChange, Topology,
    Unwatched, simulate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// A spec drawn from a seed: the seed is all that a failure has to tell.
struct Draw(RandomStream);

/// Whether two bridges have several links between them, and so flows several ways.
#[derive(Clone, Copy, PartialEq)]
enum Ways {
    One,
    Several,
}

impl Draw {
    fn below(&mut self, bound: u64) -> u64 {
        (self.0.unit() * bound as f64) as u64
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn time(&mut self) -> Time {
        let micros = self.one(&[0, 1, 10, 300, 999, 1_000, 1_100]);
        let picos = if self.chance(50) { self.below(1_000_000) } else { 0 };
        Time::ZERO + TimeDelta::from_micros(micros) + TimeDelta::from_picos(picos)
    }

    fn rate(&mut self) -> Rate {
        let megabits = self.one(&[3, 40, 500, 1_000, 2_500, 4_000]);
        Rate::from_mbps(megabits)
    }

    fn delay(&mut self) -> TimeDelta {
        TimeDelta::from_nanos(self.one(&[0, 0, 1, 500, 5_000, 40_000]))
    }

    fn network(&mut self, ways: Ways) -> Topology {
        let mut net = Topology::new();
        let bridges: Vec<NodeId> = (0..1 + self.below(4)).map(|n| net.bridge(format!("b{n}"), 1)).collect();
        for pair in bridges.windows(2) {
            for _ in 0..1 + if ways == Ways::Several { self.below(2) } else { 0 } {
                net.connect(pair[0], pair[1], self.rate(), self.delay());
            }
        }
        for number in 0..2 + self.below(5) {
            let station = net.station(format!("h{number}"), 0);
            let at = self.one(&bridges);
            net.connect(station, at, self.rate(), self.delay());
        }
        net
    }

    fn traffic(&mut self) -> Traffic {
        let sizes = match self.below(3) {
            0 => SizeDistribution::Fixed(Bytes::new(1 + self.below(3_000))),
            1 => SizeDistribution::Uniform(Bytes::new(1), Bytes::new(30_000)),
            _ => SizeDistribution::Exponential(Bytes::new(5_000)),
        };
        match self.below(6) {
            0 => Traffic::Constant { rate: self.rate() },
            1 => Traffic::OnOff {
                burst: Bytes::new(1 + self.below(60_000)),
                offered: self.rate(),
                silence: self.one(&[Silence::Fixed, Silence::Exponential]),
            },
            2 => Traffic::Poisson { mean_gap: TimeDelta::from_micros(1 + self.below(40)), sizes },
            3 => Traffic::Message { size: Bytes::new(1 + self.below(300_000)) },
            _ => Traffic::Backlogged,
        }
    }

    fn priority(&mut self) -> Priority {
        Priority::new(self.one(&[3, 3, 3, 6, 0])).unwrap()
    }

    fn flow(&mut self, net: &Topology) -> FlowSpec {
        let stations: Vec<NodeId> =
            net.stations().filter(|&id| !["p", "q"].contains(&&*net.node_at(id).name)).collect();
        let (source, destination) = match (net.find("p"), net.find("q")) {
            (Some(first), Some(second)) if self.chance(10) => (first, second),
            _ => {
                let source = self.one(&stations[1..]);
                let sink = if self.chance(60) { stations[0] } else { self.one(&stations) };
                (source, if sink == source { stations[0] } else { sink })
            }
        };
        FlowSpec {
            priority: self.priority(),
            frame: Bytes::new(self.one(&[300, 1_000, 1_500, 9_000])),
            start: if self.chance(60) { Time::ZERO } else { self.time() },
            stop: if self.chance(20) { Some(self.time()) } else { None },
            weight: self.one(&[1, 1, 2, u32::MAX]),
            tenant: self.one(&[0, 1, 2, 3, u32::MAX]),
            max: if self.chance(15) { Some(self.rate()) } else { None },
            cap: if self.chance(15) { Some(self.rate()) } else { None },
            reaction: if self.chance(10) { Reaction::Uncontrolled } else { Reaction::Controlled },
            ..support::flow(source, destination, self.traffic())
        }
    }

    fn params(&mut self) -> qcn::Params {
        let mut params = qcn::Params::default();
        params.cp.set_point = Bytes::new(self.one(&[2_000, 26_000]));
        params.cp.sample_base = Bytes::new(self.one(&[10_000, 150_000]));
        params.cp.sampling =
            self.one(&[Sampling::Table, Sampling::Table, Sampling::EveryFrame, Sampling::Linear]);
        params.rp.time_reset = TimeDelta::from_micros(self.one(&[20, 300, 15_000]));
        params.rp.byte_reset = Bytes::new(self.one(&[3_000, 150_000]));
        params.rp.hyper_increase = Rate::from_mbps(self.one(&[50, 2_000]));
        params.rp.release = self.one(&[Release::AtMaxRate, Release::AtMaxRateAndEmpty]);
        params
    }

    fn reaction(&mut self) -> ReactionPointParams {
        match self.below(10) {
            0 => ReactionPointParams::None,
            1..6 => ReactionPointParams::Qcn(self.params().rp),
            _ => self.points().1,
        }
    }

    /// Points of any algorithm that sample often and look at everybody; not always of the same one.
    fn points(&mut self) -> (CongestionPointParams, ReactionPointParams) {
        let mut params = Params { qcn: self.params(), ..Params::default() };
        let often = Bytes::new(self.one(&[10_000, 20_000]));
        (params.smcc.cp.sample_base, params.bcn.cp.sample_base, params.aimd.cp.sample_base) =
            (often, often, often);
        params.bcn.cp.severe_threshold = Bytes::new(self.one(&[30_000, 100_000]));
        params.af_qcn.interval = TimeDelta::from_micros(self.one(&[20, 100]));
        params.af_qcn.active_threshold = Bytes::new(self.one(&[0, 2_000]));
        params.af_qcn.entries = self.one(&[1, 4, 1_024]);
        params.fqcn.entries = self.one(&[1, 4, 1_024]);
        self.one(&Algorithm::ALL).points(&params)
    }

    fn control(&mut self) -> ControlSpec {
        let congestion_point =
            if self.chance(40) { CongestionPointParams::Qcn(self.params().cp) } else { self.points().0 };
        ControlSpec {
            sampled: self.one(&[SampledFrames::Enqueued, SampledFrames::Arriving]),
            congestion_point,
            reaction_point: self.reaction(),
            placement: Placement::Outputs,
            marking: Marking::Arrival,
            keep_alive: None,
            group: GroupParams::default(),
            priorities: self.one(&[PrioritySet::only(support::DATA), PrioritySet::ALL]),
            limiters_per_station: self.one(&[0, 1, 2, 100]),
            notification_priority: self.priority(),
            notification_size: Bytes::new(self.one(&[1, 64, 1_500])),
            reaction_delay: self.delay(),
        }
    }

    fn flow_control(&mut self) -> FlowControl {
        let params = PauseParams {
            xoff: Bytes::new(self.one(&[3_000, 30_000])),
            xon: Bytes::new(self.one(&[0, 3_000])),
            headroom: Headroom::Automatic,
            quanta: 65_535,
        };
        match self.below(4) {
            0 => FlowControl::Pause(params),
            1 => FlowControl::Pfc(params, self.one(&[PrioritySet::only(support::DATA), PrioritySet::ALL])),
            _ => FlowControl::None,
        }
    }

    /// Bridges with input buffers, some so small that without flow control they drop.
    fn cioq(&mut self) -> Cioq {
        Cioq {
            input_buffer: Bytes::new(self.one(&[1 << 20, 200_000])),
            unit: Bytes::new(self.one(&[1, 256])),
            speedup: Percent::new(self.one(&[100, 160, 400])),
            control_delay: self.delay(),
            delivery: self.one(&[Delivery::Plain, Delivery::Reliable]),
            ..support::cioq()
        }
    }

    fn change(&mut self, spec: &Spec) -> Change {
        let flow = FlowId(self.below(spec.flows.len() as u64) as u32);
        let port = PortId(self.below(spec.topology.links().len() as u64 * 2) as u32);
        match self.below(7) {
            0 => Change::PortRate(port, self.rate()),
            6 => Change::Max(flow, if self.chance(50) { Some(self.rate()) } else { None }),
            1 => Change::StartFlow(flow),
            2 => Change::StopFlow(flow),
            3 => Change::Weight(flow, 1 + self.below(9) as u32),
            4 => Change::Cap(flow, if self.chance(50) { Some(self.rate()) } else { None }),
            _ => Change::ReactionPoint(self.reaction()),
        }
    }

    /// Groups, and some flows to them in place of stations; members come and go.
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
                if matches!(flow.traffic, Traffic::Poisson { .. } | Traffic::Message { .. }) {
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

    fn plain(&mut self, seed: u64, ways: Ways) -> Spec {
        let net = self.network(ways);
        let flows = (0..1 + self.below(12)).map(|_| self.flow(&net)).collect();
        let mut spec = support::spec(net, flows, TimeDelta::from_millis(1));
        spec.control = if self.chance(75) { self.control() } else { support::no_control() };
        spec.flow_control =
            if spec.control.congestion_point.drops() { FlowControl::None } else { self.flow_control() };
        if !spec.control.congestion_point.drops() && self.chance(25) {
            spec.bridges = Bridges::Cioq(self.cioq());
            spec.control.placement = self.one(&[Placement::Outputs, Placement::Inputs, Placement::Both]);
            if spec.control.placement != Placement::Outputs {
                let random = Marking::RandomOccupancy(culprit::Search::default());
                spec.control.marking = self.one(&[Marking::Arrival, Marking::LargestBacklog, random]);
                if spec.flow_control != FlowControl::None && self.chance(50) {
                    spec.control.keep_alive = Some(Bytes::new(self.one(&[3_000, 30_000])));
                }
            }
        }
        spec.buffer = Bytes::new(self.one(&[65_535, 150_000]));
        spec.overhead = Bytes::new(self.one(&[0, 20]));
        spec.sample_interval = TimeDelta::from_micros(self.one(&[7, 100, 250, 3_000]));
        spec.recording = Recording::Series;
        spec.measure_from = Time::ZERO + TimeDelta::from_micros(self.one(&[0, 100, 133, 500, 1_000]));
        spec.seed = seed;
        for _ in 0..self.below(12) {
            let at = self.time();
            let change = self.change(&spec);
            spec.changes.push(TimedChange { at, change });
        }
        spec
    }
}

fn adds_up(spec: &Spec, outcome: &Outcome) {
    let measured = outcome.end - outcome.measure_from;
    for (flow, given) in outcome.flows.iter().zip(&spec.flows) {
        assert_eq!(flow.delivered_series.iter().sum::<u64>(), flow.delivered.get());
        assert_eq!(
            flow.notification_series.iter().map(|&count| u64::from(count)).sum::<u64>(),
            flow.notifications
        );
        let made = flow.copies.made;
        assert!(flow.delivered + flow.dropped + flow.copies.unwanted <= flow.sent + made);
        let received = flow.receivers.iter().map(|receiver| receiver.delivered).sum::<Bytes>();
        assert!(flow.receivers.is_empty() || received == flow.delivered);
        let leaves = |station: NodeId| {
            spec.changes.iter().any(|change| matches!(change.change, Change::Leave(_, who) if who == station))
        };
        for receiver in &flow.receivers {
            // What comes after a member has left is delivered, and not measured.
            let in_time = receiver.delivered_series.iter().sum::<u64>();
            assert!(in_time <= receiver.delivered.get());
            assert!(in_time == receiver.delivered.get() || leaves(receiver.station));
            assert!(receiver.delivered_measured.get() <= in_time);
            assert!(receiver.delivered_frames + receiver.lost_frames <= flow.sent_frames);
            assert!(receiver.delay_max <= flow.delay_max);
        }
        assert!(flow.delivered_measured <= flow.delivered);
        if given.reaction == Reaction::Uncontrolled {
            assert_eq!(flow.notifications, 0, "background traffic was notified");
        }
    }
    for queue in &outcome.queues {
        let sent = queue.notification_series.iter().map(|&count| u64::from(count)).sum::<u64>();
        assert_eq!(sent, queue.congestion_point.notifications);
        assert_eq!(queue.length.dwell.iter().copied().sum::<TimeDelta>(), measured);
    }
    for port in &outcome.ports {
        assert_eq!(port.sent_series.iter().sum::<u64>(), port.sent.get());
        assert!(port.busy <= measured, "{:?} was busy for {} of {measured}", port.port, port.busy);
        assert!(port.paused <= measured, "{:?} was paused for {} of {measured}", port.port, port.paused);
        let paused = port.paused_series.iter().copied().sum::<TimeDelta>();
        assert!(paused >= port.paused, "{paused} in the series, {} measured", port.paused);
        if outcome.measure_from == Time::ZERO {
            assert_eq!(paused, port.paused);
        }
    }
    pauses_add_up(outcome);
    for message in &outcome.messages {
        assert!(message.completed >= message.offered);
    }
    let dropped = outcome.flows.iter().map(|flow| flow.dropped_frames).sum::<u64>();
    if dropped == 0 {
        assert_eq!(outcome.messages_damaged, 0);
    }
}

/// The networks drawn here are lines of bridges: pauses spread along them and never in a cycle.
fn pauses_add_up(outcome: &Outcome) {
    assert_eq!(outcome.deadlock, None, "a line of bridges locked up");
    let (trees, whole) = (&outcome.congestion_trees, outcome.end - Time::ZERO);
    assert_eq!(trees.deepest, trees.pauses.iter().map(|pause| pause.depth).max().unwrap_or(0));
    assert_eq!(trees.widest == 0, trees.pauses.is_empty());
    let of_port = |id| trees.pauses.iter().filter(move |pause| pause.paused == id);
    for pause in &trees.pauses {
        assert_eq!(pause.depth == 1, pause.cause == pause.root);
        assert!(
            of_port(pause.paused).map(|pause| pause.time).sum::<TimeDelta>()
                <= whole * Priority::COUNT as u64
        );
    }
    for port in outcome.ports.iter().filter(|port| port.pauses > 0) {
        assert!(of_port(port.port).map(|pause| pause.pauses).sum::<u64>() >= port.pauses);
    }
    let ports = outcome.ports.len() as u64;
    assert!(outcome.flows.iter().all(|flow| flow.held_up <= whole * ports));
}

/// As a flow to one station has it.
fn as_unicast(mut outcome: Outcome) -> Outcome {
    for flow in &mut outcome.flows {
        flow.receivers.clear();
        assert_eq!(flow.copies, Copies::default());
    }
    outcome
}

fn is_refused(outcome: &Result<Outcome, SimError>) -> bool {
    matches!(outcome, Err(SimError::Spec(_)))
}

impl Draw {
    /// Bridges in a ring with two stations each; flows to groups and stations up to half the ring away, under PFC. Flows
    /// stop long before the end, so that what is left then is stuck.
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
        let spec = Draw(RandomStream::new(seed, Purpose::Matrix, 0)).spec(seed);
        let outcome = simulate(&spec, &mut Unwatched);
        prop_assume!(!is_refused(&outcome));
        adds_up(&spec, &outcome.unwrap());
    }

    #[test]
    fn a_group_of_one_is_a_flow_to_it(seed: u64) {
        let mut draw = Draw(RandomStream::new(seed, Purpose::Matrix, 0));
        let plain = draw.plain(seed, Ways::One);
        let alone = simulate(&plain, &mut Unwatched);
        prop_assume!(!is_refused(&alone));
        let mut grouped = plain.clone();
        for flow in &mut grouped.flows {
            let Destination::Station(station) = flow.destination else { continue };
            if draw.chance(60) && !matches!(flow.traffic, Traffic::Poisson { .. } | Traffic::Message { .. }) {
                flow.destination = Destination::Group(GroupId(grouped.groups.len() as u32));
                grouped.groups.push(GroupSpec { name: String::new(), members: vec![station] });
            }
        }
        let outcome = simulate(&grouped, &mut Unwatched).unwrap();
        prop_assert!(as_unicast(outcome) == alone.unwrap(), "seed {seed}");
    }

    #[test]
    fn a_ring_is_locked_if_and_only_if_something_stays(seed: u64) {
        let spec = Draw(RandomStream::new(seed, Purpose::Matrix, 0)).ring(seed);
        let outcome = simulate(&spec, &mut Unwatched);
        let outcome = outcome.unwrap();
        support::cycle_is_silent(&outcome);
        let left: u64 = outcome.queues.iter().filter_map(|queue| queue.length_series.last()).sum();
        prop_assert_eq!(left > 0, outcome.deadlock.is_some(), "{} bytes are left", left);
    }
}

/// What is drawn above is not idle.
#[test]
fn some_rings_lock_and_some_do_not() {
    let locked = |seed: &u64| {
        let spec = Draw(RandomStream::new(*seed, Purpose::Matrix, 0)).ring(*seed);
        simulate(&spec, &mut Unwatched).unwrap().deadlock.is_some()
    };
    let count = (0..40).filter(locked).count();
    assert!((5..35).contains(&count), "{count} of 40 locked");
}

impl Draw {
    /// Leaves and spines under flow control, groups over several leaves and the sender's own. Flows stop, and all comes to
    /// rest.
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
        let spec = Draw(RandomStream::new(seed, Purpose::Matrix, 0)).fabric(seed);
        let outcome = simulate(&spec, &mut Unwatched).unwrap();
        prop_assert_eq!(&outcome.deadlock, &None);
        for flow in &outcome.flows {
            prop_assert_eq!(flow.sent + flow.copies.made, flow.delivered + flow.copies.unwanted);
            let most = flow.receivers.iter().map(|one| one.delivered).max();
            prop_assert!(most.is_none_or(|most| most <= flow.sent));
        }
    }
}
