//! Tests of every algorithm in a network: it keeps the link busy and achieves its purpose.

use crate::support;
use crate::support::{LINE, dumbbell, flow, no_control, pfc, spec};
use setpoint_control::{Algorithm, CongestionPointParams, NotificationPointParams, Params};
use setpoint_sim::topology::{ParkingLot, Star};
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{
    Change, ControlSpec, FlowControl, FlowId, Outcome, Spec, SpecError, TimedChange, Unwatched, simulate,
    validate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

fn control(algorithm: Algorithm, change: impl Fn(&mut Params)) -> ControlSpec {
    let mut params = Params::default();
    change(&mut params);
    let (congestion_point, reaction_point) = algorithm.points(&params);
    let notification_point = algorithm.notification_point(&params);
    ControlSpec { congestion_point, notification_point, reaction_point, ..no_control() }
}

/// The algorithms whose bridges notify sources, and those without any control. Algorithms with notification points have
/// their own tests.
fn without_receivers() -> impl Iterator<Item = Algorithm> {
    let replies = |algorithm: &Algorithm| {
        algorithm.notification_point(&Params::default()) != NotificationPointParams::None
    };
    Algorithm::ALL.into_iter().filter(move |algorithm| !replies(algorithm))
}

/// Senders with one receiver each. The run lasts 200 ms, and the second half is measured.
fn contested(senders: u32, algorithm: Algorithm) -> Spec {
    let mut spec = dumbbell(senders, TimeDelta::from_micros(12), TimeDelta::from_millis(200));
    spec.control = control(algorithm, |_| {});
    for (index, flow) in spec.flows.iter_mut().enumerate() {
        flow.tenant = index as u32;
    }
    spec.measure_from = Time::ZERO + TimeDelta::from_millis(100);
    spec
}

/// The same spec with a longer run, since unequal shares take a while to settle.
fn settled(spec: Spec) -> Spec {
    let measure_from = Time::ZERO + TimeDelta::from_millis(400);
    Spec { duration: TimeDelta::from_millis(600), measure_from, ..spec }
}

/// Mean rates of the flows during measurement, in Gb/s.
fn rates(outcome: &Outcome) -> Vec<f64> {
    let span = (outcome.end - outcome.measure_from).as_picos() as f64;
    outcome.flows.iter().map(|flow| flow.delivered_measured.get() as f64 * 8e3 / span).collect()
}

fn run(spec: &Spec) -> Outcome {
    simulate(spec, &mut Unwatched).expect("the spec runs")
}

/// The largest mean length of any queue.
fn mean_queue(outcome: &Outcome) -> f64 {
    outcome.queues.iter().map(|queue| queue.length.mean).fold(0.0, f64::max)
}

#[test]
fn every_algorithm_fills_the_link_and_holds_its_set_point() {
    for algorithm in without_receivers() {
        let outcome = run(&contested(4, algorithm));
        let total: f64 = rates(&outcome).iter().sum();
        assert!(total > 9.5 && total < 10.001, "{}: {total} Gb/s", algorithm.name());
        let queue = mean_queue(&outcome);
        match algorithm.set_point(&Params::default()) {
            Some(set_point) => {
                let ratio = queue / set_point.get() as f64;
                assert!((0.5..2.0).contains(&ratio), "{}: {queue} B for {set_point}", algorithm.name());
            }
            None => assert!(queue > 140_000.0, "without control the buffer is full: {queue} B"),
        }
        let notified: u64 = outcome.flows.iter().map(|flow| flow.notifications).sum();
        assert_eq!(notified > 0, algorithm.notifies(), "{}", algorithm.name());
    }
}

#[test]
fn under_pfc_nothing_is_lost_whatever_the_algorithm() {
    for algorithm in Algorithm::ALL {
        let mut spec = contested(8, algorithm);
        spec.flow_control = pfc();
        spec.duration = TimeDelta::from_millis(20);
        spec.measure_from = Time::ZERO;
        if spec.control.congestion_point.needs().admission {
            assert!(
                matches!(validate(&spec), Err(SpecError::DropsLossless(priority)) if priority == support::DATA)
            );
            spec.flow_control = FlowControl::None;
            assert_eq!(validate(&spec), Ok(()));
            continue;
        }
        let dropped: u64 = run(&spec).flows.iter().map(|flow| flow.dropped_frames).sum();
        assert_eq!(dropped, 0, "{}", algorithm.name());
    }
}

#[test]
fn af_qcn_gives_shares_by_weight_and_bound() {
    let mut spec = settled(contested(4, Algorithm::AfQcn));
    for (flow, weight) in spec.flows.iter_mut().zip([4, 3, 2, 1]) {
        flow.weight = weight;
    }
    let shares = rates(&run(&spec));
    for (rate, expected) in shares.iter().zip([4.0, 3.0, 2.0, 1.0]) {
        assert!((rate / expected - 1.0).abs() < 0.1, "{shares:?}");
    }
    spec.flows[0].max = Some(Rate::from_gbps(1));
    let bounded = rates(&run(&spec));
    for (rate, expected) in bounded.iter().zip([1.0, 4.5, 3.0, 1.5]) {
        assert!((rate / expected - 1.0).abs() < 0.15, "{bounded:?}");
    }
}

/// Three flows of one tenant together get as much as the single flow of another.
#[test]
fn af_qcn_divides_between_tenants() {
    let mut spec = settled(contested(4, Algorithm::AfQcn));
    for flow in &mut spec.flows[1..] {
        flow.tenant = 9;
    }
    let rates = rates(&run(&spec));
    let (alone, together) = (rates[0], rates[1..].iter().sum::<f64>());
    assert!((alone - together).abs() < 1.0, "{rates:?}");
}

#[test]
fn afd_holds_each_sender_to_the_fair_rate() {
    let mut spec = contested(4, Algorithm::Afd);
    let offered = [1, 2, 6, 9].map(Rate::from_gbps);
    for (flow, rate) in spec.flows.iter_mut().zip(offered) {
        flow.traffic = Traffic::Constant { rate };
    }
    // 10 Gb/s shared among demands of 1, 2, 6 and 9: the first two flows get their full demand, and the others get 3.5 each.
    let rates = rates(&run(&spec));
    for (rate, expected) in rates.iter().zip([1.0, 2.0, 3.5, 3.5]) {
        assert!((rate - expected).abs() < 0.15, "{rates:?}");
    }
}

#[test]
fn fqcn_notifies_senders_above_their_share_in_turn() {
    let outcome = run(&contested(8, Algorithm::Fqcn));
    let sent: u64 = outcome.queues.iter().map(|queue| queue.congestion_point.notifications).sum();
    let received: u64 = outcome.flows.iter().map(|flow| flow.notifications).sum();
    assert!(received <= sent && sent - received < 20, "{received} of {sent} arrived");
    // Equal senders alternate between exceeding and falling short of their share; chance alone
    // would spread the counts further.
    let counts: Vec<u64> = outcome.flows.iter().map(|flow| flow.notifications).collect();
    let (least, most) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
    assert!(*least > 0 && *most < 2 * *least, "{counts:?}");
}

/// A flow over three bridges, and a short flow at each of them: notifications for flows other than
/// the sampled one also reach their sources from every bridge.
#[test]
fn notifications_come_back_from_every_bridge() {
    for algorithm in without_receivers().filter(|algorithm| algorithm.notifies()) {
        let lot = ParkingLot {
            hops: 3,
            stations_per_bridge: 2,
            rate: LINE,
            delay: TimeDelta::from_micros(2),
            access_rate: LINE,
        };
        let net = lot.build();
        let at = |name: &str| net.find(name).expect("the node exists");
        let pairs = [("h1.1", "h4.1"), ("h1.2", "h2.1"), ("h2.2", "h3.1"), ("h3.2", "h4.2")];
        let flows = pairs.map(|(from, to)| flow(at(from), at(to), Traffic::Backlogged)).into();
        let mut spec = spec(net, flows, TimeDelta::from_millis(50));
        spec.control = control(algorithm, |_| {});
        let outcome = run(&spec);
        let speaking = outcome.queues.iter().filter(|queue| queue.congestion_point.notifications > 0).count();
        assert!(speaking >= 3, "{}: {speaking}", algorithm.name());
        assert!(outcome.flows.iter().all(|flow| flow.notifications > 0), "{}", algorithm.name());
    }
}

/// A source that BCN has slowed down tags its frames, and its rate is raised again; the rate of a
/// source that BCN has not slowed down is not raised.
#[test]
fn bcn_raises_the_sources_it_slowed_down() {
    let mut spec = contested(2, Algorithm::Bcn);
    spec.flows[1].stop = Some(Time::ZERO + TimeDelta::from_millis(40));
    let outcome = run(&spec);
    assert!(outcome.flows[0].reaction.get().get("increases") > 0, "{:?}", outcome.flows[0].reaction.get());
    assert!(rates(&outcome)[0] > 9.0, "the flow is alone on the link: {:?}", rates(&outcome));
    let mut deaf = contested(2, Algorithm::Bcn);
    deaf.control.congestion_point = CongestionPointParams::None;
    assert!(run(&deaf).flows.iter().all(|flow| flow.reaction.get().get("increases") == 0));
}

#[test]
fn bcn_silences_senders_at_severe_congestion() {
    let mut spec = contested(16, Algorithm::Bcn);
    spec.control = control(Algorithm::Bcn, |params| params.bcn.cp.severe_threshold = Bytes::new(60_000));
    let outcome = run(&spec);
    let stops: u64 = outcome.flows.iter().map(|flow| flow.reaction.get().get("stops")).sum();
    assert!(stops > 0);
    assert!(rates(&outcome).iter().all(|&rate| rate > 0.0), "all of them recover: {:?}", rates(&outcome));
}

/// Stops that last longer than the run: a stopped source sends nothing more, and its series shows the smallest rate.
#[test]
fn a_silent_source_sends_nothing() {
    let mut spec = contested(16, Algorithm::Bcn);
    spec.control = control(Algorithm::Bcn, |params| {
        params.bcn.cp.severe_threshold = Bytes::new(60_000);
        params.bcn.rp.stop_time = TimeDelta::from_secs(1_000);
    });
    let outcome = run(&spec);
    let mut stopped = outcome.flows.iter().filter(|flow| flow.reaction.get().get("stops") > 0).peekable();
    assert!(stopped.peek().is_some());
    for flow in stopped {
        assert_eq!(flow.limit_series.last(), Some(&Some(Rate::MIN)));
        assert_eq!(flow.delivered_series.last(), Some(&0));
    }
}

/// One bit per second is an ordinary rate: a source that may send when the rate is set sends one frame.
#[test]
fn the_smallest_rate_is_not_silence() {
    let mut spec = contested(2, Algorithm::None);
    let frames = |spec: &Spec| run(spec).flows.iter().map(|flow| flow.sent_frames).collect::<Vec<_>>();
    spec.flows[0].cap = Some(Rate::MIN);
    spec.flows[1].cap = Some(Rate::from_mbps(1));
    let at = |millis| Time::ZERO + TimeDelta::from_millis(millis);
    let change = |millis, cap| TimedChange { at: at(millis), change: Change::Cap(FlowId(1), Some(cap)) };
    assert_eq!(frames(&spec)[0], 1);
    // One frame leaves at 0 ms, and the next one leaves one frame time (about 8 ms) after the second change.
    spec.changes = vec![change(0, Rate::MIN), change(190, Rate::from_mbps(1))];
    assert_eq!(frames(&spec), [1, 2]);
}

/// The first station sends one flow to a congested station and another flow to an idle station.
fn two_ways(algorithm: Algorithm, limiters: u32) -> Spec {
    let net = Star { stations: 7, rate: LINE, delay: TimeDelta::from_micros(1) }.build();
    let stations: Vec<_> = net.stations().collect();
    let pairs = [(0, 5), (0, 6), (1, 5), (2, 5), (3, 5), (4, 5)];
    let flows = pairs.map(|(from, to)| flow(stations[from], stations[to], Traffic::Backlogged)).into();
    let mut spec = spec(net, flows, TimeDelta::from_millis(40));
    spec.control = control(algorithm, |_| {});
    spec.control.limiters_per_station = limiters;
    spec
}

/// Some algorithms also notify sources of free capacity; such a notification must not make the flow share
/// another flow's limiter.
#[test]
fn a_flow_notified_only_of_free_capacity_is_not_limited() {
    for algorithm in without_receivers().filter(|algorithm| algorithm.notifies()) {
        for limiters in [1, 100] {
            let outcome = run(&two_ways(algorithm, limiters));
            let limits = &outcome.flows[1].limit_series;
            assert!(limits.iter().all(Option::is_none), "{} with {limiters}", algorithm.name());
        }
    }
}

#[test]
fn a_bound_set_for_one_flow_applies_to_its_tenant() {
    let mut spec = settled(contested(4, Algorithm::AfQcn));
    for flow in &mut spec.flows[1..] {
        flow.tenant = 9;
    }
    let bound = Change::Max(FlowId(1), Some(Rate::from_gbps(1)));
    spec.changes = vec![TimedChange { at: Time::ZERO, change: bound }];
    let rates = rates(&run(&spec));
    assert!(rates[1..].iter().sum::<f64>() < 1.5, "{rates:?}");
}

#[test]
fn reaction_points_that_change_algorithm_keep_their_counts_and_get_tags() {
    let mut spec = contested(2, Algorithm::Bcn);
    let bcn = spec.control.reaction_point;
    spec.control.reaction_point = support::qcn_control().reaction_point;
    spec.flows[1].stop = Some(Time::ZERO + TimeDelta::from_millis(60));
    let at = |millis| Time::ZERO + TimeDelta::from_millis(millis);
    spec.changes = vec![TimedChange { at: at(1), change: Change::ReactionPoint(bcn) }];
    let outcome = run(&spec);
    assert!(
        outcome.flows[0].reaction.get().get("increases") > 0,
        "tagged frames are answered: {:?}",
        outcome.flows[0].reaction.get()
    );
    let mut back = contested(2, Algorithm::Qcn);
    back.duration = TimeDelta::from_millis(20);
    back.measure_from = Time::ZERO;
    let before: u64 = run(&back).flows.iter().map(|flow| flow.reaction.get().get("decreases")).sum();
    back.changes = vec![TimedChange { at: at(19), change: Change::ReactionPoint(bcn) }];
    let after: u64 = run(&back).flows.iter().map(|flow| flow.reaction.get().get("decreases")).sum();
    assert!(before > 0 && after + 5 >= before, "{after} of {before}");
}
