//! Adds the measurements of the stations to those of the bridge.

use setpoint_sim::{NodeId, Outcome, Spec};

/// Adds the port and the flows of a station. Its flows appeared in the same order as in the network's description.
pub(super) fn station(spec: &Spec, node: NodeId, known: Outcome, outcome: &mut Outcome) {
    outcome.ports.extend(known.ports);
    let own = spec.flows.iter().enumerate().filter(|(_, flow)| flow.source == node);
    for ((number, _), known) in own.zip(known.flows) {
        let flow = &mut outcome.flows[number];
        let samples = flow.delivered_series.len();
        flow.sent_frames = known.sent_frames;
        flow.sent = known.sent;
        flow.notifications = known.notifications;
        flow.first_notified = known.first_notified;
        flow.reaction = known.reaction;
        flow.limit_series = known.limit_series;
        flow.notification_series = known.notification_series;
        flow.resize(samples);
    }
}

/// Gives the series of all ports the same number of samples, and sorts the ports by number.
pub(super) fn finish(outcome: &mut Outcome, samples: usize) {
    outcome.ports.iter_mut().for_each(|port| port.resize(samples));
    outcome.ports.sort_by_key(|port| port.port);
}
