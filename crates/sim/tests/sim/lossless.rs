//! With flow control, nothing is ever lost; with too little buffer space, the run stops with an error.

use crate::support::{DATA, LINE, cycle_is_silent, flow, no_control, pfc, qcn_control, spec, thresholds};
use proptest::prelude::*;
use setpoint_sim::topology::{FatTree, LeafSpine, Star};
use setpoint_sim::traffic::{SizeDistribution, Traffic};
use setpoint_sim::{
    Change, ControlSpec, FlowControl, FlowSpec, Headroom, HeadroomParts, NodeId, PauseParams, PauseResponse,
    PrioritySet, SimError, Spec, TimedChange, Topology, Unwatched, link_budgets, simulate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// A random tree of bridges with a few additional links, and stations at random bridges.
fn random_network(
    bridges: u32,
    links: &[(u32, u32)],
    stations: &[u32],
    rates: &[u64],
    delays: &[u64],
) -> Topology {
    let mut net = Topology::new();
    let ids: Vec<NodeId> = (0..bridges).map(|index| net.bridge(format!("b{index}"), 1)).collect();
    let mut count = 0usize;
    let mut property = move || {
        count += 1;
        (Rate::from_gbps(rates[count % rates.len()]), TimeDelta::from_nanos(delays[count % delays.len()]))
    };
    for index in 1..bridges {
        let (rate, delay) = property();
        net.connect(ids[(index / 2) as usize], ids[index as usize], rate, delay);
    }
    for &(a, b) in links {
        if a % bridges != b % bridges {
            let (rate, delay) = property();
            net.connect(ids[(a % bridges) as usize], ids[(b % bridges) as usize], rate, delay);
        }
    }
    for (index, &at) in stations.iter().enumerate() {
        let station = net.station(format!("h{index}"), 0);
        let (rate, delay) = property();
        net.connect(station, ids[(at % bridges) as usize], rate, delay);
    }
    net
}

fn traffic(kind: u8) -> Traffic {
    match kind % 4 {
        0 => Traffic::Backlogged,
        1 => Traffic::Constant { rate: Rate::from_gbps(3) },
        2 => Traffic::OnOff {
            burst: Bytes::new(40_000),
            offered: Rate::from_gbps(4),
            silence: setpoint_sim::traffic::Silence::Exponential,
        },
        _ => Traffic::Poisson {
            mean_gap: TimeDelta::from_micros(20),
            sizes: SizeDistribution::Uniform(Bytes::new(1), Bytes::new(30_000)),
        },
    }
}

/// Whether pauses are always renewed before they expire, regardless of traffic in the opposite
/// direction.
fn pauses_last(spec: &Spec) -> bool {
    match spec.flow_control {
        FlowControl::None => false,
        FlowControl::Pause(params) | FlowControl::Pfc(params, _) => params.quanta == u16::MAX,
    }
}

fn delivers_everything(spec: &Spec) -> Result<(), TestCaseError> {
    match simulate(spec, &mut Unwatched) {
        Ok(outcome) => {
            let dropped: u64 = outcome.flows.iter().map(|flow| flow.dropped_frames).sum();
            prop_assert_eq!(dropped, 0);
            prop_assert!(outcome.flows.iter().any(|flow| flow.delivered_frames > 0));
            if pauses_last(spec) {
                cycle_is_silent(&outcome);
            }
            Ok(())
        }
        Err(error) => Err(TestCaseError::fail(error.to_string())),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Random networks, random traffic, PAUSE or PFC, with or without QCN, changing rates: no frame is lost,
    /// and the books balance at every sample. Trees cannot deadlock; links that close a cycle may cause one,
    /// and then nothing moves, but nothing is lost either.
    #[test]
    fn nothing_is_lost(
        bridges in 1u32..6,
        links in proptest::collection::vec((0u32..6, 0u32..6), 0..3),
        stations in proptest::collection::vec(0u32..6, 3..9),
        rates in proptest::collection::vec(prop_oneof![Just(1u64), Just(10), Just(25)], 1..4),
        delays in proptest::collection::vec(0u64..20_000, 1..4),
        kinds in proptest::collection::vec((0u8..4, 64u64..9_000), 2..12),
        whole_link: bool,
        controlled: bool,
        quanta in prop_oneof![Just(65_535u16), 200u16..2_000],
        drop_rate_at in proptest::option::of(100u64..900),
        overhead in prop_oneof![Just(0u64), Just(20)],
        seed: u64,
    ) {
        let net = random_network(bridges, &links, &stations, &rates, &delays);
        let ids: Vec<_> = net.stations().collect();
        let flows: Vec<FlowSpec> = kinds
            .iter()
            .enumerate()
            .map(|(index, &(kind, frame))| {
                // Most flows meet at the first station: incast.
                let sink = if index % 3 == 2 { ids[(index + 1) % ids.len()] } else { ids[0] };
                let source = ids[1 + index % (ids.len() - 1)];
                let sink = if sink == source { ids[0] } else { sink };
                FlowSpec { frame: Bytes::new(frame), ..flow(source, sink, traffic(kind)) }
            })
            .collect();
        let mut spec = spec(net, flows, TimeDelta::from_millis(2));
        spec.sample_interval = TimeDelta::from_micros(100);
        let params = PauseParams { quanta, ..thresholds() };
        spec.flow_control =
            if whole_link { FlowControl::Pause(params) } else { FlowControl::Pfc(params, PrioritySet::only(DATA)) };
        spec.control = if controlled { qcn_control() } else { no_control() };
        spec.overhead = Bytes::new(overhead);
        spec.seed = seed;
        if let Some(micros) = drop_rate_at {
            let at = Time::ZERO + TimeDelta::from_micros(micros);
            for port in spec.topology.ports().collect::<Vec<_>>() {
                spec.changes.push(TimedChange { at, change: Change::PortRate(port, Rate::from_mbps(700)) });
            }
        }
        delivers_everything(&spec)?;
    }
}

fn incast(net: Topology, sink: usize) -> Spec {
    let stations: Vec<_> = net.stations().collect();
    let pairs = setpoint_sim::traffic::matrix::incast(&stations, stations[sink]);
    let flows = pairs.iter().map(|&(source, sink)| flow(source, sink, Traffic::Backlogged)).collect();
    let mut spec = spec(net, flows, TimeDelta::from_millis(3));
    spec.flow_control = pfc();
    spec
}

#[test]
fn incast_through_three_tiers_fills_the_sink_and_loses_nothing() {
    let delay = TimeDelta::from_micros(1);
    let fabrics = [
        FatTree { k: 4, rate: LINE, delay }.build(),
        LeafSpine {
            leaves: 4,
            spines: 2,
            stations_per_leaf: 4,
            access_rate: LINE,
            fabric_rate: LINE,
            access_delay: delay,
            fabric_delay: delay,
        }
        .build(),
    ];
    for net in fabrics {
        for control in [no_control(), qcn_control()] {
            let mut spec = incast(net.clone(), 0);
            spec.control = ControlSpec { ..control };
            let outcome = simulate(&spec, &mut Unwatched).unwrap();
            assert_eq!(outcome.flows.iter().map(|flow| flow.dropped_frames).sum::<u64>(), 0);
            let pauses: u64 = outcome.ports.iter().map(|port| port.pauses).sum();
            assert!(pauses > 0, "flow control never acted");
            let delivered: u64 = outcome.flows.iter().map(|flow| flow.delivered.get()).sum();
            let line = (LINE * TimeDelta::from_millis(3)).get();
            assert!(delivered as f64 > 0.99 * line as f64, "{delivered} of {line} bytes");
        }
    }
}

#[test]
fn without_flow_control_the_same_incast_drops() {
    let mut spec = incast(Star { stations: 9, rate: LINE, delay: TimeDelta::from_micros(1) }.build(), 8);
    spec.flow_control = FlowControl::None;
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    assert!(outcome.flows.iter().map(|flow| flow.dropped_frames).sum::<u64>() > 0);
}

#[test]
fn too_little_headroom_stops_the_run_with_place_and_time() {
    let mut spec = incast(Star { stations: 9, rate: LINE, delay: TimeDelta::from_micros(5) }.build(), 8);
    let params = PauseParams { headroom: Headroom::Fixed(Bytes::new(3_000)), ..thresholds() };
    spec.flow_control = FlowControl::Pfc(params, PrioritySet::only(DATA));
    let error = simulate(&spec, &mut Unwatched).unwrap_err();
    let SimError::Lost { at, room, occupied, priority, .. } = error else { panic!("{error}") };
    assert!(at > Time::ZERO);
    assert_eq!((room, priority), (Bytes::new(33_000), DATA));
    assert!(occupied + Bytes::new(1_000) > room);
}

/// Calculated by hand: 1 000 of 1 020 B on the link are data. A pause frame of 84 B waits for another frame of this
/// length and is then sent; each takes 67.2 ns. The cable takes 1 us each way, during which 2 500 B are sent.
#[test]
fn headroom_is_the_sum_of_its_parts() {
    let mut spec = incast(Star { stations: 3, rate: LINE, delay: TimeDelta::from_micros(1) }.build(), 2);
    spec.overhead = Bytes::new(20);
    let budgets = link_budgets(&spec).unwrap();
    let names: Vec<String> = budgets.iter().map(|budget| spec.topology.port_name(budget.port)).collect();
    assert_eq!(names, ["h1->bridge", "h2->bridge"]);
    let parts = HeadroomParts {
        crossing: Bytes::new(1_000),
        waiting: Bytes::new(83),
        pause_frame: Bytes::new(83),
        propagation: Bytes::new(2_451),
        interface: Bytes::ZERO,
        response: Bytes::ZERO,
        begun: Bytes::new(1_000),
        lapses: Bytes::ZERO,
    };
    assert_eq!((budgets[0].needed, budgets[0].given), (parts, Bytes::new(4_617)));
    assert_eq!((budgets[0].room(), budgets[0].counters), (Bytes::new(34_617), 1));
    // A flow of long frames to the sender, of any priority, delays its pause frames.
    let ids: Vec<NodeId> = spec.topology.stations().collect();
    let frame = Bytes::new(9_216);
    let priority = setpoint_sim::Priority::new(0).unwrap();
    spec.flows.push(FlowSpec { frame, priority, ..flow(ids[2], ids[0], Traffic::Backlogged) });
    let budgets = link_budgets(&spec).unwrap();
    assert_eq!(budgets[0].needed.waiting, Bytes::new(9_055));
    assert_eq!(budgets[1].needed.waiting, Bytes::new(83));
}

/// Calculated by hand, at 10 Gb/s, where 1 000 of 1 020 B on the link are data: interfaces delay each direction by 400 ns,
/// during which 500 B are sent. IEEE 802.3 allows 60 quanta, 3 072 ns, from connector to connector, of which 400 ns are in
/// the interface.
#[test]
fn interfaces_and_the_response_of_the_sender_are_parts_of_their_own() {
    let mut spec = incast(Star { stations: 3, rate: LINE, delay: TimeDelta::from_micros(1) }.build(), 2);
    spec.overhead = Bytes::new(20);
    let without = link_budgets(&spec).unwrap()[0].needed;
    spec.topology.add_interface_delays(|_| TimeDelta::from_nanos(400));
    let params = PauseParams { response: PauseResponse::Ieee8023, ..thresholds() };
    spec.flow_control = FlowControl::Pfc(params, PrioritySet::only(DATA));
    let with = link_budgets(&spec).unwrap()[0];
    assert_eq!(with.response, TimeDelta::from_nanos(2_672));
    let (interface, response) = (Bytes::new(981), Bytes::new(3_275));
    assert_eq!(with.needed, HeadroomParts { interface, response, ..without });
}

/// A sender with a response time continues to send for exactly that time: with 10 µs, a link uses 12.5 kB more headroom,
/// and if the headroom is sized for a sender that obeys at once, the run stops at a loss.
#[test]
fn a_slow_sender_uses_the_headroom_of_its_response() {
    let net = Star { stations: 9, rate: LINE, delay: TimeDelta::from_micros(1) }.build();
    let run = |response: PauseResponse, headroom: Headroom| {
        let mut spec = incast(net.clone(), 8);
        let params = PauseParams { response, headroom, ..thresholds() };
        spec.flow_control = FlowControl::Pfc(params, PrioritySet::only(DATA));
        simulate(&spec, &mut Unwatched)
    };
    let slow = PauseResponse::Fixed(TimeDelta::from_micros(10));
    let most =
        |outcome: &setpoint_sim::Outcome| outcome.links.iter().map(|link| link.used.get()).max().unwrap();
    let at_once = run(PauseResponse::IMMEDIATE, Headroom::Automatic).unwrap();
    let late = run(slow, Headroom::Automatic).unwrap();
    let more = most(&late) - most(&at_once);
    assert!((11_000..=14_000).contains(&more), "{more} B more");
    let needed = at_once.links[0].budget.needed.total();
    assert!(matches!(run(slow, Headroom::Fixed(needed)), Err(SimError::Lost { .. })));
}

/// A pause expires after its quanta unless it is renewed: with a short pause time and a slow
/// sink, the run loses no frames, just as with a long pause time.
#[test]
fn short_pauses_are_renewed() {
    let mut spec = incast(Star { stations: 5, rate: LINE, delay: TimeDelta::from_micros(1) }.build(), 4);
    let port = spec.topology.find_port("bridge->h5").unwrap();
    spec.changes.push(TimedChange { at: Time::ZERO, change: Change::PortRate(port, Rate::from_mbps(50)) });
    let params = PauseParams { quanta: 100, ..thresholds() };
    spec.flow_control = FlowControl::Pfc(params, PrioritySet::only(DATA));
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    let paused = outcome.ports.iter().map(|port| port.paused).max().unwrap();
    assert!(paused > TimeDelta::from_micros(2_500), "{paused}");
}

/// A pause is renewed in time even if the paused port has since become faster, so that its quanta
/// expire sooner.
#[test]
fn pauses_are_renewed_when_rates_change() {
    let (slow, sink) = (Rate::from_mbps(500), Rate::from_mbps(100));
    let mut spec = incast(Star { stations: 3, rate: LINE, delay: TimeDelta::from_micros(1) }.build(), 2);
    let port = |name| spec.topology.find_port(name).unwrap();
    let changes = [
        (0, port("bridge->h3"), sink),
        (0, port("h1->bridge"), slow),
        (1_200, port("bridge->h3"), LINE),
        (1_400, port("h1->bridge"), LINE),
        (1_600, port("bridge->h3"), Rate::from_mbps(10)),
    ];
    let change = |(micros, port, rate)| {
        let at = Time::ZERO + TimeDelta::from_micros(micros);
        TimedChange { at, change: Change::PortRate(port, rate) }
    };
    spec.changes = changes.into_iter().map(change).collect();
    spec.duration = TimeDelta::from_millis(40);
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    assert!(outcome.ports.iter().any(|port| port.pauses > 1));
}

/// The series of pauses covers the whole run, regardless of when measurement begins.
#[test]
fn pauses_before_measurement_are_in_the_series() {
    let mut spec = incast(Star { stations: 5, rate: LINE, delay: TimeDelta::from_micros(1) }.build(), 4);
    let whole = simulate(&spec, &mut Unwatched).unwrap();
    assert!(whole.ports.iter().any(|port| !port.paused.is_zero()));
    for micros in [1_000, 1_300, 3_000] {
        spec.measure_from = Time::ZERO + TimeDelta::from_micros(micros);
        let later = simulate(&spec, &mut Unwatched).unwrap();
        for (whole, later) in whole.ports.iter().zip(&later.ports) {
            assert_eq!(whole.paused_series, later.paused_series);
            assert!(later.paused <= spec.duration - TimeDelta::from_micros(micros));
        }
    }
}
