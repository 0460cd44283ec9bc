//! Congestion points at inputs: which flows they notify, and when.

use crate::support::{DATA, LINE, cioq, flow, no_control, spec};
use setpoint_control::culprit::Search;
use setpoint_control::qcn::{self, Sampling};
use setpoint_control::{CongestionPointParams, CulpritCounters, Marking};
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{
    Bridges, ControlSpec, NodeId, Outcome, Placement, Priority, PrioritySet, Purpose, QueueOutcome,
    RandomStream, Reaction, SampledFrames, Side, Spec, Topology, Unwatched, simulate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

const DELAY: TimeDelta = TimeDelta::from_nanos(500);
const NANO: TimeDelta = TimeDelta::from_nanos(1);
const RANDOM: Marking = Marking::RandomOccupancy(Search { words_per_read: 1, random_reads: 16 });

/// Stations a and b send over a bridge to x, on a link of 1 Gb/s, and to y, on a link as fast as their own.
fn net() -> (Topology, [NodeId; 4]) {
    let mut net = Topology::new();
    let bridge = net.bridge("bridge", 1);
    let stations = ["a", "b", "x", "y"].map(|name| net.station(name, 0));
    for (station, rate) in stations.into_iter().zip([LINE, LINE, Rate::from_gbps(1), LINE]) {
        net.connect(station, bridge, rate, DELAY);
    }
    (net, stations)
}

/// Congestion points for which every sample is congested; no station reacts.
fn points(placement: Placement, marking: Marking) -> ControlSpec {
    let mut params = qcn::Params::default().cp;
    params.sampling = Sampling::EveryFrame;
    params.set_point = Bytes::new(100);
    params.weight = setpoint_control::parameter::Power::of_two(-10);
    ControlSpec {
        congestion_point: CongestionPointParams::Qcn(params),
        placement,
        marking,
        priorities: PrioritySet::ALL,
        ..no_control()
    }
}

/// Two flows from station a: 3 Gb/s to x, which is too much, and 6 Gb/s to y. The input fills in 600 us.
fn two_flows(placement: Placement, marking: Marking) -> Spec {
    let (net, [a, _, x, y]) = net();
    let to = |sink, gigabits| flow(a, sink, Traffic::Constant { rate: Rate::from_gbps(gigabits) });
    let mut spec = spec(net, vec![to(x, 3), to(y, 6)], TimeDelta::from_micros(500));
    spec.sample_interval = TimeDelta::from_micros(10);
    spec.bridges = Bridges::Cioq(cioq());
    spec.buffer = Bytes::new(8_000);
    spec.control = points(placement, marking);
    spec
}

fn run(spec: &Spec) -> Outcome {
    simulate(spec, &mut Unwatched).unwrap()
}

fn queue<'a>(outcome: &'a Outcome, side: Side, spec: &Spec, port: &str) -> &'a QueueOutcome {
    let id = spec.topology.find_port(port).unwrap();
    outcome.queues.iter().find(|queue| queue.side == side && queue.port == id).unwrap()
}

/// The time at which a flow that starts at time zero sends its first frame.
fn phase(spec: &Spec, flow: u32) -> Time {
    let frame = LINE.time_to_send(spec.flows[flow as usize].frame);
    let share = RandomStream::new(spec.seed, Purpose::Phase, flow).unit();
    Time::ZERO + TimeDelta::from_picos((frame.as_picos() as f64 * share) as u64)
}

/// The end of the interval in which the first notification reached a flow's station.
fn first_received(outcome: &Outcome, flow: usize) -> Option<TimeDelta> {
    let place = outcome.flows[flow].notification_series.iter().position(|&count| count > 0)?;
    Some(outcome.sample_interval * (place as u64 + 1))
}

/// A frame arrives 800 ns + 500 ns after it was sent. A congestion point at the input notifies the source at
/// once, which takes 51.2 ns and 500 ns. The frame arrives at the output 300 + 300 + 500 ns later, and the
/// notification from there takes 300 ns to reach the input.
#[test]
fn notifications_leave_by_the_input_in_time() {
    let back = TimeDelta::from_picos(51_200) + DELAY;
    let at_input = LINE.time_to_send(Bytes::new(1_000)) + DELAY;
    let across = TimeDelta::from_nanos(300 + 300 + 500 + 300);
    for (placement, after) in
        [(Placement::Inputs, at_input + back), (Placement::Outputs, at_input + across + back)]
    {
        let (net, [a, _, _, y]) = net();
        let one = flow(a, y, Traffic::Message { size: Bytes::new(1_000) });
        let mut spec = spec(net, vec![one], TimeDelta::from_micros(10));
        spec.bridges = Bridges::Cioq(cioq());
        spec.control = points(placement, Marking::Arrival);
        spec.sample_interval = NANO;
        let outcome = run(&spec);
        let received = (phase(&spec, 0) + after - Time::ZERO).as_picos().div_ceil(1_000);
        assert_eq!(first_received(&outcome, 0), Some(NANO * received), "{placement:?}");
        assert_eq!(outcome.flows[0].notifications, 1);
    }
}

/// With points on both sides, the frame is sampled twice.
#[test]
fn points_on_both_sides_notify_independently() {
    let (net, [a, _, _, y]) = net();
    let one = flow(a, y, Traffic::Message { size: Bytes::new(1_000) });
    let mut spec = spec(net, vec![one], TimeDelta::from_micros(10));
    spec.bridges = Bridges::Cioq(cioq());
    spec.control = points(Placement::Both, Marking::Arrival);
    let outcome = run(&spec);
    assert_eq!(outcome.flows[0].notifications, 2);
    let counters = |side, port| queue(&outcome, side, &spec, port).congestion_point;
    for counters in [counters(Side::Input, "a->bridge"), counters(Side::Output, "bridge->y")] {
        assert_eq!((counters.samples, counters.notifications), (1, 1));
    }
}

/// With marking by arrival, each flow is notified for each of its frames, so the flow that does not cause the
/// congestion is notified twice as often.
#[test]
fn by_arrival_every_frame_that_enters_causes_a_notification() {
    let spec = two_flows(Placement::Inputs, Marking::Arrival);
    let outcome = run(&spec);
    let input = queue(&outcome, Side::Input, &spec, "a->bridge");
    let entered: u64 = outcome.flows.iter().map(|flow| flow.sent_frames - flow.dropped_frames).sum();
    // Two frames may be on the link at the end.
    assert!(entered - input.congestion_point.samples <= 2);
    for flow in &outcome.flows {
        let on_the_way = flow.sent_frames - flow.dropped_frames - flow.notifications;
        assert!(on_the_way <= 2, "{on_the_way} frames that entered caused no notification");
    }
    let (culprit, victim) = (outcome.flows[0].notifications, outcome.flows[1].notifications);
    assert!(
        victim.abs_diff(culprit * 2) <= 2,
        "{culprit} notifications to the culprit, {victim} to the victim"
    );
    assert_eq!(input.culprits, CulpritCounters::default());
}

/// The spec determines whether a frame for which there is no buffer space is sampled.
#[test]
fn frames_without_room_at_an_input_are_sampled_if_all_that_arrive_are() {
    let mut spec = two_flows(Placement::Inputs, Marking::Arrival);
    spec.duration = TimeDelta::from_millis(2);
    let sums = |outcome: &Outcome| {
        let sum = |of: fn(&setpoint_sim::FlowOutcome) -> u64| outcome.flows.iter().map(of).sum::<u64>();
        (sum(|flow| flow.sent_frames), sum(|flow| flow.dropped_frames))
    };
    let enqueued = run(&spec);
    let (sent, dropped) = sums(&enqueued);
    assert!(dropped > 100, "{dropped} frames dropped");
    let samples = |outcome: &Outcome| {
        let input = queue(outcome, Side::Input, &spec, "a->bridge");
        assert_eq!(input.dropped_frames, dropped);
        input.congestion_point.samples
    };
    assert!(sent - dropped - samples(&enqueued) <= 2);
    spec.control.sampled = SampledFrames::Arriving;
    let arriving = run(&spec);
    assert_eq!(sums(&arriving), (sent, dropped), "points change nothing if no station reacts");
    let spec = &spec;
    let input = queue(&arriving, Side::Input, spec, "a->bridge");
    assert!(sent - input.congestion_point.samples <= 2);
    assert_eq!(input.dropped, arriving.flows.iter().map(|flow| flow.dropped).sum());
}

/// With marking by the largest backlog, the flow to the slow output is notified, except for the first frames.
#[test]
fn by_the_largest_backlog_the_culprit_is_notified() {
    let spec = two_flows(Placement::Inputs, Marking::LargestBacklog);
    let outcome = run(&spec);
    let [culprit, victim] = &outcome.flows[..] else { panic!("two flows") };
    // Until the buffer fills, the culprit's frames are at the output, which has space for eight.
    assert!(victim.notifications < 30, "the victim received {} notifications", victim.notifications);
    assert!(culprit.notifications > 500, "the culprit received {} notifications", culprit.notifications);
    let late = victim.notification_series.len() / 10;
    let all = |series: &[u32]| series.iter().sum::<u32>();
    assert_eq!(all(&victim.notification_series[late..]), 0, "the victim is notified when the buffer is full");
}

/// With random marking, each flow is notified in proportion to its units. The victim has one or two of the
/// hundred and fifty frames in the buffer.
#[test]
fn at_random_the_victim_is_rarely_notified() {
    let spec = two_flows(Placement::Inputs, RANDOM);
    let outcome = run(&spec);
    let [culprit, victim] = &outcome.flows[..] else { panic!("two flows") };
    let input = queue(&outcome, Side::Input, &spec, "a->bridge");
    let received = culprit.notifications + victim.notifications;
    assert!(
        input.congestion_point.notifications - received <= 2,
        "one for every sample, except those in transit"
    );
    assert_eq!(input.culprits.searches, input.congestion_point.notifications);
    assert!(input.culprits.reads >= input.culprits.searches);
    assert!(victim.notifications * 10 < culprit.notifications, "{victim:?}");
    assert_eq!(queue(&outcome, Side::Output, &spec, "bridge->x").culprits, CulpritCounters::default());
}

/// Background traffic that fills a buffer is the culprit but receives no notification, and no other flow is
/// notified in its place.
#[test]
fn background_traffic_is_not_notified() {
    let mut spec = two_flows(Placement::Inputs, Marking::LargestBacklog);
    spec.flows[0].reaction = Reaction::Uncontrolled;
    let outcome = run(&spec);
    assert_eq!(outcome.flows[0].notifications, 0);
    let input = queue(&outcome, Side::Input, &spec, "a->bridge");
    assert_eq!(input.congestion_point.notifications, outcome.flows[1].notifications);
    assert!(outcome.flows[1].notifications < 30, "{} in its place", outcome.flows[1].notifications);
    assert!(input.congestion_point.samples > 500);
}

/// Each priority has its own buffer, congestion point and search counters, although the port has a single
/// array.
#[test]
fn priorities_are_independent() {
    let mut spec = two_flows(Placement::Inputs, RANDOM);
    spec.flows[1].priority = Priority::new(1).unwrap();
    let outcome = run(&spec);
    let inputs: Vec<&QueueOutcome> =
        outcome.queues.iter().filter(|queue| queue.side == Side::Input).collect();
    let [low, high] = inputs[..] else { panic!("two priorities at one input: {inputs:?}") };
    assert_eq!((low.priority, high.priority), (Priority::new(1).unwrap(), DATA));
    for (queue, flow) in [(high, 0), (low, 1)] {
        let flow = &outcome.flows[flow];
        assert!(queue.congestion_point.notifications - flow.notifications <= 2, "each priority separately");
        assert_eq!(queue.culprits.searches, queue.congestion_point.notifications, "{:?}", queue.priority);
    }
    assert!(high.peak > Bytes::new(90_000) && low.peak < Bytes::new(10_000));
}

/// Notifications may have the same priority as the data: they wait in its queues, are forwarded, and occupy
/// buffer space like data.
#[test]
fn notifications_may_share_a_priority_with_data() {
    let (net, [a, b, x, y]) = net();
    let back = |from, sink| flow(from, sink, Traffic::Backlogged);
    // Frames to b fill the port that notifications to b use.
    let flows = vec![back(b, y), back(a, b), back(x, b), back(y, b)];
    let mut spec = spec(net, flows, TimeDelta::from_millis(2));
    spec.bridges = Bridges::Cioq(cioq());
    spec.buffer = Bytes::new(8_192);
    spec.control = points(Placement::Both, Marking::LargestBacklog);
    spec.control.notification_priority = DATA;
    let outcome = run(&spec);
    let shared = queue(&outcome, Side::Output, &spec, "bridge->b");
    assert!(shared.peak <= spec.buffer, "{} in a buffer of {}", shared.peak, spec.buffer);
    let dropped: u64 = outcome.flows.iter().map(|flow| flow.dropped_frames).sum();
    let frames: u64 = outcome.queues.iter().map(|queue| queue.dropped_frames).sum();
    assert!(outcome.flows[0].notifications > 100, "{} reached b", outcome.flows[0].notifications);
    assert!(frames > dropped, "some notifications found no room");
}

/// An input fed by a bridge: the culprit's notification travels back over both bridges, although another
/// flow's frame was sampled.
#[test]
fn culprits_are_notified_over_several_bridges() {
    let mut net = Topology::new();
    let (near, far) = (net.bridge("near", 1), net.bridge("far", 2));
    net.connect(near, far, Rate::from_gbps(40), DELAY);
    let stations = ["a", "b", "x", "y"].map(|name| net.station(name, 0));
    let links = [(near, LINE), (near, LINE), (far, Rate::from_gbps(1)), (far, LINE)];
    for (station, (bridge, rate)) in stations.into_iter().zip(links) {
        net.connect(station, bridge, rate, DELAY);
    }
    let [a, b, x, y] = stations;
    let to = |from, sink, gigabits| flow(from, sink, Traffic::Constant { rate: Rate::from_gbps(gigabits) });
    let mut spec = spec(net, vec![to(a, x, 3), to(b, y, 6)], TimeDelta::from_micros(500));
    spec.sample_interval = TimeDelta::from_micros(10);
    spec.bridges = Bridges::Cioq(cioq());
    spec.buffer = Bytes::new(8_000);
    spec.control = points(Placement::Inputs, Marking::LargestBacklog);
    let outcome = run(&spec);
    let [culprit, victim] = &outcome.flows[..] else { panic!("two flows") };
    let notified = |port| queue(&outcome, Side::Input, &spec, port).congestion_point.notifications;
    // Each station has an input to itself.
    let sent = notified("a->near") + notified("b->near") + notified("near->far");
    assert!(sent - culprit.notifications - victim.notifications <= 4, "some did not arrive");
    assert!(
        victim.notifications - notified("b->near") < 30,
        "the victim was notified in place of the culprit"
    );
    let for_both = outcome.flows.iter().map(|flow| flow.sent_frames).sum::<u64>();
    assert!(culprit.notifications - notified("a->near") > for_both - 40);
}
