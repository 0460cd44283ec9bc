//! The outcome of a run.

use setpoint_control::CpCounters;
use setpoint_units::{Bytes, Time};

use super::Network;
use super::bridge::QueuePlace;
use super::context::Context;
use super::link::End;
use super::receive::{Books, Ended};
use super::recorder::{FlowSeries, PortSeries, QueueSeries};
use super::station::Sent;
use crate::ids::{FlowId, PortId};
use crate::index::QueueNo;
use crate::lossless::LinkBudget;
use crate::outcome::{
    Fate, FlowOutcome, IncompleteMessage, LinkOutcome, MessageOutcome, Outcome, PortOutcome, QueueOutcome,
};
use crate::spec::Spec;

impl Network {
    /// Ends the run and collects the outcome.
    pub(super) fn finish(mut self, spec: &Spec) -> Outcome {
        let now = self.cx.now;
        // Ideal times refer to the network before any changes.
        let first_rate = |port: PortId| spec.topology.link_at(port.link()).rate;
        self.bridges.finish(now, first_rate);
        self.stations.finish(first_rate);
        self.end_messages();
        self.close_trees();
        let ports = self.bridges.ports().iter().chain(self.stations.ports());
        let packet_hops = ports.map(|port| port.sent_frames).sum();
        self.collect_messages();
        let (messages, message_counts) = self.messages.take();
        let (mut completed, mut incomplete): (Vec<Ended>, Vec<Ended>) =
            messages.into_iter().partition(|message| message.fate == Fate::Completed);
        // Completions are recorded station by station, so they are not in chronological order.
        completed.sort_by_key(|done| (done.completed, done.flow));
        incomplete.sort_by_key(|message| (message.offered, message.flow));
        let whole = Outcome {
            end: now,
            sample_interval: self.cx.rules.sample_interval,
            measure_from: self.recorder.measure_from,
            events: self.cx.events.popped(),
            packet_hops,
            messages: completed.iter().map(|done| self.message(done)).collect(),
            messages_incomplete: incomplete.iter().map(|message| self.incomplete(message)).collect(),
            message_counts,
            feedback: self.bridges.feedback().to_vec(),
            fabric: self.bridges.fabric_outcome(),
            congestion_trees: self.congestion_trees(),
            deadlock: self.deadlocks.found.take(),
            links: self.link_outcomes(),
            flows: Vec::new(),
            queues: self.queue_outcomes(),
            ports: self.port_outcomes(),
        };
        drop((completed, incomplete));
        Outcome { flows: self.flow_outcomes(), ..whole }
    }

    fn link_outcomes(&mut self) -> Vec<LinkOutcome> {
        let outcome = |budget: LinkBudget| {
            let peak = match self.cx.links[budget.port].to {
                End::Bridge(input) => self.bridges.input(input).peak(),
                End::Station(_) => 0,
            };
            LinkOutcome { used: Bytes::new(peak).saturating_sub(budget.threshold), budget }
        };
        std::mem::take(&mut self.budgets).into_iter().map(outcome).collect()
    }

    /// Records incomplete messages, including those offered since their source was last polled.
    fn end_messages(&mut self) {
        for flow in self.flows() {
            let sender = self.stations.sender_of(flow);
            let Context { now, receivers, .. } = &mut self.cx;
            if self.stations.senders()[sender].sent() == receivers.books(flow).ended() {
                receivers.settle_losses(flow, Time::MAX);
            }
            receivers.end_messages(flow);
            self.stations.take_waiting(sender, *now, |message| receivers.cut(flow, message));
        }
    }

    /// The outcomes of flows. Networks may have hundreds of thousands of them, so everything else is freed first.
    fn flow_outcomes(self) -> Vec<FlowOutcome> {
        let Self { cx, stations, bridges, recorder, victims, .. } = self;
        let Context { events, links, routes, groups, receivers, .. } = cx;
        drop((bridges, events, links, routes));
        let mut members = recorder.receivers;
        let (sent, victims) = (stations.into_sent(), victims.into_times());
        let flows = sent.into_iter().zip(receivers.into_books()).zip(recorder.flows);
        let outcome = |(index, ((sent, books), series)): (usize, ((Sent, Books), FlowSeries))| {
            let (flow, rare) = (FlowId(index as u32), books.rare());
            FlowOutcome {
                sent_frames: sent.frames,
                sent: Bytes::new(sent.bytes),
                delivered_frames: books.delivered_frames,
                delivered: Bytes::new(books.delivered),
                delivered_measured: Bytes::new(books.delivered - rare.unmeasured),
                dropped_frames: rare.dropped_frames,
                dropped: Bytes::new(rare.dropped),
                notifications: sent.notifications(),
                first_notified: sent.first_notified(),
                copies: groups.copies_of(flow).into(),
                receivers: groups.receiver_outcomes(flow, &mut members),
                reaction: sent.reaction().into(),
                delay_sum: books.delay_sum(),
                delay_max: books.delay_max,
                delay_frames: books.delivered_frames - rare.unmeasured_frames,
                delivered_series: series.samples().map(|sample| sample.delivered).collect(),
                limit_series: series.samples().map(|sample| sample.limit).collect(),
                notification_series: series.samples().map(|sample| sample.notifications).collect(),
                victim: victims.get(index).copied().unwrap_or_default(),
            }
        };
        flows.enumerate().map(outcome).collect()
    }

    fn queue_outcomes(&mut self) -> Vec<QueueOutcome> {
        let series = std::mem::take(&mut self.recorder.queues);
        let outcome = |(number, series): (QueueNo, QueueSeries)| {
            let queue = &self.bridges.queues()[number];
            let samples = queue.congestion_point.counters().samples;
            let QueuePlace { side, port, class } = self.bridges.queue_place(number);
            QueueOutcome {
                port,
                side,
                priority: self.cx.classes.priorities[usize::from(class)],
                length: queue.dwell.statistics(),
                peak: Bytes::new(series.peak),
                dropped_frames: queue.dropped_frames,
                dropped: Bytes::new(queue.dropped),
                congestion_point: CpCounters { samples, notifications: queue.notifications },
                culprits: self.bridges.culprit_counters(number),
                length_series: series.length,
                largest_series: series.largest,
                mean_series: series.mean,
                limit: (!self.bridges.pause_rules().protects(class)).then(|| Bytes::new(queue.limit)),
                notification_series: series.notifications.growth,
            }
        };
        series.into_iter().map(outcome).collect()
    }

    fn port_outcomes(&mut self) -> Vec<PortOutcome> {
        let now = self.cx.now;
        let series = std::mem::take(&mut self.recorder.ports);
        let used = |port: PortId| {
            let (port, pause_state) = self.port(port);
            port.sent_frames > 0 || pause_state.pauses > 0
        };
        let outcome = |(id, series): (PortId, PortSeries)| {
            let (port, pause_state) = self.port(id);
            PortOutcome {
                port: id,
                sent_frames: port.sent_frames,
                sent: Bytes::new(port.sent),
                busy: port.busy_until(now) - series.busy_unmeasured,
                paused: pause_state.measured(port.paused, now),
                pauses: pause_state.pauses,
                sent_series: series.sent.growth,
                busy_series: series.busy,
                paused_series: series.paused,
            }
        };
        series.into_iter().filter(|(port, _)| used(*port)).map(outcome).collect()
    }

    fn message(&self, done: &Ended) -> MessageOutcome {
        MessageOutcome {
            flow: done.flow,
            size: Bytes::new(done.size),
            offered: done.offered,
            completed: done.completed,
            ideal: self.ideal_time(done.flow, done.size),
        }
    }

    fn incomplete(&self, message: &Ended) -> IncompleteMessage {
        IncompleteMessage {
            flow: message.flow,
            size: Bytes::new(message.size),
            offered: message.offered,
            fate: message.fate,
            ideal: self.ideal_time(message.flow, message.size),
        }
    }
}
