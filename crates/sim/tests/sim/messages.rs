//! Messages with and without lost frames.

use crate::support;
use crate::support::{LINE, flow, spec};
use setpoint_sim::topology::{ParkingLot, Star};
use setpoint_sim::traffic::{Arrival, SizeDistribution, Traffic};
use setpoint_sim::{Change, FlowId, FlowSpec, Outcome, Spec, TimedChange, Unwatched, simulate};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// Messages of one frame each, so that a message is damaged if and only if its frame was dropped.
fn single_frames(gap_nanos: u64) -> Traffic {
    let sizes = SizeDistribution::Fixed(Bytes::new(1_000));
    Traffic::Poisson { mean_gap: TimeDelta::from_nanos(gap_nanos), sizes }
}

fn fates_are_those_of_frames(outcome: &Outcome) {
    let dropped: u64 = outcome.flows.iter().map(|flow| flow.dropped_frames).sum();
    let delivered: u64 = outcome.flows.iter().map(|flow| flow.delivered_frames).sum();
    assert!(dropped > 100, "{dropped} drops");
    assert_eq!(outcome.messages.len() as u64, delivered);
    assert_eq!(outcome.message_counts.total().damaged, dropped);
}

/// Stops the flows early, so that everything in transit arrives before the end.
fn quiet_end(spec: &mut Spec) {
    let at = Time::ZERO + spec.duration - TimeDelta::from_millis(1);
    for flow in &mut spec.flows {
        flow.stop = Some(at);
    }
}

#[test]
fn every_message_that_lost_a_frame_is_damaged_and_no_other() {
    let net = Star { stations: 4, rate: LINE, delay: TimeDelta::from_micros(1) }.build();
    let stations: Vec<_> = net.stations().collect();
    let flows = stations[..3].iter().map(|&from| flow(from, stations[3], single_frames(900))).collect();
    let mut spec = spec(net, flows, TimeDelta::from_millis(10));
    spec.buffer = Bytes::new(5_000);
    quiet_end(&mut spec);
    fates_are_those_of_frames(&simulate(&spec, &mut Unwatched).unwrap());
}

/// If frames are lost at two bridges, a frame sent later may be lost earlier.
#[test]
fn losses_at_several_bridges_are_attributed_correctly() {
    let net = ParkingLot {
        hops: 2,
        stations_per_bridge: 2,
        access_rate: LINE,
        rate: LINE,
        delay: TimeDelta::from_micros(1),
    }
    .build();
    let at = |name| net.find(name).unwrap();
    let flows = vec![
        flow(at("h1.1"), at("h3.1"), single_frames(1_000)),
        flow(at("h1.2"), at("h2.1"), single_frames(1_000)),
        flow(at("h2.2"), at("h3.2"), single_frames(1_000)),
    ];
    let mut spec = spec(net, flows, TimeDelta::from_millis(20));
    spec.buffer = Bytes::new(5_000);
    quiet_end(&mut spec);
    fates_are_those_of_frames(&simulate(&spec, &mut Unwatched).unwrap());
}

#[test]
fn listed_messages_are_delivered_at_their_times() {
    let net = Star { stations: 2, rate: LINE, delay: TimeDelta::from_micros(1) }.build();
    let stations: Vec<_> = net.stations().collect();
    let micros = TimeDelta::from_micros;
    let arrivals = [(0, 1_000), (500, 30_000), (900, 64)]
        .map(|(after, size)| Arrival { after: micros(after), size: Bytes::new(size) });
    let mut listed = flow(stations[0], stations[1], Traffic::Schedule(arrivals.into()));
    listed.start = Time::ZERO + micros(100);
    let spec = spec(net, vec![listed], TimeDelta::from_millis(2));
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    // The flow begins sending within a frame time of its nominal start.
    let first = outcome.messages[0].offered;
    assert!(first.since_start() >= micros(100) && first.since_start() < micros(101));
    let messages: Vec<_> =
        outcome.messages.iter().map(|message| (message.offered - first, message.size.get())).collect();
    assert_eq!(messages, [(micros(0), 1_000), (micros(500), 30_000), (micros(900), 64)]);
}

/// The losses of a message that was cut off do not count as losses of the next message.
#[test]
fn losses_of_a_message_that_was_cut_off_do_not_damage_the_next() {
    let net = Star { stations: 3, rate: LINE, delay: TimeDelta::from_micros(1) }.build();
    let stations: Vec<_> = net.stations().collect();
    let message = Traffic::Message { size: Bytes::new(100_000) };
    let flows = vec![
        flow(stations[0], stations[2], message),
        FlowSpec {
            stop: Some(Time::ZERO + TimeDelta::from_micros(60)),
            frame: Bytes::new(300),
            ..flow(stations[1], stations[2], Traffic::Backlogged)
        },
    ];
    let mut spec = spec(net, flows, TimeDelta::from_millis(2));
    spec.buffer = Bytes::new(3_000);
    let change = |micros, change| TimedChange { at: Time::ZERO + TimeDelta::from_micros(micros), change };
    spec.changes = vec![change(40, Change::StopFlow(FlowId(0))), change(1_000, Change::StartFlow(FlowId(0)))];
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    assert!(outcome.flows[0].dropped_frames > 5);
    assert_eq!(outcome.messages.len(), 1);
    let fates = outcome.message_counts.total();
    assert_eq!((fates.completed, fates.unfinished, fates.damaged), (1, 1, 0));
}

/// A flow whose stop falls within the random spread of starts never runs.
#[test]
fn a_flow_that_stops_before_it_starts_sends_nothing() {
    let net = Star { stations: 2, rate: Rate::from_mbps(1), delay: TimeDelta::ZERO }.build();
    let stations: Vec<_> = net.stations().collect();
    let brief = |start, stop| FlowSpec {
        start: Time::from_picos(start),
        stop: Some(Time::from_picos(stop)),
        ..flow(stations[0], stations[1], Traffic::Backlogged)
    };
    let flows = vec![brief(0, 1), brief(5_000, 5_000), brief(9_000, 500)];
    let spec = spec(net, flows, TimeDelta::from_millis(100));
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    assert_eq!(outcome.packet_hops, 0);
}

/// Messages are listed in order of completion, whichever station was processed first.
#[test]
fn messages_are_in_the_order_of_completion() {
    let net =
        setpoint_sim::topology::Star { stations: 6, rate: support::LINE, delay: TimeDelta::from_micros(1) };
    let net = net.build();
    let stations: Vec<_> = net.stations().collect();
    let traffic = Traffic::Poisson {
        mean_gap: TimeDelta::from_micros(10),
        sizes: SizeDistribution::Fixed(Bytes::new(3_000)),
    };
    let pairs = setpoint_sim::traffic::matrix::shifted(&stations, 1);
    let flows = pairs.iter().map(|&(from, to)| flow(from, to, traffic.clone())).collect();
    let outcome = simulate(&spec(net, flows, TimeDelta::from_millis(5)), &mut Unwatched).unwrap();
    assert!(outcome.messages.len() > 1_000);
    assert!(outcome.messages.windows(2).all(|pair| pair[0].completed <= pair[1].completed));
}

/// A source processes arrivals when it may send. Messages offered during the twelve milliseconds
/// that one frame takes still count.
#[test]
fn messages_offered_behind_a_frame_under_way_are_unfinished() {
    let net = Star { stations: 2, rate: Rate::from_mbps(1), delay: TimeDelta::ZERO }.build();
    let stations: Vec<_> = net.stations().collect();
    let traffic = Traffic::Poisson {
        mean_gap: TimeDelta::from_micros(100),
        sizes: SizeDistribution::Fixed(Bytes::new(1_500)),
    };
    let sender = FlowSpec { frame: Bytes::new(1_500), ..flow(stations[0], stations[1], traffic) };
    let mut spec = spec(net, vec![sender], TimeDelta::from_millis(10));
    spec.measure_from = Time::ZERO + TimeDelta::from_millis(5);
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    let counts = outcome.message_counts;
    // A hundred are expected in total, fifty in each half; the standard deviation is 10.
    assert_eq!(counts.total().completed, 0);
    for half in [counts.before, counts.measured] {
        assert!((25..75).contains(&half.unfinished), "{counts:?}");
    }
    assert_eq!(outcome.messages_incomplete.len() as u64, counts.total().unfinished);
    let offered: Vec<Time> = outcome.messages_incomplete.iter().map(|message| message.offered).collect();
    assert!(offered.is_sorted() && *offered.last().unwrap() <= outcome.end);
}
