//! Any spec that passes validation runs to its end, and what it leaves behind adds up.

mod support;

use proptest::prelude::*;
use setpoint_control::parameter::Percent;
use setpoint_control::qcn::{Release, Sampling};
use setpoint_control::{
    Algorithm, CongestionPointParams, GroupParams, Marking, Params, ReactionPointParams, qcn,
};
use setpoint_sim::traffic::{Silence, SizeDistribution, Traffic};
use setpoint_sim::{
    Bridges, Change, Cioq, ControlSpec, Delivery, FlowControl, FlowId, FlowSpec, Headroom, NodeId, Outcome,
    PauseParams, Placement, PortId, Priority, PrioritySet, Purpose, RandomStream, Reaction, Recording,
    SampledFrames, Spec, TimedChange, Topology, Unwatched, simulate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// A spec drawn from a seed: the seed is all that a failure has to tell.
struct Draw(RandomStream);

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
        let megabits = self.one(&[3, 40, 1_000, 1_000, 2_500, 10_000, 10_000, 40_000]);
        Rate::from_mbps(megabits)
    }

    fn delay(&mut self) -> TimeDelta {
        TimeDelta::from_nanos(self.one(&[0, 0, 1, 500, 5_000, 40_000]))
    }

    fn network(&mut self) -> Topology {
        let mut net = Topology::new();
        let bridges: Vec<NodeId> = (0..1 + self.below(4)).map(|n| net.bridge(format!("b{n}"), 1)).collect();
        for pair in bridges.windows(2) {
            for _ in 0..1 + self.below(2) {
                net.connect(pair[0], pair[1], self.rate(), self.delay());
            }
        }
        for number in 0..2 + self.below(5) {
            let station = net.station(format!("h{number}"), 0);
            let at = self.one(&bridges);
            net.connect(station, at, self.rate(), self.delay());
        }
        if self.chance(20) {
            let (first, second) = (net.station("p", 0), net.station("q", 0));
            net.connect(first, second, self.rate(), self.delay());
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
            frame: Bytes::new(self.one(&[1, 64, 1_000, 1_500, 9_000, 65_535])),
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

    /// Bridges with input buffers that are too large to matter, whose units are bytes: the frames drawn here are of any
    /// length. Limits are for `inside.rs`.
    fn cioq(&mut self) -> Cioq {
        Cioq {
            input_buffer: Bytes::new(1 << 31),
            unit: Bytes::new(1),
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

    fn spec(&mut self, seed: u64) -> Spec {
        let net = self.network();
        let flows = (0..1 + self.below(12)).map(|_| self.flow(&net)).collect();
        let mut spec = support::spec(net, flows, TimeDelta::from_millis(1));
        spec.control = if self.chance(75) { self.control() } else { support::no_control() };
        spec.flow_control =
            if spec.control.congestion_point.drops() { FlowControl::None } else { self.flow_control() };
        if !spec.control.congestion_point.drops() && self.chance(25) {
            spec.bridges = Bridges::Cioq(self.cioq());
            spec.control.placement = self.one(&[Placement::Outputs, Placement::Inputs, Placement::Both]);
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
        assert!(flow.delivered + flow.dropped <= flow.sent);
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_spec_runs_and_adds_up(seed: u64) {
        let spec = Draw(RandomStream::new(seed, Purpose::Matrix, 0)).spec(seed);
        let outcome = simulate(&spec, &mut Unwatched).unwrap();
        adds_up(&spec, &outcome);
    }
}
