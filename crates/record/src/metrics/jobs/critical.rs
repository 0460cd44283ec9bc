//! The critical path: the chain of messages that determined the end of a job.
//!
//! The last message of the path is the last one that arrived. The predecessor of each message is the last of those that it
//! waited for. The computation times, the times in an empty network and the delays on the path add up to the time of the
//! job.

use std::collections::HashMap;

use setpoint_sim::{MessageId, Passage};
use setpoint_units::Time;

use super::{View, difference, seconds};
use crate::results::{CriticalMessage, PortDelay};

/// The largest number of messages of a path that are shown.
const SHOWN: usize = 10_000;

/// A message on the critical path.
#[derive(Clone, Debug)]
pub(super) struct Link {
    id: MessageId,
    /// Its place among the messages of the job.
    place: usize,
    /// The computation time before its release.
    compute_picos: u64,
    released: Time,
    until: Time,
    /// The delay, in picoseconds.
    delay: i64,
    /// Whether the next message waited only for its departure.
    departs: bool,
}

impl View<'_> {
    /// The messages that determined the end of a job that has ended, in chronological order.
    pub(super) fn critical_path(&self) -> Vec<Link> {
        let places: HashMap<MessageId, usize> =
            self.job.messages.iter().enumerate().map(|(place, message)| (message.id, place)).collect();
        let by_end = |message: &&setpoint_scenario::JobMessage| self.messages.of(message.id).completed;
        let mut next = self.job.messages.iter().rev().max_by_key(by_end).map(|last| (last.id, false));
        let mut path: Vec<Link> = Vec::new();
        while let Some((id, departs)) = next {
            let outcome = self.messages.of(id);
            let until = if departs { outcome.sent } else { outcome.completed };
            let (Some(released), Some(until)) = (outcome.released, until) else { break };
            let ideal = if departs { outcome.ideal_sent } else { outcome.ideal };
            let awaited = self.last_awaited(id);
            let began = awaited.map_or(self.job.start, |(_, at)| at);
            let link = Link {
                id,
                place: places[&id],
                compute_picos: (released - began).as_picos(),
                released,
                until,
                delay: difference(until - released, ideal),
                departs,
            };
            path.push(link);
            next = awaited.map(|(awaited, _)| (awaited, self.messages.waits_for_departure(id, awaited)));
        }
        path.reverse();
        path
    }

    /// The last of the messages that a message waited for, and the time at which that wait ended.
    fn last_awaited(&self, id: MessageId) -> Option<(MessageId, Time)> {
        let spec =
            &self.messages.spec.flows[id.flow.index()].traffic.dependent_messages()[id.number as usize];
        let met = |awaited: &MessageId| Some((*awaited, self.messages.met(id, *awaited)?));
        let last = spec.after.iter().filter_map(met).max_by_key(|(_, at)| *at)?;
        (last.1 >= self.job.start).then_some(last)
    }

    /// The path as it is stored, and the computation time after its last message in picoseconds. Other computations are part of
    /// the message that follows them.
    pub(super) fn shown(&self, path: Vec<Link>) -> (Vec<CriticalMessage>, u64) {
        let per_iteration = self.job.steps_per_iteration;
        let (mut compute, mut messages) = (0, Vec::new());
        for link in path {
            compute += link.compute_picos;
            let size = self.size(link.id);
            if size == 0 {
                continue;
            }
            let step = self.job.messages[link.place].step;
            let name = self.job.ids.get(link.place).filter(|name| !name.is_empty());
            messages.push(CriticalMessage {
                id: name.map(ToString::to_string),
                flow: self.messages.spec.flows[link.id.flow.index()].name.clone(),
                iteration: step / per_iteration + 1,
                step: step % per_iteration + 1,
                size_bytes: size,
                compute_s: compute as f64 / 1e12,
                released_s: link.released.as_secs_f64(),
                time_s: (link.until - link.released).as_secs_f64(),
                delay_s: seconds(link.delay),
                ports: self.ports(&link),
            });
            compute = 0;
        }
        (messages.split_off(messages.len().saturating_sub(SHOWN)), compute)
    }

    /// The ports that contributed to the delay of a message.
    fn ports(&self, link: &Link) -> Vec<PortDelay> {
        let late = self.late(link).map(|(passage, delay)| self.delay_at(passage, delay, link.id));
        late.collect()
    }

    /// The passages with a delay, and the delay in picoseconds, which may be negative. If the next message waits only for the
    /// departure, only the first passage counts.
    fn late(&self, link: &Link) -> impl Iterator<Item = (&Passage, i64)> {
        let passages = self.messages.passages(link.id);
        let count = if link.departs { 1 } else { passages.len() };
        let delay = |passage| (passage, difference(Passage::time(passage), passage.ideal));
        passages.iter().take(count).map(delay).filter(|(_, delay)| *delay != 0)
    }

    fn delay_at(&self, passage: &Passage, delay: i64, id: MessageId) -> PortDelay {
        let (shared_with, other_flows) = self.sharing.others(passage.port, id.flow);
        PortDelay {
            port: self.sharing.name(passage.port),
            delay_s: seconds(delay),
            // A port that also waits for other reasons is paused for only part of the time.
            paused_s: seconds(delay.clamp(0, passage.paused.as_picos() as i64)),
            messages: 1,
            shared_with,
            other_flows,
        }
    }

    /// The ports that delayed messages of the path, the largest delay first.
    pub(super) fn delays(&self, path: &[Link]) -> Vec<PortDelay> {
        let mut sums: Vec<(setpoint_sim::PortId, i64, PortDelay)> = Vec::new();
        for link in path {
            for (passage, delay) in self.late(link) {
                let one = self.delay_at(passage, delay, link.id);
                match sums.iter_mut().find(|(port, ..)| *port == passage.port) {
                    Some((_, sum, all)) => {
                        *sum += delay;
                        all.paused_s += one.paused_s;
                        all.messages += 1;
                    }
                    None => sums.push((passage.port, delay, one)),
                }
            }
        }
        sums.sort_by_key(|(port, sum, _)| (std::cmp::Reverse(*sum), *port));
        sums.into_iter().map(|(_, sum, all)| PortDelay { delay_s: seconds(sum), ..all }).collect()
    }
}
