//! Random traffic over random bridges with input buffers and small fabrics of leaves and spines.
//!
//! In a debug build, a run checks at every sample and at the end that no byte is lost or invented, that no
//! input exceeds its buffer size, that all buffer space at outputs is free or allocated, and that the frames of a
//! flow arrive in order and only once. In these tests, flows stop, and all buffers must drain.

use proptest::prelude::*;
use setpoint_control::culprit::Search;
use setpoint_control::parameter::Percent;
use setpoint_control::{CongestionPointParams, Marking, ReactionPointParams, qcn};
use setpoint_sim::topology::{RackFabric, Star};
use setpoint_sim::traffic::{SizeDistribution, Traffic};
use setpoint_sim::{
    Bridges, Cells, Change, Cioq, ControlSpec, Delivery, FlowControl, FlowSpec, Headroom, NodeId, Outcome,
    PauseParams, PauseResponse, Placement, PortId, Priority, PrioritySet, Purpose, RandomStream, SimError,
    Spec, SpecError, Spraying, TimedChange, Topology, Unwatched, simulate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use crate::support;

const STOP: Time = Time::from_picos(1_000_000_000);

/// A spec drawn from a seed.
struct Draw(RandomStream);

impl Draw {
    fn below(&mut self, bound: u64) -> u64 {
        self.0.below(bound)
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    fn delay(&mut self) -> TimeDelta {
        TimeDelta::from_nanos(self.one(&[0, 50, 100, 1_000]))
    }

    fn network(&mut self) -> Topology {
        if self.below(3) == 0 {
            return self.line();
        }
        let access_rate = Rate::from_gbps(self.one(&[1, 10, 40]));
        if self.below(2) == 0 {
            let stations = 2 + self.below(6) as u32;
            return Star { stations, rate: access_rate, delay: self.delay() }.build();
        }
        let fabric = RackFabric {
            racks: 1 + self.below(2) as u32,
            leaves_per_rack: 1 + self.below(3) as u32,
            stations_per_leaf: 2 + self.below(2) as u32,
            spines: 1 + self.below(4) as u32,
            access_rate,
            access_delay: self.delay(),
            fabric_rate: Rate::from_gbps(self.one(&[1, 10, 25])),
            fabric_delay: self.delay(),
        };
        fabric.build()
    }

    /// Bridges in a row, so that frames cross several of them.
    fn line(&mut self) -> Topology {
        let mut net = Topology::new();
        let bridges: Vec<NodeId> = (0..2 + self.below(2)).map(|n| net.bridge(format!("b{n}"), 1)).collect();
        for pair in bridges.windows(2) {
            net.connect(pair[0], pair[1], Rate::from_gbps(self.one(&[1, 10])), self.delay());
        }
        for number in 0..4 {
            let station = net.station(format!("h{number}"), 0);
            net.connect(station, bridges[number % bridges.len()], Rate::from_gbps(10), self.delay());
        }
        net
    }

    fn flow(&mut self, net: &Topology) -> FlowSpec {
        let stations: Vec<NodeId> = net.stations().collect();
        // Every other flow goes to the first station.
        let source = self.one(&stations[1..]);
        let others: Vec<NodeId> = stations.iter().copied().filter(|&station| station != source).collect();
        let sink = if self.below(2) == 0 { stations[0] } else { self.one(&others) };
        let frame = Bytes::new(self.one(&[64, 300, 1_000, 1_522]));
        let traffic = match self.below(4) {
            0 => Traffic::Constant { rate: Rate::from_gbps(self.one(&[1, 3])) },
            // Message sizes are multiples of the frame length, since a buffer of whole units holds a whole number
            // of frames.
            1 => Traffic::Poisson {
                mean_gap: TimeDelta::from_micros(1 + self.below(20)),
                sizes: SizeDistribution::Fixed(frame * (1 + self.below(9))),
            },
            _ => Traffic::Backlogged,
        };
        FlowSpec {
            frame,
            priority: Priority::new(self.one(&[3, 3, 1])).unwrap(),
            start: Time::ZERO + TimeDelta::from_micros(self.below(300)),
            stop: Some(STOP),
            ..support::flow(source, sink, traffic)
        }
    }

    fn cioq(&mut self) -> Cioq {
        Cioq {
            input_buffer: Bytes::new(self.one(&[150_000, 600_000])),
            unit: Bytes::new(self.one(&[64, 256])),
            speedup: Percent::new(self.one(&[100, 160])),
            control_delay: self.delay(),
            delivery: self.one(&[Delivery::Plain, Delivery::Reliable]),
            cells: Cells {
                payload: Bytes::new(self.one(&[64, 256, 2_000])),
                header: Bytes::new(self.one(&[0, 16])),
                spine_input: self.one(&[1, 2, 16]),
                spine_output: self.one(&[1, 2, 16]),
                spraying: self.one(&[Spraying::RoundRobin, Spraying::Random]),
            },
        }
    }

    fn control(&mut self) -> ControlSpec {
        let mut params = qcn::Params::default();
        params.cp.sample_base = Bytes::new(10_000);
        params.cp.set_point = Bytes::new(self.one(&[5_000, 26_000]));
        let placement = self.one(&[Placement::Outputs, Placement::Inputs, Placement::Both]);
        let occupancy = [
            Marking::LargestBacklog,
            Marking::RandomOccupancy(Search { words_per_read: 1, random_reads: 2 }),
            Marking::RandomOccupancy(Search { words_per_read: 16, random_reads: 0 }),
        ];
        let marking = if placement == Placement::Outputs { Marking::Arrival } else { self.one(&occupancy) };
        ControlSpec {
            congestion_point: CongestionPointParams::Qcn(params.cp),
            reaction_point: ReactionPointParams::Qcn(params.rp),
            placement,
            marking,
            keep_alive: if marking == Marking::Arrival { None } else { Some(Bytes::new(10_000)) },
            priorities: PrioritySet::ALL,
            ..support::no_control()
        }
    }

    fn flow_control(&mut self) -> FlowControl {
        let params = PauseParams {
            xoff: Bytes::new(self.one(&[20_000, 60_000])),
            xon: Bytes::new(self.one(&[0, 15_000])),
            headroom: Headroom::Automatic,
            quanta: 65_535,
            response: PauseResponse::IMMEDIATE,
        };
        let some = PrioritySet::only(support::DATA).with(Priority::new(1).unwrap());
        if self.below(2) == 0 { FlowControl::Pause(params) } else { FlowControl::Pfc(params, some) }
    }

    fn spec(&mut self, seed: u64) -> Spec {
        let net = self.network();
        let flows = (0..1 + self.below(9)).map(|_| self.flow(&net)).collect();
        let mut spec = support::spec(net, flows, TimeDelta::from_millis(60));
        spec.bridges = Bridges::Cioq(self.cioq());
        spec.flow_control = self.flow_control();
        spec.control = if self.below(3) == 0 { support::no_control() } else { self.control() };
        spec.buffer = Bytes::new(self.one(&[4_096, 40_000, 150_000]));
        spec.overhead = Bytes::new(self.one(&[0, 20]));
        spec.sample_interval = TimeDelta::from_micros(self.one(&[50, 110]));
        spec.seed = seed;
        // A sink that is slow for a while: buffers fill up and drain again.
        let slow = spec.topology.link_at(spec.topology.ports().next().unwrap().link()).rate;
        let port = PortId(1);
        if self.below(2) == 0 {
            let at = Time::ZERO + TimeDelta::from_micros(200);
            spec.changes.push(TimedChange { at, change: Change::PortRate(port, Rate::from_mbps(500)) });
            spec.changes.push(TimedChange { at: STOP, change: Change::PortRate(port, slow) });
        }
        spec
    }
}

fn comes_to_rest(spec: &Spec, outcome: &Outcome) {
    for (index, flow) in outcome.flows.iter().enumerate() {
        assert_eq!(flow.sent_frames, flow.delivered_frames, "flow {index}: not all frames sent have arrived");
        assert_eq!((flow.sent, flow.dropped_frames), (flow.delivered, 0));
    }
    for port in &outcome.ports {
        let last = port.paused_series.last().copied().unwrap_or_default();
        assert!(last.is_zero(), "{:?} is still paused", port.port);
    }
    for queue in &outcome.queues {
        assert_eq!(queue.length_series.last(), Some(&0));
        let Bridges::Cioq(cioq) = spec.bridges else { continue };
        assert!(queue.peak <= cioq.input_buffer.max(spec.buffer));
    }
    assert_eq!(outcome.deadlock, None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_frame_arrives_once_and_in_order(seed: u64) {
        let spec = Draw(RandomStream::new(seed, Purpose::Matrix, 0)).spec(seed);
        let outcome = simulate(&spec, &mut Unwatched);
        // Some links are too fast or too long for the thresholds, so the headroom would not fit.
        prop_assume!(!matches!(outcome, Err(SimError::Spec(SpecError::InputTooSmall { .. }))));
        let outcome = outcome.unwrap();
        comes_to_rest(&spec, &outcome);
    }
}

/// The random specs above exercise pauses, reordering, waiting cells and culprit searches.
#[test]
fn the_draws_reach_everything() {
    let [mut paused, mut resequenced, mut at_leaves, mut at_spines, mut searched] = [0u64; 5];
    for seed in 0..60 {
        let spec = Draw(RandomStream::new(seed, Purpose::Matrix, 0)).spec(seed);
        let Ok(outcome) = simulate(&spec, &mut Unwatched) else { continue };
        paused += outcome.ports.iter().map(|port| port.pauses).sum::<u64>();
        resequenced += outcome.fabric.resequenced;
        at_leaves += outcome.fabric.waited_at_leaves;
        at_spines += outcome.fabric.waited_at_spines;
        searched += outcome.queues.iter().map(|queue| queue.culprits.searches).sum::<u64>();
    }
    assert!(paused > 100, "{paused} pauses");
    assert!(resequenced > 100, "{resequenced} frames waited for an older one");
    assert!(at_leaves > 100 && at_spines > 100, "{at_leaves} cells waited at leaves, {at_spines} at spines");
    assert!(searched > 100, "{searched} searches for culprits");
}
