//! The contents of a bridge's buffers, unit by unit and nanosecond by nanosecond.

use crate::support::{LINE, cioq, flow, spec, thresholds};
use proptest::prelude::*;
use setpoint_control::parameter::Percent;
use setpoint_sim::topology::{RackFabric, Star};
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{
    Bridges, Cioq, Delivery, FlowControl, FlowSpec, NodeId, Outcome, PauseParams, Purpose, QueueOutcome,
    RandomStream, Side, Spec, Spraying, Topology, Unwatched, simulate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

const DELAY: TimeDelta = TimeDelta::from_nanos(500);
const SLOW: Rate = Rate::from_mbps(100);

/// Stations a and b at 10 Gb/s and x at the given rate, around one bridge.
fn net(sink: Rate) -> (Topology, [NodeId; 3]) {
    let mut net = Topology::new();
    let bridge = net.bridge("bridge", 1);
    let stations = ["a", "b", "x"].map(|name| net.station(name, 0));
    for (station, rate) in stations.into_iter().zip([LINE, LINE, sink]) {
        net.connect(station, bridge, rate, DELAY);
    }
    (net, stations)
}

/// Buffers with units that divide a frame of 1 000 B.
fn bridges(change: impl FnOnce(&mut Cioq)) -> Bridges {
    let mut cioq = Cioq { unit: Bytes::new(250), ..cioq() };
    change(&mut cioq);
    Bridges::Cioq(cioq)
}

fn queue<'a>(outcome: &'a Outcome, side: Side, spec: &Spec, port: &str) -> &'a QueueOutcome {
    let id = spec.topology.find_port(port).unwrap();
    outcome.queues.iter().find(|queue| queue.side == side && queue.port == id).unwrap()
}

/// The time at which a flow that starts at time zero sends its first frame.
fn phase(spec: &Spec, flow: u32, rate: Rate) -> Time {
    let frame = rate.time_to_send(spec.flows[flow as usize].frame);
    let share = RandomStream::new(spec.seed, Purpose::Phase, flow).unit();
    Time::ZERO + TimeDelta::from_picos((frame.as_picos() as f64 * share) as u64)
}

/// The total time during which the queue was not empty.
fn held(queue: &QueueOutcome, run: TimeDelta) -> TimeDelta {
    let empty = run.as_picos() as f64 * queue.length.empty;
    TimeDelta::from_picos(run.as_picos() - empty.round() as u64)
}

/// A single frame: the request and the grant take 300 ns each, the crossbar 500 ns. An idle output sends it
/// at once, and the acknowledgement takes another 300 ns.
#[test]
fn an_input_holds_a_frame_until_it_has_crossed_or_its_copy_is_not_needed() {
    let run = TimeDelta::from_micros(20);
    for (delivery, nanos) in [(Delivery::Plain, 1_100), (Delivery::Reliable, 1_400)] {
        let (net, [a, _, x]) = net(LINE);
        let mut spec = spec(net, vec![flow(a, x, Traffic::Message { size: Bytes::new(1_000) })], run);
        spec.bridges = bridges(|cioq| cioq.delivery = delivery);
        let outcome = simulate(&spec, &mut Unwatched).unwrap();
        let input = queue(&outcome, Side::Input, &spec, "a->bridge");
        assert_eq!(held(input, run), TimeDelta::from_nanos(nanos), "{delivery:?}");
        assert_eq!(held(queue(&outcome, Side::Output, &spec, "bridge->x"), run), TimeDelta::ZERO);
        assert_eq!(outcome.messages[0].ideal, outcome.flows[0].delay_max);
    }
}

/// Two frames for a slow output: the second is stored there while the first is sent, for 80 us
/// minus the 800 ns by which it arrived later, and the input keeps a copy for the same time.
#[test]
fn a_copy_stays_until_the_output_sends() {
    let run = TimeDelta::from_micros(200);
    for (delivery, nanos) in [(Delivery::Plain, 800 + 1_100), (Delivery::Reliable, 80_000 + 1_400)] {
        let (net, [a, _, x]) = net(SLOW);
        let mut spec = spec(net, vec![flow(a, x, Traffic::Message { size: Bytes::new(2_000) })], run);
        spec.bridges = bridges(|cioq| cioq.delivery = delivery);
        let outcome = simulate(&spec, &mut Unwatched).unwrap();
        let input = queue(&outcome, Side::Input, &spec, "a->bridge");
        assert_eq!(held(input, run), TimeDelta::from_nanos(nanos), "{delivery:?}");
        let output = queue(&outcome, Side::Output, &spec, "bridge->x");
        assert_eq!(held(output, run), TimeDelta::from_nanos(80_000 - 800));
    }
}

/// At every sample, inputs hold at least the copies of all frames at the output.
#[test]
fn with_reliable_delivery_outputs_hold_nothing_that_inputs_do_not() {
    let fabric = RackFabric {
        racks: 1,
        leaves_per_rack: 3,
        stations_per_leaf: 1,
        spines: 2,
        access_rate: LINE,
        access_delay: DELAY,
        fabric_rate: LINE,
        fabric_delay: TimeDelta::from_nanos(100),
    };
    for net in [Star { stations: 3, rate: LINE, delay: DELAY }.build(), fabric.build()] {
        let stations: Vec<NodeId> = net.stations().collect();
        let flows = stations[..2].iter().map(|&from| flow(from, stations[2], Traffic::Backlogged)).collect();
        let mut spec = spec(net, flows, TimeDelta::from_millis(2));
        spec.bridges = bridges(|cioq| cioq.delivery = Delivery::Reliable);
        spec.flow_control = FlowControl::Pause(thresholds());
        spec.sample_interval = TimeDelta::from_nanos(1_700);
        let outcome = simulate(&spec, &mut Unwatched).unwrap();
        let sum = |side: Side, sample: usize| {
            let of_side = outcome.queues.iter().filter(|queue| queue.side == side);
            of_side.map(|queue| queue.length_series[sample]).sum::<u64>()
        };
        let samples = outcome.queues[0].length_series.len();
        let mut full = 0;
        for sample in 0..samples {
            assert!(sum(Side::Input, sample) >= sum(Side::Output, sample), "at sample {sample}");
            full += usize::from(sum(Side::Output, sample) > 20_000);
        }
        assert!(full * 2 > samples, "the output is hardly ever full");
        // Two inputs of about 30 kB limit the output's queue, although its buffer holds 150 kB.
        let peak = outcome.queues.iter().find(|queue| queue.side == Side::Output).unwrap().peak;
        assert!(peak < Bytes::new(75_000), "{peak}");
    }
}

/// A backlogged sender and a sink that takes 8 ms per frame.
fn stopped(frame: u64, change: impl FnOnce(&mut Cioq)) -> Spec {
    let (net, [a, _, x]) = net(Rate::from_mbps(1));
    let one = FlowSpec { frame: Bytes::new(frame), ..flow(a, x, Traffic::Backlogged) };
    let mut spec = spec(net, vec![one], TimeDelta::from_micros(100));
    spec.bridges = bridges(change);
    spec.buffer = Bytes::new(4_000);
    spec
}

/// One frame is being sent, four are stored at the output, ten fill the input to the last byte, and the next
/// is dropped.
#[test]
fn frames_fill_a_buffer_to_the_last_byte() {
    let spec = stopped(1_000, |cioq| cioq.input_buffer = Bytes::new(10_000));
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    let (input, output) =
        (queue(&outcome, Side::Input, &spec, "a->bridge"), queue(&outcome, Side::Output, &spec, "bridge->x"));
    assert_eq!((input.peak, output.peak), (Bytes::new(10_000), Bytes::new(4_000)));
    assert_eq!(input.length_series.last(), Some(&10_000));
    let flow = &outcome.flows[0];
    assert_eq!((flow.dropped_frames, output.dropped_frames), (input.dropped_frames, 0));
    let arrived = flow.dropped_frames + 15;
    assert!((1..=2).contains(&(flow.sent_frames - arrived)), "{} sent, {arrived} arrived", flow.sent_frames);
}

/// A frame of 64 B occupies a unit of 250 B like any other short frame: the input has space for 40
/// frames and the output for 16.
#[test]
fn short_frames_take_whole_units() {
    let spec = stopped(64, |cioq| cioq.input_buffer = Bytes::new(10_249));
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    assert_eq!(queue(&outcome, Side::Input, &spec, "a->bridge").peak, Bytes::new(64 * 40));
    // Sending the first frame takes 512 us, longer than the whole run.
    assert_eq!(queue(&outcome, Side::Output, &spec, "bridge->x").peak, Bytes::new(64 * 16));
}

/// XOFF counts units: 8 000 B are 32 frames of 64 B, and the 33rd exceeds it. The first 17 have left the
/// input by then.
#[test]
fn pause_thresholds_count_units() {
    let mut spec = stopped(64, |cioq| cioq.input_buffer = Bytes::new(100_000));
    let (xoff, xon) = (Bytes::new(8_000), Bytes::ZERO);
    spec.flow_control = FlowControl::Pause(PauseParams { xoff, xon, ..thresholds() });
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    let asked = phase(&spec, 0, LINE) + LINE.time_to_send(Bytes::new(64)) * (17 + 33) + DELAY;
    let [pause] = &outcome.congestion_trees.pauses[..] else { panic!("one pause") };
    assert_eq!(outcome.end - pause.time, asked);
    assert_eq!(outcome.flows[0].dropped_frames, 0);
}

/// Long frames from one sender and short frames from another go to an output with space for little more than
/// one long frame. Neither sender starves, since grants alternate.
#[test]
fn neither_long_nor_short_frames_starve() {
    let (net, [a, b, x]) = net(Rate::from_gbps(5));
    let long = FlowSpec { frame: Bytes::new(1_500), ..flow(a, x, Traffic::Backlogged) };
    let short = FlowSpec { frame: Bytes::new(250), ..flow(b, x, Traffic::Backlogged) };
    for room in [1_500, 1_750, 2_000] {
        let mut spec = spec(net.clone(), vec![long.clone(), short.clone()], TimeDelta::from_millis(4));
        spec.bridges = bridges(|_| ());
        spec.buffer = Bytes::new(room);
        spec.flow_control = FlowControl::Pause(thresholds());
        let outcome = simulate(&spec, &mut Unwatched).unwrap();
        let [long, short] = &outcome.flows[..] else { panic!("two flows") };
        let share = long.delivered_frames as f64 / short.delivered_frames as f64;
        assert!((0.98..1.02).contains(&share), "{share} long frames for each short one, room for {room} B");
        assert!(queue(&outcome, Side::Output, &spec, "bridge->x").peak <= Bytes::new(room));
    }
}

/// With buffer space for one frame at the output, each frame needs a grant and a crossing after its
/// predecessor has left. The space becomes free when transmission begins, so the next frame arrives 300 ns +
/// 500 ns later, before the first has been sent completely.
#[test]
fn an_output_with_room_for_one_frame_sends_without_gaps_if_the_way_is_short() {
    for (control, per_frame) in [(300, 800), (500, 1_000)] {
        let (net, [a, b, x]) = net(LINE);
        let flows = [a, b].map(|from| flow(from, x, Traffic::Backlogged)).to_vec();
        let mut spec = spec(net, flows, TimeDelta::from_millis(3));
        spec.bridges = bridges(|cioq| cioq.control_delay = TimeDelta::from_nanos(control));
        spec.buffer = Bytes::new(1_000);
        spec.flow_control = FlowControl::Pause(thresholds());
        spec.measure_from = Time::ZERO + TimeDelta::from_millis(1);
        let outcome = simulate(&spec, &mut Unwatched).unwrap();
        let frames: u64 = outcome.flows.iter().map(|flow| flow.delay_frames).sum();
        assert!(frames.abs_diff(2_000_000 / per_frame) <= 1, "{frames} frames of {per_frame} ns");
    }
}

/// Ideal message times are those in an empty network, including those of a message shorter than a
/// frame and of a message with a short last frame.
#[test]
fn ideal_times_are_reached_and_never_beaten() {
    let fabric = RackFabric {
        racks: 1,
        leaves_per_rack: 2,
        stations_per_leaf: 1,
        spines: 3,
        access_rate: LINE,
        access_delay: DELAY,
        fabric_rate: LINE,
        fabric_delay: TimeDelta::from_nanos(100),
    };
    for (name, net) in [("crossbar", net(LINE).0), ("fabric", fabric.build())] {
        let stations: Vec<NodeId> = net.stations().collect();
        let to = stations[stations.len() - 1];
        for size in [1, 64, 999, 1_000, 1_001, 1_500, 2_000, 3_064, 50_001] {
            let one = flow(stations[0], to, Traffic::Message { size: Bytes::new(size) });
            let mut spec = spec(net.clone(), vec![one], TimeDelta::from_micros(100));
            spec.bridges = bridges(|cioq| cioq.speedup = Percent::new(100));
            let outcome = simulate(&spec, &mut Unwatched).unwrap();
            let message = &outcome.messages[0];
            let taken = message.completed - message.offered;
            assert_eq!(taken, message.ideal, "{name}, {size} B");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// At any link rates, no message is faster than its ideal time.
    #[test]
    fn ideal_times_are_never_beaten(
        rates in prop::collection::vec(prop::sample::select(vec![1u64, 4, 10, 40, 100]), 4),
        in_fabric: bool,
        size in 1u64..20_000,
        frame in prop::sample::select(vec![64u64, 256, 1_000, 1_500, 9_000]),
        speedup in prop::sample::select(vec![100u16, 160, 600]),
        random: bool,
        room in 1u32..4,
        payload in prop::sample::select(vec![64u64, 256, 1_000]),
        seed: u64,
    ) {
        let rate = |place: usize| Rate::from_gbps(rates[place]);
        let mut net = Topology::new();
        let (first, second) = (net.bridge("first", 1), net.bridge("second", 1));
        if in_fabric {
            for name in ["s1", "s2", "s3"] {
                let spine = net.spine(name, 2);
                net.connect(first, spine, rate(1), DELAY);
                net.connect(second, spine, rate(1), DELAY);
            }
        } else {
            net.connect(first, second, rate(1), DELAY);
        }
        let (from, to) = (net.station("from", 0), net.station("to", 0));
        net.connect(from, first, rate(0), DELAY);
        net.connect(to, second, rate(2), DELAY);
        let one = FlowSpec {
            frame: Bytes::new(frame),
            ..flow(from, to, Traffic::Message { size: Bytes::new(size) })
        };
        let mut spec = spec(net, vec![one], TimeDelta::from_millis(5));
        spec.bridges = bridges(|cioq| {
            cioq.speedup = Percent::new(speedup);
            cioq.cells.payload = Bytes::new(payload);
            (cioq.cells.spine_input, cioq.cells.spine_output) = (room, room);
            cioq.cells.spraying = if random { Spraying::Random } else { Spraying::RoundRobin };
        });
        spec.seed = seed;
        let outcome = simulate(&spec, &mut Unwatched).unwrap();
        let message = &outcome.messages[0];
        let taken = message.completed - message.offered;
        prop_assert!(taken >= message.ideal, "{taken}, ideal {}", message.ideal);
    }
}
