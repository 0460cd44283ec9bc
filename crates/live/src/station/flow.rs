//! A flow of a station: its waiting frames, its pace and its rate limiter.

use std::collections::VecDeque;

use setpoint_control::{
    Backlog, Counters, Entry, Feedback, Limit, Pace, Path, React, ReactionPoint, ReactionPointParams,
    Reading, Show, Update,
};
use setpoint_sim::{RandomStream, Reaction};
use setpoint_units::{Bytes, Rate, Time};
use setpoint_wire::Priority;
use setpoint_wire::roce::U24;

use super::record::FlowRecord;
use crate::flow_name::FlowName;

/// The maximum number of notifications that a flow may receive beyond those that answer recent frames.
const MOST_CREDIT: u32 = 100;

#[derive(Debug)]
pub(super) struct Flow {
    /// The fields that its frames share; `None` for the frames that belong to no flow.
    pub(super) name: Option<FlowName>,
    /// The number of the flow in congestion notification packets.
    pub(super) queue_pair: U24,
    pub(super) priority: Priority,
    /// Whether it is under congestion control.
    pub(super) reaction: Reaction,
    waiting: VecDeque<Waiting>,
    pace: Pace,
    limiter: Option<ReactionPoint>,
    entropy: RandomStream,
    /// The number of notifications that it still accepts. Each notification responds to a frame, so there can be no
    /// more notifications than frames.
    credit: u32,
    pub(super) weight: u32,
    /// Octets sent divided by the weight; the flow with the smallest value sends next.
    pub(super) served: u64,
    pub(super) last_used: Time,
    /// Counters of limiters that were released.
    past: Counters,
    pub(super) record: FlowRecord,
}

/// A waiting frame, with its tags.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) octets: Vec<u8>,
    /// Its length on the wire.
    pub(super) length: u64,
    /// The priority in its tag; the flow stops while this priority is paused.
    pub(super) priority: Priority,
    pub(super) arrived: Time,
}

impl Flow {
    pub(super) fn new(
        name: Option<FlowName>,
        priority: Priority,
        weight: u32,
        entropy: RandomStream,
    ) -> Self {
        Self {
            queue_pair: name.map(|name| name.queue_pair()).unwrap_or_default(),
            name,
            priority,
            reaction: Reaction::Controlled,
            waiting: VecDeque::new(),
            pace: Pace::default(),
            limiter: None,
            entropy,
            credit: 0,
            weight,
            served: 0,
            last_used: Time::ZERO,
            past: Counters::default(),
            record: FlowRecord::default(),
        }
    }

    /// The flow, with or without congestion control.
    pub(super) fn with_reaction(self, reaction: Reaction) -> Self {
        Self { reaction, ..self }
    }

    pub(super) fn push(&mut self, waiting: Waiting) {
        self.waiting.push_back(waiting);
    }

    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// The time at which its first frame could be sent if there were no pauses, and the priority of that frame;
    /// `None` if no frame is waiting or while its limiter allows no frames.
    pub(super) fn ready(&self) -> Option<(Time, Priority)> {
        let (first, eligible) = (self.waiting.front()?, self.pace.eligible()?);
        Some((eligible.max(first.arrived), first.priority))
    }

    /// Takes the first frame, which is sent at `start`.
    pub(super) fn take(&mut self, start: Time, overhead: u64) -> Option<Waiting> {
        let waiting = self.waiting.pop_front()?;
        self.credit = (self.credit + 1).min(MOST_CREDIT);
        self.served += waiting.length / u64::from(self.weight.max(1));
        self.last_used = start;
        self.record.send(waiting.length);
        let mut update = Update::Unchanged;
        if let Some(limiter) = &mut self.limiter {
            update = limiter.on_sent(Bytes::new(waiting.length), &mut self.entropy);
        }
        if update == Update::Changed {
            self.apply(start);
        }
        self.pace.charge(waiting.length + overhead, start);
        self.release_if_idle(start);
        Some(waiting)
    }

    /// Handles feedback. Returns whether it was accepted.
    pub(super) fn on_feedback(
        &mut self,
        now: Time,
        params: &ReactionPointParams,
        line: Rate,
        feedback: &Feedback,
    ) -> Accepted {
        if self.credit == 0 {
            return Accepted::TooMany;
        }
        self.credit -= 1;
        self.record.notify(now);
        let limiter = self.limiter.get_or_insert_with(|| ReactionPoint::new(params, &Path::at(line)));
        limiter.on_feedback(now, feedback, &mut self.entropy);
        self.apply(now);
        self.release_if(now, Backlog::Waiting);
        Accepted::Yes
    }

    /// The time at which its limiter's timer is due.
    pub(super) fn timer(&self) -> Option<Time> {
        self.limiter.as_ref()?.timer()
    }

    pub(super) fn on_timer(&mut self, now: Time) {
        let Some(limiter) = &mut self.limiter else { return };
        // The timer counts from the time at which it was due, not from the time at which the program woke up.
        while let Some(due) = limiter.timer().filter(|due| *due <= now) {
            limiter.on_timer(due, &mut self.entropy);
        }
        self.apply(now);
        self.release_if_idle(now);
    }

    pub(super) fn set_params(&mut self, now: Time, params: &ReactionPointParams) {
        if let Some(limiter) = &mut self.limiter {
            let path = Path::at(limiter.line_rate());
            limiter.set_params(params, &path);
            self.apply(now);
            self.release_if_idle(now);
        }
    }

    fn apply(&mut self, now: Time) {
        self.pace.set_limit(self.limit(), now);
    }

    fn release_if_idle(&mut self, now: Time) {
        let backlog = if self.waiting.is_empty() { Backlog::Empty } else { Backlog::Waiting };
        self.release_if(now, backlog);
    }

    fn release_if(&mut self, now: Time, backlog: Backlog) {
        if let Some(limiter) = self.limiter.take_if(|limiter| limiter.may_release(backlog)) {
            self.past += limiter.counters();
            self.apply(now);
        }
    }

    /// The limit that its limiter sets, if it has one.
    pub(super) fn limit(&self) -> Option<Limit> {
        self.limiter.as_ref().map(ReactionPoint::limit)
    }

    /// The rate that is reported for its limiter, if it has one.
    pub(super) fn reported_limit(&self) -> Option<Rate> {
        self.limit().map(Limit::reported)
    }

    /// Counters of all its limiters.
    pub(super) fn reaction(&self) -> Counters {
        let mut counters = self.past.clone();
        if let Some(limiter) = &self.limiter {
            counters += limiter.counters();
        }
        counters
    }

    /// The phase of its limiter, if it has one with phases.
    pub(super) fn phase(&self) -> Option<&'static str> {
        let mut phase = Phase(None);
        self.limiter.as_ref()?.state(&mut phase);
        phase.0
    }
}

/// Extracts the phase from the state of a reaction point.
struct Phase(Option<&'static str>);

impl Show for Phase {
    fn entry(&mut self, entry: Entry) {
        if let ("phase", Reading::Word(word)) = (entry.name, entry.reading) {
            self.0 = Some(word);
        }
    }
}

/// Whether a flow accepted a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Accepted {
    Yes,
    /// It has received more notifications than it has sent frames.
    TooMany,
}
