//! What is measured on the way: series, and messages that were completed.

use setpoint_control::CpCounters;
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use super::Network;
use super::flow::Completion;
use super::messages::Messages;
use super::port::Toward;
use crate::error::SimError;
use crate::ids::{FlowId, PortId};
use crate::outcome::{FlowOutcome, MessageOutcome, Outcome, PortOutcome, QueueOutcome};
use crate::random::{Purpose, RandomStream};
use crate::spec::{Recording, Spec};

/// Series so far.
#[derive(Clone, Debug)]
pub(super) struct Recorder {
    measure_from: Time,
    recording: Recording,
    flows: Vec<FlowSeries>,
    /// The queues that are recorded, by index.
    queues: Vec<(usize, QueueSeries)>,
    ports: Vec<PortSeries>,
    messages: Messages,
    damaged: u64,
    cut: u64,
}

#[derive(Clone, Debug, Default)]
struct FlowSeries {
    delivered: Counted<u64>,
    notifications: Counted<u32>,
    limit: Vec<Option<Rate>>,
}

#[derive(Clone, Debug, Default)]
struct QueueSeries {
    length: Vec<u64>,
    largest: Vec<u64>,
    /// Over the whole run.
    peak: u64,
    notifications: Counted<u32>,
}

#[derive(Clone, Debug, Default)]
struct PortSeries {
    sent: Counted<u64>,
    busy: Vec<TimeDelta>,
    busy_so_far: TimeDelta,
    /// What of it was before measurement began.
    busy_unmeasured: TimeDelta,
    paused: Vec<TimeDelta>,
    paused_so_far: TimeDelta,
}

/// The growth of a counter in each interval.
#[derive(Clone, Debug, Default)]
struct Counted<T> {
    last: u64,
    growth: Vec<T>,
}

impl<T: TryFrom<u64>> Counted<T> {
    fn record(&mut self, count: u64) {
        let growth = T::try_from(count - self.last).ok().expect("growth within an interval fits its type");
        self.growth.push(growth);
        self.last = count;
    }
}

impl Recorder {
    /// A recorder that has seen nothing; `queues` are those to record, by index.
    pub(super) fn new(spec: &Spec, queues: Vec<usize>) -> Self {
        let ports = spec.topology.links().len() * 2;
        Self {
            measure_from: spec.measure_from,
            recording: spec.recording,
            flows: vec![FlowSeries::default(); spec.flows.len()],
            queues: queues.into_iter().map(|queue| (queue, QueueSeries::default())).collect(),
            ports: vec![PortSeries::default(); ports],
            messages: Messages::new(spec.measure_from, RandomStream::new(spec.seed, Purpose::Reservoir, 0)),
            damaged: 0,
            cut: 0,
        }
    }

    /// A message has arrived in full, or what was left of it.
    pub(super) fn complete(&mut self, done: Completion, damaged: bool) {
        if damaged {
            self.damaged(1);
        } else {
            self.messages.push(done);
        }
    }

    /// Messages have lost frames, and nothing more of them will arrive.
    pub(super) fn damaged(&mut self, messages: u64) {
        self.damaged += messages;
    }

    /// Drops the samples so far, and keeps their memory for those to come.
    fn forget_series(&mut self) {
        for series in &mut self.flows {
            series.delivered.growth.clear();
            series.notifications.growth.clear();
            series.limit.clear();
        }
        for (_, series) in &mut self.queues {
            series.length.clear();
            series.largest.clear();
            series.notifications.growth.clear();
        }
        for series in &mut self.ports {
            series.sent.growth.clear();
            series.busy.clear();
            series.paused.clear();
        }
    }

    /// Messages were given up because their flow was stopped.
    pub(super) fn cut(&mut self, messages: u64) {
        self.cut += messages;
    }
}

impl Network {
    /// Ends a sample interval: the books must balance, then they are read.
    pub(super) fn sample(&mut self) -> Result<(), SimError> {
        self.catch_up();
        self.check_books_in_proportion()?;
        if self.events.nearly_exhausted() {
            return Err(SimError::TooLong { at: self.now, events: self.events.popped() });
        }
        self.record();
        if self.now < self.rules.end {
            self.schedule_sample();
        }
        Ok(())
    }

    /// Statistics begin now.
    pub(super) fn measure_from_now(&mut self) {
        self.catch_up();
        for flow in &mut self.flows {
            flow.books.restart();
        }
        for queue in &mut self.queues {
            queue.dwell.restart(self.now);
        }
        for (port, series) in self.ports.iter().zip(&mut self.recorder.ports) {
            series.busy_unmeasured = port.busy_until(self.now);
        }
        for (obedience, port) in self.obedience.iter_mut().zip(&self.ports) {
            obedience.unmeasured = obedience.paused(port.paused, self.now);
        }
    }

    /// Brings deliveries and queues up to date.
    fn catch_up(&mut self) {
        for index in 0..self.ports.len() as u32 {
            if self.ports[index as usize].toward == Toward::Station {
                self.deliver_due(index);
            }
        }
        for queue in 0..self.queues.len() {
            self.settle(queue);
        }
    }

    fn record(&mut self) {
        if self.recorder.recording == Recording::LastSample {
            self.recorder.forget_series();
        }
        for (flow, series) in self.flows.iter().zip(&mut self.recorder.flows) {
            series.delivered.record(flow.books.delivered);
            series.notifications.record(flow.books.notifications);
            series.limit.push(self.lanes[flow.lane as usize].limit());
        }
        for (queue, series) in &mut self.recorder.queues {
            let queue = &mut self.queues[*queue];
            series.length.push(queue.length);
            series.largest.push(queue.largest);
            series.peak = series.peak.max(queue.largest);
            queue.largest = queue.length;
            series.notifications.record(queue.notifications);
        }
        for index in 0..self.ports.len() {
            let (_, ahead) = self.committed_ahead(index as u32);
            let (port, series) = (&self.ports[index], &mut self.recorder.ports[index]);
            series.sent.record(port.sent - ahead);
            let busy = port.busy_until(self.now);
            series.busy.push(busy - series.busy_so_far);
            series.busy_so_far = busy;
            let paused = self.obedience[index].paused(port.paused, self.now);
            series.paused.push(paused - series.paused_so_far);
            series.paused_so_far = paused;
        }
    }

    /// Closes the books.
    pub(super) fn finish(mut self, spec: &Spec) -> Outcome {
        let now = self.now;
        // Ideal times are those of the network before anything in it changed.
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
        for flow in &mut self.flows {
            if flow.books.sent == flow.books.delivered + flow.books.dropped {
                self.recorder.damaged(flow.settle_losses(Time::MAX));
            }
        }
        let packet_hops = self.ports.iter().map(|port| port.sent_frames).sum();
        let unfinished = self.flows.iter().map(|flow| flow.source.outstanding()).sum::<u64>();
        let recorder = &mut self.recorder;
        let (messages, beyond_bound) = recorder.messages.take();
        let (cut, damaged) = (recorder.cut, recorder.damaged);
        Outcome {
            end: now,
            sample_interval: self.rules.sample_interval,
            measure_from: recorder.measure_from,
            events: self.events.popped(),
            packet_hops,
            messages: messages.iter().map(|done| self.message(done)).collect(),
            messages_beyond_bound: beyond_bound,
            messages_unfinished: unfinished + cut,
            messages_damaged: damaged,
            flows: self.flow_outcomes(),
            queues: self.queue_outcomes(),
            ports: self.port_outcomes(),
        }
    }

    fn flow_outcomes(&mut self) -> Vec<FlowOutcome> {
        let series = std::mem::take(&mut self.recorder.flows);
        let flows = self.flows.iter().enumerate().zip(series);
        flows
            .map(|((index, flow), series)| {
                let books = &flow.books;
                let mut reaction = flow.past;
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
                    reaction,
                    delay_sum: books.delay_sum,
                    delay_max: books.delay_max,
                    delay_frames: books.delivered_frames - books.unmeasured_frames,
                    delivered_series: series.delivered.growth,
                    limit_series: series.limit,
                    notification_series: series.notifications.growth,
                }
            })
            .collect()
    }

    fn queue_outcomes(&mut self) -> Vec<QueueOutcome> {
        let series = std::mem::take(&mut self.recorder.queues);
        let outcome = |(index, series): (usize, QueueSeries)| {
            let queue = &self.queues[index];
            let samples = queue.congestion_point.counters().samples;
            QueueOutcome {
                port: PortId((index / self.classes.count()) as u32),
                priority: self.classes.priorities[index % self.classes.count()],
                length: queue.dwell.statistics(),
                peak: Bytes::new(series.peak),
                dropped_frames: queue.dropped_frames,
                dropped: Bytes::new(queue.dropped),
                congestion_point: CpCounters { samples, notifications: queue.notifications },
                length_series: series.length,
                largest_series: series.largest,
                notification_series: series.notifications.growth,
            }
        };
        series.into_iter().map(outcome).collect()
    }

    fn port_outcomes(&mut self) -> Vec<PortOutcome> {
        let now = self.now;
        let series = std::mem::take(&mut self.recorder.ports);
        let used = |index: &usize| self.ports[*index].sent_frames > 0 || self.obedience[*index].pauses > 0;
        let outcome = |(index, series): (usize, PortSeries)| {
            let (port, obedience) = (&self.ports[index], &self.obedience[index]);
            PortOutcome {
                port: PortId(index as u32),
                sent_frames: port.sent_frames,
                sent: Bytes::new(port.sent),
                busy: port.busy_until(now) - series.busy_unmeasured,
                paused: obedience.paused(port.paused, now) - obedience.unmeasured,
                pauses: obedience.pauses,
                sent_series: series.sent.growth,
                busy_series: series.busy,
                paused_series: series.paused,
            }
        };
        series.into_iter().enumerate().filter(|(index, _)| used(index)).map(outcome).collect()
    }

    fn message(&self, done: &Completion) -> MessageOutcome {
        MessageOutcome {
            flow: FlowId(done.flow),
            size: Bytes::new(done.size),
            offered: done.offered,
            completed: done.completed,
            ideal: self.ideal_time(done.flow, done.size),
        }
    }
}
