//! The time of a job in which every message takes its time in an empty network.

use std::collections::HashMap;

use setpoint_sim::MessageId;
use setpoint_units::{Time, TimeDelta};

use super::View;

/// When a message leaves its station and when it arrives, if the job starts at time zero.
#[derive(Clone, Copy)]
struct Ideal {
    sent: Time,
    completed: Time,
}

impl View<'_> {
    /// The largest time over all chains of messages, each with its computation time and its time in an empty network.
    pub(super) fn ideal_time(&self) -> TimeDelta {
        let mut ends: HashMap<MessageId, Ideal> = HashMap::with_capacity(self.job.messages.len());
        let mut last = Time::ZERO;
        // No message precedes one that it waits for.
        for message in self.job.messages.iter() {
            let spec = &self.messages.spec.flows[message.id.flow.index()].traffic.dependent_messages()
                [message.id.number as usize];
            let met = |awaited: &MessageId| {
                let end = ends[awaited];
                if self.messages.waits_for_departure(message.id, *awaited) { end.sent } else { end.completed }
            };
            let ready = spec.after.iter().map(met).max().unwrap_or(Time::ZERO);
            let released = ready.saturating_add(spec.gap);
            let outcome = self.messages.of(message.id);
            let end = Ideal {
                sent: released.saturating_add(outcome.ideal_sent),
                completed: released.saturating_add(outcome.ideal),
            };
            last = last.max(end.completed);
            ends.insert(message.id, end);
        }
        last.since_start()
    }
}
