//! The synthetic measurements: curves first, then counters that agree with them.

use setpoint_control::{Counters, CpCounters};
use setpoint_sim::{
    CongestionTrees, DwellStatistics, Fate, Fates, FlowId, FlowOutcome, IncompleteMessage, MessageCounts,
    MessageOutcome, Outcome, PauseCause, PortId, PortOutcome, QueueOutcome, Spec,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use super::{Synthetic, priority};

/// All measurements of a run.
pub(super) fn make(run: &Synthetic, spec: &Spec) -> Outcome {
    let mut noise = Noise(run.seed);
    let flows: Vec<FlowOutcome> = (0..run.senders).map(|flow| flow_outcome(run, flow, &mut noise)).collect();
    let bottleneck = spec.topology.find_port("left->right").expect("a dumbbell has a bottleneck");
    let receiver = spec.topology.find_port("right->r1").expect("a dumbbell has a receiver");
    let notifications = sum_u32(&flows);
    let queues = vec![queue_outcome(run, bottleneck, &notifications, &mut noise), quiet_queue(run, receiver)];
    let at_capacity = |sample| capacity(run, sample);
    let ports = vec![
        port_outcome(run, bottleneck, &flows, &at_capacity),
        port_outcome(run, receiver, &flows, &|_| 1.0),
    ];
    let messages = messages(run, &mut noise);
    let incomplete: Vec<IncompleteMessage> = messages.first().map(unfinished).into_iter().collect();
    Outcome {
        end: run.end(),
        sample_interval: Synthetic::INTERVAL,
        measure_from: spec.measure_from,
        measure_messages_until: spec.measure_messages_until,
        events: 1_000_000,
        packet_hops: flows.iter().map(|flow| 3 * flow.delivered_frames).sum(),
        flows,
        queues,
        ports,
        message_counts: counts(&messages, &incomplete, spec.measure_from),
        messages_incomplete: incomplete,
        feedback: vec![0; 64],
        congestion_trees: trees(bottleneck, receiver),
        messages,
        ..Outcome::default()
    }
}

/// The bottleneck was paused twice, by the port behind it.
fn trees(paused: PortId, root: PortId) -> CongestionTrees {
    let time = TimeDelta::from_micros(9);
    let pauses = vec![PauseCause { paused, cause: root, root, depth: 1, pauses: 2, time }];
    CongestionTrees { pauses, widest: 1, deepest: 1 }
}

/// Share of the bottleneck's full capacity that is available in a sample.
fn capacity(run: &Synthetic, sample: usize) -> f64 {
    if sample < run.samples / 2 { 1.0 } else { 0.5 }
}

/// Time since the last disturbance, in samples.
fn since_disturbance(run: &Synthetic, sample: usize) -> f64 {
    (sample % (run.samples / 2).max(1)) as f64
}

fn flow_outcome(run: &Synthetic, flow: u32, noise: &mut Noise) -> FlowOutcome {
    let fair = Synthetic::RATE.bits_per_second() as f64 / f64::from(run.senders) * 1000.0 / 1020.0;
    let bias = if flow.is_multiple_of(2) { 0.3 } else { -0.3 };
    let rate = |sample: usize, noise: &mut Noise| {
        let unfair = bias * (-(sample as f64) / 40.0).exp();
        fair * capacity(run, sample) * (1.0 + unfair + 0.01 * noise.centred())
    };
    let frames: Vec<u64> = (0..run.samples).map(|sample| (rate(sample, noise) / 8e6) as u64).collect();
    let delivered_series: Vec<u64> = frames.iter().map(|frames| frames * Synthetic::FRAME.get()).collect();
    let notification_series: Vec<u32> = (0..run.samples).map(|_| u32::from(noise.unit() < 0.4)).collect();
    let delivered: u64 = delivered_series.iter().sum();
    let delivered_frames: u64 = frames.iter().sum();
    let notifications = notification_series.iter().copied().map(u64::from).sum();
    FlowOutcome {
        sent_frames: delivered_frames,
        sent: Bytes::new(delivered),
        delivered_frames,
        delivered: Bytes::new(delivered),
        delivered_measured: Bytes::new(delivered_series[run.samples / 10..].iter().sum()),
        notifications,
        reaction: Counters::from([("decreases", notifications), ("fast_recovery_cycles", notifications * 3)])
            .into(),
        delay_sum: u128::from(delivered_frames) * 40_000_000,
        delay_max: TimeDelta::from_micros(140),
        delay_frames: delivered_frames,
        limit_series: delivered_series
            .iter()
            .enumerate()
            .map(|(sample, bytes)| limit(sample, *bytes))
            .collect(),
        delivered_series,
        notification_series,
        ..FlowOutcome::default()
    }
}

/// The limit of a flow in a sample; there is no limiter before the first notifications.
fn limit(sample: usize, bytes: u64) -> Option<Rate> {
    (sample > 2).then(|| Rate::new(bytes * 8_000)).flatten()
}

fn queue_outcome(run: &Synthetic, port: PortId, notifications: &[u32], noise: &mut Noise) -> QueueOutcome {
    let set_point = Synthetic::SET_POINT.get() as f64;
    let length = |sample: usize| {
        let since = since_disturbance(run, sample);
        let ringing = 100e3 * (-since / 15.0).exp() * (since / 4.0).cos();
        (set_point + ringing + 5e3 * noise.centred()).clamp(0.0, 150e3) as u64
    };
    let length_series: Vec<u64> = (0..run.samples).map(length).collect();
    let notification_series = notifications.to_vec();
    let sent: u64 = notifications.iter().copied().map(u64::from).sum();
    let longest = Bytes::new(length_series.iter().copied().max().unwrap_or(0));
    let measured = dwell(&length_series[run.samples / 10..]);
    let counters = CpCounters { samples: sent * 2, notifications: sent };
    QueueOutcome { notification_series, ..queue(port, length_series, (measured, longest), counters) }
}

fn quiet_queue(run: &Synthetic, port: PortId) -> QueueOutcome {
    let lengths = vec![0; run.samples];
    let measured = dwell(&lengths);
    queue(port, lengths, (measured, Synthetic::FRAME), CpCounters { samples: 10, notifications: 0 })
}

/// An output queue that drops no frames.
fn queue(
    port: PortId,
    length_series: Vec<u64>,
    (length, peak): (DwellStatistics, Bytes),
    congestion_point: CpCounters,
) -> QueueOutcome {
    QueueOutcome {
        port,
        priority: priority(),
        length,
        peak,
        dropped_frames: 0,
        dropped: Bytes::ZERO,
        congestion_point,
        marked_frames: None,
        culprits: setpoint_control::CulpritCounters::default(),
        side: setpoint_sim::Side::Output,
        largest_series: length_series.clone(),
        mean_series: length_series.clone(),
        limit: Some(Bytes::new(150_001 + Synthetic::FRAME.get())),
        notification_series: vec![0; length_series.len()],
        mark_series: vec![0; length_series.len()],
        length_series,
    }
}

/// Dwell times of a queue that stays at each sampled length for the whole interval.
fn dwell(lengths: &[u64]) -> DwellStatistics {
    let count = lengths.len().max(1) as f64;
    let mean = lengths.iter().sum::<u64>() as f64 / count;
    let variance = lengths.iter().map(|&length| (length as f64 - mean).powi(2)).sum::<f64>() / count;
    let step = 500;
    let steps = lengths.iter().max().map_or(0, |longest| longest / step + 1);
    let mut dwell = vec![TimeDelta::ZERO; steps as usize];
    for length in lengths {
        dwell[(length / step) as usize] += Synthetic::INTERVAL;
    }
    let empty = lengths.iter().filter(|&&length| length == 0).count() as f64 / count;
    DwellStatistics { mean, deviation: variance.sqrt(), empty, dwell, step: Bytes::new(step) }
}

fn port_outcome(
    run: &Synthetic,
    port: PortId,
    flows: &[FlowOutcome],
    capacity: &dyn Fn(usize) -> f64,
) -> PortOutcome {
    let sample_bytes = |sample: usize| flows.iter().map(|flow| flow.delivered_series[sample]).sum::<u64>();
    let sent_series: Vec<u64> = (0..run.samples).map(sample_bytes).collect();
    let frames: u64 = flows.iter().map(|flow| flow.delivered_frames).sum();
    let busy = |(sample, &bytes): (usize, &u64)| wire_time(bytes, capacity(sample));
    let busy_series: Vec<TimeDelta> = sent_series.iter().enumerate().map(busy).collect();
    let busy: TimeDelta = busy_series[run.samples / 10..].iter().copied().sum();
    PortOutcome {
        port,
        sent_frames: frames,
        sent: Bytes::new(sent_series.iter().sum()),
        busy,
        paused: TimeDelta::from_micros(10),
        pauses: 2,
        sent_series,
        busy_series,
        paused_series: (0..run.samples)
            .map(|sample| TimeDelta::from_micros(u64::from(sample == 1) * 10))
            .collect(),
    }
}

/// The time to send the given bytes at a share of the link's rate.
fn wire_time(bytes: u64, capacity: f64) -> TimeDelta {
    let rate = Synthetic::RATE.bits_per_second() as f64 * capacity;
    Rate::from_bits_per_second(rate as u64).time_to_send(Bytes::new(bytes * 1_020 / 1_000))
}

fn messages(run: &Synthetic, noise: &mut Noise) -> Vec<MessageOutcome> {
    let mut list = Vec::new();
    for flow in 0..run.senders {
        for _ in 0..run.messages {
            list.push(message(run, FlowId(flow), noise));
        }
    }
    list.sort_by_key(|message| (message.completed, message.flow));
    list
}

/// An unfinished message with the properties of another message.
fn unfinished(like: &MessageOutcome) -> IncompleteMessage {
    let &MessageOutcome { flow, size, offered, ideal, .. } = like;
    IncompleteMessage { flow, size, offered, ideal, fate: Fate::Unfinished, waited: TimeDelta::ZERO }
}

fn counts(messages: &[MessageOutcome], incomplete: &[IncompleteMessage], from: Time) -> MessageCounts {
    let of = |is_measured: bool| Fates {
        completed: messages.iter().filter(|one| (one.offered >= from) == is_measured).count() as u64,
        unfinished: incomplete.iter().filter(|one| (one.offered >= from) == is_measured).count() as u64,
        damaged: 0,
    };
    MessageCounts { before: of(false), measured: of(true), after: Fates::default() }
}

/// Sizes from 1 kB to 10 MB, uniform in their logarithm.
fn message(run: &Synthetic, flow: FlowId, noise: &mut Noise) -> MessageOutcome {
    let size = Bytes::new((1e3 * 10f64.powf(4.0 * noise.unit())) as u64);
    let offered = Time::from_picos((run.end().as_picos() as f64 * 0.9 * noise.unit()) as u64);
    let ideal = Synthetic::RATE.time_to_send(size) + TimeDelta::from_micros(15);
    let taken = TimeDelta::from_picos((ideal.as_picos() as f64 * (1.0 + 9.0 * noise.unit())) as u64);
    MessageOutcome { flow, size, offered, completed: offered + taken, waited: TimeDelta::ZERO, ideal }
}

fn sum_u32(flows: &[FlowOutcome]) -> Vec<u32> {
    let samples = flows.first().map_or(0, |flow| flow.notification_series.len());
    (0..samples).map(|sample| flows.iter().map(|flow| flow.notification_series[sample]).sum()).collect()
}

/// Uniform numbers from a linear congruential generator (Knuth's MMIX constants).
struct Noise(u64);

impl Noise {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn centred(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }
}
