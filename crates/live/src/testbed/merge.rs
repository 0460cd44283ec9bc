//! Adds what stations know about their flows to what the bridge measured.

use setpoint_sim::{NodeId, Outcome, Spec};
use setpoint_units::Bytes;

use crate::station::StationFlow;

/// Adds the flows of a station, which appeared in the order of the network's description.
pub(super) fn flows(spec: &Spec, station: NodeId, known: &[StationFlow], outcome: &mut Outcome) {
    let own = spec.flows.iter().enumerate().filter(|(_, flow)| flow.source == station);
    for ((number, _), known) in own.zip(known) {
        let flow = &mut outcome.flows[number];
        let samples = flow.delivered_series.len();
        flow.sent_frames = known.sent_frames;
        flow.sent = Bytes::new(known.sent);
        flow.notifications = known.notifications;
        flow.first_notified = known.first_notified;
        flow.reaction = known.reaction;
        flow.limit_series = known.limit_series.clone();
        flow.notification_series = known.notification_series.clone();
        flow.limit_series.resize(samples, None);
        flow.notification_series.resize(samples, 0);
    }
}
