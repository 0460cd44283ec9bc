//! A network on real frames, in namespaces of this machine.
#![cfg(target_os = "linux")]

use setpoint_control::{Algorithm, Audience, GroupParams, Marking, Params};
use setpoint_live::neighbour::Defence;
use setpoint_live::options::Options;
use setpoint_live::testbed::{self, Snapshot, Watch};
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{
    Bridges, ControlSpec, Decision, FlowControl, FlowSpec, Headroom, NodeId, PauseParams, Placement,
    Priority, PrioritySet, Reaction, Recording, SampledFrames, Spec, Topology,
};
use setpoint_units::{Bytes, PartsPerMillion, Rate, Time, TimeDelta};
use setpoint_wire::Conventions;

struct Print;

impl Watch for Print {
    fn look(&self, snapshot: &Snapshot) -> Decision {
        eprintln!("{snapshot:?}");
        Decision::Continue
    }
}

#[test]
fn qcn_shares_a_link() {
    let data = Priority::new(3).unwrap();
    let mut topology = Topology::new();
    let bridge = topology.bridge("bridge", 1);
    let stations: Vec<NodeId> = (1..=5).map(|n| topology.station(format!("h{n}"), 0)).collect();
    for station in &stations {
        topology.connect(*station, bridge, Rate::from_mbps(100), TimeDelta::from_micros(50));
    }
    let mut params = Params::default();
    params.qcn.rp.active_increase = Rate::from_mbps(1);
    params.qcn.rp.hyper_increase = Rate::from_mbps(5);
    params.qcn.rp.min_rate = Rate::from_mbps(1);
    let (congestion_point, reaction_point) = Algorithm::AfQcn.points(&params);
    let spec = Spec {
        flows: stations[..4]
            .iter()
            .enumerate()
            .map(|(n, source)| FlowSpec {
                name: format!("f{n}"),
                source: *source,
                destination: stations[4].into(),
                priority: data,
                frame: Bytes::new(1_500),
                traffic: Traffic::Backlogged,
                start: Time::ZERO,
                stop: None,
                weight: n as u32 + 1,
                tenant: n as u32,
                max: None,
                cap: None,
                reaction: Reaction::Controlled,
            })
            .collect(),
        topology,
        groups: Vec::new(),
        control: ControlSpec {
            congestion_point,
            reaction_point,
            placement: Placement::Outputs,
            marking: Marking::Arrival,
            keep_alive: None,
            group: GroupParams::default(),
            priorities: PrioritySet::only(data),
            sampled: SampledFrames::Enqueued,
            audience: Audience::Sampled,
            limiters_per_station: 100,
            notification_priority: Priority::new(6).unwrap(),
            notification_size: Bytes::new(64),
            reaction_delay: TimeDelta::ZERO,
        },
        flow_control: FlowControl::Pfc(
            PauseParams {
                xoff: Bytes::new(60_000),
                xon: Bytes::new(40_000),
                headroom: Headroom::Automatic,
                quanta: 65_535,
            },
            PrioritySet::only(data),
        ),
        bridges: Bridges::OutputQueued,
        buffer: Bytes::new(150_000),
        overhead: Bytes::new(20),
        clock_tolerance: PartsPerMillion::ZERO,
        changes: Vec::new(),
        sample_interval: TimeDelta::from_millis(4),
        recording: Recording::Series,
        measure_from: Time::ZERO + TimeDelta::from_secs(3),
        duration: TimeDelta::from_secs(6),
        seed: 1,
    };
    let options = Options {
        defence: Defence::Automatic,
        alternate_priority: setpoint_wire::Priority::default(),
        announce_every: TimeDelta::from_secs(30),
        pause_patience: TimeDelta::from_secs(1),
        conventions: Conventions::default(),
    };
    let measured = testbed::run(&spec, options, &Print).unwrap();
    eprintln!("{:#?} {:?} {:?} {:?}", measured.bridge, measured.stations, measured.losses, measured.received);
    for flow in &measured.outcome.flows {
        eprintln!(
            "{} sent {} delivered, {:.1} Mb/s, {} notifications",
            flow.sent_frames,
            flow.delivered_frames,
            flow.delivered_measured.get() as f64 * 8.0 / 3e6,
            flow.notifications
        );
    }
    for queue in &measured.outcome.queues {
        eprintln!("{:?} {} {:?}", queue.length.mean, queue.length.deviation, queue.congestion_point);
    }
    panic!();
}
