//! Collective operations: job times against closed forms.

use crate::support::{LINE, flow, spec};
use setpoint_sim::topology::Star;
use setpoint_sim::traffic::Traffic;
use setpoint_sim::traffic::collective::{Collective, Pattern, flows};
use setpoint_sim::{FlowId, NodeId, Outcome, PortId, Spec, Unwatched, simulate};
use setpoint_units::{Bytes, Time, TimeDelta};

const DELAY: TimeDelta = TimeDelta::from_micros(1);

fn operation(pattern: Pattern, ranks: u32, size: u64) -> Collective {
    Collective {
        pattern,
        ranks,
        size: Bytes::new(size),
        parts: 1,
        iterations: 1,
        compute: TimeDelta::ZERO,
        reduce: TimeDelta::ZERO,
    }
}

/// The operation on a star of its ranks, with frames of 1000 B and an overhead of 20 B.
fn job(operation: &Collective) -> Spec {
    let net = Star { stations: operation.ranks, rate: LINE, delay: DELAY }.build();
    let ranks: Vec<NodeId> = net.stations().collect();
    let flows = flows(&operation.messages(), FlowId(0)).into_iter().map(|pair| {
        let traffic = Traffic::Dependent(pair.messages.into());
        flow(ranks[pair.from as usize], ranks[pair.to as usize], traffic)
    });
    let mut spec = spec(net, flows.collect(), TimeDelta::from_millis(20));
    spec.overhead = Bytes::new(20);
    spec
}

fn job_time(outcome: &Outcome) -> TimeDelta {
    let ends = outcome.dependents.iter().map(|one| one.completed.expect("all messages are complete"));
    ends.max().unwrap() - Time::ZERO
}

/// The time of a message from one station to another over a bridge: its frames at 0.8 ns per byte, the last frame once more,
/// and two links.
fn message(size: u64) -> TimeDelta {
    let (full, rest) = (size / 1_000, size % 1_000);
    let last = if rest == 0 { 1_020 } else { rest + 20 };
    let first_link = full * 1_020 + if rest == 0 { 0 } else { rest + 20 };
    // Before a short last frame, the bridge is still sending the frame before it.
    let bridge_waits = if rest > 0 && full > 0 { 1_000 - rest } else { 0 };
    TimeDelta::from_picos((first_link + bridge_waits + last) * 800) + DELAY * 2
}

#[track_caller]
fn takes(operation: &Collective, expected: TimeDelta) {
    let outcome = simulate(&job(operation), &mut Unwatched).unwrap();
    assert_eq!(job_time(&outcome), expected);
    for one in outcome.dependents.iter().filter(|one| !one.ideal.is_zero()) {
        assert_eq!(one.completed.unwrap() - one.released.unwrap(), one.ideal, "{:?}", one.message);
    }
}

/// 2 (n - 1) steps, each as long as a message of 1/n of the data.
#[test]
fn ring_all_reduce_of_64_ranks() {
    let ring = operation(Pattern::RingAllReduce, 64, 64 * 10_000);
    takes(&ring, message(10_000) * 126);
    takes(&operation(Pattern::RingAllReduce, 64, 64 * 10_300), message(10_300) * 126);
    let reduce = TimeDelta::from_nanos(450);
    takes(&Collective { reduce, ..ring }, message(10_000) * 126 + reduce * 63);
    let compute = TimeDelta::from_micros(7);
    takes(&Collective { compute, iterations: 3, ..ring }, (message(10_000) * 126 + compute) * 3);
}

/// log2 n steps with a half, a quarter, … of the data, and the same backwards.
#[test]
fn halving_doubling_of_64_ranks() {
    let size = 64 * 12_000;
    let half: TimeDelta = (1..=6).fold(TimeDelta::ZERO, |sum, step| sum + message(size >> step));
    let operation = operation(Pattern::HalvingDoubling, 64, size);
    takes(&operation, half * 2);
    let reduce = TimeDelta::from_nanos(450);
    takes(&Collective { reduce, ..operation }, half * 2 + reduce * 6);
}

#[test]
fn halves_of_a_ring() {
    takes(&operation(Pattern::AllGather, 7, 70_000), message(10_000) * 6);
    let scatter = operation(Pattern::ReduceScatter, 7, 70_000);
    takes(&scatter, message(10_000) * 6);
    let reduce = TimeDelta::from_nanos(450);
    takes(&Collective { reduce, ..scatter }, (message(10_000) + reduce) * 6);
}

#[test]
fn steps_of_a_shifted_all_to_all() {
    takes(&operation(Pattern::ShiftedAllToAll, 9, 90_000), message(10_000) * 8);
}

#[test]
fn rounds_of_a_barrier() {
    takes(&operation(Pattern::Barrier, 11, 64), message(64) * 4);
    takes(&operation(Pattern::Barrier, 2, 64), message(64));
}

/// Rank 0 computes all parts one after another, and the last part then passes through the other ranks.
#[test]
fn parts_of_a_pipeline() {
    let compute = TimeDelta::from_micros(50);
    let pipeline = Collective { parts: 6, compute, ..operation(Pattern::Pipeline, 4, 10_000) };
    takes(&pipeline, compute * 6 + message(10_000) + (compute + message(10_000)) * 2);
}

/// Without steps, messages compete for the ports of the receivers: no message is faster than alone, and the job ends no
/// sooner than the last port could.
#[test]
fn an_all_to_all_is_limited_by_its_ports() {
    let spec = job(&operation(Pattern::AllToAll, 8, 80_000));
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    let all = TimeDelta::from_picos(7 * 10 * 1_020 * 800);
    let least = all + TimeDelta::from_picos(1_020 * 800) + DELAY * 2;
    assert!(job_time(&outcome) >= least && job_time(&outcome) < least + all, "{}", job_time(&outcome));
}

/// Parts of different size: every byte is sent as often as in equal parts.
#[test]
fn data_that_cannot_be_divided_is_sent_completely() {
    let sum = |operation: Collective| -> u64 {
        operation.messages().iter().map(|message| message.size.get()).sum()
    };
    for (pattern, times) in [
        (Pattern::RingAllReduce, 14),
        (Pattern::HalvingDoubling, 14),
        (Pattern::AllGather, 7),
        (Pattern::ReduceScatter, 7),
        (Pattern::AllToAll, 7),
        (Pattern::ShiftedAllToAll, 7),
    ] {
        assert_eq!(sum(operation(pattern, 8, 1_003)), 1_003 * times, "{pattern:?}");
    }
}

#[test]
fn impossible_operations_have_a_fault() {
    let fault = |pattern, ranks, size| operation(pattern, ranks, size).fault();
    assert_eq!(fault(Pattern::RingAllReduce, 1, 100), Some("at least two ranks are needed"));
    assert_eq!(fault(Pattern::HalvingDoubling, 6, 100), Some("the number of ranks must be a power of two"));
    assert_eq!(fault(Pattern::AllToAll, 6, 5), Some("every rank needs at least one byte of the data"));
    assert_eq!(fault(Pattern::Barrier, 6, 0), Some("there is nothing to send"));
    let without = Collective { parts: 0, ..operation(Pattern::Pipeline, 6, 5) };
    assert_eq!(without.fault(), Some("there must be at least one part and one iteration"));
    assert_eq!(fault(Pattern::HalvingDoubling, 8, 100), None);
}

/// Background traffic to one rank delays the messages to that rank, and the passages name its port. The background does not
/// touch the other ranks, so each of them waits only for messages that are late.
#[test]
fn contention_is_explained_by_its_port() {
    let ring = operation(Pattern::RingAllReduce, 8, 8 * 100_000);
    let mut spec = job(&ring);
    let stations: Vec<NodeId> = spec.topology.stations().collect();
    // Station 2 has half of its port for its own messages, and station 5 receives from two senders.
    spec.flows.push(flow(stations[2], stations[5], Traffic::Backlogged));
    spec.buffer = Bytes::new(10_000_000);
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    assert!(job_time(&outcome) > message(100_000) * 14);
    let port_to = |station: NodeId| {
        let ports = || spec.topology.ports();
        ports().find(|port| spec.topology.target(*port) == station).unwrap()
    };
    let port_of = |station: NodeId| port_to(station).peer();
    let delayed: Vec<PortId> = {
        let late = outcome.passages.iter().filter(|passage| passage.time() > passage.ideal);
        let mut ports: Vec<PortId> = late.map(|passage| passage.port).collect();
        ports.sort_unstable();
        ports.dedup();
        ports
    };
    let mut expected = vec![port_of(stations[2]), port_to(stations[5])];
    expected.sort_unstable();
    assert_eq!(delayed, expected);
}
