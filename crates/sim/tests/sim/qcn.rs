//! QCN in the network: it holds the queue at its set point and keeps the link full.

use crate::support;
use crate::support::{LINE, cioq, flow, qcn_control, spec};
use setpoint_control::parameter::{Percent, Power};
use setpoint_control::{Audience, CongestionPointParams, CpCounters, ReactionPointParams, fqcn, qcn};
use setpoint_sim::topology::Star;
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{
    Bridges, ControlSpec, Outcome, Placement, SampledFrames, Spec, SpecError, Unwatched, simulate, validate,
};
use setpoint_units::{Bytes, Time, TimeDelta};

/// A network with a round trip of 50 us; the second half of the run is measured.
fn dumbbell(senders: u32, duration: TimeDelta) -> Spec {
    Spec {
        measure_from: Time::ZERO + duration / 2,
        sample_interval: TimeDelta::from_millis(10),
        ..support::dumbbell(senders, TimeDelta::from_micros(25), duration)
    }
}

#[test]
fn the_queue_is_near_its_set_point_and_the_link_is_full() {
    for senders in [4, 10, 40] {
        let spec = dumbbell(senders, TimeDelta::from_millis(1_000));
        let outcome = simulate(&spec, &mut Unwatched).unwrap();
        let port = spec.topology.find_port("left->right").unwrap();
        let queue = outcome.queues.iter().find(|queue| queue.port == port).unwrap();
        let busy = outcome.ports.iter().find(|other| other.port == port).unwrap().busy;
        let utilisation = busy.as_secs_f64() / 0.5;
        assert!(utilisation > 0.99, "{senders} senders: {utilisation}");
        let mean = queue.length.mean;
        assert!((13_000.0..39_000.0).contains(&mean), "{senders} senders: mean queue {mean} B");
        assert!(queue.congestion_point.notifications > 0);
    }
}

/// A lone sender causes no queue at a link as fast as its own, so no sample is above the set point.
#[test]
fn a_lone_sender_stays_at_line_rate() {
    let spec = dumbbell(1, TimeDelta::from_millis(100));
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    assert_eq!(outcome.flows[0].notifications, 0);
    let rate = outcome.flows[0].delivered_measured.get() as f64 * 8.0 / 0.05;
    assert!((rate / 1e10 - 1.0).abs() < 1e-3, "{rate}");
}

/// With one rate limiter per station, all flows of a station share it once each has been notified.
#[test]
fn flows_share_a_limiter_when_there_are_no_more() {
    let net = Star { stations: 4, rate: LINE, delay: TimeDelta::from_micros(5) }.build();
    let stations: Vec<_> = net.stations().collect();
    let mut flows = vec![flow(stations[0], stations[2], Traffic::Backlogged); 4];
    flows.push(flow(stations[1], stations[2], Traffic::Backlogged));
    let mut spec = spec(net, flows, TimeDelta::from_millis(200));
    spec.control = qcn_control();
    spec.control.limiters_per_station = 1;
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    let last = outcome.flows[0].limit_series.len() - 1;
    let limits: Vec<_> = outcome.flows[..4].iter().map(|flow| flow.limit_series[last]).collect();
    assert!(limits[0].is_some() && limits.iter().all(|limit| *limit == limits[0]), "{limits:?}");
    let delivered: Vec<_> = outcome.flows[..4].iter().map(|flow| flow.delivered.get() as f64).collect();
    let mean = delivered.iter().sum::<f64>() / 4.0;
    assert!(delivered.iter().all(|bytes| (bytes / mean - 1.0).abs() < 0.1), "{delivered:?}");
}

/// Notifications take time to travel back: if the path is longer, the first one arrives later by exactly the
/// difference.
#[test]
fn notifications_travel() {
    let first_cut = |delay_micros: u64| {
        let delay = TimeDelta::from_micros(delay_micros);
        let mut spec = support::dumbbell(2, delay, TimeDelta::from_millis(5));
        spec.sample_interval = TimeDelta::from_nanos(500);
        let outcome = simulate(&spec, &mut Unwatched).unwrap();
        let limited = |limits: &Vec<Option<setpoint_units::Rate>>| limits.iter().position(Option::is_some);
        outcome.flows.iter().filter_map(|flow| limited(&flow.limit_series)).min().unwrap() as f64 * 0.5
    };
    let difference = first_cut(25) - first_cut(5);
    assert!((difference - 40.0).abs() <= 0.5, "{difference} us instead of 40 us");
}

/// A station with a reaction delay reacts that much later.
#[test]
fn reaction_takes_its_delay() {
    let mut spec = dumbbell(2, TimeDelta::from_millis(20));
    spec.control.reaction_delay = TimeDelta::from_nanos(2_400);
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    assert!(outcome.flows.iter().any(|flow| flow.reaction.get().get("decreases") > 0));
}

/// Once a limiter is back at line rate with nothing waiting, the flow sends freely again.
#[test]
fn limiters_are_released() {
    let mut spec = dumbbell(2, TimeDelta::from_millis(1_500));
    spec.flows[0].stop = Some(Time::ZERO + TimeDelta::from_millis(100));
    spec.flows[1].traffic = Traffic::OnOff {
        burst: Bytes::new(100_000),
        offered: setpoint_units::Rate::from_gbps(4),
        silence: setpoint_sim::traffic::Silence::Fixed,
    };
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    let limits = &outcome.flows[1].limit_series;
    assert!(limits.iter().any(Option::is_some), "never limited");
    assert_eq!(limits.last(), Some(&None));
}

/// Stations without reaction points receive notifications and continue sending.
#[test]
fn without_a_reaction_point_nothing_reacts() {
    let mut spec = dumbbell(2, TimeDelta::from_millis(5));
    spec.control.reaction_point = ReactionPointParams::None;
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    assert!(outcome.flows.iter().all(|flow| flow.notifications > 0));
    assert!(outcome.flows.iter().all(|flow| flow.limit_series.iter().all(Option::is_none)));
}

/// Two stations send 100 frames each, at twice the rate of the link to the third, into a buffer for ten frames.
/// Each pair of frames lengthens the queue by one frame, so the tenth pair fills the buffer. In each of the next 90
/// pairs, the first frame takes the space that has just become free, and the second is dropped. The queue length,
/// with or without the frame itself, is 10 kB for the second frame of the tenth pair and for all frames after it.
fn two_into_one(set_point: Bytes, sampled: SampledFrames) -> Outcome {
    let net = Star { stations: 3, rate: LINE, delay: TimeDelta::from_micros(1) }.build();
    let stations: Vec<_> = net.stations().collect();
    let message = Traffic::Message { size: Bytes::new(100_000) };
    let flows = stations[..2].iter().map(|&from| flow(from, stations[2], message.clone())).collect();
    let mut spec = spec(net, flows, TimeDelta::from_millis(1));
    spec.buffer = Bytes::new(10_000);
    let point = qcn::CpParams {
        set_point,
        weight: Power::of_two(-10),
        sampling: qcn::Sampling::EveryFrame,
        ..qcn::CpParams::default()
    };
    spec.control.congestion_point = CongestionPointParams::Qcn(point);
    spec.control.reaction_point = ReactionPointParams::None;
    spec.control.sampled = sampled;
    simulate(&spec, &mut Unwatched).unwrap()
}

#[test]
fn dropped_frames_are_sampled_on_request() {
    let counted = |set_point, sampled| {
        let outcome = two_into_one(Bytes::new(set_point), sampled);
        let dropped: u64 = outcome.flows.iter().map(|flow| flow.dropped_frames).sum();
        assert_eq!(dropped, 90);
        let point =
            outcome.queues.iter().map(|queue| queue.congestion_point).max_by_key(|point| point.samples);
        let received: u64 = outcome.flows.iter().map(|flow| flow.notifications).sum();
        assert_eq!(Some(received), point.map(|point| point.notifications), "a notification did not arrive");
        point.unwrap()
    };
    let point = |samples, notifications| CpCounters { samples, notifications };
    // Of the frames that enter, the second of the tenth pair and the next 90 arrive when the queue holds more than
    // 9 kB.
    assert_eq!(counted(9_000, SampledFrames::Enqueued), point(110, 91));
    assert_eq!(counted(9_000, SampledFrames::Arriving), point(200, 181));
    // The queue does not include a dropped frame, so it is never above 10 kB.
    assert_eq!(counted(10_000, SampledFrames::Enqueued), point(110, 0));
    assert_eq!(counted(10_000, SampledFrames::Arriving), point(200, 0));
}

/// Starting at line rate, 40 senders lose most of their frames until all have been notified, which takes a
/// sample for each of them. If all arriving frames are sampled, the senders are notified much sooner.
#[test]
fn sampling_dropped_frames_ends_the_loss_sooner() {
    let dropped = |sampled| {
        let mut spec = dumbbell(40, TimeDelta::from_millis(200));
        spec.control.sampled = sampled;
        let outcome = simulate(&spec, &mut Unwatched).unwrap();
        outcome.flows.iter().map(|flow| flow.dropped_frames).sum::<u64>()
    };
    let (enqueued, arriving) = (dropped(SampledFrames::Enqueued), dropped(SampledFrames::Arriving));
    assert!(arriving * 10 < enqueued, "{arriving} instead of {enqueued} frames dropped");
}

/// Three stations send ten frames each to a fourth. The congestion point samples once, when 29 kB have been enqueued. By
/// then all three flows have sent frames, so if the audience is every flow, the one sample causes three notifications.
#[test]
fn every_flow_is_notified_on_request() {
    let notified = |audience| {
        let net = Star { stations: 4, rate: LINE, delay: TimeDelta::from_micros(1) }.build();
        let stations: Vec<_> = net.stations().collect();
        let message = Traffic::Message { size: Bytes::new(10_000) };
        let flows = stations[..3].iter().map(|&from| flow(from, stations[3], message.clone())).collect();
        let mut spec = spec(net, flows, TimeDelta::from_millis(1));
        let point = qcn::CpParams {
            set_point: Bytes::new(1_000),
            sample_base: Bytes::new(28_500),
            jitter: Percent::ZERO,
            sampling: qcn::Sampling::Regular,
            ..qcn::CpParams::default()
        };
        spec.control.congestion_point = CongestionPointParams::Qcn(point);
        spec.control.audience = audience;
        let outcome = simulate(&spec, &mut Unwatched).unwrap();
        let point =
            outcome.queues.iter().map(|queue| queue.congestion_point).max_by_key(|point| point.samples);
        let each: Vec<u64> = outcome.flows.iter().map(|flow| flow.notifications).collect();
        (point.unwrap(), each, outcome.feedback.iter().sum::<u64>())
    };
    let (point, each, sent) = notified(Audience::EveryFlow);
    assert_eq!(point, CpCounters { samples: 1, notifications: 3 });
    assert_eq!((each, sent), (vec![1, 1, 1], 3));
    let (point, each, sent) = notified(Audience::Sampled);
    assert_eq!(point, CpCounters { samples: 1, notifications: 1 });
    assert_eq!((each.iter().sum::<u64>(), sent), (1, 1));
}

/// Notifying every flow is not possible at inputs, or with feedback that depends on the flow.
#[test]
fn every_flow_needs_an_output_and_equal_feedback() {
    let mut spec = dumbbell(2, TimeDelta::from_millis(1));
    spec.control.audience = Audience::EveryFlow;
    assert_eq!(validate(&spec), Ok(()));
    spec.control.congestion_point = CongestionPointParams::Fqcn(fqcn::CpParams::default());
    let refused = "congestion points whose feedback depends on the flow cannot send the same notification to every flow";
    assert_eq!(validate(&spec), Err(SpecError::Bridges(refused)));
    spec.control = ControlSpec { audience: Audience::EveryFlow, placement: Placement::Both, ..qcn_control() };
    spec.bridges = Bridges::Cioq(cioq());
    assert_eq!(
        validate(&spec),
        Err(SpecError::Bridges("only congestion points at outputs can notify every flow"))
    );
}
