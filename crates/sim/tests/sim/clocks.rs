//! Clock offsets: a station's own clock times its transmissions.

use crate::support;
use crate::support::{DATA, flow, spec};
use setpoint_control::parameter::{Percent, Switch};
use setpoint_control::{ReactionPointParams, qcn};
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{
    Bridges, Change, Clock, FlowControl, Headroom, Outcome, PauseParams, PauseResponse, PrioritySet, Spec,
    SpecError, TimedChange, Topology, Unwatched, link_budgets, port_rate, simulate,
};
use setpoint_units::{Bytes, PartsPerMillion, Rate, Time, TimeDelta};

const LINE: Rate = Rate::from_gbps(10);

fn run(spec: &Spec) -> Outcome {
    simulate(spec, &mut Unwatched).unwrap_or_else(|error| panic!("{error}"))
}

/// `count` senders, each on its own port of a bridge, with one receiver each.
fn pairs(count: usize, traffic: &Traffic, duration: TimeDelta) -> Spec {
    let mut net = Topology::new();
    let bridge = net.bridge("bridge", 1);
    let mut flows = Vec::new();
    for index in 0..count {
        let from = net.station(format!("s{index}"), 0);
        let to = net.station(format!("r{index}"), 2);
        net.connect(from, bridge, LINE, TimeDelta::ZERO);
        net.connect(bridge, to, Rate::from_gbps(40), TimeDelta::ZERO);
        flows.push(flow(from, to, traffic.clone()));
    }
    Spec { clock_tolerance: PartsPerMillion::new(100), ..spec(net, flows, duration) }
}

/// The relative offset of the clock of a flow's source.
fn offset(spec: &Spec, flow: usize) -> f64 {
    f64::from(Clock::of(spec, spec.flows[flow].source).offset_billionths()) / 1e9
}

fn sent(outcome: &Outcome, flow: usize) -> f64 {
    outcome.flows[flow].sent_frames as f64
}

#[test]
fn offsets_are_within_the_tolerance_and_follow_the_seed() {
    let spec = pairs(200, &Traffic::Backlogged, TimeDelta::from_micros(1));
    let offsets = |spec: &Spec| (0..200).map(|flow| offset(spec, flow)).collect::<Vec<_>>();
    let drawn = offsets(&spec);
    assert!(drawn.iter().all(|offset| offset.abs() <= 1e-4), "{drawn:?}");
    // Offsets are uniform: the mean of 200 of them has a standard error of 4 ppm. The mean absolute
    // value is 50 ppm, with a standard error of 2 ppm.
    let mean = drawn.iter().sum::<f64>() / 200.0;
    let distance = drawn.iter().map(|offset| offset.abs()).sum::<f64>() / 200.0;
    assert!(mean.abs() < 16e-6 && (distance - 50e-6).abs() < 8e-6, "{mean} {distance}");
    assert_eq!(drawn, offsets(&spec));
    assert_ne!(drawn, offsets(&Spec { seed: spec.seed + 1, ..spec.clone() }));
    // Bridge clocks are exact.
    assert_eq!(Clock::of(&spec, spec.topology.find("bridge").unwrap()), Clock::EXACT);
}

/// In 100 ms at 10 Gb/s, a station sends 125 000 frames of 1000 B, and up to 12.5 more or fewer with an offset of up to ±100
/// ppm.
#[test]
fn a_backlogged_station_sends_by_its_clock() {
    let spec = pairs(16, &Traffic::Backlogged, TimeDelta::from_millis(100));
    let outcome = run(&spec);
    for flow in 0..16 {
        let expected = 125_000.0 * (1.0 + offset(&spec, flow));
        // The station starts within its first frame time, and a frame counts as sent when its transmission begins.
        assert!((sent(&outcome, flow) - expected).abs() <= 1.0, "{} for {expected}", sent(&outcome, flow));
    }
}

/// The same holds if a frame time is not a whole number of picoseconds, as at 30 Gb/s, after a rate
/// change.
#[test]
fn a_rate_that_changes_is_timed_by_the_clock_too() {
    let mut spec = pairs(8, &Traffic::Backlogged, TimeDelta::from_millis(100));
    for flow in 0..8 {
        let port = spec.topology.ports().find(|&port| spec.topology.source(port) == spec.flows[flow].source);
        let rate = Rate::from_gbps(30);
        spec.changes.push(TimedChange {
            at: Time::ZERO + TimeDelta::from_millis(50),
            change: Change::PortRate(port.unwrap(), rate),
        });
    }
    let outcome = run(&spec);
    for flow in 0..8 {
        let expected = (62_500.0 + 187_500.0) * (1.0 + offset(&spec, flow));
        assert!((sent(&outcome, flow) - expected).abs() <= 2.0, "{} for {expected}", sent(&outcome, flow));
    }
}

/// Two sources of 1 Gb/s drift apart at the difference between their offsets: over 2 s, by up to 50
/// of 250 000 frames.
#[test]
fn constant_sources_drift_apart() {
    let traffic = Traffic::Constant { rate: Rate::from_gbps(1) };
    let spec = pairs(2, &traffic, TimeDelta::from_secs(2));
    let outcome = run(&spec);
    let apart = sent(&outcome, 0) - sent(&outcome, 1);
    let expected = 250_000.0 * (offset(&spec, 0) - offset(&spec, 1));
    assert!(expected.abs() > 5.0, "the seed must draw different offsets: {expected}");
    assert!((apart - expected).abs() <= 2.0, "{apart} for {expected}");
}

/// Both a cap and a limiter's rate set a pace.
#[test]
fn a_pace_is_timed_by_the_clock() {
    let mut spec = pairs(8, &Traffic::Backlogged, TimeDelta::from_millis(400));
    spec.flows.iter_mut().for_each(|flow| flow.cap = Some(Rate::from_gbps(3)));
    let outcome = run(&spec);
    for flow in 0..8 {
        let expected = 150_000.0 * (1.0 + offset(&spec, flow));
        assert!((sent(&outcome, flow) - expected).abs() <= 2.0, "{} for {expected}", sent(&outcome, flow));
    }
}

/// The time at which the limiter of the first flow changed its rate after the second flow stopped, in sample intervals.
fn recoveries(spec: &Spec) -> Vec<usize> {
    let limits = &run(spec).flows[0].limit_series;
    let changed = |sample: &usize| limits[*sample].is_some() && limits[*sample] != limits[*sample - 1];
    (600..limits.len()).filter(changed).collect()
}

/// One sender stops, and the other recovers by its timer alone, which expires every 10 ms as
/// measured by its own clock.
#[test]
fn timers_of_reaction_points_run_by_the_clock() {
    let mut spec = support::dumbbell(2, TimeDelta::from_micros(5), TimeDelta::from_millis(100));
    spec.sample_interval = TimeDelta::from_micros(10);
    spec.flows[1].stop = Some(Time::ZERO + TimeDelta::from_millis(5));
    spec.control.reaction_point = ReactionPointParams::Qcn(qcn::RpParams {
        byte_counter: Switch::Off,
        period_halving: Switch::Off,
        jitter: Percent::ZERO,
        time_reset: TimeDelta::from_millis(10),
        ..qcn::RpParams::default()
    });
    let gap = |spec: &Spec| {
        let at = recoveries(spec);
        assert!(at.len() >= 5, "{at:?}");
        (at[4] - at[0]) as f64 / 4.0
    };
    assert!((gap(&spec) - 1_000.0).abs() <= 0.5, "{}", gap(&spec));
    for seed in 1..=4 {
        let off = Spec { clock_tolerance: PartsPerMillion::new(10_000), seed, ..spec.clone() };
        let expected = 1_000.0 / (1.0 + offset(&off, 0));
        assert!((expected - 1_000.0).abs() > 0.5, "the seed must draw a visible offset: {expected}");
        assert!((gap(&off) - expected).abs() <= 0.5, "{} for {expected}", gap(&off));
    }
}

#[test]
fn without_a_tolerance_nothing_changes_and_with_one_everything_does() {
    let exact = support::dumbbell(4, TimeDelta::from_micros(5), TimeDelta::from_millis(20));
    assert_eq!(exact.clock_tolerance, PartsPerMillion::ZERO);
    let off = Spec { clock_tolerance: PartsPerMillion::new(100), ..exact.clone() };
    assert_eq!(run(&exact), run(&exact));
    assert_eq!(run(&off), run(&off));
    assert_ne!(run(&exact), run(&off));
}

/// Four backlogged senders into one link without control. With equal clocks, the sender whose frames arrive
/// just when buffer space becomes free gets the whole link forever. With offsets the senders drift past each other,
/// and each gets a share.
#[test]
fn offsets_undo_the_order_of_equal_clocks() {
    for seed in 1..=4 {
        let dumbbell = support::dumbbell(4, TimeDelta::from_micros(5), TimeDelta::from_millis(300));
        let measure_from = Time::ZERO + TimeDelta::from_millis(50);
        let exact = Spec { control: support::no_control(), measure_from, seed, ..dumbbell };
        let shares = |spec: &Spec| {
            let delivered: Vec<f64> =
                run(spec).flows.iter().map(|flow| flow.delivered_measured.get() as f64).collect();
            let all: f64 = delivered.iter().sum();
            delivered.into_iter().map(|bytes| bytes / all).collect::<Vec<f64>>()
        };
        let largest = |shares: &[f64]| shares.iter().copied().fold(0.0, f64::max);
        assert!(largest(&shares(&exact)) > 0.99, "{seed}: {:?}", shares(&exact));
        let off = Spec { clock_tolerance: PartsPerMillion::new(100), ..exact };
        assert!(largest(&shares(&off)) < 0.5, "{seed}: {:?}", shares(&off));
    }
}

/// The computed headroom includes the port's clock offset: an incast with large offsets loses nothing.
#[test]
fn headroom_covers_fast_clocks() {
    for seed in 0..20 {
        let mut net = Topology::new();
        let bridge = net.bridge("bridge", 1);
        let sink = net.station("sink", 2);
        net.connect(bridge, sink, LINE, TimeDelta::from_micros(2));
        let mut flows = Vec::new();
        for index in 0..6 {
            let from = net.station(format!("s{index}"), 0);
            net.connect(from, bridge, LINE, TimeDelta::from_micros(5));
            flows.push(flow(from, sink, Traffic::Backlogged));
        }
        let params = PauseParams {
            xoff: Bytes::new(20_000),
            xon: Bytes::new(10_000),
            headroom: Headroom::Automatic,
            quanta: 65_535,
            response: PauseResponse::IMMEDIATE,
        };
        let spec = Spec {
            flow_control: FlowControl::Pfc(params, PrioritySet::only(DATA)),
            bridges: Bridges::OutputQueued,
            clock_tolerance: PartsPerMillion::new(10_000),
            seed,
            ..spec(net, flows, TimeDelta::from_millis(3))
        };
        let outcome = simulate(&spec, &mut Unwatched);
        assert!(outcome.is_ok(), "{seed}: {outcome:?}");
        let port = spec.topology.find_port("s0->bridge").unwrap();
        let exact = Spec { clock_tolerance: PartsPerMillion::ZERO, ..spec.clone() };
        let fast = port_rate(&spec, port, LINE) > LINE;
        let needed = |spec: &Spec| {
            let budgets = link_budgets(spec).unwrap();
            budgets.iter().find(|budget| budget.port == port).unwrap().needed.total()
        };
        assert_eq!(needed(&spec) > needed(&exact), fast, "{seed}");
    }
}

#[test]
fn a_tolerance_beyond_any_clock_is_refused() {
    let tolerance = PartsPerMillion::from_billionths(10_000_001);
    let spec =
        Spec { clock_tolerance: tolerance, ..pairs(1, &Traffic::Backlogged, TimeDelta::from_micros(1)) };
    assert_eq!(setpoint_sim::validate(&spec), Err(SpecError::ClockTolerance(tolerance)));
}
