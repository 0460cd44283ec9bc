//! Departures decided in advance are the same as those decided when they are due.

use crate::support::{LINE, flow, qcn_control, spec, thresholds};
use setpoint_control::CongestionPointParams;
use setpoint_sim::topology::Dumbbell;
use setpoint_sim::traffic::{SizeDistribution, Traffic};
use setpoint_sim::{
    Change, FlowControl, FlowSpec, Priority, PrioritySet, Purpose, RandomStream, Spec, TimedChange,
    Unwatched, simulate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

const UNUSED: Priority = Priority::new(7).unwrap();

fn traffic(kind: u8) -> Traffic {
    let sizes = SizeDistribution::Uniform(Bytes::new(1), Bytes::new(5_000));
    match kind {
        0 => Traffic::Backlogged,
        1 => Traffic::Poisson { mean_gap: TimeDelta::from_micros(2), sizes },
        _ => Traffic::Constant { rate: Rate::from_gbps(3) },
    }
}

/// Flows of several priorities that meet at a bottleneck, and one that never sends and has a priority to
/// itself: flow control for that priority affects no frame, but keeps bridges from deciding in advance.
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
    flows.push(FlowSpec { priority: UNUSED, start: Time::MAX, ..flow(from[0], to[0], Traffic::Backlogged) });
    // In the opposite direction to the others, so that notifications meet data.
    flows.push(flow(to[0], from[0], Traffic::Backlogged));
    flows.push(flow(to[1], from[0], Traffic::Backlogged));
    let mut spec = spec(net, flows, TimeDelta::from_micros(900));
    spec.sample_interval = TimeDelta::from_micros(10);
    spec.buffer = Bytes::new(10_000_000);
    spec.seed = seed;
    spec
}

/// A frame that arrives in the same picosecond as a departure may come before or after it, so the
/// seeds are fixed, and buffers hold everything.
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
        let mut decided = simulate(&spec, &mut Unwatched).unwrap();
        spec.flow_control = FlowControl::Pfc(thresholds(), PrioritySet::only(UNUSED));
        let mut waited = simulate(&spec, &mut Unwatched).unwrap();
        assert!(decided.events < waited.events, "seed {seed}: nothing was decided in advance");
        decided.events = waited.events;
        // Messages are in the order in which they were recorded.
        for outcome in [&mut decided, &mut waited] {
            outcome.messages.sort_by_key(|message| (message.completed, message.flow));
            outcome.messages_incomplete.sort_by_key(|message| (message.offered, message.flow));
            // Only one of them is under flow control.
            outcome.links.clear();
            outcome.queues.iter_mut().for_each(|queue| queue.limit = None);
        }
        assert!(decided == waited, "seed {seed}");
    }
}
