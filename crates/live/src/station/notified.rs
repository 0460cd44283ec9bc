//! Notifications from bridges (CNM) and from receivers (CNP).

use setpoint_control::{Feedback, Notification, PointId, QuantizedFeedback, ReactionPointParams};
use setpoint_sim::Reaction;
use setpoint_units::Time;
use setpoint_wire::{Cnm, Header, RoceFrame};

use super::Station;
use super::flow::{Accepted, Flow};
use crate::marking::marks;

/// The maximum number of congestion points that a station distinguishes, so that forged identifiers use bounded memory.
const MOST_POINTS: usize = 1_024;

impl Station {
    /// Handles a notification that was sent to this station.
    pub(super) fn on_notification(&mut self, now: Time, header: &Header, cnm: &Cnm<'_>) {
        let Some(index) = self.notified_flow(header, cnm) else {
            self.counters.unknown_flow += 1;
            return;
        };
        if !self.has_limiter(index) {
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
        let feedback = self.plan.control.reaction_point.signal(notification).sent_by(from);
        self.obey(now, index, &feedback);
    }

    /// Handles a congestion notification packet that was sent to this station.
    pub(super) fn on_cnp(&mut self, now: Time, octets: &[u8]) {
        let cnp = match RoceFrame::parse(octets) {
            Ok(cnp) => cnp,
            Err(error) => return self.counters.refuse(&error),
        };
        match self.reported_flow(&cnp) {
            None => self.counters.unknown_flow += 1,
            Some(index) if !self.has_limiter(index) => self.counters.no_limiter += 1,
            Some(index) => self.obey(now, index, &Feedback::Congestion),
        }
    }

    fn obey(&mut self, now: Time, index: usize, feedback: &Feedback<'_>) {
        let (params, line) = (self.plan.control.reaction_point, self.transmitter.rate());
        match self.flows[index].on_feedback(now, &params, line, feedback) {
            Accepted::Yes => self.counters.obeyed += 1,
            Accepted::TooMany => self.counters.too_many += 1,
        }
    }

    /// The flow that a CNP is about: one of ours, from the destination of the flow and with the flow's queue pair. If flows
    /// differ only in their priority, it is the one that sent last.
    fn reported_flow(&self, cnp: &RoceFrame<'_>) -> Option<usize> {
        let ends = Some([cnp.ip.destination, cnp.ip.source]);
        let is_meant = |index: &usize| {
            let Flow { name: Some(name), queue_pair, .. } = &self.flows[*index] else { return false };
            *queue_pair == cnp.bth.queue_pair
                && name.ipv4_ends() == ends
                && name.destination() == cnp.header.source
                && self.reacts_to_marks(*index)
        };
        (1..self.flows.len()).filter(is_meant).max_by_key(|index| self.flows[*index].last_used)
    }

    /// Whether a flow reacts to marks, so that its frames are declared as ECN-capable: the algorithm marks frames in its
    /// priority, and it is an IPv4 flow under congestion control. CNPs exist only over IPv4.
    pub(super) fn reacts_to_marks(&self, index: usize) -> bool {
        let (control, flow) = (&self.plan.control, &self.flows[index]);
        let number = flow.priority.number();
        marks(control)
            && control.priorities.0 >> number & 1 == 1
            && flow.reaction == Reaction::Controlled
            && flow.name.is_some_and(|name| name.ipv4_ends().is_some())
    }

    /// The flow that a notification is about: one of ours, with the destination and the priority that the notification
    /// names. Bridges that mark frames send no notifications.
    fn notified_flow(&self, header: &Header, cnm: &Cnm<'_>) -> Option<usize> {
        if marks(&self.plan.control) {
            return None;
        }
        let index = usize::from(header.cn_tag?.flow);
        let flow = self.flows.get(index)?;
        let is_ours = flow.name?.destination() == cnm.destination && flow.priority == cnm.priority;
        is_ours.then_some(index)
    }

    /// Whether a flow has a limiter, or may be given one.
    fn has_limiter(&self, index: usize) -> bool {
        if self.plan.control.reaction_point == ReactionPointParams::None {
            return false;
        }
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
