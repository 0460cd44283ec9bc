//! Consistency checks of an outcome.

use setpoint_sim::{Change, FailedLink, NodeId, Outcome, Priority, Reaction, Spec};
use setpoint_units::{Bytes, Time, TimeDelta};

/// Checks the consistency of an outcome for a line of bridges.
pub fn adds_up(spec: &Spec, outcome: &Outcome) {
    let measured = outcome.end - outcome.measure_from;
    for (flow, given) in outcome.flows.iter().zip(&spec.flows) {
        assert_eq!(flow.delivered_series.iter().sum::<u64>(), flow.delivered.get());
        assert_eq!(
            flow.notification_series.iter().map(|&count| u64::from(count)).sum::<u64>(),
            flow.notifications
        );
        let copies = flow.copies.get();
        let created = copies.created;
        let lost = flow.lost_on_links.get();
        assert!(flow.delivered + flow.dropped + lost.bytes + copies.unwanted <= flow.sent + created);
        assert!(lost.unreachable_frames <= lost.frames);
        let received = flow.receivers.iter().map(|receiver| receiver.delivered).sum::<Bytes>();
        assert!(flow.receivers.is_empty() || received == flow.delivered);
        let leaves = |station: NodeId| {
            spec.changes.iter().any(|change| matches!(change.change, Change::Leave(_, who) if who == station))
        };
        for receiver in &flow.receivers {
            // Frames that arrive after a member has left are delivered, but not measured.
            let in_time = receiver.delivered_series.iter().sum::<u64>();
            assert!(in_time <= receiver.delivered.get());
            assert!(in_time == receiver.delivered.get() || leaves(receiver.station));
            assert!(receiver.delivered_measured.get() <= in_time);
            assert!(receiver.delivered_frames + receiver.lost_frames <= flow.sent_frames);
            assert!(receiver.delay_max <= flow.delay_max);
        }
        assert!(flow.delivered_measured <= flow.delivered);
        let started = spec.changes.iter().any(|change| matches!(change.change, Change::StartFlow(_)));
        if given.start >= outcome.end && !started {
            assert_eq!(
                (flow.sent_frames, flow.victim),
                (0, TimeDelta::ZERO),
                "a flow with nothing to send is not a victim"
            );
        }
        if given.reaction == Reaction::Uncontrolled {
            assert_eq!(flow.notifications, 0, "background traffic was notified");
        }
    }
    for queue in &outcome.queues {
        let sent = queue.notification_series.iter().map(|&count| u64::from(count)).sum::<u64>();
        assert_eq!(sent, queue.congestion_point.notifications);
        assert_eq!(queue.length.dwell.iter().copied().sum::<TimeDelta>(), measured);
    }
    for port in &outcome.ports {
        assert_eq!(port.sent_series.iter().sum::<u64>(), port.sent.get());
        assert!(port.busy <= measured, "{:?} was busy for {} of {measured}", port.port, port.busy);
        assert!(port.paused <= measured, "{:?} was paused for {} of {measured}", port.port, port.paused);
        let paused = port.paused_series.iter().copied().sum::<TimeDelta>();
        assert!(paused >= port.paused, "{paused} in the series, {} measured", port.paused);
        if outcome.measure_from == Time::ZERO {
            assert_eq!(paused, port.paused);
        }
    }
    pauses_add_up(outcome);
    for message in &outcome.messages {
        assert!(message.completed >= message.offered);
    }
    let dropped = outcome.flows.iter().map(|flow| flow.dropped_frames).sum::<u64>();
    let on_links = outcome.flows.iter().map(|flow| flow.lost_on_links.get().frames).sum::<u64>();
    let both = |link: &FailedLink| {
        [link.forward, link.backward]
            .map(|losses| losses.in_flight_frames + losses.sent_frames)
            .iter()
            .sum::<u64>()
    };
    assert_eq!(outcome.failed_links.iter().map(both).sum::<u64>(), on_links);
    if dropped + on_links == 0 {
        assert_eq!(outcome.message_counts.total().damaged, 0);
    }
}

/// The networks drawn here are lines of bridges: pauses spread along them and never in a cycle.
fn pauses_add_up(outcome: &Outcome) {
    assert_eq!(outcome.deadlock, None, "a line of bridges deadlocked");
    let (trees, whole) = (&outcome.congestion_trees, outcome.end - Time::ZERO);
    assert_eq!(trees.deepest, trees.pauses.iter().map(|pause| pause.depth).max().unwrap_or(0));
    assert_eq!(trees.widest == 0, trees.pauses.is_empty());
    let of_port = |id| trees.pauses.iter().filter(move |pause| pause.paused == id);
    for pause in &trees.pauses {
        assert_eq!(pause.depth == 1, pause.cause == pause.root);
        assert!(
            of_port(pause.paused).map(|pause| pause.time).sum::<TimeDelta>()
                <= whole * Priority::COUNT as u64
        );
    }
    for port in outcome.ports.iter().filter(|port| port.pauses > 0) {
        assert!(of_port(port.port).map(|pause| pause.pauses).sum::<u64>() >= port.pauses);
    }
    assert!(outcome.flows.iter().all(|flow| flow.victim <= whole));
}
