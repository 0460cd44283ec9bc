//! Notifications from the network.

use setpoint_control::{Notification, PointId, QuantizedFeedback, ReactionPointParams};
use setpoint_units::Time;
use setpoint_wire::{Cnm, Header};

use super::Station;
use super::flow::{Accepted, Flow};

/// The maximum number of congestion points that a station distinguishes, so that forged identifiers use bounded memory.
const MOST_POINTS: usize = 1_024;

impl Station {
    /// Handles a notification that was sent to this station.
    pub(super) fn on_notification(&mut self, now: Time, header: &Header, cnm: &Cnm<'_>) {
        let Some(index) = self.notified_flow(header, cnm) else {
            self.counters.unknown_flow += 1;
            return;
        };
        if self.plan.control.reaction_point == ReactionPointParams::None || !self.has_limiter(index) {
            self.counters.no_limiter += 1;
            return;
        }
        let Some(from) = self.point(cnm.congestion_point) else {
            self.counters.unknown_point += 1;
            return;
        };
        let notification = Notification {
            feedback: QuantizedFeedback::saturating(cnm.feedback.into()),
            queue_offset: cnm.queue_offset,
            queue_delta: cnm.queue_delta,
        };
        let (params, line) = (self.plan.control.reaction_point, self.transmitter.rate());
        let feedback = params.signal(notification).sent_by(from);
        match self.flows[index].on_feedback(now, &params, line, &feedback) {
            Accepted::Yes => self.counters.obeyed += 1,
            Accepted::TooMany => self.counters.too_many += 1,
        }
    }

    /// The flow that a notification is about: one of ours, with the destination and the priority that the notification
    /// names.
    fn notified_flow(&self, header: &Header, cnm: &Cnm<'_>) -> Option<usize> {
        let index = usize::from(header.cn_tag?.flow);
        let flow = self.flows.get(index)?;
        let is_ours = flow.name?.destination() == cnm.destination && flow.priority == cnm.priority;
        is_ours.then_some(index)
    }

    /// Whether a flow has a limiter, or may be given one.
    fn has_limiter(&self, index: usize) -> bool {
        let limited = |flow: &&Flow| flow.limit().is_some();
        self.flows[index].limit().is_some()
            || self.flows.iter().filter(limited).count() < self.plan.control.limiters_per_station as usize
    }

    /// The number of a congestion point.
    fn point(&mut self, identifier: [u8; 8]) -> Option<PointId> {
        let next = self.points.len();
        if next >= MOST_POINTS && !self.points.contains_key(&identifier) {
            return None;
        }
        Some(PointId(*self.points.entry(identifier).or_insert(next as u32)))
    }
}
