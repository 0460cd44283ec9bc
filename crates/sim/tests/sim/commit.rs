//! Departures decided in advance are the same as those decided when they are due.

use crate::support::draw::{Draw, Scale, Ways};
use crate::support::siege::besieged;
use crate::support::{LINE, flow, qcn_control, spec, thresholds};
use proptest::prelude::*;
use setpoint_control::{CongestionPointParams, NotificationPointParams};
use setpoint_sim::topology::{Dumbbell, NodeKind, Star};
use setpoint_sim::traffic::{SizeDistribution, Traffic, matrix};
use setpoint_sim::{
    Change, Decision, FlowControl, FlowSpec, Monitor, PauseParams, PortId, Priority, PrioritySet, Purpose,
    RandomStream, Spec, TimedChange, simulate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

fn traffic(kind: u8) -> Traffic {
    let sizes = SizeDistribution::Uniform(Bytes::new(1), Bytes::new(5_000));
    match kind {
        0 => Traffic::Backlogged,
        1 => Traffic::Poisson { mean_gap: TimeDelta::from_micros(2), sizes },
        _ => Traffic::Constant { rate: Rate::from_gbps(3) },
    }
}

/// A monitor that selects whether departures are decided in advance or when they are due.
struct InAdvance(bool);

impl Monitor for InAdvance {
    fn progress(&mut self, _now: Time, _events: u64) -> Decision {
        Decision::Continue
    }

    fn decides_in_advance(&self) -> bool {
        self.0
    }
}

/// Flows of several priorities that meet at a bottleneck.
fn contended(kinds: &[(u8, u8, u64)], delay: TimeDelta, seed: u64) -> Spec {
    let net = Dumbbell {
        senders: kinds.len() as u32,
        receivers: 2,
        access_rate: LINE,
        access_delay: delay,
        bottleneck_rate: Rate::from_gbps(7),
        bottleneck_delay: TimeDelta::from_nanos(300),
    }
    .build();
    let stations: Vec<_> = net.stations().collect();
    let (from, to) = stations.split_at(kinds.len());
    let flow_of = |(index, &(kind, priority, frame)): (usize, &(u8, u8, u64))| FlowSpec {
        priority: Priority::new(priority).unwrap(),
        frame: Bytes::new(frame),
        ..flow(from[index], to[index % 2], traffic(kind))
    };
    let mut flows: Vec<_> = kinds.iter().enumerate().map(flow_of).collect();
    // These flows run in the opposite direction to the others, so that notifications share ports with data.
    flows.push(flow(to[0], from[0], Traffic::Backlogged));
    flows.push(flow(to[1], from[0], Traffic::Backlogged));
    let mut spec = spec(net, flows, TimeDelta::from_micros(900));
    spec.sample_interval = TimeDelta::from_micros(10);
    spec.buffer = Bytes::new(10_000_000);
    spec.seed = seed;
    spec
}

/// Buffers are large enough for everything, and the seeds are fixed, because without flow control a frame that departs at
/// the instant of a sample may or may not count as departed.
#[test]
fn deciding_in_advance_changes_nothing_but_events() {
    for seed in 0..200 {
        let mut random = RandomStream::new(seed, Purpose::Matrix, 0);
        let mut below = |bound: u64| (random.unit() * bound as f64) as u64;
        let kinds: Vec<_> =
            (0..2 + below(3)).map(|_| (below(3) as u8, 1 + below(5) as u8, 64 + below(2_000))).collect();
        let mut spec = contended(&kinds, TimeDelta::from_picos(1 + below(3_000_000)), seed);
        if below(3) > 0 {
            spec.control = qcn_control();
            spec.control.priorities = PrioritySet::ALL;
            spec.control.notification_priority = Priority::new(1 + below(5) as u8).unwrap();
            if let CongestionPointParams::Qcn(params) = &mut spec.control.congestion_point {
                params.sample_base = Bytes::new(10_000);
            }
        }
        for name in ["left->right", "left->s1"] {
            let port = spec.topology.find_port(name).unwrap();
            let change = Change::PortRate(port, Rate::from_mbps(3_000 + below(9_000)));
            spec.changes.push(TimedChange { at: Time::from_picos(below(900_000_000)), change });
        }
        // Without flow control, under flow control that pauses often, and under flow control that never pauses.
        let protected: PrioritySet = (1..6)
            .filter(|_| below(2) > 0)
            .filter_map(Priority::new)
            .fold(PrioritySet::NONE, PrioritySet::with);
        let xoff = Bytes::new([4_000, 40_000, 4_000_000][below(3) as usize]);
        let params = PauseParams { xoff, xon: Bytes::new(xoff.get() / 2), ..thresholds() };
        match below(3) {
            0 => (),
            1 => spec.flow_control = FlowControl::Pause(params),
            _ => spec.flow_control = FlowControl::Pfc(params, protected),
        }
        same_in_advance(&spec, seed);
    }
}

/// Everything runs in lockstep, so that departures, releases and arrivals happen at the same instants.
#[test]
fn ties_under_flow_control_are_decided_like_events() {
    for seed in 0..400 {
        let mut random = RandomStream::new(seed, Purpose::Matrix, 1);
        let mut below = |bound: u64| (random.unit() * bound as f64) as u64;
        let delay = TimeDelta::from_nanos(800) * (1 + below(3));
        let net = Star { stations: 4 + below(4) as u32, rate: LINE, delay }.build();
        let ends: Vec<_> = net.stations().collect();
        let pairs = matrix::all_to_all(&ends).into_iter().filter(|_| below(3) == 0);
        let flows = pairs.map(|(from, to)| flow(from, to, Traffic::Backlogged)).collect();
        let mut spec = spec(net, flows, TimeDelta::from_micros(200));
        spec.sample_interval = TimeDelta::from_micros(8);
        let xoff = Bytes::new(1_000 * (2 + below(20)));
        let xon = Bytes::new(xoff.get() - 1_000 * (1 + below(2)));
        spec.flow_control = FlowControl::Pause(PauseParams { xoff, xon, ..thresholds() });
        same_in_advance(&spec, seed);
        // A change at the instant of a departure.
        let topology = &spec.topology;
        let from_bridge = |port: &PortId| topology.node_at(topology.source(*port)).kind == NodeKind::Bridge;
        let port = topology.ports().find(from_bridge).unwrap();
        let at = Time::ZERO + TimeDelta::from_micros(80);
        spec.changes.push(TimedChange { at, change: Change::PortRate(port, Rate::from_gbps(5)) });
        same_in_advance(&spec, seed);
    }
}

/// The number of random networks of each kind, which `COMMIT_NETWORKS` can increase.
fn networks() -> u32 {
    std::env::var("COMMIT_NETWORKS").ok().and_then(|count| count.parse().ok()).unwrap_or(48)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: networks(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_spec_under_flow_control(seed: u64) {
        let spec = Draw::new(seed, Scale::Any).plain(seed, Ways::Several);
        if spec.flow_control != FlowControl::None {
            same_in_advance(&spec, seed);
        }
    }

    #[test]
    fn any_spec_under_siege(seed: u64) {
        same_in_advance(&besieged(seed), seed);
    }
}

/// Runs a spec both ways and compares the outcomes.
fn same_in_advance(spec: &Spec, seed: u64) {
    match (simulate(spec, &mut InAdvance(true)), simulate(spec, &mut InAdvance(false))) {
        (Ok(mut decided), Ok(waited)) => {
            // With every change of its rate or window, a limiter withdraws what it has decided, so acknowledgements may cost
            // events.
            let is_acknowledged = spec.control.notification_point != NotificationPointParams::None;
            assert!(
                is_acknowledged || decided.events <= waited.events,
                "seed {seed}: deciding in advance took more events"
            );
            decided.events = waited.events;
            assert!(decided == waited, "seed {seed}");
        }
        (Err(decided), Err(waited)) => assert_eq!(decided.to_string(), waited.to_string(), "seed {seed}"),
        (decided, waited) => panic!("seed {seed}: {:?}, {:?}", decided.is_ok(), waited.is_ok()),
    }
}
