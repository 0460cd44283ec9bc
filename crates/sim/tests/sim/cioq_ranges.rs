//! Extreme specs of bridges with input buffers: each one is rejected or runs to its end.

use crate::support::{LINE, cioq, flow, pfc, qcn_control, spec, thresholds};
use setpoint_control::culprit::Search;
use setpoint_control::parameter::Percent;
use setpoint_control::{CongestionPointParams, Marking, afd};
use setpoint_sim::topology::{RackFabric, Star};
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{
    Bridges, Change, Cioq, FlowControl, FlowId, Headroom, Outcome, PauseParams, Placement, PortId, Priority,
    PrioritySet, SimError, Spec, SpecError, Spraying, TimedChange, Topology, Unwatched, simulate, validate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

const DELAY: TimeDelta = TimeDelta::from_nanos(500);

/// Two senders and a receiver at one bridge, with congestion points everywhere.
fn plain() -> Spec {
    let net = Star { stations: 3, rate: LINE, delay: DELAY }.build();
    let stations: Vec<_> = net.stations().collect();
    let flows = stations[..2].iter().map(|&from| flow(from, stations[2], Traffic::Backlogged)).collect();
    let mut spec = spec(net, flows, TimeDelta::from_millis(1));
    spec.control = qcn_control();
    spec.control.placement = Placement::Both;
    spec.flow_control = pfc();
    spec.bridges = Bridges::Cioq(cioq());
    spec
}

fn with(change: impl FnOnce(&mut Spec)) -> Spec {
    let mut spec = plain();
    change(&mut spec);
    spec
}

fn refused(change: impl FnOnce(&mut Spec)) -> SpecError {
    let spec = with(change);
    let error = validate(&spec).expect_err("a spec that cannot be run");
    assert_eq!(simulate(&spec, &mut Unwatched), Err(SimError::Spec(error.clone())));
    error
}

fn runs(change: impl FnOnce(&mut Spec)) -> Outcome {
    simulate(&with(change), &mut Unwatched).unwrap()
}

/// The error that validation reports.
fn fault(change: impl FnOnce(&mut Spec)) -> &'static str {
    match refused(change) {
        SpecError::Bridges(fault) => fault,
        other => panic!("{other}"),
    }
}

fn bridges(change: impl FnOnce(&mut Cioq)) -> impl FnOnce(&mut Spec) {
    move |spec| {
        let mut cioq = cioq();
        change(&mut cioq);
        spec.bridges = Bridges::Cioq(cioq);
    }
}

fn occupancy(spec: &mut Spec) {
    spec.control.marking = Marking::LargestBacklog;
    spec.control.keep_alive = Some(Bytes::new(10_000));
}

/// Two leaves, two spines, a station at each leaf, linked by `join`.
fn fabric(join: impl FnOnce(&mut Topology)) -> impl FnOnce(&mut Spec) {
    move |spec| {
        let mut net = RackFabric {
            racks: 1,
            leaves_per_rack: 2,
            stations_per_leaf: 2,
            spines: 2,
            access_rate: LINE,
            access_delay: DELAY,
            fabric_rate: LINE,
            fabric_delay: DELAY,
        }
        .build();
        join(&mut net);
        let stations: Vec<_> = net.stations().collect();
        spec.flows = vec![flow(stations[0], stations[3], Traffic::Backlogged)];
        spec.topology = net;
    }
}

#[test]
fn points_need_a_buffer_to_observe() {
    assert_eq!(
        fault(|spec| spec.bridges = Bridges::OutputQueued),
        "congestion points at inputs need bridges with input buffers"
    );
    assert_eq!(
        fault(|spec| {
            spec.control.placement = Placement::Outputs;
            spec.control.marking = Marking::LargestBacklog;
        }),
        "only congestion points at inputs can choose flows by occupancy"
    );
    let nothing = Search { words_per_read: 0, random_reads: 1 };
    assert_eq!(
        fault(|spec| spec.control.marking = Marking::RandomOccupancy(nothing)),
        "a read of the culprit array must return at least one word"
    );
    assert_eq!(
        fault(|spec| {
            spec.flow_control = FlowControl::None;
            spec.control.congestion_point = CongestionPointParams::Afd(afd::Params::default());
        }),
        "congestion points that drop frames need output-queued bridges"
    );
}

#[test]
fn keep_alive_needs_pauses_and_a_flow_to_notify() {
    runs(occupancy);
    let without = |change: fn(&mut Spec)| {
        fault(|spec| {
            occupancy(spec);
            change(spec);
        })
    };
    assert_eq!(
        without(|spec| spec.control.keep_alive = Some(Bytes::ZERO)),
        "the keep-alive interval is zero bytes"
    );
    assert_eq!(
        without(|spec| spec.flow_control = FlowControl::None),
        "keep-alive samples during pauses, but there is no flow control"
    );
    assert_eq!(
        without(|spec| spec.control.marking = Marking::Arrival),
        "keep-alive needs occupancy marking: during a pause no frame arrives whose flow could be notified"
    );
    assert_eq!(
        without(|spec| spec.control.congestion_point = CongestionPointParams::None),
        "keep-alive needs congestion points that can sample without a frame"
    );
}

#[test]
fn impossible_sizes_are_refused() {
    assert_eq!(fault(bridges(|cioq| cioq.unit = Bytes::ZERO)), "the buffer unit is 0 B");
    let slow = bridges(|cioq| cioq.speedup = Percent::new(99));
    assert_eq!(fault(slow), "a crossbar must be at least as fast as the links that feed it");
    runs(bridges(|cioq| cioq.speedup = Percent::new(100)));
    let cell = "a cell must hold at least 1 B of a frame and be at most 65535 B long with its header";
    assert_eq!(fault(bridges(|cioq| cioq.cells.payload = Bytes::ZERO)), cell);
    assert_eq!(fault(bridges(|cioq| cioq.cells.payload = Bytes::new(65_520))), cell);
    let room = "spines need room for at least one cell at each input and output";
    assert_eq!(fault(bridges(|cioq| cioq.cells.spine_input = 0)), room);
    assert_eq!(fault(bridges(|cioq| cioq.cells.spine_output = 0)), room);
}

#[test]
fn a_frame_fits_into_the_whole_units_of_every_buffer() {
    let (frame, whole) = (Bytes::new(1_000), Bytes::new(768));
    let error = SpecError::FrameBeyondBuffer(FlowId(0), frame, whole);
    // 1 023 B are three whole units of 256 B.
    assert_eq!(refused(|spec| spec.buffer = Bytes::new(1_023)), error);
    assert_eq!(refused(bridges(|cioq| cioq.input_buffer = Bytes::new(1_023))), error);
    let outcome = runs(|spec| spec.buffer = Bytes::new(1_024));
    assert!(outcome.flows.iter().all(|flow| flow.delivered_frames > 0));
}

#[test]
fn frames_let_in_by_pause_fit_into_the_input() {
    // Each frame of 64 B on the link occupies 256 B: short frames waste most of a unit.
    let params = PauseParams { headroom: Headroom::Fixed(Bytes::new(10_000)), ..thresholds() };
    let room = |bytes| {
        move |spec: &mut Spec| {
            spec.flow_control = FlowControl::Pause(params);
            bridges(|cioq| cioq.input_buffer = Bytes::new(bytes))(spec);
        }
    };
    let error =
        SpecError::InputTooSmall { port: PortId(0), needed: Bytes::new(40_000), room: Bytes::new(39_936) };
    assert_eq!(refused(room(40_000)), error);
    runs(room(40_192));
}

/// Unprotected frames are dropped if there is no buffer space, and need no headroom.
#[test]
fn only_protected_priorities_need_headroom() {
    let small = |spec: &mut Spec| {
        spec.flow_control = FlowControl::Pfc(thresholds(), PrioritySet::only(Priority::new(1).unwrap()));
        bridges(|cioq| cioq.input_buffer = Bytes::new(1_024))(spec);
        spec.buffer = Bytes::new(1_024);
    };
    let outcome = runs(small);
    assert!(outcome.flows.iter().all(|flow| flow.dropped_frames > 0 && flow.delivered_frames > 0));
    let protected = refused(|spec| {
        small(spec);
        spec.flows[1].priority = Priority::new(1).unwrap();
    });
    assert!(matches!(protected, SpecError::InputTooSmall { port: PortId(2), .. }), "{protected}");
}

#[test]
fn spines_join_leaves_and_nothing_else() {
    runs(fabric(|_| ()));
    let of = |join: fn(&mut Topology)| refused(fabric(join));
    let spine = |name: &str| {
        let mut spec = plain();
        fabric(|_| ())(&mut spec);
        SpecError::Spine(spec.topology.find(name).unwrap())
    };
    let output_queued = fault(|spec| {
        fabric(|_| ())(spec);
        spec.bridges = Bridges::OutputQueued;
        spec.control.placement = Placement::Outputs;
    });
    assert_eq!(output_queued, "spines need bridges with input buffers");
    let twice = of(|net| {
        net.connect(net.find("leaf1.1").unwrap(), net.find("spine1").unwrap(), LINE, DELAY);
    });
    assert_eq!(twice, spine("spine1"));
    let not_to_all = of(|net| {
        let leaf = net.bridge("leaf3", 1);
        net.connect(leaf, net.find("spine1").unwrap(), LINE, DELAY);
    });
    assert_eq!(not_to_all, spine("spine2"));
    let to_a_station = of(|net| {
        let station = net.station("h", 0);
        net.connect(station, net.find("spine2").unwrap(), LINE, DELAY);
    });
    assert_eq!(to_a_station, spine("spine2"));
    let to_each_other = of(|net| {
        net.connect(net.find("spine1").unwrap(), net.find("spine2").unwrap(), LINE, DELAY);
    });
    assert_eq!(to_each_other, spine("spine1"));
}

/// Leaves joined by spines are one bridge: a link between them would lead from the bridge to itself.
#[test]
fn leaves_are_joined_by_spines_alone() {
    let linked = fault(fabric(|net| {
        net.connect(net.find("leaf1.1").unwrap(), net.find("leaf1.2").unwrap(), LINE, DELAY);
    }));
    assert_eq!(linked, "leaves joined by spines must not be linked to each other");
    // Another bridge attached to a leaf is allowed.
    let outcome = runs(|spec| {
        fabric(|net| {
            let (bridge, station) = (net.bridge("b", 1), net.station("h", 0));
            net.connect(bridge, net.find("leaf1.1").unwrap(), LINE, DELAY);
            net.connect(station, bridge, LINE, DELAY);
        })(spec);
        spec.flows[0].source = spec.topology.find("h").unwrap();
    });
    assert!(outcome.flows[0].delivered_frames > 0 && outcome.fabric.cells > 0);
}

#[test]
fn buffers_of_any_size_can_be_counted() {
    let most = "a buffer can have at most 2147483648 units";
    assert_eq!(fault(bridges(|cioq| cioq.input_buffer = Bytes::new(1 << 40))), most);
    assert_eq!(fault(|spec| spec.buffer = Bytes::new(1 << 40)), most);
    runs(bridges(|cioq| cioq.input_buffer = Bytes::new(1 << 39)));
    let words = "an input buffer can have at most 16777216 units if each has a word in the culprit array";
    let large = |units: u64| {
        move |spec: &mut Spec| {
            bridges(|cioq| cioq.input_buffer = Bytes::new(256 * units))(spec);
            occupancy(spec);
        }
    };
    assert_eq!(fault(large((1 << 24) + 1)), words);
    runs(large(1 << 16));
}

#[test]
fn internal_delays_beyond_the_range_of_time_are_refused() {
    let slow = TimedChange { at: Time::ZERO, change: Change::PortRate(PortId(0), Rate::MIN) };
    let beyond = [
        with(bridges(|cioq| cioq.control_delay = TimeDelta::MAX)),
        with(|spec| {
            occupancy(spec);
            spec.control.keep_alive = Some(Bytes::new(u64::MAX));
        }),
        with(|spec| {
            bridges(|cioq| cioq.cells.spine_input = u32::MAX)(spec);
            spec.flow_control = FlowControl::None;
            spec.changes.push(slow);
        }),
    ];
    for spec in beyond {
        assert!(matches!(validate(&spec), Err(SpecError::BeyondTime(_))), "{:?}", validate(&spec));
    }
    runs(bridges(|cioq| cioq.control_delay = TimeDelta::from_secs(1_000)));
    runs(bridges(|cioq| cioq.control_delay = TimeDelta::ZERO));
}

#[test]
fn odd_sizes_run() {
    for (payload, header, spraying) in [
        (1, 0, Spraying::RoundRobin),
        (1, 65_534, Spraying::Random),
        (65_535, 0, Spraying::Random),
        (7, 3, Spraying::RoundRobin),
    ] {
        let outcome = runs(|spec| {
            fabric(|_| ())(spec);
            bridges(|cioq| {
                (cioq.cells.payload, cioq.cells.header) = (Bytes::new(payload), Bytes::new(header));
                cioq.cells.spraying = spraying;
                cioq.unit = Bytes::new(payload.min(256));
                cioq.input_buffer = Bytes::new(200_000);
            })(spec);
            spec.buffer = Bytes::new(200_000);
        });
        let cells = 1_000u64.div_ceil(payload);
        assert_eq!(outcome.fabric.cells % cells, 0, "cells of {payload} B");
        assert!(outcome.fabric.cells > 0);
    }
}
