//! Random specs with all features except groups.

use std::num::NonZeroU16;
use std::sync::Arc;

use setpoint_control::parameter::Percent;
use setpoint_control::qcn::{Release, Sampling};
use setpoint_control::{
    Algorithm, Audience, CongestionPointParams, GroupParams, Marking, NotificationPointParams, Params,
    ReactionPointParams, culprit, qcn,
};
use setpoint_sim::traffic::{Arrival, Silence, SizeDistribution, Traffic};
use setpoint_sim::{
    Bridges, Cells, Change, Cioq, ControlSpec, Delivery, Ets, FlowControl, FlowId, FlowSpec, Headroom,
    LinkId, MessageOrder, NodeId, PauseParams, PauseResponse, Placement, PortId, Priority, PrioritySet,
    Purpose, RandomStream, Reaction, Recording, SampledFrames, Scheduling, Spec, Spraying, TimedChange,
    Topology,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// A spec drawn from a seed, which is all that is needed to reproduce a failure.
pub struct Draw {
    random: RandomStream,
    scale: Scale,
}

/// The range of the random values.
#[derive(Clone, Copy, PartialEq)]
pub enum Scale {
    /// Frames of any length at any rate. Input buffers are too large to matter, and their units are single
    /// bytes; `inside.rs` covers small buffers.
    Any,
    /// Frames and rates of a typical network, and input buffers, some of which drop frames without flow control.
    Usual,
}

/// Whether two bridges may have several links between them, so that flows have several paths.
#[derive(Clone, Copy, PartialEq)]
pub enum Ways {
    One,
    Several,
}

/// How frames cross bridges with input buffers.
#[derive(Clone, Copy, PartialEq)]
enum Inside {
    Crossbars,
    Cells,
}

impl Draw {
    pub fn new(seed: u64, scale: Scale) -> Self {
        Self { random: RandomStream::new(seed, Purpose::Matrix, 0), scale }
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        (self.random.unit() * bound as f64) as u64
    }

    pub fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    pub fn time(&mut self) -> Time {
        let micros = self.one(&[0, 1, 10, 300, 999, 1_000, 1_100]);
        let picos = if self.chance(50) { self.below(1_000_000) } else { 0 };
        Time::ZERO + TimeDelta::from_micros(micros) + TimeDelta::from_picos(picos)
    }

    fn rate(&mut self) -> Rate {
        let megabits = match self.scale {
            Scale::Any => self.one(&[3, 40, 1_000, 1_000, 2_500, 10_000, 10_000, 40_000]),
            Scale::Usual => self.one(&[3, 40, 500, 1_000, 2_500, 4_000]),
        };
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
        if self.scale == Scale::Any && self.chance(20) {
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
        match self.below(7) {
            0 => Traffic::Constant { rate: self.rate() },
            1 => Traffic::OnOff {
                burst: Bytes::new(1 + self.below(60_000)),
                offered: self.rate(),
                silence: self.one(&[Silence::Fixed, Silence::Exponential]),
            },
            2 => Traffic::Poisson { mean_gap: TimeDelta::from_micros(1 + self.below(40)), sizes },
            3 => Traffic::Message { size: Bytes::new(1 + self.below(300_000)) },
            4 => Traffic::Schedule(self.schedule()),
            _ => Traffic::Backlogged,
        }
    }

    /// A few messages, some of them at the same time.
    fn schedule(&mut self) -> Arc<[Arrival]> {
        let mut after = TimeDelta::ZERO;
        let arrivals: Vec<Arrival> = (0..1 + self.below(20))
            .map(|_| {
                after += TimeDelta::from_micros(self.one(&[0, 1, 30]));
                Arrival { after, size: Bytes::new(1 + self.below(60_000)) }
            })
            .collect();
        arrivals.into()
    }

    fn priority(&mut self) -> Priority {
        Priority::new(self.one(&[3, 3, 3, 6, 0])).unwrap()
    }

    pub fn flow(&mut self, net: &Topology) -> FlowSpec {
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
            messages: self.one(&[MessageOrder::InOrder, MessageOrder::Independent]),
            priority: self.priority(),
            frame: self.frame(),
            start: if self.chance(60) { Time::ZERO } else { self.time() },
            stop: if self.chance(20) { Some(self.time()) } else { None },
            weight: self.one(&[1, 1, 2, u32::MAX]),
            tenant: self.one(&[0, 1, 2, 3, u32::MAX]),
            max: if self.chance(15) { Some(self.rate()) } else { None },
            cap: if self.chance(15) { Some(self.rate()) } else { None },
            reaction: if self.chance(10) { Reaction::Uncontrolled } else { Reaction::Controlled },
            ..super::flow(source, destination, self.traffic())
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
            _ => self.points().2,
        }
    }

    /// Points of a random algorithm that sample often and observe all flows; the reaction points need not
    /// match.
    fn points(&mut self) -> (CongestionPointParams, NotificationPointParams, ReactionPointParams) {
        let mut params = Params { qcn: self.params(), ..Params::default() };
        let often = Bytes::new(self.one(&[10_000, 20_000]));
        (params.smcc.cp.sample_base, params.bcn.cp.sample_base, params.aimd.cp.sample_base) =
            (often, often, often);
        params.bcn.cp.severe_threshold = Bytes::new(self.one(&[30_000, 100_000]));
        params.af_qcn.interval = TimeDelta::from_micros(self.one(&[20, 100]));
        params.af_qcn.active_threshold = Bytes::new(self.one(&[0, 2_000]));
        params.af_qcn.entries = self.one(&[1, 4, 1_024]);
        params.fqcn.entries = self.one(&[1, 4, 1_024]);
        let algorithm = self.one(&Algorithm::ALL);
        let (congestion_point, reaction_point) = algorithm.points(&params);
        (congestion_point, algorithm.notification_point(&params), reaction_point)
    }

    fn control(&mut self) -> ControlSpec {
        let (congestion_point, notification_point, own) = if self.chance(40) {
            (CongestionPointParams::Qcn(self.params().cp), NotificationPointParams::None, None)
        } else {
            let (congestion_point, notification_point, reaction_point) = self.points();
            let replies = notification_point != NotificationPointParams::None;
            (congestion_point, notification_point, replies.then_some(reaction_point))
        };
        ControlSpec {
            notification_point,
            sampled: self.one(&[SampledFrames::Enqueued, SampledFrames::Arriving]),
            audience: if congestion_point.needs().clock && self.chance(20) {
                Audience::EveryFlow
            } else {
                Audience::Sampled
            },
            congestion_point,
            // A reaction point that needs replies is used only with a matching notification point.
            reaction_point: own.unwrap_or_else(|| self.reaction()),
            placement: Placement::Outputs,
            marking: Marking::Arrival,
            keep_alive: None,
            group: GroupParams::default(),
            priorities: self.one(&[PrioritySet::only(super::DATA), PrioritySet::ALL]),
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
            response: PauseResponse::IMMEDIATE,
        };
        match self.below(4) {
            0 => FlowControl::Pause(params),
            1 => FlowControl::Pfc(params, self.one(&[PrioritySet::only(super::DATA), PrioritySet::ALL])),
            _ => FlowControl::None,
        }
    }

    fn frame(&mut self) -> Bytes {
        Bytes::new(match self.scale {
            Scale::Any => self.one(&[1, 64, 1_000, 1_500, 9_000, 65_535]),
            Scale::Usual => self.one(&[300, 1_000, 1_500, 9_000]),
        })
    }

    fn cioq(&mut self) -> Cioq {
        let (input_buffer, unit) = match self.scale {
            Scale::Any => (1 << 31, 1),
            Scale::Usual => (self.one(&[1 << 20, 200_000]), self.one(&[1, 256])),
        };
        Cioq {
            input_buffer: Bytes::new(input_buffer),
            unit: Bytes::new(unit),
            speedup: Percent::new(self.one(&[100, 160, 400])),
            control_delay: self.delay(),
            delivery: self.one(&[Delivery::Plain, Delivery::Reliable]),
            ..super::cioq()
        }
    }

    /// Weights for some of the priorities in use, if bridges are output-queued.
    pub fn scheduling(&mut self, bridges: &Bridges) -> Scheduling {
        if *bridges != Bridges::OutputQueued || self.chance(60) {
            return Scheduling::Strict;
        }
        let weigh = |ets: Ets, number| match NonZeroU16::new(self.one(&[0, 1, 3, 100])) {
            Some(weight) => ets.with(Priority::new(number).unwrap(), weight),
            None => ets,
        };
        Scheduling::Ets([0, 3, 6].into_iter().fold(Ets::default(), weigh))
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

    /// Leaves and spines, sometimes with an ordinary bridge as well. Their links have different delays.
    fn leaves_and_spines(&mut self) -> Topology {
        let mut net = Topology::new();
        let (leaves, spines, spines_first) = (2 + self.below(4), 1 + self.below(4), self.chance(50));
        let add_spines =
            |net: &mut Topology| (0..spines).map(|n| net.spine(format!("s{n}"), 2)).collect::<Vec<NodeId>>();
        let early = if spines_first { add_spines(&mut net) } else { Vec::new() };
        let leaves: Vec<NodeId> = (0..leaves).map(|n| net.bridge(format!("l{n}"), 1)).collect();
        let spines = if spines_first { early } else { add_spines(&mut net) };
        let rate = self.rate();
        for &leaf in &leaves {
            for &spine in &spines {
                net.connect(leaf, spine, rate, TimeDelta::from_nanos(self.one(&[1, 60, 100, 700, 5_000])));
            }
        }
        let mut bridges = leaves;
        if self.chance(40) {
            let (beside, leaf) = (net.bridge("b", 1), bridges[0]);
            net.connect(beside, leaf, self.rate(), TimeDelta::from_nanos(500));
            bridges.push(beside);
        }
        for number in 0..3 + self.below(6) {
            let station = net.station(format!("h{number}"), 0);
            let at = self.one(&bridges);
            net.connect(station, at, self.rate(), self.delay());
        }
        net
    }

    /// Adds the cells of a distributed bridge, and a message delay long enough for the bridge to be divided into partitions.
    fn distributed(&mut self, bridge: Cioq) -> Cioq {
        Cioq {
            control_delay: TimeDelta::from_nanos(self.one(&[60, 300, 2_000])),
            cells: Cells {
                payload: Bytes::new(self.one(&[64, 256])),
                header: Bytes::new(self.one(&[0, 16])),
                spine_input: self.one(&[1, 2, 3, 16]),
                spine_output: self.one(&[1, 2, 3, 16]),
                spraying: self.one(&[Spraying::RoundRobin, Spraying::Random]),
            },
            ..bridge
        }
    }

    /// A random spec without groups.
    pub fn plain(&mut self, seed: u64, ways: Ways) -> Spec {
        let net = self.network(ways);
        let mut spec = self.on(net, seed, Inside::Crossbars);
        if ways == Ways::Several && self.chance(40) {
            self.fail_links(&mut spec);
        }
        spec
    }

    /// A random spec of a distributed bridge, without groups.
    pub fn distributed_bridge(&mut self, seed: u64) -> Spec {
        let net = self.leaves_and_spines();
        let mut spec = self.on(net, seed, Inside::Cells);
        if self.chance(40) {
            self.fail_links(&mut spec);
        }
        spec
    }

    fn on(&mut self, net: Topology, seed: u64, inside: Inside) -> Spec {
        let flows = (0..1 + self.below(12)).map(|_| self.flow(&net)).collect();
        let mut spec = super::spec(net, flows, TimeDelta::from_millis(1));
        spec.control = if self.chance(75) { self.control() } else { super::no_control() };
        while inside == Inside::Cells && needs_output_queues(&spec.control) {
            spec.control = self.control();
        }
        spec.flow_control = if spec.control.congestion_point.needs().admission {
            FlowControl::None
        } else {
            self.flow_control()
        };
        if inside == Inside::Cells || !needs_output_queues(&spec.control) && self.chance(25) {
            let bridge = self.cioq();
            spec.bridges =
                Bridges::Cioq(if inside == Inside::Cells { self.distributed(bridge) } else { bridge });
            spec.control.placement = self.one(&[Placement::Outputs, Placement::Inputs, Placement::Both]);
            if spec.control.placement != Placement::Outputs {
                spec.control.audience = Audience::Sampled;
            }
            if self.scale == Scale::Usual && spec.control.placement != Placement::Outputs {
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
        spec.records_pauses = true;
        spec.measure_from = Time::ZERO + TimeDelta::from_micros(self.one(&[0, 100, 133, 500, 1_000]));
        spec.seed = seed;
        for _ in 0..self.below(12) {
            let at = self.time();
            let change = self.change(&spec);
            spec.changes.push(TimedChange { at, change });
        }
        spec.scheduling = self.scheduling(&spec.bridges);
        spec
    }

    /// Makes some links of a spec fail, most of them for a while.
    pub fn fail_links(&mut self, spec: &mut Spec) {
        spec.rerouting_delay = TimeDelta::from_nanos(self.one(&[0, 0, 1_000, 100_000]));
        let links = (0..spec.topology.links().len() as u32).map(LinkId);
        let outside = links.filter(|link| !spec.topology.is_inside(link.forward())).collect::<Vec<_>>();
        for link in outside {
            let mut times = [self.time(), self.time(), self.time(), self.time()];
            times.sort_unstable();
            let count = self.one(&[0, 0, 1, 2, 2, 2, 4]);
            for (number, &at) in times[..count].iter().enumerate() {
                let change = if number % 2 == 0 { Change::LinkDown(link) } else { Change::LinkUp(link) };
                spec.changes.push(TimedChange { at, change });
            }
        }
    }
}

/// Whether only output-queued bridges support an algorithm.
fn needs_output_queues(control: &ControlSpec) -> bool {
    control.congestion_point.needs().admission || control.notification_point != NotificationPointParams::None
}
