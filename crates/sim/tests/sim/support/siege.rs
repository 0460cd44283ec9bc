//! Random lossless networks designed to provoke a loss: senders that fill an input as fast as they can, sinks
//! that hardly drain it, and long frames on slow links that delay pause frames.

use setpoint_control::parameter::Percent;
use setpoint_control::{Algorithm, Params, Preset};
use setpoint_sim::topology::RackFabric;
use setpoint_sim::traffic::{Silence, SizeDistribution, Traffic};
use setpoint_sim::{
    Alpha, Bridges, Change, Cioq, ControlSpec, Delivery, FlowControl, FlowId, FlowSpec, GroupId, GroupSpec,
    HeadroomPool, LinkId, NodeId, PauseParams, PauseResponse, PortId, Priority, PrioritySet, SharedBudget,
    SharedBuffer, Spec, SpecError, TimedChange, Topology, largest_interface_delay, shared_budgets, validate,
};
use setpoint_units::{Bytes, PartsPerMillion, Rate, Time, TimeDelta};

use super::draw::{Draw, Scale};

/// The random choices of a network.
pub struct Siege {
    draw: Draw,
    /// The rate of most links; the transmission time of a long frame at this rate is the time scale.
    line: Rate,
    frame: u64,
}

/// Whether links fail.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Sound,
    Failing,
}

/// The random network generated from a seed.
pub fn besieged(seed: u64) -> Spec {
    network(seed, Links::Sound)
}

/// Like [`besieged`], but some bridges are connected by two links, and links fail, most of them for a short time.
pub fn besieged_failing(seed: u64) -> Spec {
    network(seed, Links::Failing)
}

fn network(seed: u64, links: Links) -> Spec {
    let mut draw = Draw::new(seed, Scale::Any);
    let line = Rate::from_mbps(draw.one(&[100, 1_000, 10_000, 40_000]));
    let frame = draw.one(&[64, 300, 1_500, 9_216, 9_216]);
    Siege { draw, line, frame }.spec(seed, links)
}

/// Like [`besieged`], but the ports of each bridge share the smallest buffer that passes validation, and receivers of some
/// networks reply with CNPs or acknowledgements. `None` if the network has groups together with replies, or a distributed bridge.
pub fn besieged_shared(seed: u64) -> Option<Spec> {
    shared(besieged(seed), seed)
}

/// Like [`besieged_shared`], with links that fail.
pub fn besieged_shared_failing(seed: u64) -> Option<Spec> {
    shared(besieged_failing(seed), seed)
}

fn shared(mut spec: Spec, seed: u64) -> Option<Spec> {
    if spec.topology.nodes().iter().any(|node| node.name.starts_with("spine")) {
        return None;
    }
    let mut draw = Draw::new(seed ^ 0x5a5a_0000, Scale::Any);
    spec.bridges = Bridges::OutputQueued;
    if spec.groups.is_empty() && draw.chance(60) {
        let size = spec.control.notification_size;
        spec.control = replying(draw.one(&REPLYING));
        spec.control.priorities = PrioritySet::ALL;
        spec.control.notification_size = size;
        spec.control.notification_priority = Priority::new(draw.one(&[3, 3, 5, 6])).unwrap();
    }
    let longest = spec.flows.iter().map(|flow| flow.frame.get()).max().unwrap_or(0);
    let mut shared = SharedBuffer {
        size: Bytes::new(1),
        alpha: Alpha::new(draw.one(&[1.0 / 64.0, 0.125, 1.0, 8.0])).unwrap(),
        egress_alpha: Alpha::new(draw.one(&[0.125, 1.0, 8.0])).unwrap(),
        priority_alpha: std::array::from_fn(|_| Alpha::new(draw.one(&[0.0, 0.0, 0.0, 0.25, 4.0]))),
        reserve: Bytes::new(draw.one(&[0, 0, longest / 2, longest, 3 * longest])),
        headroom_pool: HeadroomPool::Sum,
        resume_offset: Bytes::new(draw.one(&[0, 0, longest, 4 * longest])),
    };
    spec.bridges = Bridges::SharedBuffer(shared);
    if let Err(SpecError::SharedTooSmall { .. }) = validate(&spec) {
        let bytes = |budget: &SharedBudget| budget.reserves.get() + budget.headroom_pool.get();
        let largest = shared_budgets(&spec).ok()?.iter().map(bytes).max().unwrap_or(0);
        let frame = longest.max(spec.control.notification_size.get());
        shared.size = Bytes::new(largest + frame + draw.one(&[0, 1, 4, 30]) * longest);
        spec.bridges = Bridges::SharedBuffer(shared);
    }
    Some(spec)
}

/// Algorithms whose receivers reply, with profiles.
const REPLYING: [(Algorithm, &str); 13] = [
    (Algorithm::Dcqcn, "paper"),
    (Algorithm::Dcqcn, "hpcc"),
    (Algorithm::Dcqcn, "hpcc-paper"),
    (Algorithm::Dcqcn, "hpcc-window"),
    (Algorithm::Timely, "paper"),
    (Algorithm::Timely, "hpcc"),
    (Algorithm::Timely, "hpcc-window"),
    (Algorithm::Hpcc, "hpcc"),
    (Algorithm::Hpcc, "hpcc-stages"),
    (Algorithm::Hpcc, "hpcc-per-rtt"),
    (Algorithm::Powertcp, "powertcp"),
    (Algorithm::Powertcp, "theta-powertcp"),
    (Algorithm::Swift, ""),
];

/// An algorithm with the parameters of a profile.
fn replying((algorithm, profile): (Algorithm, &str)) -> ControlSpec {
    let params = Params::of(Preset::TenG, algorithm.profile(profile));
    let (congestion_point, reaction_point) = algorithm.points(&params);
    let notification_point = algorithm.notification_point(&params);
    ControlSpec { congestion_point, notification_point, reaction_point, ..super::qcn_control() }
}

impl Siege {
    fn spec(&mut self, seed: u64, links: Links) -> Spec {
        let mut net = self.network();
        if links == Links::Failing {
            self.apart(seed, 1).double(&mut net);
        }
        let stations: Vec<NodeId> = net.stations().collect();
        let flows = self.flows(&stations);
        let long = self.line.time_to_send(Bytes::new(self.frame + 20)).as_picos();
        let duration = TimeDelta::from_picos(long * self.draw.one(&[60, 200, 600]));
        let mut spec = super::spec(net, flows, duration);
        spec.seed = seed;
        spec.sample_interval = duration / 4;
        spec.overhead = Bytes::new(self.draw.one(&[0, 20]));
        spec.control = if self.draw.chance(25) { super::qcn_control() } else { super::no_control() };
        spec.control.priorities = PrioritySet::ALL;
        spec.control.notification_size = Bytes::new(self.draw.one(&[64, 64, 9_000]));
        spec.flow_control = self.flow_control();
        if self.draw.chance(15) {
            self.add_group(&mut spec, &stations);
        }
        self.change_rates(&mut spec);
        spec.clock_tolerance = PartsPerMillion::new(self.draw.one(&[0, 0, 100, 10_000]));
        let fabric = spec.topology.nodes().iter().any(|node| node.name.starts_with("spine"));
        spec.buffer = Bytes::new(self.frame.max(9_216) * 4);
        self.delay_pauses(&mut spec);
        if links == Links::Failing {
            self.apart(seed, 2).fail_links(&mut spec);
        }
        if fabric || self.draw.chance(25) {
            self.give_room(&mut spec);
        }
        spec.scheduling = self.draw.scheduling(&spec.bridges);
        spec
    }

    fn rate(&mut self) -> Rate {
        let bits = self.line.bits_per_second();
        Rate::from_bits_per_second(self.draw.one(&[bits, bits, bits, bits / 3, bits / 10, bits * 4]))
    }

    fn delay(&mut self) -> TimeDelta {
        let long = self.line.time_to_send(Bytes::new(self.frame)).as_picos();
        let (whole, part) = (self.draw.one(&[0, 0, 0, 1, 10]), self.draw.below(1_000));
        TimeDelta::from_picos(long * whole + if self.draw.chance(50) { long * part / 1_000 } else { 0 })
    }

    fn network(&mut self) -> Topology {
        if self.draw.chance(10) {
            return RackFabric {
                racks: 2,
                leaves_per_rack: 1,
                stations_per_leaf: 2 + self.draw.below(2) as u32,
                spines: 2,
                access_rate: self.line,
                fabric_rate: self.line,
                access_delay: self.delay(),
                fabric_delay: TimeDelta::from_nanos(1),
            }
            .build();
        }
        let mut net = Topology::new();
        let bridges: Vec<NodeId> =
            (0..self.draw.one(&[1, 1, 2, 3])).map(|n| net.bridge(format!("b{n}"), 1)).collect();
        for pair in bridges.windows(2) {
            net.connect(pair[0], pair[1], self.rate(), self.delay());
        }
        for number in 0..3 + self.draw.below(3) {
            let station = net.station(format!("h{number}"), 0);
            let at = self.draw.one(&bridges);
            net.connect(station, at, self.rate(), self.delay());
        }
        net
    }

    /// Most flows go to the first station; others send long frames to the senders.
    fn flows(&mut self, stations: &[NodeId]) -> Vec<FlowSpec> {
        let mut flows = Vec::new();
        for &source in &stations[1..] {
            for _ in 0..1 + self.draw.below(2) {
                flows.push(self.flow(source, stations[0]));
            }
        }
        for _ in 0..1 + self.draw.below(3) {
            let (from, to) = (self.draw.one(stations), self.draw.one(&stations[1..]));
            if from != to {
                flows.push(self.flow(from, to));
            }
        }
        flows
    }

    fn flow(&mut self, source: NodeId, sink: NodeId) -> FlowSpec {
        let frame = if self.draw.chance(70) { self.frame } else { 1 + self.draw.below(self.frame) };
        let line = self.line;
        let traffic = match self.draw.below(10) {
            0 => Traffic::OnOff {
                burst: Bytes::new(1 + self.draw.below(20 * frame)),
                offered: line,
                silence: Silence::Exponential,
            },
            1 => Traffic::Poisson {
                mean_gap: line.time_to_send(Bytes::new(frame)),
                sizes: SizeDistribution::Uniform(Bytes::new(1), Bytes::new(2 * frame)),
            },
            2 => Traffic::Message { size: Bytes::new(1 + self.draw.below(200 * frame)) },
            _ => Traffic::Backlogged,
        };
        let start = line.time_to_send(Bytes::new(frame)).as_picos() * self.draw.below(2_000) / 100;
        FlowSpec {
            frame: Bytes::new(frame),
            priority: Priority::new(self.draw.one(&[3, 3, 3, 5, 0])).unwrap(),
            start: Time::from_picos(start),
            ..super::flow(source, sink, traffic)
        }
    }

    fn flow_control(&mut self) -> FlowControl {
        let xoff = self.draw.one(&[0, 1, 2, 5]) * self.frame + self.draw.below(self.frame);
        let xon = self.draw.one(&[0, xoff / 2, xoff]);
        let quanta = match self.draw.below(4) {
            0 => 1 + self.draw.below(20) as u16,
            1 => 1 + self.draw.below(2_000) as u16,
            _ => u16::MAX,
        };
        let params =
            PauseParams { xoff: Bytes::new(xoff), xon: Bytes::new(xon), quanta, ..super::thresholds() };
        match self.draw.below(4) {
            0 => FlowControl::Pause(params),
            1 => FlowControl::Pfc(params, PrioritySet::only(super::DATA)),
            _ => FlowControl::Pfc(params, PrioritySet::ALL),
        }
    }

    /// The same scale with a separate stream of random choices.
    fn apart(&self, seed: u64, stream: u64) -> Self {
        Self { draw: Draw::new(!seed ^ (stream << 48), Scale::Any), ..*self }
    }

    /// Connects some neighbouring bridges by a second link, so that frames have another path.
    fn double(&mut self, net: &mut Topology) {
        let bridges: Vec<NodeId> = (0..3).map_while(|number| net.find(&format!("b{number}"))).collect();
        for pair in bridges.windows(2) {
            if self.draw.chance(60) {
                net.connect(pair[0], pair[1], self.rate(), self.delay());
            }
        }
    }

    /// Makes links fail once or twice. Half of the outages are so short that inputs are still above their thresholds when the link
    /// recovers.
    fn fail_links(&mut self, spec: &mut Spec) {
        let long = self.line.time_to_send(Bytes::new(self.frame)).as_picos().max(1);
        let span = spec.duration.as_picos();
        spec.rerouting_delay = TimeDelta::from_picos(self.draw.one(&[0, 0, long, 20 * long]));
        let links = (0..spec.topology.links().len() as u32).map(LinkId);
        let outside: Vec<LinkId> = links.filter(|link| !spec.topology.is_inside(link.forward())).collect();
        for link in outside {
            let mut at = 0;
            for _ in 0..self.draw.one(&[0, 0, 1, 2]) {
                at += self.draw.below(span);
                let outage =
                    if self.draw.chance(50) { self.draw.below(8 * long) } else { self.draw.below(span) };
                for change in [Change::LinkDown(link), Change::LinkUp(link)] {
                    spec.changes.push(TimedChange { at: Time::from_picos(at), change });
                    at += 1 + outage;
                }
            }
        }
    }

    /// In half of the networks, makes senders respond to pauses with a delay, and adds interface delays to links. The
    /// values are drawn from a separate stream, so that the rest of the network does not depend on them.
    fn delay_pauses(&self, spec: &mut Spec) {
        let mut apart = self.apart(spec.seed, 0);
        if apart.draw.chance(50) {
            return;
        }
        let interface = apart.delay();
        let standard = apart.draw.chance(30);
        spec.topology
            .add_interface_delays(|rate| if standard { largest_interface_delay(rate) } else { interface });
        let response = match apart.draw.below(4) {
            0 => PauseResponse::Ieee8023,
            1 => PauseResponse::Ieee8021Q,
            _ => PauseResponse::Fixed(apart.delay()),
        };
        match &mut spec.flow_control {
            FlowControl::None => {}
            FlowControl::Pause(params) | FlowControl::Pfc(params, _) => params.response = response,
        }
    }

    /// Redirects a flow to a group of all stations except its own.
    fn add_group(&mut self, spec: &mut Spec, stations: &[NodeId]) {
        let flow = self.draw.below(spec.flows.len() as u64) as usize;
        let source = spec.flows[flow].source;
        let members = stations.iter().copied().filter(|&station| station != source).collect();
        spec.groups.push(GroupSpec { name: "group".into(), members });
        spec.flows[flow].destination = GroupId(0).into();
        spec.flows[flow].traffic = Traffic::Backlogged;
    }

    /// Reduces the rates of random ports, more often of those towards the first sender, at the start or during the
    /// run.
    fn change_rates(&mut self, spec: &mut Spec) {
        let bits = self.line.bits_per_second();
        let ports: Vec<PortId> = spec.topology.ports().collect();
        let span = spec.duration.as_picos();
        for &port in &ports {
            let chance = if spec.topology.target(port) == spec.flows[0].source { 60 } else { 30 };
            for _ in 0..2 {
                if self.draw.chance(chance) {
                    let slower = self.draw.one(&[1, 2, 7, 30, 100, 1_000]);
                    let rate = Rate::from_bits_per_second((bits / slower).max(1));
                    let at = Time::from_picos(if self.draw.chance(50) { 0 } else { self.draw.below(span) });
                    spec.changes.push(TimedChange { at, change: Change::PortRate(port, rate) });
                }
            }
        }
        if self.draw.chance(20) {
            let flow = FlowId(self.draw.below(spec.flows.len() as u64) as u32);
            let at = Time::from_picos(self.draw.below(span));
            spec.changes.push(TimedChange { at, change: Change::StopFlow(flow) });
        }
    }

    /// Gives bridges input buffers of the smallest size that passes validation.
    fn give_room(&mut self, spec: &mut Spec) {
        let unit = Bytes::new(self.draw.one(&[1, 64, 256, 1_024]));
        let cioq = Cioq {
            unit,
            speedup: Percent::new(self.draw.one(&[100, 160])),
            control_delay: TimeDelta::from_nanos(self.draw.one(&[0, 300])),
            delivery: self.draw.one(&[Delivery::Plain, Delivery::Reliable]),
            ..super::cioq()
        };
        let mut room = self.frame.max(9_216).next_multiple_of(unit.get());
        loop {
            spec.bridges = Bridges::Cioq(Cioq { input_buffer: Bytes::new(room), ..cioq });
            match validate(spec) {
                Err(SpecError::InputTooSmall { needed, .. }) => {
                    room = needed.get().next_multiple_of(unit.get());
                }
                _ => return,
            }
        }
    }
}
