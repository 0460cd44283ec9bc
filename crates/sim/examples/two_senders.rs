//! Stations `a` and `b` send to `sink` over one bridge, under QCN. Prints the queue and both rates over time.

use setpoint_control::{
    Audience, CongestionPointParams, GroupParams, Marking, NotificationPointParams, ReactionPointParams, qcn,
};
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{
    Bridges, ControlSpec, FlowControl, FlowSpec, MessageOrder, NodeId, Outcome, Placement, Priority,
    PrioritySet, QueueOutcome, Reaction, Recording, SampledFrames, Scheduling, SimError, Spec, Topology,
    Unwatched, simulate,
};
use setpoint_units::{Bytes, PartsPerMillion, Rate, Time, TimeDelta};

const DATA: Priority = Priority::new(3).unwrap();

fn flow(name: &str, source: NodeId, sink: NodeId) -> FlowSpec {
    FlowSpec {
        name: name.to_owned(),
        source,
        destination: sink.into(),
        priority: DATA,
        frame: Bytes::new(1_500),
        traffic: Traffic::Backlogged,
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

fn control() -> ControlSpec {
    let params = qcn::Params::default();
    ControlSpec {
        congestion_point: CongestionPointParams::Qcn(params.cp),
        notification_point: NotificationPointParams::None,
        reaction_point: ReactionPointParams::Qcn(params.rp),
        placement: Placement::Outputs,
        marking: Marking::Arrival,
        keep_alive: None,
        group: GroupParams::default(),
        priorities: PrioritySet::only(DATA),
        sampled: SampledFrames::Enqueued,
        audience: Audience::Sampled,
        limiters_per_station: 1,
        notification_priority: Priority::new(6).unwrap(),
        notification_size: Bytes::new(64),
        reaction_delay: TimeDelta::ZERO,
    }
}

pub(crate) fn spec() -> Spec {
    let mut topology = Topology::new();
    let [a, b, sink] = ["a", "b", "sink"].map(|name| topology.station(name, 0));
    let bridge = topology.bridge("bridge", 1);
    for station in [a, b, sink] {
        topology.connect(station, bridge, Rate::from_gbps(10), TimeDelta::from_micros(1));
    }
    Spec {
        topology,
        flows: vec![flow("from a", a, sink), flow("from b", b, sink)],
        groups: Vec::new(),
        control: control(),
        flow_control: FlowControl::None,
        bridges: Bridges::OutputQueued,
        scheduling: Scheduling::Strict,
        buffer: Bytes::new(150_000),
        overhead: Bytes::new(20),
        clock_tolerance: PartsPerMillion::ZERO,
        changes: Vec::new(),
        rerouting_delay: TimeDelta::ZERO,
        sample_interval: TimeDelta::from_millis(5),
        recording: Recording::Series,
        records_pauses: false,
        measure_from: Time::ZERO + TimeDelta::from_millis(50),
        measure_messages_until: None,
        duration: TimeDelta::from_millis(100),
        seed: 1,
    }
}

/// Prints the busiest queue and the rates over time.
pub(crate) fn print<'a>(spec: &Spec, outcome: &'a Outcome) -> &'a QueueOutcome {
    let queue = outcome.queues.iter().max_by_key(|queue| queue.peak).expect("the flows pass a queue");
    println!("queue of {} and rates of both flows", spec.topology.port_name(queue.port));
    for (index, length) in queue.mean_series.iter().enumerate() {
        let gbps = |flow: usize| outcome.flows[flow].delivered_series[index] as f64 * 8.0 / 5e6;
        let (time, kilobytes) = (5 * (index + 1), *length as f64 / 1e3);
        println!("{time:>3} ms {kilobytes:>6.1} kB {:>6.2} Gb/s {:>6.2} Gb/s", gbps(0), gbps(1));
    }
    queue
}

fn main() -> Result<(), SimError> {
    let spec = spec();
    let outcome = simulate(&spec, &mut Unwatched)?;
    let queue = print(&spec, &outcome);
    // QCN keeps the queue near its set point of 26 kB.
    assert!((queue.length.mean - 26_000.0).abs() < 5_000.0 && queue.dropped_frames == 0);
    Ok(())
}
