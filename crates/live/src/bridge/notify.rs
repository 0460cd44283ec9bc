//! Congestion points and their notifications.

use setpoint_control::{Arrival, FlowKey, Notification, Tenant};
use setpoint_units::{Bytes, Time};
use setpoint_wire::{Cnm, Frame, Priority, cnm};

use super::forward::Passing;
use super::output::Waiting;
use super::plan::Notified;
use super::{Bridge, LinkState, OWN_FRAME, wire_priority};
use crate::node::Egress;
use crate::transmitter::wire_length;

impl Bridge {
    /// Passes a frame to the congestion point of its queue, and sends the resulting notifications.
    pub(super) fn observe(
        &mut self,
        now: Time,
        to: usize,
        passing: &Passing<'_>,
        (length, queue): (u64, u64),
        egress: &mut impl Egress,
    ) {
        let arrival = self.arrival(now, passing, length, queue);
        let index = usize::from(passing.priority.number());
        let mut outbox = std::mem::take(&mut self.outbox);
        self.ports[to].points[index].observe(&arrival, &mut outbox);
        for (flow, signal) in outbox.drain(..) {
            self.notify(now, to, passing, (flow, &signal.fields()), egress);
        }
        self.outbox = outbox;
    }

    pub(super) fn arrival(&self, now: Time, passing: &Passing<'_>, length: u64, queue: u64) -> Arrival {
        let tenant = self.flows.get(passing.flow).map_or(Tenant::ANYONE, |flow| flow.tenant);
        Arrival { now, flow: passing.flow, tenant, ..Arrival::of(Bytes::new(length), Bytes::new(queue)) }
    }

    /// Sends a notification to the source of a flow.
    fn notify(
        &mut self,
        now: Time,
        at: usize,
        passing: &Passing<'_>,
        (flow, notification): (FlowKey, &Notification),
        egress: &mut impl Egress,
    ) {
        let Some(&known) = self.flows.get(flow) else { return };
        if known.notified == Notified::No {
            return;
        }
        let address = self.plan.ports[at].address;
        let [a, b, c, d, e, f] = address.0;
        let cnm = Cnm {
            feedback: notification.feedback.get(),
            congestion_point: [a, b, c, d, e, f, 0, passing.priority.number()],
            queue_offset: notification.queue_offset,
            queue_delta: notification.queue_delta,
            priority: passing.priority,
            destination: known.header.destination,
            sample: if flow == passing.flow { self.beginning(passing) } else { &[] },
        };
        let priority = wire_priority(self.plan.control.notification_priority);
        let mut buffer = [0; OWN_FRAME];
        let frame = Frame::cnm(address, &known.header, priority, cnm);
        let Ok(octets) = frame.encode(&self.plan.options.conventions, &mut buffer) else { return };
        self.record.feedback[usize::from(notification.feedback.get())] += 1;
        self.counters.notifications += 1;
        self.ports[at].points[usize::from(passing.priority.number())].notifications += 1;
        self.send_notification(now, known.from, priority, octets, egress);
    }

    /// The beginning of the sampled frame, which a notification returns, truncated to fit the configured length of
    /// notifications.
    fn beginning<'a>(&self, passing: &Passing<'a>) -> &'a [u8] {
        let whole = self.plan.control.notification_size.get() as usize;
        let room = whole.saturating_sub(4 + 22 + cnm::FIXED).min(cnm::MAX_SAMPLE);
        let from = passing.header.length() - 2;
        match whole {
            0..=64 => &[],
            _ => &passing.octets[from..passing.octets.len().min(from + room)],
        }
    }

    fn send_notification(
        &mut self,
        now: Time,
        to: usize,
        priority: Priority,
        octets: &[u8],
        egress: &mut impl Egress,
    ) {
        let (length, index) = (wire_length(octets.len()), usize::from(priority.number()));
        let waiting = Waiting::new(octets.to_vec(), length, now);
        if self.ports[to].link == LinkState::Down {
            self.counters.no_link += 1;
        } else if self.ports[to].output.is_idle(now, priority) {
            self.send(now, to, waiting, egress);
        } else if self.ports[to].output.lengths[index] + length <= self.plan.buffer.get() {
            self.push(now, to, priority, waiting);
        } else {
            self.counters.dropped += 1;
        }
    }
}
