//! The time of a job in which every message takes its time in an empty network.

use std::collections::HashMap;

use setpoint_sim::MessageId;
use setpoint_units::TimeDelta;

use super::View;

/// When a message leaves its station and when it arrives, counted from the start of the job.
#[derive(Clone, Copy)]
struct Ideal {
    sent: TimeDelta,
    completed: TimeDelta,
}

impl View<'_> {
    /// The largest time over all chains of messages, each with its time of computation and its time in an empty network.
    pub(super) fn ideal_time(&self) -> TimeDelta {
        let mut ends: HashMap<MessageId, Ideal> = HashMap::with_capacity(self.job.messages.len());
        let mut last = TimeDelta::ZERO;
        // No message precedes one that it waits for.
        for message in self.job.messages.iter() {
            let spec = &self.messages.spec.flows[message.id.flow.index()].traffic.dependent_messages()
                [message.id.number as usize];
            let met = |awaited: &MessageId| {
                let end = ends[awaited];
                if self.messages.waits_for_departure(message.id, *awaited) { end.sent } else { end.completed }
            };
            let released = spec.after.iter().map(met).max().unwrap_or(TimeDelta::ZERO) + spec.gap;
            let outcome = self.messages.of(message.id);
            let end = Ideal { sent: released + outcome.ideal_sent, completed: released + outcome.ideal };
            last = last.max(end.completed);
            ends.insert(message.id, end);
        }
        last
    }
}
