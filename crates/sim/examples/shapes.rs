//! scratch
use setpoint_control::*;
use setpoint_sim::topology::*;
use setpoint_sim::traffic::Traffic;
use setpoint_sim::*;
use setpoint_units::*;
fn main() {
    let shape = std::env::args().nth(1).unwrap();
    let ms: u64 = std::env::args().nth(2).map_or(1000, |x| x.parse().unwrap());
    let p3 = Priority::new(3).unwrap();
    let us = TimeDelta::from_nanos;
    let g10 = Rate::from_gbps(10);
    let dumb = |n| {
        Dumbbell {
            senders: n,
            receivers: n,
            access_rate: g10,
            access_delay: us(12_500),
            bottleneck_rate: g10,
            bottleneck_delay: us(1_000),
        }
        .build()
    };
    let (topology, pairs): (Topology, Vec<(NodeId, NodeId)>) = match shape.as_str() {
        "incast-pfc" => {
            let t = Star { stations: 65, rate: g10, delay: us(1000) }.build();
            let s: Vec<_> = t.stations().collect();
            let p = traffic::matrix::incast(&s, s[64]);
            (t, p)
        }
        "fat-tree-8" => {
            let t = FatTree { k: 8, rate: g10, delay: us(1000) }.build();
            let s: Vec<_> = t.stations().collect();
            let p = traffic::matrix::shifted(&s, 64);
            (t, p)
        }
        n => {
            let n: u32 = n.parse().unwrap();
            let t = dumb(n);
            let s: Vec<_> = t.stations().collect();
            let p = (0..n as usize).map(|i| (s[i], s[i + n as usize])).collect();
            (t, p)
        }
    };
    let flows = pairs
        .iter()
        .enumerate()
        .map(|(i, &(source, destination))| FlowSpec {
            name: format!("f{i}"),
            source,
            destination,
            priority: p3,
            frame: Bytes::new(1000),
            traffic: Traffic::Backlogged,
            start: Time::ZERO,
            stop: None,
            weight: 1,
            cap: None,
            reaction: Reaction::Controlled,
        })
        .collect();
    let qcn = qcn::Params::default();
    let none = shape == "incast-pfc";
    let spec = Spec {
        topology,
        flows,
        control: ControlSpec {
            congestion_point: if none {
                CongestionPointParams::None
            } else {
                CongestionPointParams::Qcn(qcn.cp)
            },
            reaction_point: if none { ReactionPointParams::None } else { ReactionPointParams::Qcn(qcn.rp) },
            priorities: PrioritySet::only(p3),
            limiters_per_station: 100,
            notification_priority: Priority::new(6).unwrap(),
            notification_size: Bytes::new(64),
            reaction_delay: TimeDelta::ZERO,
        },
        flow_control: if none {
            FlowControl::Pfc(
                PauseParams {
                    xoff: Bytes::new(60_000),
                    xon: Bytes::new(40_000),
                    headroom: Headroom::Automatic,
                    quanta: 65535,
                },
                PrioritySet::only(p3),
            )
        } else {
            FlowControl::None
        },
        buffer: Bytes::new(150_000),
        overhead: Bytes::ZERO,
        changes: vec![],
        sample_interval: TimeDelta::from_millis(10),
        measure_from: Time::ZERO + TimeDelta::from_millis(ms / 2),
        duration: TimeDelta::from_millis(ms),
        seed: 1,
    };
    let t = std::time::Instant::now();
    let o = simulate(&spec, &mut Unwatched).unwrap();
    let dt = t.elapsed().as_secs_f64();
    let q = o.queues.iter().max_by(|a, b| a.length.mean.total_cmp(&b.length.mean)).unwrap();
    let busy = o.ports.iter().map(|p| p.busy.as_secs_f64()).fold(0., f64::max)
        / (o.end - o.measure_from).as_secs_f64();
    let del: u64 = o.flows.iter().map(|f| f.delivered_measured.get()).sum();
    println!(
        "{shape}: hops {} events {} {:.2} Mhops/s {:.2} Mev/s ev/hop {:.2} | q mean {:.0} dev {:.0} peak {} util {busy:.4} drops {} cnm {} thr {:.3}G pauses {} maxrate {:?}",
        o.packet_hops,
        o.events,
        o.packet_hops as f64 / dt / 1e6,
        o.events as f64 / dt / 1e6,
        o.events as f64 / o.packet_hops as f64,
        q.length.mean,
        q.length.deviation,
        q.peak,
        o.queues.iter().map(|q| q.dropped_frames).sum::<u64>(),
        o.queues.iter().map(|q| q.congestion_point.notifications).sum::<u64>(),
        del as f64 * 8e-9 / (o.end - o.measure_from).as_secs_f64(),
        o.ports.iter().map(|p| p.pauses).sum::<u64>(),
        o.flows.iter().map(|f| f.delivered_measured.get() * 8 / 1000000 * 1000 / (ms / 2)).max()
    );
}
