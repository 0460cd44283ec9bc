//! Network behaviour compared with closed-form results.

use crate::support::{LINE, flow, spec};
use proptest::prelude::*;
use setpoint_sim::topology::{Dumbbell, ParkingLot, Star};
use setpoint_sim::traffic::{SizeDistribution, Traffic};
use setpoint_sim::{Change, NodeId, TimedChange, Topology, Unwatched, simulate};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// A row of bridges between two stations, with the given rate and delay for each link.
fn row(links: &[(Rate, TimeDelta)]) -> (Topology, NodeId, NodeId) {
    let mut net = Topology::new();
    let source = net.station("source", 0);
    let mut previous = source;
    for (index, &(rate, delay)) in links.iter().enumerate() {
        let last = index + 1 == links.len();
        let next = if last { net.station("sink", 9) } else { net.bridge(format!("b{index}"), 1) };
        net.connect(previous, next, rate, delay);
        previous = next;
    }
    (net, source, previous)
}

proptest! {
    /// On an idle path, a frame takes the sum of its transmission times and propagation delays, to the
    /// picosecond, regardless of the rates, delays, sizes and overhead.
    #[test]
    fn idle_delay_is_the_closed_form(
        links in proptest::collection::vec((1u64..400_000, 0u64..20_000_000), 1..6),
        bytes in 1u64..9_216,
        overhead in 0u64..40,
    ) {
        let links: Vec<_> = links
            .iter()
            .map(|&(mbps, picos)| (Rate::from_mbps(mbps), TimeDelta::from_picos(picos)))
            .collect();
        let expected: TimeDelta =
            links.iter().map(|&(rate, delay)| Bytes::new(bytes + overhead) / rate + delay).sum();
        let (net, source, sink) = row(&links);
        let message = flow(source, sink, Traffic::Message { size: Bytes::new(bytes) });
        let mut spec = spec(net, vec![message], TimeDelta::from_secs(2));
        spec.flows[0].frame = Bytes::new(9_216);
        spec.overhead = Bytes::new(overhead);
        let outcome = simulate(&spec, &mut Unwatched).unwrap();
        prop_assert_eq!(outcome.flows[0].delivered, Bytes::new(bytes));
        prop_assert_eq!(outcome.flows[0].delay_max, expected);
        prop_assert_eq!(outcome.packet_hops, links.len() as u64);
    }

    /// The ideal completion time, the reference for slowdowns, is the time that a message takes in an otherwise idle
    /// network.
    #[test]
    fn an_unhindered_message_takes_its_ideal_time(
        links in proptest::collection::vec((100u64..40_000, 0u64..5_000_000), 1..5),
        size in 1u64..200_000,
        frame in 64u64..2_000,
    ) {
        let links: Vec<_> = links
            .iter()
            .map(|&(mbps, picos)| (Rate::from_mbps(mbps), TimeDelta::from_picos(picos)))
            .collect();
        let (net, source, sink) = row(&links);
        let message = flow(source, sink, Traffic::Message { size: Bytes::new(size) });
        let mut spec = spec(net, vec![message], TimeDelta::from_secs(1));
        spec.flows[0].frame = Bytes::new(frame);
        spec.buffer = Bytes::new(1_000_000);
        let outcome = simulate(&spec, &mut Unwatched).unwrap();
        prop_assert_eq!(outcome.messages.len(), 1);
        let message = outcome.messages[0];
        prop_assert_eq!(message.completed - message.offered, message.ideal);
    }
}

/// Poisson arrivals of single frames at a link that serves one at a time: the mean wait is
/// rho / (2 (1 - rho)) service times.
#[test]
fn mean_wait_of_an_m_d_1_queue() {
    for (percent, seed) in [(50, 1), (80, 2)] {
        let sources = 400;
        let net = Star { stations: sources + 1, rate: LINE, delay: TimeDelta::from_micros(1) }.build();
        let stations: Vec<_> = net.stations().collect();
        let service = Bytes::new(1_000) / LINE;
        // Each of many sources sends rarely, so that hardly any frames queue at their own port.
        let mean_gap = (service * u64::from(sources) * 100) / percent;
        let sizes = SizeDistribution::Fixed(Bytes::new(1_000));
        let traffic = Traffic::Poisson { mean_gap, sizes };
        let sink = stations[sources as usize];
        let flows =
            stations[..sources as usize].iter().map(|&from| flow(from, sink, traffic.clone())).collect();
        let mut spec = spec(net, flows, TimeDelta::from_secs(6));
        spec.buffer = Bytes::new(10_000_000);
        spec.sample_interval = TimeDelta::from_millis(100);
        spec.seed = seed;
        let outcome = simulate(&spec, &mut Unwatched).unwrap();
        let idle = service * 2 + TimeDelta::from_micros(2);
        let (delays, frames) = outcome
            .flows
            .iter()
            .fold((0, 0), |(sum, count), flow| (sum + flow.delay_sum, count + flow.delay_frames));
        let wait = delays as f64 / frames as f64 - idle.as_picos() as f64;
        let rho = percent as f64 / 100.0;
        let theory = service.as_picos() as f64 * rho / (2.0 * (1.0 - rho));
        assert!((wait / theory - 1.0).abs() < 0.01, "load {percent} %: {wait} ps instead of {theory} ps");
        // Little's law relates the same wait to the time-weighted queue length.
        let queue = outcome.queues.iter().max_by_key(|queue| queue.peak).unwrap();
        let length = wait * rho / service.as_picos() as f64 * 1_000.0;
        assert!(
            (queue.length.mean / length - 1.0).abs() < 0.01,
            "{} B instead of {length} B",
            queue.length.mean
        );
    }
}

/// A port uses a new rate from its next frame on, even for frames whose departure had been decided.
#[test]
fn a_port_changes_its_rate_between_frames() {
    let (rate, slow) = (LINE, Rate::from_gbps(1));
    let net = Dumbbell {
        senders: 1,
        receivers: 1,
        access_rate: Rate::from_gbps(40),
        access_delay: TimeDelta::ZERO,
        bottleneck_rate: rate,
        bottleneck_delay: TimeDelta::ZERO,
    }
    .build();
    let stations: Vec<_> = net.stations().collect();
    let message = flow(stations[0], stations[1], Traffic::Message { size: Bytes::new(10_000) });
    let mut spec = spec(net, vec![message], TimeDelta::from_millis(1));
    let port = spec.topology.find_port("left->right").unwrap();
    // The start lies within the first frame time; 5 us later some of the ten frames have left.
    let at = Time::ZERO + TimeDelta::from_micros(5);
    spec.changes.push(TimedChange { at, change: Change::PortRate(port, slow) });
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    let message = outcome.messages[0];
    let first = message.offered + TimeDelta::from_nanos(200);
    // Frames begin every 800 ns from `first` until the change, then every 8 us.
    let begun = (at - first) / TimeDelta::from_nanos(800) + 1;
    let last_fast = first + TimeDelta::from_nanos(800) * begun;
    let expected = last_fast + TimeDelta::from_micros(8) * (10 - begun) + TimeDelta::from_nanos(200);
    assert_eq!(message.completed, expected);
}

/// A station serves its flows in proportion to their weights, regardless of their frame lengths.
#[test]
fn a_station_shares_its_port_by_weight() {
    let net = Star { stations: 2, rate: LINE, delay: TimeDelta::ZERO }.build();
    let stations: Vec<_> = net.stations().collect();
    let mut flows = vec![flow(stations[0], stations[1], Traffic::Backlogged); 3];
    flows[1].weight = 2;
    flows[2].weight = 3;
    flows[2].frame = Bytes::new(300);
    let spec = spec(net, flows, TimeDelta::from_millis(20));
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    let shares: Vec<_> = outcome.flows.iter().map(|flow| flow.delivered.get() as f64).collect();
    assert!((shares[1] / shares[0] - 2.0).abs() < 0.01, "{shares:?}");
    assert!((shares[2] / shares[0] - 3.0).abs() < 0.01, "{shares:?}");
}

/// Caps, weights, stops and starts take effect at their times.
#[test]
fn flows_change_at_given_times() {
    let net = ParkingLot {
        hops: 1,
        stations_per_bridge: 1,
        access_rate: LINE,
        rate: LINE,
        delay: TimeDelta::from_micros(1),
    }
    .build();
    let stations: Vec<_> = net.stations().collect();
    let flows = vec![flow(stations[0], stations[1], Traffic::Backlogged)];
    let mut spec = spec(net, flows, TimeDelta::from_millis(6));
    let id = setpoint_sim::FlowId(0);
    let at = |millis| Time::ZERO + TimeDelta::from_millis(millis);
    spec.changes = vec![
        TimedChange { at: at(1), change: Change::Cap(id, Some(Rate::from_gbps(2))) },
        TimedChange { at: at(2), change: Change::StopFlow(id) },
        TimedChange { at: at(3), change: Change::StartFlow(id) },
        TimedChange { at: at(4), change: Change::Cap(id, None) },
    ];
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    let megabits: Vec<_> =
        outcome.flows[0].delivered_series.iter().map(|bytes| (*bytes as f64 * 8.0 / 1e6).round()).collect();
    assert_eq!(megabits, [10.0, 2.0, 0.0, 2.0, 10.0, 10.0]);
}
