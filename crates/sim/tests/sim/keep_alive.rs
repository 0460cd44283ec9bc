//! Keep-alive: while an input has paused its sender, its congestion points sample at clock ticks.

use crate::support::{DATA, LINE, cioq, flow, no_control, spec, thresholds};
use setpoint_control::parameter::Power;
use setpoint_control::qcn::{self, Sampling};
use setpoint_control::{CongestionPointParams, Marking};
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{
    Bridges, Change, Cioq, ControlSpec, FlowControl, FlowSpec, NodeId, Outcome, PauseParams, Placement,
    Priority, PrioritySet, Purpose, QueueOutcome, RandomStream, Side, Spec, TimedChange, Topology, Unwatched,
    simulate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

const DELAY: TimeDelta = TimeDelta::from_nanos(500);
const NANO: TimeDelta = TimeDelta::from_nanos(1);
/// A sample every 8 us at 10 Gb/s.
const PERIOD: Bytes = Bytes::new(10_000);
const TICK: TimeDelta = TimeDelta::from_micros(8);

/// Congestion points that sample only at clock ticks, since no run sends a gigabyte, and that send
/// a notification for every sample.
fn clocked(period: Bytes) -> ControlSpec {
    let mut params = qcn::Params::default().cp;
    params.sampling = Sampling::Regular;
    params.sample_base = Bytes::new(1_000_000_000);
    params.set_point = Bytes::new(100);
    params.weight = Power::of_two(-10);
    ControlSpec {
        congestion_point: CongestionPointParams::Qcn(params),
        placement: Placement::Inputs,
        marking: Marking::LargestBacklog,
        keep_alive: Some(period),
        priorities: PrioritySet::ALL,
        ..no_control()
    }
}

/// Station a sends over a bridge to x and y, whose links have the given rate.
fn net(sinks: Rate) -> (Topology, [NodeId; 3]) {
    let mut net = Topology::new();
    let bridge = net.bridge("bridge", 1);
    let stations = ["a", "x", "y"].map(|name| net.station(name, 0));
    for (station, rate) in stations.into_iter().zip([LINE, sinks, sinks]) {
        net.connect(station, bridge, rate, DELAY);
    }
    (net, stations)
}

/// Frames of 1 000 B in whole units; XOFF is at 20 frames, and the output has space for four.
fn paused(sinks: Rate, xon: u64, duration: TimeDelta) -> Spec {
    let (net, [a, x, _]) = net(sinks);
    let mut spec = spec(net, vec![flow(a, x, Traffic::Backlogged)], duration);
    spec.bridges = Bridges::Cioq(Cioq { unit: Bytes::new(250), ..cioq() });
    spec.buffer = Bytes::new(4_000);
    spec.control = clocked(PERIOD);
    let (xoff, xon) = (Bytes::new(20_000), Bytes::new(xon));
    spec.flow_control = FlowControl::Pause(PauseParams { xoff, xon, ..thresholds() });
    spec
}

fn run(spec: &Spec) -> Outcome {
    simulate(spec, &mut Unwatched).unwrap()
}

fn input<'a>(outcome: &'a Outcome, spec: &Spec, priority: Priority) -> &'a QueueOutcome {
    let id = spec.topology.find_port("a->bridge").unwrap();
    let wanted =
        |queue: &&QueueOutcome| (queue.side, queue.port, queue.priority) == (Side::Input, id, priority);
    outcome.queues.iter().find(wanted).unwrap()
}

/// The sink takes 8 ms per frame: one frame is being sent, four wait at the output, and the 21st of the
/// remaining frames exceeds XOFF. The first clocked sample is one period later; a notification of 64 B takes
/// 51.2 ns plus the link delay.
#[test]
fn the_clock_strikes_one_period_after_the_pause_and_then_every_period() {
    let mut spec = paused(Rate::from_mbps(1), 0, TimeDelta::from_micros(100));
    spec.sample_interval = NANO;
    let outcome = run(&spec);
    let share = RandomStream::new(spec.seed, Purpose::Phase, 0).unit();
    let phase = TimeDelta::from_picos((800_000.0 * share) as u64);
    let asked = phase + TimeDelta::from_nanos(800) * 26 + DELAY;
    let [pause] = &outcome.congestion_trees.pauses[..] else { panic!("one pause") };
    assert_eq!(outcome.end - Time::ZERO - pause.time, asked);
    let expected: Vec<u64> = (1..)
        .map(|strike| (asked + TICK * strike + TimeDelta::from_picos(51_200) + DELAY).as_picos())
        .take_while(|&at| at <= spec.duration.as_picos())
        .map(|at| at.div_ceil(1_000))
        .collect();
    let series = outcome.flows[0].notification_series.iter().enumerate();
    let received: Vec<u64> =
        series.filter(|(_, count)| **count > 0).map(|(place, _)| place as u64 + 1).collect();
    assert_eq!(received, expected);
    assert_eq!(received.len(), 9);
}

/// The end of a pause stops its clock: there was one sample per elapsed period.
#[test]
fn the_clock_stops_with_the_pause() {
    let mut spec = paused(Rate::from_mbps(100), 15_000, TimeDelta::from_millis(3));
    spec.flows[0].stop = Some(Time::ZERO + TimeDelta::from_micros(100));
    let outcome = run(&spec);
    let [pause] = &outcome.congestion_trees.pauses[..] else { panic!("one pause") };
    assert_eq!(pause.pauses, 1);
    assert!(pause.time > TICK * 50 && pause.time < TimeDelta::from_millis(1), "{}", pause.time);
    assert_eq!(input(&outcome, &spec, DATA).congestion_point.samples, pause.time / TICK);
}

/// Pauses that are shorter than a period and less than a period apart: the clock restarts with each pause and never
/// runs long enough for a sample.
#[test]
fn pauses_shorter_than_a_period_have_no_sample() {
    let mut spec = paused(Rate::from_gbps(5), 16_000, TimeDelta::from_millis(4));
    let outcome = run(&spec);
    let [pause] = &outcome.congestion_trees.pauses[..] else { panic!("one cause") };
    let mean = pause.time / pause.pauses;
    let shortest = Bytes::new(15_000);
    assert!(pause.pauses > 100 && mean < LINE.time_to_send(shortest), "{} pauses of {mean}", pause.pauses);
    for bytes in [shortest, Bytes::new(17_300), Bytes::new(25_000)] {
        spec.control.keep_alive = Some(bytes);
        assert_eq!(input(&run(&spec), &spec, DATA).congestion_point.samples, 0, "a period of {bytes}");
    }
    // With a period shorter than a pause, each pause has samples.
    spec.control.keep_alive = Some(Bytes::new(1_000));
    let samples = input(&run(&spec), &spec, DATA).congestion_point.samples;
    let most = pause.time / LINE.time_to_send(Bytes::new(1_000));
    assert!(samples <= most && samples > most / 2, "{samples} samples in {}", pause.time);
}

/// Under PFC each priority is paused separately and has its own clock.
#[test]
fn every_priority_has_its_clock() {
    let mut spec = paused(Rate::from_mbps(100), 15_000, TimeDelta::from_millis(3));
    let (low, y) = (Priority::new(1).unwrap(), spec.topology.find("y").unwrap());
    let late = Time::ZERO + TimeDelta::from_micros(147);
    let other = FlowSpec { priority: low, destination: y.into(), start: late, ..spec.flows[0].clone() };
    spec.flows.push(other);
    for (flow, micros) in spec.flows.iter_mut().zip([100, 240]) {
        flow.stop = Some(Time::ZERO + TimeDelta::from_micros(micros));
    }
    let FlowControl::Pause(params) = spec.flow_control else { unreachable!() };
    spec.flow_control = FlowControl::Pfc(params, PrioritySet::ALL);
    let outcome = run(&spec);
    for (priority, sink) in [(DATA, "bridge->x"), (low, "bridge->y")] {
        let cause = spec.topology.find_port(sink).unwrap();
        let pauses = outcome.congestion_trees.pauses.iter().filter(|pause| pause.cause == cause);
        let [pause] = pauses.collect::<Vec<_>>()[..] else { panic!("one pause because of {sink}") };
        assert_eq!(pause.pauses, 1);
        let samples = input(&outcome, &spec, priority).congestion_point.samples;
        assert_eq!(samples, pause.time / TICK, "paused for {} because of {sink}", pause.time);
    }
}

/// Without keep-alive, nothing is sampled while no frame arrives.
#[test]
fn without_keep_alive_a_pause_is_silent() {
    let mut spec = paused(Rate::from_mbps(1), 0, TimeDelta::from_micros(100));
    spec.control.keep_alive = None;
    assert_eq!(input(&run(&spec), &spec, DATA).congestion_point.samples, 0);
}

/// The clock counts the octets that the paused sender could send, at that sender's rate.
#[test]
fn the_clock_follows_the_rate_of_the_sender() {
    let samples = |changed: Option<&str>| {
        let mut spec = paused(Rate::from_mbps(1), 0, TimeDelta::from_micros(420));
        let at = Time::ZERO + TimeDelta::from_micros(200);
        let port = changed.and_then(|name| spec.topology.find_port(name));
        let half = Rate::from_bits_per_second(LINE.bits_per_second() / 2);
        spec.changes.extend(port.map(|port| TimedChange { at, change: Change::PortRate(port, half) }));
        input(&run(&spec), &spec, DATA).congestion_point.samples
    };
    let (same, other_way, slower) = (samples(None), samples(Some("bridge->a")), samples(Some("a->bridge")));
    assert!(same > 40, "{same}");
    assert_eq!(other_way, same, "what the bridge sends does not matter");
    let (before, after) = (same - 220 / 8, 220 / 8);
    assert!(slower.abs_diff(before + after / 2) <= 2, "{slower} of {same}");
}
