//! Enhanced transmission selection: shares of priorities at the ports of bridges and stations.

use std::num::NonZeroU16;

use crate::support::{self, LINE, flow, thresholds};
use setpoint_sim::topology::Star;
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{
    Ets, FlowControl, FlowSpec, NodeId, Outcome, Priority, PrioritySet, Scheduling, Spec, SpecError,
    Unwatched, simulate, validate,
};
use setpoint_units::{Bytes, Rate, TimeDelta};

const LOW: Priority = Priority::new(0).unwrap();
const HIGH: Priority = Priority::new(3).unwrap();
const URGENT: Priority = Priority::new(6).unwrap();

/// Senders that share the link to the last station of a star, losslessly, with weights 40 and 60 for the
/// priorities 0 and 3. Each sender is given by the number of a station, a priority and its traffic.
fn sharing(senders: &[(usize, Priority, Traffic)]) -> Spec {
    let net = Star { stations: 4, rate: LINE, delay: TimeDelta::from_micros(1) }.build();
    let stations: Vec<NodeId> = net.stations().collect();
    let one = |(from, priority, traffic): &(usize, Priority, Traffic)| FlowSpec {
        priority: *priority,
        ..flow(stations[*from], stations[3], traffic.clone())
    };
    let flows = senders.iter().map(one).collect();
    Spec {
        flow_control: FlowControl::Pfc(thresholds(), PrioritySet::ALL),
        scheduling: Scheduling::Ets(weights()),
        overhead: Bytes::new(20),
        ..support::spec(net, flows, TimeDelta::from_millis(10))
    }
}

fn weights() -> Ets {
    let weight = |weight| NonZeroU16::new(weight).unwrap();
    Ets::default().with(LOW, weight(40)).with(HIGH, weight(60))
}

/// The time in nanoseconds that the delivered frames of each flow occupied the link, with preamble and gap: 0.8 ns per byte at 10 Gb/s.
fn link_times(spec: &Spec) -> Vec<f64> {
    let Outcome { flows, .. } = simulate(spec, &mut Unwatched).unwrap();
    let time = |delivered: u64, frames: u64| (delivered + 20 * frames) as f64 * 0.8;
    flows.iter().map(|flow| time(flow.delivered.get(), flow.delivered_frames)).collect()
}

/// The run lasts 10 ms. At its beginning and end, frames are in transit for a few microseconds.
fn close(measured: f64, share: f64) -> bool {
    (measured / 10e6 - share).abs() < 0.002
}

#[test]
fn priorities_divide_the_output_of_a_bridge() {
    let times = link_times(&sharing(&[(0, LOW, Traffic::Backlogged), (1, HIGH, Traffic::Backlogged)]));
    assert!(close(times[0], 0.4) && close(times[1], 0.6), "{times:?}");
}

#[test]
fn long_frames_gain_nothing() {
    let mut spec = sharing(&[(0, LOW, Traffic::Backlogged), (1, HIGH, Traffic::Backlogged)]);
    spec.flows[0].frame = Bytes::new(9_000);
    spec.flows[1].frame = Bytes::new(100);
    let times = link_times(&spec);
    assert!(close(times[0], 0.4) && close(times[1], 0.6), "{times:?}");
}

/// Under strict priority, the lower priority would get no bandwidth.
#[test]
fn priorities_divide_the_port_of_a_station() {
    let senders = [(0, LOW, Traffic::Backlogged), (0, HIGH, Traffic::Backlogged)];
    let times = link_times(&sharing(&senders));
    assert!(close(times[0], 0.4) && close(times[1], 0.6), "{times:?}");
    let strict = link_times(&Spec { scheduling: Scheduling::Strict, ..sharing(&senders) });
    assert!(close(strict[0], 0.0) && close(strict[1], 1.0), "{strict:?}");
}

/// A strict priority with 1 Gb/s, which is 1.02 Gb/s with preamble and gap, leaves 89.8 % of the link to the others.
#[test]
fn weighted_priorities_share_what_strict_ones_leave() {
    let constant = Traffic::Constant { rate: Rate::from_gbps(1) };
    let times = link_times(&sharing(&[
        (0, LOW, Traffic::Backlogged),
        (1, HIGH, Traffic::Backlogged),
        (2, URGENT, constant),
    ]));
    assert!(close(times[2], 0.102), "{times:?}");
    assert!(close(times[0], 0.4 * 0.898) && close(times[1], 0.6 * 0.898), "{times:?}");
}

/// The priority with 60 % uses 10.2 %; the other takes the rest.
#[test]
fn unused_bandwidth_is_available_to_others() {
    let constant = Traffic::Constant { rate: Rate::from_gbps(1) };
    let times = link_times(&sharing(&[(0, LOW, Traffic::Backlogged), (1, HIGH, constant)]));
    assert!(close(times[0], 0.898) && close(times[1], 0.102), "{times:?}");
}

#[test]
fn arbiters_have_no_weights() {
    let spec = Spec {
        bridges: setpoint_sim::Bridges::Cioq(support::cioq()),
        ..sharing(&[(0, LOW, Traffic::Backlogged)])
    };
    assert!(matches!(validate(&spec), Err(SpecError::Bridges(reason)) if reason.contains("output-queued")));
}
