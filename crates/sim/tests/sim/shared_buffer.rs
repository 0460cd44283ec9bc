//! Bridges whose ports share one buffer.

use crate::support::{DATA, LINE, flow, pfc, spec, thresholds};
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{
    Alpha, Bridges, FlowControl, HeadroomPool, NodeId, Outcome, Priority, SharedBuffer, SharedBufferOutcome,
    SimError, Spec, SpecError, Topology, Unwatched, shared_budgets, simulate, validate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

const FRAME: u64 = 1_000;

fn alpha(factor: f64) -> Alpha {
    Alpha::new(factor).expect("a valid factor")
}

/// A buffer without reserves and offsets.
fn buffer(size: u64, factor: f64) -> SharedBuffer {
    SharedBuffer {
        size: Bytes::new(size),
        alpha: alpha(factor),
        egress_alpha: alpha(factor),
        priority_alpha: [None; Priority::COUNT],
        reserve: Bytes::ZERO,
        headroom_pool: HeadroomPool::Sum,
        resume_offset: Bytes::ZERO,
    }
}

/// One bridge with pairs of senders that each overload the port to their own receiver; delays are zero.
fn pairs(count: usize, shared: SharedBuffer, duration: TimeDelta) -> Spec {
    let mut net = Topology::new();
    let bridge = net.bridge("b", 1);
    let mut flows = Vec::new();
    for pair in 0..count {
        let receiver = net.station(format!("r{pair}"), 2);
        net.connect(bridge, receiver, LINE, TimeDelta::ZERO);
        for sender in 0..2 {
            let sender = net.station(format!("s{pair}.{sender}"), 0);
            net.connect(sender, bridge, LINE, TimeDelta::ZERO);
            flows.push(flow(sender, receiver, Traffic::Backlogged));
        }
    }
    Spec { bridges: Bridges::SharedBuffer(shared), ..spec(net, flows, duration) }
}

fn run(spec: &Spec) -> Outcome {
    simulate(spec, &mut Unwatched).expect("it runs")
}

fn only_buffer(outcome: &Outcome) -> SharedBufferOutcome {
    assert_eq!(outcome.shared_buffers.len(), 1);
    outcome.shared_buffers[0]
}

/// Choudhury and Hahne: n overloaded queues that share B bytes each hold B α / (1 + n α), to within a frame of each queue.
#[test]
fn queues_without_flow_control_share_the_buffer() {
    for (count, factor) in [(1, 1.0), (2, 1.0), (3, 1.0), (2, 0.5), (3, 0.125), (2, 2.0)] {
        let size = 400_000;
        let outcome = run(&pairs(count, buffer(size, factor), TimeDelta::from_millis(2)));
        let expected = size as f64 * factor / (1.0 + count as f64 * factor);
        for queue in &outcome.queues {
            let last = *queue.length_series.last().expect("a sample") as f64;
            let slack = (count as f64 * factor + 2.0) * FRAME as f64;
            assert!((last - expected).abs() <= slack, "{count} {factor}: {last} instead of {expected}");
        }
        let used = only_buffer(&outcome);
        assert!(used.dropped_above_threshold > 0 && used.dropped_by_full_pool == 0, "{used:?}");
        let dropped: u64 = outcome.queues.iter().map(|queue| queue.dropped_frames).sum();
        assert_eq!(dropped, used.dropped_above_threshold);
    }
}

/// Two senders start at the same time and send at 10 Gb/s into one port of 10 Gb/s: a frame arrives from each of them every 800
/// ns, and one leaves. With α = 1 and B = 10 kB, the queue may hold at most half of the buffer: a frame enters if the bytes that
/// wait, including it, are at most B minus the bytes that wait. So 5 frames wait, and the sixth that would wait is dropped.
#[test]
fn a_queue_ends_at_half_of_the_buffer_if_alpha_is_one() {
    let outcome = run(&pairs(1, buffer(10_000, 1.0), TimeDelta::from_micros(40)));
    assert_eq!(only_buffer(&outcome).shared_peak, Bytes::new(5_000));
    assert_eq!(outcome.queues[0].peak, Bytes::new(5_000));
}

/// With α = 3, the threshold is three times the free space, so a queue may take three quarters of the buffer. A second queue that
/// fills at the same time leaves 3/7 for each.
#[test]
fn a_threshold_falls_as_another_queue_fills() {
    let alone = run(&pairs(1, buffer(280_000, 3.0), TimeDelta::from_millis(1)));
    assert!(alone.queues[0].peak.get().abs_diff(210_000) <= 4 * FRAME, "{:?}", alone.queues[0].peak);
    let mut late = pairs(2, buffer(280_000, 3.0), TimeDelta::from_millis(2));
    for flow in &mut late.flows[2..] {
        flow.start = Time::ZERO + TimeDelta::from_millis(1);
    }
    let outcome = run(&late);
    // The first queue drains from 210 kB to its share while the second one fills.
    for queue in &outcome.queues {
        let last = *queue.length_series.last().expect("a sample");
        assert!(last.abs_diff(120_000) <= 8 * FRAME, "{last}");
    }
    assert!(outcome.queues[0].peak.get() > 205_000);
}

/// Queues with factors α and β share a pool of B bytes: each holds its factor times the free space, which is B / (1 + α + β).
#[test]
fn priorities_have_their_own_factors() {
    let mut shared = buffer(280_000, 1.0);
    shared.priority_alpha[5] = Some(alpha(3.0));
    let mut spec = pairs(2, shared, TimeDelta::from_millis(2));
    for flow in &mut spec.flows[2..] {
        flow.priority = Priority::new(5).unwrap();
    }
    for queue in &run(&spec).queues {
        let expected = if queue.priority.get() == 5 { 168_000 } else { 56_000 };
        let last = *queue.length_series.last().expect("a sample");
        assert!(last.abs_diff(expected) <= 8 * FRAME, "{last} instead of {expected}");
    }
}

fn protected(spec: Spec) -> Spec {
    Spec { flow_control: pfc(), ..spec }
}

/// Under PFC, each input is limited by its own threshold, and nothing is lost. Two inputs fill one queue: each holds
/// B α / (1 + 2 α), plus headroom.
#[test]
fn inputs_pause_their_senders_at_the_threshold() {
    for (factor, size) in [(0.125, 200_000), (1.0, 100_000), (4.0, 50_000)] {
        let outcome = run(&protected(pairs(1, buffer(size, factor), TimeDelta::from_millis(2))));
        let used = only_buffer(&outcome);
        let shared = used.budget.shared().expect("a shared pool").get() as f64;
        let expected = 2.0 * shared * factor / (1.0 + 2.0 * factor);
        let peak = used.shared_peak.get() as f64;
        let slack = (2.0 * factor + 4.0) * FRAME as f64;
        assert!((peak - expected).abs() <= slack, "{factor}: {peak} instead of {expected}");
        assert!(used.pauses > 0 && used.headroom_peak <= used.budget.headroom_pool, "{used:?}");
        assert!(outcome.flows.iter().all(|flow| flow.dropped_frames == 0));
    }
}

/// An input that uses only its reserve never pauses its sender.
#[test]
fn a_reserve_protects_an_input_from_others() {
    let mut net = Topology::new();
    let bridge = net.bridge("b", 1);
    let (slow, fast) = (net.station("slow", 2), net.station("fast", 2));
    net.connect(bridge, slow, Rate::from_gbps(1), TimeDelta::ZERO);
    net.connect(bridge, fast, LINE, TimeDelta::ZERO);
    let mut flows = Vec::new();
    for sender in 0..4 {
        let station = net.station(format!("s{sender}"), 0);
        net.connect(station, bridge, LINE, TimeDelta::ZERO);
        let to = if sender == 3 { fast } else { slow };
        flows.push(flow(station, to, Traffic::Backlogged));
    }
    let shared = SharedBuffer { reserve: Bytes::new(3_000), ..buffer(100_000, 8.0) };
    let spec = protected(Spec {
        bridges: Bridges::SharedBuffer(shared),
        ..spec(net, flows, TimeDelta::from_millis(1))
    });
    let outcome = run(&spec);
    // The flow to the fast port does not share it and is never paused: 1 ms at 10 Gb/s.
    assert!(outcome.flows[3].delivered.get() >= 1_240_000, "{}", outcome.flows[3].delivered);
    assert!(outcome.flows[..3].iter().all(|flow| flow.delivered.get() < 60_000));
}

/// Without flow control on a class, its frames are dropped, while a protected class shares the buffer without a loss.
#[test]
fn protected_and_unprotected_classes_share_the_pool() {
    let mut spec = protected(pairs(2, buffer(150_000, 0.5), TimeDelta::from_millis(2)));
    for flow in &mut spec.flows[2..] {
        flow.priority = Priority::new(0).unwrap();
    }
    let outcome = run(&spec);
    let dropped: Vec<bool> = outcome.flows.iter().map(|flow| flow.dropped_frames > 0).collect();
    assert_eq!(dropped, [false, false, true, true]);
    let used = only_buffer(&outcome);
    assert!(used.pauses > 0 && used.dropped_above_threshold > 0);
    assert!(used.shared_peak <= used.budget.shared().unwrap());
}

/// PAUSE stops whole links, and its single counter per input uses the same thresholds.
#[test]
fn pause_uses_the_same_thresholds() {
    let spec = pairs(1, buffer(200_000, 0.25), TimeDelta::from_millis(1));
    let outcome = run(&Spec { flow_control: FlowControl::Pause(thresholds()), ..spec });
    assert!(only_buffer(&outcome).pauses > 0);
    assert!(outcome.flows.iter().all(|flow| flow.dropped_frames == 0));
}

/// The parts of the buffer: two protected inputs, three output queues of the notification priority.
#[test]
fn a_buffer_is_divided_into_reserves_headroom_and_shared_space() {
    let shared = SharedBuffer { reserve: Bytes::new(4_000), ..buffer(100_000, 0.125) };
    let budget = shared_budgets(&protected(pairs(1, shared, TimeDelta::from_millis(1)))).unwrap()[0];
    // Headroom of a link without delay: the frame in transit, the bytes that arrive during 51.2 ns each for a notification
    // and a pause frame (64 B) in the opposite direction, and the frame that the sender has begun.
    let headroom = 2 * (FRAME + 64 + 64 + FRAME);
    assert_eq!(budget.reserves, Bytes::new(5 * 4_000));
    assert_eq!((budget.headroom_pool.get(), budget.headroom_needed.get()), (headroom, headroom));
    assert_eq!(budget.shared(), Some(Bytes::new(100_000 - 20_000 - headroom)));
    assert_eq!((budget.counters, budget.exhausted_by), (2, None));
}

#[test]
fn a_buffer_without_room_for_its_parts_is_refused() {
    let shared = SharedBuffer { reserve: Bytes::new(4_000), ..buffer(20_000, 0.125) };
    let error = validate(&protected(pairs(1, shared, TimeDelta::from_millis(1)))).unwrap_err();
    let SpecError::SharedTooSmall { bridge, short_by, .. } = error else { panic!("{error}") };
    assert_eq!((bridge, short_by), (NodeId(0), Bytes::new(20_000 + 4_256 + FRAME - 20_000)));
    let enough = SharedBuffer { size: Bytes::new(20_000 + short_by.get()), ..shared };
    assert_eq!(validate(&protected(pairs(1, enough, TimeDelta::from_millis(1)))), Ok(()));
}

/// A pool with the headroom of one input is exhausted by two inputs that use headroom at the same time, and the run stops at the
/// first loss. With the whole sum, nothing is lost.
#[test]
fn an_oversubscribed_pool_loses_a_frame_when_too_many_inputs_use_it() {
    let pool = HeadroomPool::Fixed(Bytes::new(2_128));
    let shared = SharedBuffer { headroom_pool: pool, ..buffer(8_000, 1.0 / 64.0) };
    let mut spec = protected(pairs(1, shared, TimeDelta::from_millis(1)));
    let budget = shared_budgets(&spec).unwrap()[0];
    assert_eq!((budget.oversubscribed(), budget.exhausted_by), (Bytes::new(2_128), Some(2)));
    let error = simulate(&spec, &mut Unwatched).unwrap_err();
    assert!(matches!(error, SimError::Lost { priority: DATA, .. }), "{error}");
    spec.bridges = Bridges::SharedBuffer(SharedBuffer { headroom_pool: HeadroomPool::Sum, ..shared });
    let used = only_buffer(&run(&spec));
    assert!(used.headroom_peak > Bytes::new(2_128) && used.headroom_peak <= Bytes::new(4_256), "{used:?}");
}
