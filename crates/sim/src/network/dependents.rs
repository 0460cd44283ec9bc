//! The outcomes of messages that wait for other messages, from the milestones that partitions have recorded.

use setpoint_units::{Time, TimeDelta};

use crate::ids::{FlowId, MessageId, PortId};
use crate::index::Conversation;
use crate::network::components::Components;
use crate::network::node::milestones::{Crossing, LastFrame, Milestones};
use crate::network::observe::books::{ideal_passage, ideal_time};
use crate::network::observe::holds::Holds;
use crate::outcome::{DependentOutcome, Passage};
use crate::spec::{FlowSpec, Spec};

/// The messages of all flows, in the order of the spec.
pub(in crate::network) struct Dependents<'a> {
    spec: &'a Spec,
    net: &'a Components,
    holds: &'a Holds,
    /// The number of messages of earlier flows, for each flow.
    first: Vec<usize>,
    /// The conversation of each message.
    conversations: Vec<Conversation>,
    all: Vec<DependentOutcome>,
}

/// The outcomes of all messages, and the passages of those that have arrived, both in the order of the messages.
pub(in crate::network) fn outcomes(
    spec: &Spec,
    net: &Components,
    holds: &Holds,
    milestones: &mut Milestones,
) -> (Vec<DependentOutcome>, Vec<Passage>) {
    let mut dependents = Dependents::new(spec, net, holds);
    if dependents.all.is_empty() {
        return Default::default();
    }
    dependents.read(milestones);
    let passages = dependents.passages(milestones);
    (dependents.all, passages)
}

impl<'a> Dependents<'a> {
    fn new(spec: &'a Spec, net: &'a Components, holds: &'a Holds) -> Self {
        let (mut first, mut conversations, mut all) = (Vec::new(), Vec::new(), Vec::new());
        for (index, flow) in spec.flows.iter().enumerate() {
            let flow_id = FlowId(index as u32);
            first.push(all.len());
            for number in 0..flow.traffic.dependent_messages().len() as u32 {
                conversations.push(Conversation::of_flow(flow_id));
                all.push(DependentOutcome {
                    message: MessageId { flow: flow_id, number },
                    released: None,
                    sent: None,
                    completed: None,
                    ideal_sent: TimeDelta::ZERO,
                    ideal: TimeDelta::ZERO,
                });
            }
        }
        Self { spec, net, holds, first, conversations, all }
    }

    fn place(&self, message: MessageId) -> usize {
        self.first[message.flow.index()] + message.number as usize
    }

    fn flow(&self, message: MessageId) -> &'a FlowSpec {
        &self.spec.flows[message.flow.index()]
    }

    /// The size of a message in bytes.
    fn size(&self, message: MessageId) -> u64 {
        self.flow(message).traffic.dependent_messages()[message.number as usize].size.get()
    }

    /// Enters the milestones, except those after the end of the run.
    fn read(&mut self, milestones: &Milestones) {
        let now = self.net.now;
        let past = |at: Time| (at <= now).then_some(at);
        for &(message, at) in &milestones.released {
            let place = self.place(message);
            self.all[place].released = past(at);
            if self.size(message) == 0 {
                self.all[place].sent = past(at);
            }
        }
        for &LastFrame { message, conversation, ended, .. } in &milestones.sent {
            let place = self.place(message);
            self.all[place].sent = past(ended);
            self.conversations[place] = conversation;
        }
        for &(message, at) in &milestones.completed {
            let place = self.place(message);
            self.all[place].completed = past(at);
        }
        for place in 0..self.all.len() {
            let message = self.all[place].message;
            if self.size(message) > 0 {
                self.all[place].ideal = ideal_time(self.net, self.conversations[place], self.size(message));
                self.all[place].ideal_sent = self.ideal_sent(message);
            }
        }
    }

    /// The time that the station's port takes to send a message.
    fn ideal_sent(&self, message: MessageId) -> TimeDelta {
        let (frame, last) = (self.flow(message).frame.get(), self.last_frame(message));
        let port = self.net.port(self.net.routes.ports_of(message.flow)[0]).0;
        let before_last = (self.size(message) - 1) / frame;
        port.transmission_time(frame as u16) * before_last + port.transmission_time(last)
    }

    /// The length of the last frame of a message.
    fn last_frame(&self, message: MessageId) -> u16 {
        let frame = self.flow(message).frame.get();
        ((self.size(message) - 1) % frame + 1) as u16
    }

    /// The passages of the last frames of messages that have arrived.
    fn passages(&self, milestones: &mut Milestones) -> Vec<Passage> {
        let Milestones { sent, crossings, .. } = milestones;
        crossings.sort_unstable();
        sent.sort_unstable_by_key(|last| last.message);
        let mut passages = Vec::with_capacity(crossings.len());
        for last in sent.iter() {
            let DependentOutcome { released, completed, .. } = self.all[self.place(last.message)];
            if let (Some(released), Some(_)) = (released, completed) {
                let before =
                    crossings.partition_point(|crossing| key(crossing) < (last.conversation, last.begun));
                let own = crossings[before..]
                    .iter()
                    .take_while(|crossing| key(crossing) == (last.conversation, last.begun));
                self.add_passages(last, released, own, &mut passages);
            }
        }
        passages
    }

    /// Adds the passages of a message. Its last frame may have taken a path other than the usual one; the ideal times
    /// then refer to the usual path, for the ports that the two have in common.
    fn add_passages<'b>(
        &self,
        last: &LastFrame,
        released: Time,
        crossings: impl Iterator<Item = &'b Crossing>,
        passages: &mut Vec<Passage>,
    ) {
        let message = last.message;
        let mut ideal: Vec<(PortId, TimeDelta)> = Vec::new();
        ideal_passage(self.net, last.conversation, self.size(message), |port, arrival| {
            ideal.push((port, arrival));
        });
        let class = self.net.classes.of(self.flow(message).priority);
        let (mut from, mut ideal_from) = (released, TimeDelta::ZERO);
        for &Crossing { arrived, port, .. } in crossings {
            let known = ideal.iter().find(|(other, _)| *other == port);
            let ideal_until = known.map_or(ideal_from, |(_, arrival)| *arrival);
            let sender = self.net.port(port).0;
            let span = sender.transmission_time(self.last_frame(message)) + sender.delay();
            let begun = Time::from_picos(arrived.as_picos().saturating_sub(span.as_picos()));
            passages.push(Passage {
                message,
                port,
                from,
                until: arrived,
                ideal: ideal_until.saturating_sub(ideal_from),
                paused: self.holds.within(port, class, from, begun),
            });
            (from, ideal_from) = (arrived, ideal_until);
        }
    }
}

fn key(crossing: &Crossing) -> (Conversation, Time) {
    (crossing.conversation, crossing.sent_at)
}
