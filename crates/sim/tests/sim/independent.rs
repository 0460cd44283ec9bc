//! Independent messages: each is sent like a separate flow.

use setpoint_control::{CongestionPointParams, ReactionPointParams, qcn};
use setpoint_sim::topology::{LeafSpine, Star};
use setpoint_sim::traffic::{SizeDistribution, Traffic};
use setpoint_sim::{FlowSpec, MessageOrder, Outcome, PrioritySet, Spec, Unwatched, simulate};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use crate::support::{DATA, flow, pfc, spec};

const RATE: Rate = Rate::from_gbps(10);

fn run(spec: &Spec) -> Outcome {
    simulate(spec, &mut Unwatched).unwrap()
}

fn micros(micros: u64) -> TimeDelta {
    TimeDelta::from_micros(micros)
}

fn poisson(gap: TimeDelta, sizes: SizeDistribution) -> Traffic {
    Traffic::Poisson { mean_gap: gap, sizes }
}

/// The sizes of many small messages and a few large ones.
fn mixed_sizes() -> SizeDistribution {
    let points = vec![(1_000.0, 0.95), (1_001.0, 0.96), (2_000_000.0, 1.0)];
    SizeDistribution::Table(std::sync::Arc::new(
        setpoint_sim::traffic::sizes::SizeTable::new(points).unwrap(),
    ))
}

fn pair(order: MessageOrder, traffic: Traffic, duration: TimeDelta) -> Spec {
    let topology = Star { stations: 2, rate: RATE, delay: micros(1) }.build();
    let stations: Vec<_> = topology.stations().collect();
    let sender = FlowSpec { messages: order, ..flow(stations[0], stations[1], traffic) };
    spec(topology, vec![sender], duration)
}

/// The slowdown of the slowest message of at most 1 kB.
fn worst_short(outcome: &Outcome) -> f64 {
    let short = outcome.messages.iter().filter(|message| message.size <= Bytes::new(1_000));
    let slowdown = |message: &setpoint_sim::MessageOutcome| {
        (message.completed - message.offered).as_secs_f64() / message.ideal.as_secs_f64()
    };
    short.map(slowdown).fold(0.0, f64::max)
}

#[test]
fn a_short_message_does_not_wait_for_a_long_one() {
    let of = |order| run(&pair(order, poisson(micros(100), mixed_sizes()), TimeDelta::from_millis(40)));
    let (in_order, independent) = (of(MessageOrder::InOrder), of(MessageOrder::Independent));
    assert_eq!(in_order.message_counts.total().total(), independent.message_counts.total().total());
    // 2 MB take 1.6 ms. If messages are independent, a short message waits for only one turn of each message that is being
    // sent.
    assert!(worst_short(&in_order) > 100.0, "{}", worst_short(&in_order));
    assert!(worst_short(&independent) < 10.0, "{}", worst_short(&independent));
    assert!(in_order.messages.iter().any(|message| message.waited > TimeDelta::from_millis(1)));
    assert!(independent.messages.iter().all(|message| message.waited.is_zero()));
}

#[test]
fn the_waiting_time_is_what_a_message_loses_to_earlier_ones() {
    let fixed = SizeDistribution::Fixed(Bytes::new(100_000));
    let outcome = run(&pair(MessageOrder::InOrder, poisson(micros(60), fixed), TimeDelta::from_millis(20)));
    let mut messages = outcome.messages.clone();
    messages.sort_by_key(|message| message.offered);
    // On an otherwise empty path, a waiting message begins once the last frame of its predecessor has left, 0.8 us
    // after that frame began.
    for message in &messages {
        let took = message.completed - message.offered;
        let lost = took - message.ideal;
        let frame = if message.waited.is_zero() { TimeDelta::ZERO } else { TimeDelta::from_nanos(800) };
        assert!(lost >= message.waited + frame || message.waited.is_zero(), "{message:?}");
        assert!(lost <= message.waited + TimeDelta::from_nanos(1_600), "{message:?}");
    }
    assert!(messages.iter().any(|message| !message.waited.is_zero()));
}

fn leaf_spine(order: MessageOrder) -> Spec {
    let topology = LeafSpine {
        spines: 4,
        leaves: 2,
        stations_per_leaf: 2,
        access_rate: RATE,
        fabric_rate: RATE,
        access_delay: micros(1),
        fabric_delay: micros(1),
    }
    .build();
    let stations: Vec<_> = topology.stations().collect();
    let traffic = poisson(micros(20), SizeDistribution::Fixed(Bytes::new(5_000)));
    let flows = [(0, 2), (1, 3)].map(|(from, to)| FlowSpec {
        messages: order,
        ..flow(stations[from], stations[to], traffic.clone())
    });
    spec(topology, flows.into(), TimeDelta::from_millis(10))
}

#[test]
fn independent_messages_use_all_paths() {
    let used = |order| {
        let spec = leaf_spine(order);
        let outcome = run(&spec);
        let up = |port: &&setpoint_sim::PortOutcome| {
            let name = |node| spec.topology.node_at(node).name.clone();
            name(spec.topology.source(port.port)).starts_with("leaf")
                && name(spec.topology.target(port.port)).starts_with("spine")
        };
        outcome.ports.iter().filter(up).map(|port| port.sent_frames).collect::<Vec<u64>>()
    };
    assert!(used(MessageOrder::InOrder).len() <= 2);
    let independent = used(MessageOrder::Independent);
    assert_eq!(independent.len(), 4, "{independent:?}");
    let (least, most) = (independent.iter().min().unwrap(), independent.iter().max().unwrap());
    assert!(most < &(least * 2), "{independent:?}");
}

#[test]
fn every_message_has_a_limiter_of_its_own() {
    let topology = Star { stations: 5, rate: RATE, delay: micros(1) }.build();
    let stations: Vec<_> = topology.stations().collect();
    let traffic = poisson(micros(1_600), SizeDistribution::Fixed(Bytes::new(400_000)));
    let flows = stations[1..].iter().map(|&from| FlowSpec {
        messages: MessageOrder::Independent,
        ..flow(from, stations[0], traffic.clone())
    });
    let mut spec = spec(topology, flows.collect(), TimeDelta::from_millis(30));
    let params = qcn::Params::default();
    spec.control.congestion_point = CongestionPointParams::Qcn(params.cp);
    spec.control.reaction_point = ReactionPointParams::Qcn(params.rp);
    spec.control.priorities = PrioritySet::only(DATA);
    spec.control.limiters_per_station = 100;
    spec.flow_control = pfc();
    let outcome = run(&spec);
    let notified: u64 = outcome.flows.iter().map(|flow| flow.notifications).sum();
    assert!(notified > 10, "{notified}");
    let limited = |flow: &setpoint_sim::FlowOutcome| flow.limit_series.iter().flatten().count();
    assert!(outcome.flows.iter().any(|flow| limited(flow) > 0));
    // Counters of messages that have ended are added to those of their flow; a notification may arrive too late to count.
    let accepted = |flow: &setpoint_sim::FlowOutcome| flow.reaction.get().get("decreases");
    assert!(outcome.flows.iter().all(|flow| accepted(flow) <= flow.notifications));
    assert!(outcome.flows.iter().map(accepted).sum::<u64>() > 10);
    // With a single limiter per station, messages share it, and each still completes.
    spec.control.limiters_per_station = 1;
    let shared = run(&spec);
    assert_eq!(shared.message_counts.total().total(), outcome.message_counts.total().total());
    assert!(shared.message_counts.total().completed > 30, "{:?}", shared.message_counts);
}

#[test]
fn a_flow_that_stops_cuts_off_all_its_messages() {
    let fixed = SizeDistribution::Fixed(Bytes::new(100_000));
    let mut spec = pair(MessageOrder::Independent, poisson(micros(20), fixed), TimeDelta::from_millis(4));
    spec.flows[0].stop = Some(Time::ZERO + TimeDelta::from_millis(1));
    let outcome = run(&spec);
    let counts = outcome.message_counts.total();
    assert!(counts.unfinished > 10 && counts.completed > 0, "{counts:?}");
    assert_eq!(counts.damaged, 0);
    assert_eq!(outcome.messages_incomplete.len() as u64, counts.unfinished);
    assert!(outcome.flows[0].sent == outcome.flows[0].delivered, "everything that was sent arrives");
}

#[test]
fn overload_keeps_a_bounded_number_of_messages_under_way() {
    let tiny = SizeDistribution::Fixed(Bytes::new(1_000));
    let mut spec = pair(
        MessageOrder::Independent,
        poisson(TimeDelta::from_nanos(100), tiny),
        TimeDelta::from_millis(10),
    );
    let outcome = run(&spec);
    let counts = outcome.message_counts.total();
    // 100 000 are offered, and the link carries an eighth of them.
    assert!(counts.total() > 95_000 && counts.unfinished > 80_000, "{counts:?}");
    let waited = outcome.messages_incomplete.iter().filter(|message| !message.waited.is_zero()).count();
    let under_way = outcome.messages_incomplete.len() - waited;
    assert!(under_way <= MessageOrder::MOST_AT_ONCE as usize + 10, "{under_way}");
    spec.flows[0].messages = MessageOrder::InOrder;
    assert_eq!(run(&spec).message_counts.total().total(), counts.total());
}
