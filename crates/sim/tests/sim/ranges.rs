//! Extreme specs: each one is rejected or runs to its end.

use crate::support;
use crate::support::{LINE, flow, pfc, qcn_control, spec};
use setpoint_control::ReactionPointParams;
use setpoint_control::parameter::Percent;
use setpoint_sim::topology::Star;
use setpoint_sim::traffic::{Arrival, Silence, SizeDistribution, Traffic};
use setpoint_sim::{Change, FlowControl, NodeId, Outcome, PortId, Spec, SpecError, TimedChange, Unwatched};
use setpoint_sim::{SimError, simulate, validate};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

fn plain() -> Spec {
    let net = Star { stations: 3, rate: LINE, delay: TimeDelta::from_micros(1) }.build();
    let stations: Vec<_> = net.stations().collect();
    let flows = stations[..2].iter().map(|&from| flow(from, stations[2], Traffic::Backlogged)).collect();
    let mut spec = spec(net, flows, TimeDelta::from_millis(1));
    spec.control = qcn_control();
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

#[test]
fn impossible_frame_lengths_are_refused() {
    for bytes in [0, 65_536, 70_000] {
        let size = Bytes::new(bytes);
        let error = refused(|spec| spec.control.notification_size = size);
        assert_eq!(error, SpecError::NotificationSize(size));
    }
    let overhead = Bytes::new(65_536);
    assert_eq!(refused(|spec| spec.overhead = overhead), SpecError::Overhead(overhead));
    let longest = Bytes::new(65_535);
    runs(|spec| {
        spec.overhead = longest;
        spec.control.notification_size = longest;
        spec.flows[0].frame = longest;
    });
}

#[test]
fn traffic_of_nothing_is_refused() {
    let poisson = |sizes| Traffic::Poisson { mean_gap: TimeDelta::from_micros(1), sizes };
    let (none, one) = (Bytes::ZERO, Bytes::new(1));
    let empty = [
        Traffic::Message { size: none },
        Traffic::OnOff { burst: none, offered: LINE, silence: Silence::Fixed },
        Traffic::Poisson { mean_gap: TimeDelta::ZERO, sizes: SizeDistribution::Fixed(one) },
        poisson(SizeDistribution::Fixed(none)),
        poisson(SizeDistribution::Exponential(none)),
        poisson(SizeDistribution::Uniform(none, one)),
        poisson(SizeDistribution::Uniform(Bytes::new(2), one)),
        poisson(SizeDistribution::Pareto { mean: one, shape: 1.0, bound: None }),
        poisson(SizeDistribution::Pareto { mean: one, shape: f64::NAN, bound: None }),
    ];
    let listed = |messages: &[(u64, u64)]| {
        let arrival = |&(nanos, size): &(u64, u64)| Arrival {
            after: TimeDelta::from_nanos(nanos),
            size: Bytes::new(size),
        };
        Traffic::Schedule(messages.iter().map(arrival).collect())
    };
    let lists = [listed(&[]), listed(&[(0, 1), (1, 0)]), listed(&[(2, 1), (1, 1)])];
    for traffic in empty.into_iter().chain(lists) {
        let error = refused(|spec| spec.flows[1].traffic = traffic.clone());
        assert!(matches!(error, SpecError::Traffic(..)), "{traffic:?}: {error}");
    }
}

#[test]
fn durations_beyond_the_range_of_time_are_refused() {
    let slow = Change::PortRate(PortId(5), Rate::MIN);
    let beyond = [
        with(|spec| spec.duration = TimeDelta::MAX),
        with(|spec| spec.control.reaction_delay = TimeDelta::MAX),
        with(|spec| {
            spec.buffer = Bytes::new(10_000_000);
            spec.changes.push(TimedChange { at: Time::ZERO, change: slow });
        }),
        with(|spec| {
            spec.flow_control = pfc();
            spec.changes.push(TimedChange { at: Time::ZERO, change: slow });
        }),
        with(|spec| spec.topology = Star { stations: 3, rate: LINE, delay: TimeDelta::MAX }.build()),
    ];
    for spec in beyond {
        assert!(matches!(validate(&spec), Err(SpecError::BeyondTime(_))), "{:?}", validate(&spec));
    }
}

#[test]
fn a_rate_of_one_bit_per_second_is_merely_slow() {
    let at = Time::ZERO + TimeDelta::from_micros(10);
    let outcome =
        runs(|spec| spec.changes.push(TimedChange { at, change: Change::PortRate(PortId(5), Rate::MIN) }));
    assert!(outcome.queues.iter().any(|queue| queue.peak > Bytes::new(149_000)));
}

#[test]
fn flows_that_begin_at_the_end_of_time_never_send() {
    let outcome = runs(|spec| {
        spec.flows[0].start = Time::MAX;
        spec.flows[1].traffic =
            Traffic::Poisson { mean_gap: TimeDelta::MAX, sizes: SizeDistribution::Fixed(Bytes::new(1)) };
    });
    assert_eq!(outcome.packet_hops, 0);
}

#[test]
fn parameters_out_of_range_are_refused() {
    let wide = |spec: &mut Spec| {
        let ReactionPointParams::Qcn(params) = &mut spec.control.reaction_point else { unreachable!() };
        params.jitter = Percent::new(200);
    };
    assert!(matches!(refused(wide), SpecError::Parameter(_)));
    let later = |spec: &mut Spec| {
        let mut other = with(wide);
        let change = Change::ReactionPoint(other.control.reaction_point);
        std::mem::swap(spec, &mut other);
        spec.control = qcn_control();
        spec.changes.push(TimedChange { at: Time::ZERO, change });
    };
    assert!(matches!(refused(later), SpecError::Parameter(_)));
}

#[test]
fn measurement_begins_before_the_end() {
    let late = Time::from_picos(TimeDelta::from_millis(1).as_picos() + 1);
    assert_eq!(refused(|spec| spec.measure_from = late), SpecError::NothingMeasured(late));
    let outcome = runs(|spec| spec.measure_from = Time::ZERO + spec.duration);
    assert!(outcome.ports.iter().all(|port| port.busy.is_zero()));
}

#[test]
fn stations_that_do_not_exist_are_refused() {
    let nowhere = NodeId(99);
    let error = refused(|spec| spec.flows[0].source = nowhere);
    assert!(matches!(error, SpecError::NotAStation(_, node) if node == nowhere));
}

/// The standard deviation is computed from squared lengths, and a queue may be longer than 2^32 bytes.
#[test]
fn a_queue_of_more_than_four_gigabytes_has_statistics() {
    let fast = Rate::from_gbps(100_000);
    let outcome = runs(|spec| {
        spec.topology = Star { stations: 3, rate: fast, delay: TimeDelta::ZERO }.build();
        spec.buffer = Bytes::new(100_000_000_000);
        spec.flow_control = FlowControl::None;
        spec.control = support::no_control();
        for flow in &mut spec.flows {
            flow.frame = Bytes::new(65_535);
        }
        let change = Change::PortRate(PortId(5), Rate::from_mbps(1));
        spec.changes.push(TimedChange { at: Time::ZERO, change });
    });
    let length = &outcome.queues[0].length;
    // The queue grows steadily from zero to 25 GB.
    assert!((length.mean / 12.5e9 - 1.0).abs() < 0.01, "{}", length.mean);
    assert!((length.deviation / (25e9 / 12f64.sqrt()) - 1.0).abs() < 0.01, "{}", length.deviation);
}
