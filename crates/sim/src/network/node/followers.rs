//! The messages that wait for each message.

use std::sync::Arc;

use crate::ids::{FlowId, MessageId, NodeId};
use crate::spec::Spec;

/// For each message, the messages of the same station that wait for it. All partitions share the table.
#[derive(Clone, Debug, Default)]
pub(in crate::network) struct Followers {
    /// For each flow, the place of its first message in `first`. Empty if no message waits for another.
    flows: Arc<[u32]>,
    /// For each message, the place of its first follower in `followers`; one more entry at the end.
    first: Arc<[u32]>,
    followers: Arc<[MessageId]>,
    /// The source of each flow.
    sources: Arc<[NodeId]>,
}

/// The event for which a message waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::network) enum Awaited {
    /// A message has left the station, or a computation of the station has ended.
    Departure,
    /// A message has arrived at the station.
    Arrival,
}

impl Followers {
    /// The table of a valid spec.
    pub(in crate::network) fn new(spec: &Spec) -> Self {
        let lists = || spec.flows.iter().map(|flow| flow.traffic.dependent_messages());
        let total: usize = lists().map(<[_]>::len).sum();
        if total == 0 {
            return Self::default();
        }
        let mut next = 0;
        let flows: Arc<[u32]> = lists()
            .map(|list| {
                let first = next;
                next += list.len() as u32;
                first
            })
            .collect();
        let place = |message: &MessageId| (flows[message.flow.index()] + message.number) as usize;
        let mut first = vec![0_u32; total + 1];
        for awaited in lists().flatten().flat_map(|message| &message.after) {
            first[place(awaited) + 1] += 1;
        }
        for place in 0..total {
            first[place + 1] += first[place];
        }
        let mut free = first.clone();
        let nobody = MessageId { flow: FlowId(0), number: 0 };
        let mut followers = vec![nobody; first[total] as usize];
        for (flow, list) in lists().enumerate() {
            for (number, message) in list.iter().enumerate() {
                for awaited in &message.after {
                    let free = &mut free[place(awaited)];
                    followers[*free as usize] =
                        MessageId { flow: FlowId(flow as u32), number: number as u32 };
                    *free += 1;
                }
            }
        }
        let sources = spec.flows.iter().map(|flow| flow.source).collect();
        Self { flows, first: first.into(), followers: followers.into(), sources }
    }

    /// The messages that wait for an event of a message. The source of a message waits for its departure, and its
    /// destination for its arrival.
    pub(in crate::network) fn of(
        &self,
        message: MessageId,
        event: Awaited,
    ) -> impl Iterator<Item = MessageId> {
        let place = (self.flows[message.flow.index()] + message.number) as usize;
        let followers = &self.followers[self.first[place] as usize..self.first[place + 1] as usize];
        let source = self.sources[message.flow.index()];
        let awaits = move |follower: &&MessageId| {
            let is_at_source = self.sources[follower.flow.index()] == source;
            is_at_source == (event == Awaited::Departure)
        };
        followers.iter().filter(awaits).copied()
    }
}
