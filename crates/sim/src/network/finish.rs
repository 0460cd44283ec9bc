//! The outcome of a run.

use setpoint_control::CpCounters;
use setpoint_units::{Bytes, Time};

use super::Network;
use super::flow::Ended;
use super::recorder::{PortSeries, QueueSeries};
use crate::ids::{FlowId, PortId};
use crate::lossless::LinkBudget;
use crate::outcome::{
    Fate, FlowOutcome, IncompleteMessage, LinkOutcome, MessageOutcome, Outcome, PortOutcome, QueueOutcome,
};
use crate::spec::Spec;

impl Network {
    /// Ends the run and collects the outcome.
    pub(super) fn finish(mut self, spec: &Spec) -> Outcome {
        let now = self.now;
        // Ideal times refer to the network before any changes.
        for port in spec.topology.ports() {
            self.ports[port.index()].set_rate(spec.topology.link_at(port.link()).rate);
        }
        for queue in &mut self.queues {
            queue.dwell.leave(queue.length, now);
        }
        for index in 0..self.ports.len() {
            let (frames, bytes) = self.committed_ahead(index as u32);
            self.ports[index].sent_frames -= frames;
            self.ports[index].sent -= bytes;
        }
        self.end_messages();
        self.close_trees();
        let packet_hops = self.ports.iter().map(|port| port.sent_frames).sum();
        let recorder = &mut self.recorder;
        let (messages, message_counts) = recorder.messages.take();
        let (mut completed, mut incomplete): (Vec<Ended>, Vec<Ended>) =
            messages.into_iter().partition(|message| message.fate == Fate::Completed);
        // Completions are recorded station by station, so they are not in chronological order.
        completed.sort_by_key(|done| (done.completed, done.flow));
        incomplete.sort_by_key(|message| (message.offered, message.flow));
        let feedback = recorder.feedback.to_vec();
        Outcome {
            end: now,
            sample_interval: self.rules.sample_interval,
            measure_from: recorder.measure_from,
            events: self.events.popped(),
            packet_hops,
            messages: completed.iter().map(|done| self.message(done)).collect(),
            messages_incomplete: incomplete.iter().map(|message| self.incomplete(message)).collect(),
            message_counts,
            feedback,
            fabric: self.cioq.as_ref().map(|cioq| cioq.counters).unwrap_or_default(),
            congestion_trees: self.congestion_trees(),
            deadlock: self.deadlocks.found.take(),
            links: self.link_outcomes(),
            flows: self.flow_outcomes(),
            queues: self.queue_outcomes(),
            ports: self.port_outcomes(),
        }
    }

    fn link_outcomes(&mut self) -> Vec<LinkOutcome> {
        let outcome = |budget: LinkBudget| {
            let peak = self.inputs[budget.port.index()].peak;
            LinkOutcome { used: Bytes::new(peak).saturating_sub(budget.threshold), budget }
        };
        std::mem::take(&mut self.budgets).into_iter().map(outcome).collect()
    }

    /// Records incomplete messages, including those offered since their source was last polled.
    fn end_messages(&mut self) {
        for (index, flow) in self.flows.iter_mut().enumerate() {
            let index = index as u32;
            if flow.books.sent == flow.books.delivered + flow.books.dropped {
                self.recorder.damaged(index, &flow.settle_losses(Time::MAX));
            }
            flow.source.take_outstanding(self.now, |message| {
                let fate = if message.damaged { Fate::Damaged } else { Fate::Unfinished };
                self.recorder.messages.push(Ended::incomplete(index, message, fate));
            });
        }
    }

    fn flow_outcomes(&mut self) -> Vec<FlowOutcome> {
        let series = std::mem::take(&mut self.recorder.flows);
        let mut receivers = std::mem::take(&mut self.recorder.receivers);
        let flows = self.flows.iter().enumerate().zip(series);
        flows
            .map(|((index, flow), series)| {
                let books = &flow.books;
                let mut reaction = flow.limiters.past;
                if let Some(limiter) = &self.lanes[index].limiter {
                    reaction += limiter.reaction_point.counters();
                }
                FlowOutcome {
                    sent_frames: books.sent_frames,
                    sent: Bytes::new(books.sent),
                    delivered_frames: books.delivered_frames,
                    delivered: Bytes::new(books.delivered),
                    delivered_measured: Bytes::new(books.delivered - books.unmeasured),
                    dropped_frames: books.dropped_frames,
                    dropped: Bytes::new(books.dropped),
                    notifications: books.notifications,
                    first_notified: flow.limiters.first_notified,
                    copies: self.groups.copies_of(index as u32),
                    receivers: self.receiver_outcomes(index as u32, &mut receivers),
                    reaction,
                    delay_sum: books.delay_sum,
                    delay_max: books.delay_max,
                    delay_frames: books.delivered_frames - books.unmeasured_frames,
                    delivered_series: series.delivered.growth,
                    limit_series: series.limit,
                    notification_series: series.notifications.growth,
                    victim: self.victim_time(index),
                }
            })
            .collect()
    }

    fn queue_outcomes(&mut self) -> Vec<QueueOutcome> {
        let series = std::mem::take(&mut self.recorder.queues);
        let outcome = |(index, series): (usize, QueueSeries)| {
            let queue = &self.queues[index];
            let samples = queue.congestion_point.counters().samples;
            let (side, port) = self.place_of_queue(index);
            let class = index % self.classes.count();
            QueueOutcome {
                port: PortId(port),
                side,
                priority: self.classes.priorities[class],
                length: queue.dwell.statistics(),
                peak: Bytes::new(series.peak),
                dropped_frames: queue.dropped_frames,
                dropped: Bytes::new(queue.dropped),
                congestion_point: CpCounters { samples, notifications: queue.notifications },
                culprits: self.culprit_counters(side, port, class as u8),
                length_series: series.length,
                largest_series: series.largest,
                mean_series: series.mean,
                limit: (!self.pause_rules.protects(class as u8)).then(|| Bytes::new(queue.limit)),
                notification_series: series.notifications.growth,
            }
        };
        series.into_iter().map(outcome).collect()
    }

    fn port_outcomes(&mut self) -> Vec<PortOutcome> {
        let now = self.now;
        let series = std::mem::take(&mut self.recorder.ports);
        let used = |index: usize| self.ports[index].sent_frames > 0 || self.pause_state[index].pauses > 0;
        let outcome = |(index, series): (usize, PortSeries)| {
            let (port, pause_state) = (&self.ports[index], &self.pause_state[index]);
            PortOutcome {
                port: PortId(index as u32),
                sent_frames: port.sent_frames,
                sent: Bytes::new(port.sent),
                busy: port.busy_until(now) - series.busy_unmeasured,
                paused: pause_state.paused(port.paused, now) - pause_state.unmeasured,
                pauses: pause_state.pauses,
                sent_series: series.sent.growth,
                busy_series: series.busy,
                paused_series: series.paused,
            }
        };
        series.into_iter().filter(|(index, _)| used(*index)).map(outcome).collect()
    }

    fn message(&self, done: &Ended) -> MessageOutcome {
        MessageOutcome {
            flow: FlowId(done.flow),
            size: Bytes::new(done.size),
            offered: done.offered,
            completed: done.completed,
            ideal: self.ideal_time(done.flow, done.size),
        }
    }

    fn incomplete(&self, message: &Ended) -> IncompleteMessage {
        IncompleteMessage {
            flow: FlowId(message.flow),
            size: Bytes::new(message.size),
            offered: message.offered,
            fate: message.fate,
            ideal: self.ideal_time(message.flow, message.size),
        }
    }
}
