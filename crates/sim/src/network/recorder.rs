//! Measurements during the run: time series and message fates.

use setpoint_units::{Rate, Time, TimeDelta};

use super::Network;
use super::flow::Ended;
use super::memory::{FLOW_SAMPLE, PORT_SAMPLE, QUEUE_SAMPLE, RECEIVER_SAMPLE};
use super::messages::Messages;
use super::port::Toward;
use crate::error::SimError;
use crate::outcome::Fate;
use crate::random::{Purpose, RandomStream};
use crate::spec::{Recording, Spec};
use crate::traffic::source::Message;

/// The measurements so far.
#[derive(Clone, Debug)]
pub(super) struct Recorder {
    pub(super) measure_from: Time,
    pub(super) recording: Recording,
    pub(super) flows: Vec<FlowSeries>,
    /// The recorded queues, with their indices.
    pub(super) queues: Vec<(usize, QueueSeries)>,
    /// The recorded ports, with their indices: those on the path of a flow.
    pub(super) ports: Vec<(usize, PortSeries)>,
    pub(super) messages: Messages,
    /// When the last interval ended.
    sampled_at: Time,
    /// Notifications sent, by quantised feedback.
    pub(super) feedback: [u64; 64],
    /// For each receiver of a group flow.
    pub(super) receivers: Vec<Counted<u64>>,
    /// For each flow and then each receiver, when the last delivered frame was sent: a check that frames stay
    /// in order.
    #[cfg(debug_assertions)]
    pub(super) in_order: Vec<Time>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct FlowSeries {
    pub(super) delivered: Counted<u64>,
    pub(super) notifications: Counted<u32>,
    pub(super) limit: Vec<Option<Rate>>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct QueueSeries {
    pub(super) length: Vec<u64>,
    pub(super) largest: Vec<u64>,
    pub(super) mean: Vec<u64>,
    /// The integral of the queue length at the last reading.
    area_so_far: u128,
    /// The part of this interval's integral before measurement began, when the queue was reset.
    area_before: u128,
    /// The largest length over the whole run.
    pub(super) peak: u64,
    pub(super) notifications: Counted<u32>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct PortSeries {
    pub(super) sent: Counted<u64>,
    pub(super) busy: Vec<TimeDelta>,
    pub(super) busy_so_far: TimeDelta,
    /// The part of it before measurement began.
    pub(super) busy_unmeasured: TimeDelta,
    pub(super) paused: Vec<TimeDelta>,
    pub(super) paused_so_far: TimeDelta,
}

impl QueueSeries {
    /// Records the mean length in an interval that ends now, rounded down, from the integral up to now.
    fn push_mean(&mut self, area: u128, span: TimeDelta) {
        let before = std::mem::take(&mut self.area_before);
        let grown = before + area - std::mem::replace(&mut self.area_so_far, area);
        self.mean.push((grown / u128::from(span.as_picos().max(1))) as u64);
    }
}

/// The growth of a counter in each interval.
#[derive(Clone, Debug, Default)]
pub(super) struct Counted<T> {
    pub(super) last: u64,
    pub(super) growth: Vec<T>,
}

/// The number of samples in a series at the end of a run.
pub(super) fn samples(spec: &Spec) -> usize {
    let intervals = spec.duration.as_picos().div_ceil(spec.sample_interval.as_picos().max(1));
    match spec.recording {
        Recording::Series => usize::try_from(intervals).unwrap_or(usize::MAX),
        Recording::LastSample => 1,
    }
}

/// The maximum number of samples for which memory is reserved in advance.
const MOST_RESERVED: usize = 1 << 20;

impl FlowSeries {
    fn of(samples: usize) -> Self {
        let limit = Vec::with_capacity(samples);
        Self { delivered: Counted::of(samples), notifications: Counted::of(samples), limit }
    }
}

impl QueueSeries {
    fn of(samples: usize) -> Self {
        let [length, largest, mean] = [0; 3].map(|_| Vec::with_capacity(samples));
        Self { length, largest, mean, notifications: Counted::of(samples), ..Self::default() }
    }
}

impl PortSeries {
    fn of(samples: usize) -> Self {
        let [busy, paused] = [0; 2].map(|_| Vec::with_capacity(samples));
        Self { sent: Counted::of(samples), busy, paused, ..Self::default() }
    }
}

impl<T> Counted<T> {
    /// A series for a counter at zero, with room for `samples` intervals.
    fn of(samples: usize) -> Self {
        Self { last: 0, growth: Vec::with_capacity(samples) }
    }
}

impl<T: TryFrom<u64>> Counted<T> {
    fn record(&mut self, count: u64) {
        let growth =
            T::try_from(count - self.last).ok().expect("the growth within an interval fits its type");
        self.growth.push(growth);
        self.last = count;
    }
}

impl Recorder {
    /// An empty recorder; `queues` and `ports` are the indices to record.
    pub(super) fn new(spec: &Spec, queues: Vec<usize>, ports: Vec<usize>) -> Self {
        let samples = samples(spec).min(MOST_RESERVED);
        Self {
            measure_from: spec.measure_from,
            recording: spec.recording,
            flows: spec.flows.iter().map(|_| FlowSeries::of(samples)).collect(),
            queues: queues.into_iter().map(|queue| (queue, QueueSeries::of(samples))).collect(),
            ports: ports.into_iter().map(|port| (port, PortSeries::of(samples))).collect(),
            messages: Messages::new(spec.measure_from, RandomStream::new(spec.seed, Purpose::Reservoir, 0)),
            sampled_at: Time::ZERO,
            feedback: [0; 64],
            receivers: Vec::new(),
            #[cfg(debug_assertions)]
            in_order: vec![Time::ZERO; spec.flows.len()],
        }
    }

    /// Sets the total number of receivers of group flows.
    pub(super) fn expect_receivers(&mut self, count: usize) {
        self.receivers.resize_with(count, Counted::default);
        #[cfg(debug_assertions)]
        self.in_order.resize(self.flows.len() + count, Time::ZERO);
    }

    /// Checks that frames of a flow are delivered in order, each once per station.
    #[cfg(debug_assertions)]
    pub(super) fn check_order(&mut self, receiver: usize, sent_at: Time) {
        let last = std::mem::replace(&mut self.in_order[receiver], sent_at);
        assert!(
            last < sent_at || last == Time::ZERO,
            "a frame for receiver {receiver} was delivered out of order or twice"
        );
    }

    /// Records messages of a flow that lost frames and will never be complete.
    pub(super) fn damaged(&mut self, flow: u32, messages: &[Message]) {
        self.incomplete(flow, messages, Fate::Damaged);
    }

    /// Records a message that was cut off because its flow stopped.
    pub(super) fn cut(&mut self, flow: u32, message: &Message) {
        self.messages.push(Ended::incomplete(flow, message, Fate::Unfinished));
    }

    fn incomplete(&mut self, flow: u32, messages: &[Message], fate: Fate) {
        for message in messages {
            self.messages.push(Ended::incomplete(flow, message, fate));
        }
    }

    /// Discards the samples so far but keeps their memory.
    fn forget_series(&mut self) {
        for series in &mut self.flows {
            series.delivered.growth.clear();
            series.notifications.growth.clear();
            series.limit.clear();
        }
        for series in &mut self.receivers {
            series.growth.clear();
        }
        for (_, series) in &mut self.queues {
            series.length.clear();
            series.largest.clear();
            series.mean.clear();
            series.notifications.growth.clear();
        }
        for (_, series) in &mut self.ports {
            series.sent.growth.clear();
            series.busy.clear();
            series.paused.clear();
        }
    }

    /// Bytes of the samples so far.
    pub(super) fn series_bytes(&self) -> usize {
        let flows = self.flows.iter().map(|series| series.limit.len() * FLOW_SAMPLE);
        let queues = self.queues.iter().map(|(_, series)| series.length.len() * QUEUE_SAMPLE);
        let ports = self.ports.iter().map(|(_, series)| series.busy.len() * PORT_SAMPLE);
        let receivers = self.receivers.iter().map(|series| series.growth.len() * RECEIVER_SAMPLE);
        flows.chain(queues).chain(ports).chain(receivers).sum()
    }
}

impl Network {
    /// Ends a sample interval: checks the books, then reads them.
    pub(super) fn sample(&mut self) -> Result<(), SimError> {
        self.catch_up();
        self.check_books_in_proportion()?;
        if self.events.nearly_exhausted() {
            return Err(SimError::TooLong { at: self.now, events: self.events.popped() });
        }
        self.watch_for_deadlock();
        self.check_victims();
        self.record();
        if self.now < self.rules.end {
            self.schedule_sample();
        }
        Ok(())
    }

    /// Begins measurement.
    pub(super) fn measure_from_now(&mut self) {
        self.catch_up();
        for flow in &mut self.flows {
            flow.books.restart();
        }
        for receiver in self.groups.receivers_mut() {
            receiver.restart();
        }
        for (queue, series) in &mut self.recorder.queues {
            let queue = &self.queues[*queue];
            series.area_before += queue.dwell.area_until(queue.length, self.now) - series.area_so_far;
            series.area_so_far = 0;
        }
        for queue in &mut self.queues {
            queue.dwell.restart(self.now);
        }
        for (port, series) in &mut self.recorder.ports {
            series.busy_unmeasured = self.ports[*port].busy_until(self.now);
        }
        for (pause_state, port) in self.pause_state.iter_mut().zip(&self.ports) {
            pause_state.unmeasured = pause_state.paused(port.paused, self.now);
        }
    }

    /// Updates deliveries and queues to the current time.
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
        for (receiver, series) in self.groups.receivers().iter().zip(&mut self.recorder.receivers) {
            series.record(receiver.timely);
        }
        let span = self.now - std::mem::replace(&mut self.recorder.sampled_at, self.now);
        for (queue, series) in &mut self.recorder.queues {
            let queue = &mut self.queues[*queue];
            let area = queue.dwell.area_until(queue.length, self.now);
            series.push_mean(area, span);
            series.length.push(queue.length);
            series.largest.push(queue.largest);
            series.peak = series.peak.max(queue.largest);
            queue.largest = queue.length;
            series.notifications.record(queue.notifications);
        }
        for place in 0..self.recorder.ports.len() {
            let index = self.recorder.ports[place].0;
            let (_, ahead) = self.committed_ahead(index as u32);
            let (port, series) = (&self.ports[index], &mut self.recorder.ports[place].1);
            series.sent.record(port.sent - ahead);
            let busy = port.busy_until(self.now);
            series.busy.push(busy - series.busy_so_far);
            series.busy_so_far = busy;
            let paused = self.pause_state[index].paused(port.paused, self.now);
            series.paused.push(paused - series.paused_so_far);
            series.paused_so_far = paused;
        }
    }
}
