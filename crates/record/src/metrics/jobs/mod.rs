//! Figures of jobs: their time, their steps and ranks, and the chain of messages that determined their end.

mod critical;
mod ideal;
mod sharing;
mod unfinished;

use std::collections::BTreeMap;

use setpoint_scenario::{Job, JobMessage, PortNames};
use setpoint_sim::{DependentOutcome, MessageId, NodeId, Outcome, Passage, Spec};
use setpoint_units::{Time, TimeDelta};

use self::sharing::Sharing;
use super::Context;
use crate::results::{JobSummary, StepSummary};

/// The figures of all jobs, in the order of the scenario.
pub(super) fn summaries(context: &Context<'_>, names: &PortNames, outcome: &Outcome) -> Vec<JobSummary> {
    if context.jobs.is_empty() {
        return Vec::new();
    }
    let messages = Messages::new(context.spec, outcome);
    let sharing = Sharing::new(context.spec, names);
    context.jobs.iter().map(|job| View { job, messages: &messages, sharing: &sharing }.summary()).collect()
}

/// The messages of all jobs.
struct Messages<'a> {
    spec: &'a Spec,
    outcome: &'a Outcome,
    /// For each flow, the place of its first message in the outcome.
    first: Vec<usize>,
}

impl<'a> Messages<'a> {
    fn new(spec: &'a Spec, outcome: &'a Outcome) -> Self {
        let mut next = 0;
        let counts = spec.flows.iter().map(|flow| flow.traffic.dependent_messages().len());
        let first = counts
            .map(|count| {
                let first = next;
                next += count;
                first
            })
            .collect();
        Self { spec, outcome, first }
    }

    fn of(&self, id: MessageId) -> &'a DependentOutcome {
        &self.outcome.dependents[self.first[id.flow.index()] + id.number as usize]
    }

    fn passages(&self, id: MessageId) -> &'a [Passage] {
        let all = &self.outcome.passages;
        let begin = all.partition_point(|passage| passage.message < id);
        let end = begin + all[begin..].partition_point(|passage| passage.message == id);
        &all[begin..end]
    }

    fn source(&self, id: MessageId) -> NodeId {
        self.spec.flows[id.flow.index()].source
    }

    /// Whether a message waits for the departure of another one, and not for its arrival.
    fn waits_for_departure(&self, id: MessageId, awaited: MessageId) -> bool {
        self.source(id) == self.source(awaited)
    }

    /// The time at which the wait of one message for another ended.
    fn met(&self, id: MessageId, awaited: MessageId) -> Option<Time> {
        let awaited_outcome = self.of(awaited);
        if self.waits_for_departure(id, awaited) { awaited_outcome.sent } else { awaited_outcome.completed }
    }
}

/// A job and its messages.
struct View<'a> {
    job: &'a Job,
    messages: &'a Messages<'a>,
    sharing: &'a Sharing<'a>,
}

impl View<'_> {
    fn summary(&self) -> JobSummary {
        let job = self.job;
        let end = self.end();
        let path = end.map(|_| self.critical_path()).unwrap_or_default();
        let ranks = end.map(|_| self.rank_ends()).unwrap_or_default();
        let slowest = ranks.iter().rev().max_by_key(|(_, end)| *end);
        let fastest = ranks.iter().min_by_key(|(_, end)| *end);
        let name = |rank: Option<&(NodeId, Time)>| {
            rank.map(|(rank, _)| self.messages.spec.topology.node_at(*rank).name.clone())
        };
        let delays = self.delays(&path);
        let (critical_path, final_compute) = self.shown(path);
        JobSummary {
            name: job.name.clone(),
            kind: job.kind.to_owned(),
            ranks: job.ranks.len(),
            start_s: job.start.as_secs_f64(),
            messages: self.sent().count(),
            completed: self.sent().filter(|message| self.messages.of(message.id).completed.is_some()).count(),
            time_s: end.map(|end| (end - job.start).as_secs_f64()),
            unfinished: end.is_none().then(|| self.unfinished()),
            ideal_s: self.ideal_time().as_secs_f64(),
            steps: self.steps(),
            slowest_rank: name(slowest),
            fastest_rank: name(fastest),
            rank_spread_s: slowest.zip(fastest).map(|((_, late), (_, early))| (*late - *early).as_secs_f64()),
            delays,
            critical_path,
            final_compute_s: end.map(|_| final_compute as f64 / 1e12),
        }
    }

    /// The messages, without computations.
    fn sent(&self) -> impl Iterator<Item = &JobMessage> {
        self.job.messages.iter().filter(|message| self.size(message.id) > 0)
    }

    fn size(&self, id: MessageId) -> u64 {
        let list = self.messages.spec.flows[id.flow.index()].traffic.dependent_messages();
        list[id.number as usize].size.get()
    }

    /// The time at which everything has ended, if it has.
    fn end(&self) -> Option<Time> {
        let ends = self.job.messages.iter().map(|message| self.messages.of(message.id).completed);
        ends.collect::<Option<Vec<Time>>>()?.into_iter().max()
    }

    /// The steps with a message that arrived, in order.
    fn steps(&self) -> Vec<StepSummary> {
        let mut ends: BTreeMap<u32, Time> = BTreeMap::new();
        for message in self.sent() {
            if let Some(completed) = self.messages.of(message.id).completed {
                let end = ends.entry(message.step).or_insert(completed);
                *end = (*end).max(completed);
            }
        }
        let (per_iteration, mut before) = (self.job.steps_per_iteration, self.job.start);
        let summary = |(step, end): (u32, Time)| {
            let time = end.saturating_since(before);
            before = before.max(end);
            StepSummary {
                iteration: step / per_iteration + 1,
                step: step % per_iteration + 1,
                end_s: (end - self.job.start).as_secs_f64(),
                time_s: time.as_secs_f64(),
            }
        };
        ends.into_iter().map(summary).collect()
    }

    /// The time at which each rank had received and sent everything, in the order of the ranks.
    fn rank_ends(&self) -> Vec<(NodeId, Time)> {
        let mut ends: BTreeMap<NodeId, Time> = BTreeMap::new();
        let mut extend = |rank: NodeId, at: Option<Time>| {
            let end = ends.entry(rank).or_insert(self.job.start);
            *end = at.map_or(*end, |at| (*end).max(at));
        };
        for message in self.job.messages.iter() {
            let outcome = self.messages.of(message.id);
            extend(self.messages.source(message.id), outcome.sent);
            let destination = self.messages.spec.flows[message.id.flow.index()].destination;
            if let (setpoint_sim::Destination::Station(rank), true) = (destination, self.size(message.id) > 0)
            {
                extend(rank, outcome.completed);
            }
        }
        self.job.ranks.iter().map(|rank| (*rank, ends.get(rank).copied().unwrap_or(self.job.start))).collect()
    }
}

/// A difference of two times, in picoseconds.
fn difference(time: TimeDelta, ideal: TimeDelta) -> i64 {
    time.as_picos() as i64 - ideal.as_picos() as i64
}

/// Picoseconds in seconds.
fn seconds(picos: i64) -> f64 {
    picos as f64 / 1e12
}
