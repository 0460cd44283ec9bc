//! A network of four senders and a receiver, and its frames.

#![expect(unreachable_pub, reason = "a module shared by several test programs")]
#![allow(dead_code, clippy::allow_attributes, reason = "each test program uses its own part")]

pub mod rdma;
pub mod skip;

use setpoint_control::{Algorithm, Audience, GroupParams, Marking, Params};
use setpoint_live::bridge::BridgePlan;
use setpoint_live::neighbour::{Defence, Profile};
use setpoint_live::options::Options;
use setpoint_live::plan;
use setpoint_live::station::StationPlan;
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{
    Bridges, ControlSpec, FlowControl, FlowSpec, Headroom, MessageOrder, NodeId, PauseParams, PauseResponse,
    Placement, Priority, PrioritySet, Reaction, Recording, SampledFrames, Scheduling, Spec, Topology,
};
use setpoint_units::{Bytes, PartsPerMillion, Rate, Time, TimeDelta};
use setpoint_wire::{CnTag, Content, Conventions, EtherType, Frame, Header, MacAddress, VlanTag};

pub const DATA: Priority = Priority::new(3).unwrap();
pub const SENDERS: usize = 4;
/// The length of data frames on the wire, including the frame check sequence.
pub const FRAME: u64 = 1_500;

pub fn options() -> Options {
    Options {
        defence: Defence::InteriorReady,
        alternate_priority: setpoint_wire::Priority::default(),
        announce_every: TimeDelta::from_secs(1_000),
        pause_patience: TimeDelta::from_secs(1),
        conventions: Conventions::default(),
    }
}

/// Congestion control with an algorithm at the outputs, and notifications of priority 6.
pub fn control(algorithm: Algorithm, params: &Params) -> ControlSpec {
    let (congestion_point, reaction_point) = algorithm.points(params);
    ControlSpec {
        congestion_point,
        notification_point: algorithm.notification_point(params),
        reaction_point,
        placement: Placement::Outputs,
        marking: Marking::Arrival,
        keep_alive: None,
        group: GroupParams::default(),
        priorities: PrioritySet::only(DATA),
        sampled: SampledFrames::Enqueued,
        audience: Audience::Sampled,
        limiters_per_station: 100,
        notification_priority: Priority::new(6).unwrap(),
        notification_size: Bytes::new(64),
        reaction_delay: TimeDelta::ZERO,
    }
}

pub fn pfc(xoff: u64, xon: u64) -> FlowControl {
    let params = PauseParams {
        xoff: Bytes::new(xoff),
        xon: Bytes::new(xon),
        headroom: Headroom::Automatic,
        quanta: 65_535,
        response: PauseResponse::IMMEDIATE,
    };
    FlowControl::Pfc(params, PrioritySet::only(DATA))
}

/// Four stations send to a fifth through one bridge. `rate` and `delay` are those of a station's link.
pub fn incast(
    control: ControlSpec,
    flow_control: FlowControl,
    rate: impl Fn(usize) -> Rate,
    delay: impl Fn(usize) -> TimeDelta,
) -> Spec {
    let mut topology = Topology::new();
    let bridge = topology.bridge("bridge", 1);
    let stations: Vec<NodeId> = (0..=SENDERS).map(|n| topology.station(format!("h{n}"), 0)).collect();
    for (number, station) in stations.iter().enumerate() {
        topology.connect(*station, bridge, rate(number), delay(number));
    }
    let flow = |(number, source): (usize, &NodeId)| FlowSpec {
        name: format!("f{number}"),
        source: *source,
        destination: stations[SENDERS].into(),
        priority: DATA,
        frame: Bytes::new(FRAME),
        traffic: Traffic::Backlogged,
        messages: MessageOrder::InOrder,
        start: Time::ZERO,
        stop: None,
        weight: 1,
        tenant: number as u32,
        max: None,
        cap: None,
        reaction: Reaction::Controlled,
    };
    Spec {
        flows: stations[..SENDERS].iter().enumerate().map(flow).collect(),
        topology,
        groups: Vec::new(),
        control,
        flow_control,
        bridges: Bridges::OutputQueued,
        scheduling: Scheduling::Strict,
        buffer: Bytes::new(150_000),
        overhead: Bytes::new(20),
        clock_tolerance: PartsPerMillion::ZERO,
        changes: Vec::new(),
        rerouting_delay: TimeDelta::ZERO,
        sample_interval: TimeDelta::from_millis(1),
        recording: Recording::Series,
        records_pauses: false,
        measure_from: Time::ZERO,
        measure_messages_until: None,
        duration: TimeDelta::from_millis(300),
        seed: 7,
    }
}

/// The network at 100 Mb/s, under an algorithm and PFC.
fn usual(algorithm: Algorithm) -> Spec {
    let mut params = Params::default();
    params.dcqcn.rp.min_rate = Rate::from_mbps(1);
    let control = control(algorithm, &params);
    incast(control, pfc(60_000, 40_000), |_| Rate::from_mbps(100), |_| TimeDelta::from_micros(50))
}

pub fn bridge_plan() -> BridgePlan {
    bridge_plan_of(Algorithm::Qcn)
}

pub fn bridge_plan_of(algorithm: Algorithm) -> BridgePlan {
    let spec = usual(algorithm);
    let addresses: Vec<MacAddress> = (0..=SENDERS).map(port_address).collect();
    plan::bridge(&spec, spec.topology.find("bridge").unwrap(), &addresses, options()).unwrap().0
}

pub fn station_plan(number: usize) -> StationPlan {
    station_plan_of(Algorithm::Qcn, number)
}

pub fn station_plan_of(algorithm: Algorithm, number: usize) -> StationPlan {
    let spec = usual(algorithm);
    let node = spec.topology.find(&format!("h{number}")).unwrap();
    plan::station(&spec, node, address(number), options()).unwrap()
}

pub fn profile() -> Profile {
    Profile {
        address: address(7),
        name: "neighbour".to_owned(),
        defence: Defence::Automatic,
        managed: setpoint_wire::PrioritySet(0b1000),
        lossless: setpoint_wire::PrioritySet(0b1000),
        interval: TimeDelta::from_secs(30),
    }
}

pub fn address(node: usize) -> MacAddress {
    MacAddress([2, 0, 0, 0, 0, node as u8 + 1])
}

pub fn port_address(port: usize) -> MacAddress {
    MacAddress([2, 0, 0, 0, 1, port as u8])
}

/// A data frame from a station, with the tags of a live station and the length of a simulated frame.
pub fn data(from: usize) -> Vec<u8> {
    let header = Header {
        destination: address(SENDERS),
        source: address(from),
        vlan: Some(VlanTag::of_priority(setpoint_wire::Priority::ALL[3])),
        cn_tag: Some(CnTag { flow: 1 }),
        ether_type: EtherType(0x88b5),
    };
    let payload = vec![0; FRAME as usize - 4 - header.length()];
    let mut octets = vec![0; FRAME as usize];
    let frame = Frame { header, content: Content::Data(&payload) };
    let length = frame.encode(&Conventions::default(), &mut octets).unwrap().len();
    octets.truncate(length);
    octets
}

/// A UDP packet whose frame has the simulated length once it is tagged.
pub fn program_frame() -> Vec<u8> {
    let mut octets = [&address(SENDERS).0[..], &address(0).0, &[0x08, 0x00]].concat();
    octets
        .extend([0x45, 0, 0, 0, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2, 0, 7, 0, 9, 0, 0, 0, 0]);
    octets.resize(FRAME as usize - 4 - 8, 0);
    octets
}
