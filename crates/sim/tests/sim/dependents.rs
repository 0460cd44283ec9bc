//! Messages that wait for other messages.

use std::num::NonZeroUsize;

use crate::support::{LINE, flow, pfc, qcn_control, spec};
use setpoint_sim::topology::{LeafSpine, Star};
use setpoint_sim::traffic::collective::{Collective, Pattern, flows};
use setpoint_sim::traffic::{DependentMessage, Traffic};
use setpoint_sim::{
    Change, Decision, FlowId, FlowSpec, MessageId, MessageOrder, Monitor, NodeId, Outcome, Spec, SpecError,
    Threads, TimedChange, Unwatched, simulate, validate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

const MICRO: TimeDelta = TimeDelta::from_micros(1);

fn at(nanos: u64) -> Time {
    Time::ZERO + TimeDelta::from_nanos(nanos)
}

fn id(flow: u32, number: u32) -> MessageId {
    MessageId { flow: FlowId(flow), number }
}

fn dependent(from: NodeId, to: NodeId, messages: Vec<DependentMessage>) -> FlowSpec {
    flow(from, to, Traffic::Dependent(messages.into()))
}

fn message(size: u64) -> DependentMessage {
    DependentMessage::new(Bytes::new(size))
}

/// Stations on one bridge, with links of 10 Gb/s and 1 us: a frame of 1000 B takes 0.8 us on each.
fn star(stations: u32) -> (setpoint_sim::Topology, Vec<NodeId>) {
    let net = Star { stations, rate: LINE, delay: MICRO }.build();
    let stations = net.stations().collect();
    (net, stations)
}

/// The times of a message in nanoseconds: released, sent and completed.
fn times(outcome: &Outcome, message: MessageId) -> [Option<u64>; 3] {
    let found = outcome.dependents.iter().find(|one| one.message == message).unwrap();
    [found.released, found.sent, found.completed]
        .map(|time| time.map(|time| time.since_start().as_picos() / 1_000))
}

/// The passages of every message account for its time exactly.
fn passages_add_up(outcome: &Outcome) {
    let arrived = outcome.dependents.iter().filter_map(|one| {
        (one.ideal > TimeDelta::ZERO).then_some((one.message, one.ideal, one.released?, one.completed?))
    });
    let mut count = 0;
    for (message, ideal, released, completed) in arrived {
        let own: Vec<_> = outcome.passages.iter().filter(|passage| passage.message == message).collect();
        assert_eq!(own.first().map(|passage| passage.from), Some(released), "{message:?}");
        assert_eq!(own.last().map(|passage| passage.until), Some(completed), "{message:?}");
        assert!(own.windows(2).all(|pair| pair[0].until == pair[1].from), "{message:?}");
        let sum = own.iter().fold(TimeDelta::ZERO, |sum, passage| sum + passage.ideal);
        assert_eq!(sum, ideal, "{message:?}");
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn a_reply_waits_for_the_last_byte_of_its_request() {
    let (net, stations) = star(2);
    let request = dependent(stations[0], stations[1], vec![message(2_500)]);
    let reply = message(1_000).after([id(0, 0)]).with_gap(TimeDelta::from_nanos(300));
    let spec = spec(net, vec![request, dependent(stations[1], stations[0], vec![reply])], MICRO * 100);
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    // Frames of 1000, 1000 and 500 B. The bridge sends the second from 2.6 to 3.4 us, and the last one then.
    assert_eq!(times(&outcome, id(0, 0)), [Some(0), Some(2_000), Some(4_800)]);
    assert_eq!(times(&outcome, id(1, 0)), [Some(5_100), Some(5_900), Some(8_700)]);
    assert_eq!(outcome.messages.len(), 2);
    passages_add_up(&outcome);
}

/// Station 1 waits for two messages that it receives, one that it sends and one computation.
#[test]
fn a_message_waits_for_everything_in_its_list() {
    let (net, stations) = star(4);
    let first = dependent(stations[0], stations[1], vec![message(1_000)]);
    let second = dependent(stations[2], stations[1], vec![message(5_000)]);
    let own = dependent(
        stations[1],
        stations[3],
        vec![
            message(20_000),
            message(0).after([id(0, 0)]).with_gap(MICRO * 2),
            message(1_000).after([id(0, 0), id(1, 0), id(2, 0), id(2, 1)]).with_gap(MICRO),
        ],
    );
    let spec = spec(net, vec![first, second, own], MICRO * 100);
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    let first = times(&outcome, id(0, 0))[2].unwrap();
    assert_eq!(times(&outcome, id(2, 1)), [Some(first + 2_000); 3]);
    assert_eq!(times(&outcome, id(2, 0))[1], Some(16_000), "20 frames");
    assert_eq!(times(&outcome, id(2, 2))[0], Some(17_000));
    assert!(times(&outcome, id(1, 0))[2].unwrap() < 16_000);
    passages_add_up(&outcome);
}

#[test]
fn flows_begin_exactly_at_their_start() {
    let (net, stations) = star(2);
    let mut late = dependent(stations[0], stations[1], vec![message(1_000).with_gap(MICRO)]);
    late.start = at(12_345);
    let outcome = simulate(&spec(net, vec![late], MICRO * 100), &mut Unwatched).unwrap();
    assert_eq!(times(&outcome, id(0, 0)), [Some(13_345), Some(14_145), Some(16_945)]);
}

/// Messages of a flow are sent in the order in which they are released. If they are independent, they take turns.
#[test]
fn messages_follow_each_other_in_order_of_release() {
    for order in [MessageOrder::InOrder, MessageOrder::Independent] {
        let (net, stations) = star(2);
        let messages = vec![message(10_000).with_gap(TimeDelta::from_nanos(500)), message(10_000)];
        let mut flow = dependent(stations[0], stations[1], messages);
        flow.messages = order;
        let outcome = simulate(&spec(net, vec![flow], MICRO * 100), &mut Unwatched).unwrap();
        let sent = [id(0, 0), id(0, 1)].map(|id| times(&outcome, id)[1].unwrap());
        match order {
            MessageOrder::InOrder => assert_eq!(sent, [16_000, 8_000]),
            MessageOrder::Independent => assert_eq!(sent, [16_000, 14_400], "two frames ahead"),
        }
        passages_add_up(&outcome);
    }
}

/// Without retransmission, a damaged message is never complete, and nothing that waits for it is sent.
#[test]
fn a_lost_frame_stops_everything_that_waits_for_its_message() {
    let (net, stations) = star(3);
    let flows = vec![
        dependent(stations[0], stations[2], vec![message(50_000)]),
        dependent(stations[1], stations[2], vec![message(50_000)]),
        dependent(stations[2], stations[0], vec![message(1_000).after([id(0, 0), id(1, 0)])]),
    ];
    let mut spec = spec(net, flows, MICRO * 1_000);
    spec.buffer = Bytes::new(5_000);
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    assert!(outcome.message_counts.total().damaged > 0);
    assert_eq!(times(&outcome, id(2, 0)), [None; 3]);
    assert_eq!(outcome.messages_incomplete.len(), 2 - outcome.messages.len());
}

/// The pause of a station's port is part of the time that its message takes there.
#[test]
fn pauses_are_measured_at_the_port_that_waits() {
    let (net, stations) = star(4);
    let flows = (0..3).map(|from| dependent(stations[from], stations[3], vec![message(200_000)])).collect();
    let mut spec = spec(net, flows, MICRO * 1_000);
    spec.flow_control = pfc();
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    passages_add_up(&outcome);
    let at_station: Vec<_> = outcome.passages.iter().filter(|one| one.from == Time::ZERO).copied().collect();
    assert_eq!(at_station.len(), 3);
    for passage in &at_station {
        let port = outcome.ports.iter().find(|port| port.port == passage.port).unwrap();
        assert!(passage.paused > TimeDelta::ZERO && passage.paused <= port.paused, "{passage:?}");
        // A pause may begin while a frame is being sent.
        let frames = TimeDelta::from_nanos(800) * port.pauses;
        assert!(passage.paused <= passage.time() - passage.ideal + frames, "{passage:?}");
    }
}

#[test]
fn impossible_dependencies_are_refused() {
    let check = |flows: &dyn Fn(&[NodeId]) -> Vec<FlowSpec>, change: &dyn Fn(&mut Spec)| {
        let (net, stations) = star(3);
        let mut spec = spec(net, flows(&stations), MICRO * 100);
        change(&mut spec);
        validate(&spec).unwrap_err()
    };
    let nothing = |_: &mut Spec| {};
    let unknown = |at: &[NodeId]| vec![dependent(at[0], at[1], vec![message(1).after([id(0, 7)])])];
    assert_eq!(check(&unknown, &nothing), SpecError::UnknownMessage(id(0, 0), id(0, 7)));
    let foreign = |at: &[NodeId]| {
        vec![
            dependent(at[0], at[1], vec![message(1)]),
            dependent(at[2], at[0], vec![message(1).after([id(0, 0)])]),
        ]
    };
    assert_eq!(check(&foreign, &nothing), SpecError::ForeignMessage(id(1, 0), id(0, 0)));
    let computed = |at: &[NodeId]| {
        vec![
            dependent(at[0], at[1], vec![message(0)]),
            dependent(at[1], at[0], vec![message(1).after([id(0, 0)])]),
        ]
    };
    assert_eq!(check(&computed, &nothing), SpecError::ForeignMessage(id(1, 0), id(0, 0)));
    let circular = |at: &[NodeId]| {
        vec![
            dependent(at[0], at[1], vec![message(1), message(1).after([id(1, 0)])]),
            dependent(at[1], at[0], vec![message(1).after([id(0, 1)])]),
        ]
    };
    assert_eq!(check(&circular, &nothing), SpecError::DependencyCycle(id(0, 1)));
    let single = |at: &[NodeId]| vec![dependent(at[0], at[1], vec![message(1)])];
    let stops = |spec: &mut Spec| spec.flows[0].stop = Some(at(10));
    assert_eq!(check(&single, &stops), SpecError::DependentStops(FlowId(0)));
    let starts = |spec: &mut Spec| {
        spec.changes.push(TimedChange { at: at(10), change: Change::StartFlow(FlowId(0)) });
    };
    assert_eq!(check(&single, &starts), SpecError::DependentStops(FlowId(0)));
    let messages = [
        check(&unknown, &nothing).to_string(),
        check(&foreign, &nothing).to_string(),
        check(&circular, &nothing).to_string(),
        check(&single, &stops).to_string(),
    ];
    let expected = [
        "message 0 of flow FlowId(0) waits for message 7 of flow FlowId(0), which does not exist",
        "message 0 of flow FlowId(1) waits for message 0 of flow FlowId(0), which its station neither sends nor \
         receives; let that station send it a message",
        "message 1 of flow FlowId(0) waits for itself, through the messages that it waits for",
        "flow FlowId(0) sends messages that wait for others; such a flow starts once and does not stop",
    ];
    assert_eq!(messages, expected);
}

struct On(usize);

impl Monitor for On {
    fn progress(&mut self, _: Time, _: u64) -> Decision {
        Decision::Continue
    }

    fn threads(&self) -> Threads {
        Threads::exactly(NonZeroUsize::new(self.0).unwrap())
    }
}

/// Two jobs whose ranks are spread over four leaves, and background traffic, under PFC and QCN.
fn busy_fabric(pattern: Pattern, order: MessageOrder) -> Spec {
    let net = LeafSpine {
        leaves: 4,
        spines: 2,
        stations_per_leaf: 4,
        access_rate: LINE,
        fabric_rate: Rate::from_gbps(20),
        access_delay: MICRO,
        fabric_delay: MICRO * 2,
    }
    .build();
    let stations: Vec<NodeId> = net.stations().collect();
    let mut all = Vec::new();
    for job in 0..2 {
        let ranks: Vec<NodeId> = (0..8).map(|rank| stations[(rank % 4) * 4 + rank / 4 + 2 * job]).collect();
        let operation = Collective {
            pattern,
            ranks: 8,
            size: Bytes::new(75_003),
            parts: 3,
            iterations: 2,
            compute: TimeDelta::from_nanos(700),
            reduce: TimeDelta::from_nanos(333),
        };
        for pair in flows(&operation.messages(), FlowId(all.len() as u32)) {
            let mut flow =
                dependent(ranks[pair.from as usize], ranks[pair.to as usize], pair.messages.clone());
            flow.messages = order;
            all.push(flow);
        }
    }
    all.push(flow(stations[0], stations[5], Traffic::Backlogged));
    all.push(flow(stations[9], stations[5], Traffic::Backlogged));
    let mut spec = spec(net, all, MICRO * 4_000);
    spec.flow_control = pfc();
    spec.control = qcn_control();
    spec
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let patterns = [
        Pattern::RingAllReduce,
        Pattern::HalvingDoubling,
        Pattern::AllToAll,
        Pattern::ShiftedAllToAll,
        Pattern::ReduceScatter,
        Pattern::Pipeline,
        Pattern::Barrier,
    ];
    for pattern in patterns {
        for order in [MessageOrder::InOrder, MessageOrder::Independent] {
            let spec = busy_fabric(pattern, order);
            let alone = simulate(&spec, &mut On(1)).unwrap();
            assert!(alone.dependents.iter().all(|one| one.completed.is_some()), "{pattern:?} {order:?}");
            passages_add_up(&alone);
            for threads in [2, 3, 8] {
                assert!(
                    simulate(&spec, &mut On(threads)).unwrap() == alone,
                    "{pattern:?} {order:?} {threads}"
                );
            }
        }
    }
}

/// Frames may overtake each other when routes change; a message is complete when all of them have arrived.
#[test]
fn messages_survive_route_changes() {
    let mut spec = busy_fabric(Pattern::ShiftedAllToAll, MessageOrder::InOrder);
    spec.rerouting_delay = MICRO * 20;
    let spine = spec.topology.links().iter().position(|link| link.rate == Rate::from_gbps(20)).unwrap();
    let link = setpoint_sim::LinkId(spine as u32);
    for (micros, change) in [(40, Change::LinkDown(link)), (90, Change::LinkUp(link))] {
        spec.changes.push(TimedChange { at: Time::ZERO + MICRO * micros, change });
    }
    let alone = simulate(&spec, &mut On(1)).unwrap();
    let completed = alone.dependents.iter().filter(|one| one.completed.is_some()).count();
    assert!(completed > 50, "{completed}");
    for threads in [2, 3, 8] {
        assert!(simulate(&spec, &mut On(threads)).unwrap() == alone, "{threads}");
    }
}
