//! The flows that are notified, and those that react.

use crate::support::{LINE, flow, qcn_control, spec};
use setpoint_control::ReactionPointParams;
use setpoint_control::parameter::Switch;
use setpoint_sim::topology::Star;
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{Change, Reaction, Spec, TimedChange, Unwatched, simulate};
use setpoint_units::{Time, TimeDelta};

/// Two stations send to a third at twice its rate.
fn congested() -> Spec {
    let net = Star { stations: 3, rate: LINE, delay: TimeDelta::from_micros(1) }.build();
    let stations: Vec<_> = net.stations().collect();
    let flows = stations[..2].iter().map(|&from| flow(from, stations[2], Traffic::Backlogged)).collect();
    let mut spec = spec(net, flows, TimeDelta::from_millis(10));
    spec.control = qcn_control();
    spec
}

fn at(micros: u64) -> Time {
    Time::ZERO + TimeDelta::from_micros(micros)
}

#[test]
fn without_limiters_or_reaction_points_notifications_are_ignored() {
    let mut none_left = congested();
    none_left.control.limiters_per_station = 0;
    let mut inert = congested();
    inert.control.reaction_point = ReactionPointParams::None;
    for spec in [none_left, inert] {
        let outcome = simulate(&spec, &mut Unwatched).unwrap();
        for flow in &outcome.flows {
            assert!(flow.notifications > 0);
            assert_eq!(flow.reaction.get().get("decreases"), 0);
            assert!(flow.limit_series.iter().all(Option::is_none));
        }
    }
}

#[test]
fn reaction_points_come_and_go_with_their_parameters() {
    let mut spec = congested();
    let ReactionPointParams::Qcn(mut disabled) = spec.control.reaction_point else { unreachable!() };
    disabled.enable = Switch::Off;
    let on = spec.control.reaction_point;
    for off in [ReactionPointParams::None, ReactionPointParams::Qcn(disabled)] {
        spec.changes = vec![
            TimedChange { at: at(3_500), change: Change::ReactionPoint(off) },
            TimedChange { at: at(6_500), change: Change::ReactionPoint(on) },
        ];
        let outcome = simulate(&spec, &mut Unwatched).unwrap();
        for flow in &outcome.flows {
            let limited: Vec<_> = flow.limit_series.iter().map(Option::is_some).collect();
            let expected = [true, true, true, false, false, false, true, true, true, true];
            assert_eq!(limited, expected, "{off:?}");
        }
    }
}

#[test]
fn background_traffic_is_never_notified() {
    let mut spec = congested();
    spec.flows[1].reaction = Reaction::Uncontrolled;
    let outcome = simulate(&spec, &mut Unwatched).unwrap();
    assert!(outcome.flows[0].notifications > 0);
    assert_eq!(outcome.flows[1].notifications, 0);
    let sent: u64 = outcome.queues.iter().map(|queue| queue.congestion_point.notifications).sum();
    assert_eq!(sent, outcome.flows[0].notifications);
    assert_eq!(sent, outcome.feedback.iter().sum::<u64>());
    assert_eq!(outcome.feedback[0], 0, "QCN sends no feedback of zero");
}
