//! Memory use that must not grow with the duration of an overload or with the square of the
//! network size.

use proptest::prelude::*;
use setpoint_sim::topology::Star;
use setpoint_sim::traffic::{SizeDistribution, Traffic};
use setpoint_sim::{
    Decision, FlowSpec, MemoryPart, MessageOrder, Monitor, SimError, Spec, Unwatched, memory_of, simulate,
};
use setpoint_units::{Bytes, Time, TimeDelta};

use crate::counted::counted;
use crate::support::{LINE, dumbbell, flow, pfc, qcn_control, spec};

fn poisson(gap_nanos: u64, bytes: u64) -> Traffic {
    let sizes = SizeDistribution::Fixed(Bytes::new(bytes));
    Traffic::Poisson { mean_gap: TimeDelta::from_nanos(gap_nanos), sizes }
}

fn star(stations: u32) -> setpoint_sim::Topology {
    Star { stations, rate: LINE, delay: TimeDelta::from_micros(1) }.build()
}

/// Maximum number of bytes per kept message; up to a million messages are kept.
const KEPT: u64 = 256;

/// 1.6 million messages arrive, and 25 000 are delivered.
#[test]
fn waiting_messages_take_no_memory_unless_kept() {
    let net = star(9);
    let stations: Vec<_> = net.stations().collect();
    let flows = stations[..8].iter().map(|&from| flow(from, stations[8], poisson(100, 1_000))).collect();
    let spec = Spec { flow_control: pfc(), ..spec(net, flows, TimeDelta::from_millis(20)) };
    let (outcome, run) = counted(|| simulate(&spec, &mut Unwatched).unwrap());
    let unfinished = outcome.message_counts.total().unfinished;
    assert!(unfinished > 1_500_000, "{unfinished}");
    assert!(run.peak < 8_000_000 + 1_000_000 * KEPT, "{}", run.peak);
}

/// Three million messages arrive, of which a million are kept, although nearly all are still waiting at the end or when their flow
/// stops.
#[test]
fn waiting_messages_beyond_those_kept_take_no_memory() {
    let net = star(3);
    let stations: Vec<_> = net.stations().collect();
    for stop in [None, Some(Time::from_picos(25_000_000_000))] {
        let flow = |from| FlowSpec { stop, ..flow(from, stations[2], poisson(20, 1_000)) };
        let flows = stations[..2].iter().map(|&from| flow(from)).collect();
        let spec = spec(net.clone(), flows, TimeDelta::from_millis(30));
        let estimate = memory_of(&spec).unwrap().total().get();
        let (outcome, run) = counted(|| simulate(&spec, &mut Unwatched).unwrap());
        assert!(outcome.message_counts.total().unfinished > 2_000_000);
        assert!(run.peak <= estimate, "{} were used, {estimate} estimated", run.peak);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// The estimate is an upper bound for any offered load and message order, with or without loss.
    #[test]
    fn an_overload_takes_no_more_than_its_estimate(
        (senders, gap, bytes) in (1usize..4, 20u64..3_000, 1u64..20_000),
        (independent, lossless, controlled) in any::<(bool, bool, bool)>(),
        stop in proptest::option::of(1u64..3_000),
    ) {
        let net = star(senders as u32 + 1);
        let stations: Vec<_> = net.stations().collect();
        let flow = |from| FlowSpec {
            messages: if independent { MessageOrder::Independent } else { MessageOrder::InOrder },
            stop: stop.map(|micros| Time::ZERO + TimeDelta::from_micros(micros)),
            ..flow(from, stations[senders], poisson(gap, bytes))
        };
        let flows = stations[..senders].iter().map(|&from| flow(from)).collect();
        let mut spec = spec(net, flows, TimeDelta::from_millis(3));
        if lossless {
            spec.flow_control = pfc();
        }
        if controlled {
            spec.control = qcn_control();
        }
        let estimate = memory_of(&spec).unwrap().total().get();
        let (_, run) = counted(|| simulate(&spec, &mut Unwatched).unwrap());
        prop_assert!(run.peak <= estimate, "{} were used, {estimate} estimated", run.peak);
    }
}

/// Frames of 3 kB never fit into the queue, which two line-rate senders fill with short frames.
#[test]
fn losses_of_a_flow_that_delivers_nothing_take_no_memory_except_messages() {
    let net = star(4);
    let stations: Vec<_> = net.stations().collect();
    let mut flows: Vec<_> =
        stations[..2].iter().map(|&from| flow(from, stations[3], Traffic::Backlogged)).collect();
    let starved = flow(stations[2], stations[3], poisson(2_000, 3_000));
    flows.push(setpoint_sim::FlowSpec {
        frame: Bytes::new(3_000),
        start: Time::from_picos(100_000_000),
        ..starved
    });
    let spec = Spec { buffer: Bytes::new(3_000), ..spec(net, flows, TimeDelta::from_millis(200)) };
    let (outcome, run) = counted(|| simulate(&spec, &mut Unwatched).unwrap());
    assert_eq!(outcome.flows[2].delivered_frames, 0);
    let damaged = outcome.message_counts.total().damaged;
    assert!(damaged > 50_000, "{damaged}");
    assert!(run.peak < 300_000 + damaged * KEPT, "{}", run.peak);
}

/// A monitor with a memory limit.
struct Within(Bytes);

impl Monitor for Within {
    fn progress(&mut self, _now: Time, _events: u64) -> Decision {
        Decision::Continue
    }

    fn memory_limit(&self) -> Option<Bytes> {
        Some(self.0)
    }
}

#[test]
fn a_run_that_exceeds_its_limit_stops_with_a_reason() {
    let mut spec = dumbbell(4, TimeDelta::from_micros(5), TimeDelta::from_millis(40));
    spec.sample_interval = TimeDelta::from_micros(10);
    let error = simulate(&spec, &mut Within(Bytes::new(400_000))).unwrap_err();
    let SimError::OutOfMemory { at, used, most, part, .. } = error else { panic!("{error}") };
    assert!(at > Time::ZERO && used > Bytes::new(400_000) && part <= used);
    assert_eq!(most, MemoryPart::Series);
    assert!(error.to_string().contains("`sample_interval`"), "{error}");
    simulate(&spec, &mut Within(Bytes::new(40_000_000))).unwrap();
}

/// Each station sends to the next: building a network of twice the size takes twice the memory, not four
/// times.
#[test]
fn building_is_linear_in_the_network() {
    let asked = |stations: u32| {
        let net = star(stations);
        let all: Vec<_> = net.stations().collect();
        let next = |place: usize| all[(place + 1) % all.len()];
        let flows = all.iter().enumerate().map(|(place, &from)| flow(from, next(place), Traffic::Backlogged));
        let spec =
            Spec { flow_control: pfc(), ..spec(net.clone(), flows.collect(), TimeDelta::from_nanos(1)) };
        counted(|| simulate(&spec, &mut Unwatched).unwrap()).1.asked as f64
    };
    let (once, twice) = (asked(2_000), asked(4_000));
    assert!((1.8..2.2).contains(&(twice / once)), "{once} and {twice}");
}

/// The largest star network that a scenario can describe.
#[test]
fn a_hundred_thousand_stations_are_built() {
    let net = star(99_999);
    let all: Vec<_> = net.stations().collect();
    let flows = all.windows(2).map(|pair| flow(pair[0], pair[1], Traffic::Backlogged)).collect();
    let spec = spec(net, flows, TimeDelta::from_nanos(1));
    let (outcome, run) = counted(|| simulate(&spec, &mut Unwatched).unwrap());
    assert_eq!(outcome.flows.len(), 99_998);
    assert!(run.peak < 600_000_000, "{}", run.peak);
}
