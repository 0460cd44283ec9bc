//! Specs for tests: plain by default, random only if a test requests it.

#![expect(unreachable_pub, reason = "a module shared by several test programs")]
#![allow(dead_code, clippy::allow_attributes, reason = "each test program uses its own part")]

pub mod adds_up;
pub mod draw;
pub mod siege;

use setpoint_control::parameter::Percent;
use setpoint_control::{
    Audience, CongestionPointParams, GroupParams, Marking, NotificationPointParams, ReactionPointParams, qcn,
};
use setpoint_sim::topology::Dumbbell;
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{
    Bridges, Cells, Cioq, ControlSpec, Delivery, FlowControl, FlowSpec, Headroom, MessageOrder, NodeId,
    Outcome, PauseParams, PauseResponse, Placement, Priority, PrioritySet, Reaction, Recording,
    SampledFrames, Scheduling, Spec, Spraying, Topology,
};
use setpoint_units::{Bytes, PartsPerMillion, Rate, Time, TimeDelta};

pub const LINE: Rate = Rate::from_gbps(10);
pub const DATA: Priority = Priority::new(3).unwrap();

pub fn no_control() -> ControlSpec {
    ControlSpec {
        congestion_point: CongestionPointParams::None,
        notification_point: NotificationPointParams::None,
        reaction_point: ReactionPointParams::None,
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

pub fn qcn_control() -> ControlSpec {
    let params = qcn::Params::default();
    ControlSpec {
        congestion_point: CongestionPointParams::Qcn(params.cp),
        reaction_point: ReactionPointParams::Qcn(params.rp),
        ..no_control()
    }
}

/// Bridges with input buffers of the same size as the output buffers.
pub fn cioq() -> Cioq {
    Cioq {
        input_buffer: Bytes::new(150_000),
        unit: Bytes::new(256),
        speedup: Percent::new(160),
        control_delay: TimeDelta::from_nanos(300),
        delivery: Delivery::Plain,
        cells: Cells {
            payload: Bytes::new(256),
            header: Bytes::new(16),
            spine_input: 16,
            spine_output: 16,
            spraying: Spraying::RoundRobin,
        },
    }
}

pub fn pfc() -> FlowControl {
    FlowControl::Pfc(thresholds(), PrioritySet::only(DATA))
}

pub fn thresholds() -> PauseParams {
    PauseParams {
        xoff: Bytes::new(30_000),
        xon: Bytes::new(20_000),
        headroom: Headroom::Automatic,
        quanta: 65_535,
        response: PauseResponse::IMMEDIATE,
    }
}

pub fn flow(source: NodeId, destination: NodeId, traffic: Traffic) -> FlowSpec {
    FlowSpec {
        name: String::new(),
        source,
        destination: destination.into(),
        priority: DATA,
        frame: Bytes::new(1_000),
        traffic,
        messages: MessageOrder::InOrder,
        start: Time::ZERO,
        stop: None,
        weight: 1,
        tenant: 0,
        max: None,
        cap: None,
        reaction: Reaction::Controlled,
    }
}

pub fn spec(topology: Topology, flows: Vec<FlowSpec>, duration: TimeDelta) -> Spec {
    Spec {
        topology,
        flows,
        groups: Vec::new(),
        control: no_control(),
        flow_control: FlowControl::None,
        bridges: Bridges::OutputQueued,
        scheduling: Scheduling::Strict,
        buffer: Bytes::new(150_000),
        overhead: Bytes::ZERO,
        clock_tolerance: PartsPerMillion::ZERO,
        changes: Vec::new(),
        rerouting_delay: TimeDelta::ZERO,
        sample_interval: TimeDelta::from_millis(1),
        recording: Recording::Series,
        records_pauses: false,
        measure_from: Time::ZERO,
        measure_messages_until: None,
        duration,
        seed: 1,
    }
}

/// Backlogged senders with one receiver each, over one link of 10 Gb/s, under QCN.
pub fn dumbbell(senders: u32, access_delay: TimeDelta, duration: TimeDelta) -> Spec {
    let net = Dumbbell {
        senders,
        receivers: senders,
        access_rate: LINE,
        access_delay,
        bottleneck_rate: LINE,
        bottleneck_delay: TimeDelta::from_micros(1),
    }
    .build();
    let stations: Vec<_> = net.stations().collect();
    let (from, to) = stations.split_at(senders as usize);
    let flows = from.iter().zip(to).map(|(&from, &to)| flow(from, to, Traffic::Backlogged)).collect();
    Spec { control: qcn_control(), ..spec(net, flows, duration) }
}

/// Checks that the ports of a reported cycle send nothing in intervals that begin at that time or later.
pub fn cycle_is_silent(outcome: &Outcome) {
    let Some(deadlock) = &outcome.deadlock else { return };
    let first = (deadlock.at - Time::ZERO).as_picos().div_ceil(outcome.sample_interval.as_picos()) as usize;
    for id in &deadlock.cycle {
        let port = outcome.ports.iter().find(|port| port.port == *id).expect("a port that was paused");
        let after: u64 = port.sent_series.iter().skip(first).sum();
        assert_eq!(after, 0, "{id:?} of the cycle sent after {}", deadlock.at);
    }
    assert!(deadlock.stuck as usize >= deadlock.cycle.len());
}
