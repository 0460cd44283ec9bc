//! Repeated messages: regular times, loads, and random incasts.

use std::collections::{BTreeMap, BTreeSet};

use setpoint_scenario::Prepared;
use setpoint_sim::traffic::{Arrival, Traffic};
use setpoint_sim::{Destination, NodeId};
use setpoint_units::{Bytes, TimeDelta};

use super::{load, prepare};

const MILLIS: TimeDelta = TimeDelta::from_millis(1);

/// A star of eight stations at 10 Gb/s for 10 ms.
fn star(flows: &str) -> String {
    format!("duration = \"10 ms\"\n[topology.star]\nstations = 8\n[[flows]]\n{flows}")
}

fn list(traffic: &Traffic) -> &[Arrival] {
    match traffic {
        Traffic::Schedule(arrivals) => arrivals,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_periodic_incast_repeats_until_the_end() {
    let periodic = "traffic.periodic = { every = \"3 ms\", size = \"64 kB\" }\n";
    let prepared = prepare(&star(&format!(
        "from = \"h{{1..4}}\"\nto = \"h8\"\npattern = \"incast\"\nstart = \"500 us\"\n{periodic}"
    )));
    assert_eq!(prepared.spec.flows.len(), 4);
    let expected: Vec<Arrival> =
        (0..4).map(|index| Arrival { after: MILLIS * 3 * index, size: Bytes::new(64_000) }).collect();
    for flow in &prepared.spec.flows {
        assert_eq!(list(&flow.traffic), expected);
    }
}

/// Per sender: 40 % of 10 Gb/s is 4 Gb/s, or a message of 50 kB every 100 us, shared by the sender's flows.
#[test]
fn a_load_is_divided_among_the_flows_of_a_sender() {
    let gaps = |flows: &str| -> BTreeSet<TimeDelta> {
        let gap = |traffic: &Traffic| match traffic {
            Traffic::Poisson { mean_gap, .. } => *mean_gap,
            other => list(other)[1].after,
        };
        prepare(&star(flows)).spec.flows.iter().map(|flow| gap(&flow.traffic)).collect()
    };
    let poisson = "traffic.poisson = { load = \"40 %\", sizes.fixed.size = \"50 kB\" }\n";
    let micros = |micros| BTreeSet::from([TimeDelta::from_micros(micros)]);
    assert_eq!(gaps(&format!("from = \"h*\"\npattern = \"permutation\"\n{poisson}")), micros(100));
    assert_eq!(gaps(&format!("from = \"h*\"\npattern = \"all-to-all\"\n{poisson}")), micros(700));
    assert_eq!(gaps(&format!("from = \"h1\"\nto = \"h{{2..4}}\"\n{poisson}")), micros(300));
    let periodic = "traffic.periodic = { load = \"40 %\", size = \"50 kB\" }\n";
    assert_eq!(gaps(&format!("from = \"h*\"\npattern = \"all-to-all\"\n{periodic}")), micros(700));
}

/// The senders and the receiver of each event.
fn events(prepared: &Prepared) -> BTreeMap<TimeDelta, (BTreeSet<NodeId>, BTreeSet<NodeId>)> {
    let mut events: BTreeMap<TimeDelta, (BTreeSet<NodeId>, BTreeSet<NodeId>)> = BTreeMap::new();
    for flow in &prepared.spec.flows {
        let Destination::Station(receiver) = flow.destination else { panic!("a group") };
        for arrival in list(&flow.traffic) {
            let (senders, receivers) = events.entry(arrival.after).or_default();
            assert!(senders.insert(flow.source), "a station sends once per event");
            receivers.insert(receiver);
        }
    }
    events
}

#[test]
fn a_random_incast_has_different_senders_and_one_receiver() {
    let periodic = "traffic.periodic = { every = \"100 us\", size = \"20 kB\" }\n";
    let prepared =
        prepare(&star(&format!("from = \"h*\"\npattern = \"random-incast\"\nfan_in = 7\n{periodic}")));
    let events = events(&prepared);
    assert_eq!(events.len(), 100);
    for (senders, receivers) in events.values() {
        assert_eq!((senders.len(), receivers.len()), (7, 1));
        assert!(senders.is_disjoint(receivers));
    }
    let receivers: BTreeSet<NodeId> = events.into_values().flat_map(|(_, receivers)| receivers).collect();
    assert_eq!(receivers.len(), 8, "every station receives at some time");
}

#[test]
fn random_incasts_follow_the_seed() {
    let poisson = "traffic.poisson = { mean_gap = \"200 us\", sizes = \"data-mining\" }\n";
    let scenario = load(&star(&format!(
        "from = \"h{{1..6}}\"\nto = \"h{{7..8}}\"\npattern = \"random-incast\"\nfan_in = 3\n{poisson}"
    )));
    let of_seed = |seed| scenario.prepare(seed).unwrap().spec.flows;
    assert_eq!(of_seed(1), of_seed(1));
    assert_ne!(of_seed(1), of_seed(2));
    for (senders, receivers) in events(&scenario.prepare(1).unwrap()).values() {
        assert_eq!((senders.len(), receivers.len()), (3, 1));
    }
}

/// 2 % of 80 Gb/s is 1.6 Gb/s: with 4 messages of 50 kB, one event every millisecond.
#[test]
fn the_load_of_random_incasts_is_a_share_of_all_ports() {
    let periodic = "traffic.periodic = { load = \"2 %\", size = \"50 kB\" }\n";
    let prepared =
        prepare(&star(&format!("from = \"h*\"\npattern = \"random-incast\"\nfan_in = 4\n{periodic}")));
    let times: Vec<TimeDelta> = events(&prepared).into_keys().collect();
    assert_eq!(times, (0..10).map(|index| MILLIS * index).collect::<Vec<_>>());
}
