//! Measurements during the run: time series.

use std::collections::BTreeMap;

use setpoint_control::Observe;
use setpoint_units::{Rate, Time, TimeDelta};

use crate::curves::{PortCurves, QueueCurves, SourceCurves};
use crate::ids::{FlowId, PortId};
use crate::index::{PartNo, QueueNo};
use crate::network::components::Components;
use crate::network::node::just_before;
use crate::network::node::link::End;
use crate::network::node::multicast::Receiver;
use crate::network::node::partition::Partition;
use crate::network::node::places::{Owner, Place};
use crate::sample::{FlowSample, SourceSample};
use crate::spec::{Recording, Spec};

/// The measurements so far.
#[derive(Clone, Debug)]
pub(in crate::network) struct Recorder {
    pub(in crate::network) measure_from: Time,
    pub(in crate::network) recording: Recording,
    pub(in crate::network) flows: Vec<FlowSeries>,
    /// The sources that have received an acknowledgement.
    pub(in crate::network) sources: BTreeMap<FlowId, SourceCurves>,
    /// The recorded queues, in the order of their ports and classes; output queues come first.
    pub(in crate::network) queues: Vec<(QueueNo, QueueSeries)>,
    /// The recorded ports: those on the path of a flow.
    pub(in crate::network) ports: Vec<(PortId, PortSeries)>,
    /// The time at which the last interval ended.
    sampled_at: Time,
    /// The bytes delivered to each receiver of a group flow while it was a member.
    pub(in crate::network) receivers: Vec<Counted<u64>>,
}

/// The samples of a flow. Needs no heap memory if only the last sample is kept.
#[expect(
    clippy::box_collection,
    reason = "a network may have many flows of which only the last sample is kept"
)]
#[derive(Clone, Debug)]
pub(in crate::network) struct FlowSeries {
    /// Bytes that had arrived at the last sample.
    delivered: u64,
    /// Notifications that had arrived at the last sample.
    notifications: u64,
    pub(in crate::network) last: FlowSample,
    /// The samples before the last one, if they are kept.
    before: Option<Box<Vec<FlowSample>>>,
}

#[derive(Clone, Debug, Default)]
pub(in crate::network) struct QueueSeries {
    pub(in crate::network) length: Vec<u64>,
    pub(in crate::network) largest: Vec<u64>,
    pub(in crate::network) mean: Vec<u64>,
    /// The integral of the queue length at the last reading.
    area_so_far: u128,
    /// The part of this interval's integral before measurement began, when the queue was reset.
    area_before: u128,
    /// The largest length over the whole run.
    pub(in crate::network) peak: u64,
    pub(in crate::network) notifications: Counted<u32>,
    pub(in crate::network) marks: Counted<u32>,
}

#[derive(Clone, Debug, Default)]
pub(in crate::network) struct PortSeries {
    pub(in crate::network) sent: Counted<u64>,
    pub(in crate::network) busy: Vec<TimeDelta>,
    pub(in crate::network) busy_so_far: TimeDelta,
    /// The part of the busy time before measurement began.
    pub(in crate::network) busy_unmeasured: TimeDelta,
    pub(in crate::network) paused: Vec<TimeDelta>,
    pub(in crate::network) paused_so_far: TimeDelta,
}

impl QueueSeries {
    /// Records the mean length in an interval that ends now, rounded down, from the integral up to now.
    fn push_mean(&mut self, area: u128, span: TimeDelta) {
        let before = std::mem::take(&mut self.area_before);
        let grown = before + area - std::mem::replace(&mut self.area_so_far, area);
        let picos = span.as_picos().max(1);
        // Divided as 64 bits if it fits, which is much faster.
        self.mean.push(match u64::try_from(grown) {
            Ok(grown) => grown / picos,
            Err(_) => (grown / u128::from(picos)) as u64,
        });
    }
}

/// The growth of a counter in each interval.
#[derive(Clone, Debug, Default)]
pub(in crate::network) struct Counted<T> {
    pub(in crate::network) last: u64,
    pub(in crate::network) growth: Vec<T>,
}

/// The number of samples in a series at the end of a run.
pub(in crate::network) fn samples(spec: &Spec) -> usize {
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
        let last = FlowSample { delivered: 0, limit: None, notifications: 0 };
        let before = samples.checked_sub(2).map(|rest| Box::new(Vec::with_capacity(rest + 1)));
        Self { delivered: 0, notifications: 0, last, before }
    }

    /// Replaces the last sample with one for the given totals.
    fn record(&mut self, delivered: u64, notifications: u64, limit: Option<Rate>) {
        let grown = notifications - std::mem::replace(&mut self.notifications, notifications);
        self.last = FlowSample {
            delivered: delivered - std::mem::replace(&mut self.delivered, delivered),
            limit,
            notifications: u32::try_from(grown).expect("the growth within an interval fits its type"),
        };
    }

    /// The number of samples that were kept before the last one.
    fn earlier(&self) -> usize {
        self.before.as_ref().map_or(0, |before| before.len())
    }

    /// All samples that were kept, in order.
    pub(in crate::network) fn samples(&self) -> impl Iterator<Item = &FlowSample> {
        self.before.iter().flat_map(|before| before.iter()).chain([&self.last])
    }
}

impl QueueSeries {
    fn of(samples: usize) -> Self {
        let [length, largest, mean] = [0; 3].map(|_| Vec::with_capacity(samples));
        let [notifications, marks] = [0; 2].map(|_| Counted::of(samples));
        Self { length, largest, mean, notifications, marks, ..Self::default() }
    }
}

impl PortSeries {
    fn of(samples: usize) -> Self {
        let [busy, paused] = [0; 2].map(|_| Vec::with_capacity(samples));
        Self { sent: Counted::of(samples), busy, paused, ..Self::default() }
    }
}

impl<T> Counted<T> {
    /// An empty series for a counter that starts at zero, with capacity for `samples` intervals.
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
    /// An empty recorder for the given queues and ports, and for the receivers of groups.
    pub(in crate::network) fn new(
        spec: &Spec,
        queues: Vec<QueueNo>,
        ports: Vec<PortId>,
        receivers: usize,
    ) -> Self {
        let samples = samples(spec).min(MOST_RESERVED);
        Self {
            measure_from: spec.measure_from,
            recording: spec.recording,
            flows: spec.flows.iter().map(|_| FlowSeries::of(samples)).collect(),
            sources: BTreeMap::new(),
            queues: queues.into_iter().map(|queue| (queue, QueueSeries::of(samples))).collect(),
            ports: ports.into_iter().map(|port| (port, PortSeries::of(samples))).collect(),
            sampled_at: Time::ZERO,
            receivers: (0..receivers).map(|_| Counted::default()).collect(),
        }
    }

    /// Discards the samples so far but keeps their allocated memory.
    fn forget_series(&mut self) {
        for series in &mut self.receivers {
            series.growth.clear();
        }
        for curves in self.sources.values_mut() {
            curves.resize(0);
        }
        for (_, series) in &mut self.queues {
            series.length.clear();
            series.largest.clear();
            series.mean.clear();
            series.notifications.growth.clear();
            series.marks.growth.clear();
        }
        for (_, series) in &mut self.ports {
            series.sent.growth.clear();
            series.busy.clear();
            series.paused.clear();
        }
    }

    /// Bytes used by the samples so far.
    pub(in crate::network) fn series_bytes(&self) -> usize {
        let flows = self
            .flows
            .iter()
            .map(|series| series.before.as_ref().map_or(0, |before| before.len() * FLOW_SAMPLE));
        let sources = self.sources.values().map(|curves| curves.in_flight_series.len() * SOURCE_SAMPLE);
        let queues = self.queues.iter().map(|(_, series)| series.length.len() * QUEUE_SAMPLE);
        let ports = self.ports.iter().map(|(_, series)| series.busy.len() * PORT_SAMPLE);
        let receivers = self.receivers.iter().map(|series| series.growth.len() * RECEIVER_SAMPLE);
        flows.chain(sources).chain(queues).chain(ports).chain(receivers).sum()
    }
}

/// The size in bytes of one sample of a flow, a source, a queue and a port.
pub(in crate::network) const FLOW_SAMPLE: usize = size_of::<FlowSample>();
pub(in crate::network) const SOURCE_SAMPLE: usize = SourceCurves::SAMPLE_BYTES;
pub(in crate::network) const QUEUE_SAMPLE: usize = QueueCurves::SAMPLE_BYTES;
pub(in crate::network) const PORT_SAMPLE: usize = PortCurves::SAMPLE_BYTES;
pub(in crate::network) const RECEIVER_SAMPLE: usize = size_of::<u64>();

impl Recorder {
    /// Begins measurement.
    pub(in crate::network) fn measure_from_now(&mut self, net: &mut Components) {
        catch_up(net);
        let now = net.now;
        for place in 0..self.queues.len() {
            let number = self.queues[place].0;
            let queue = &net.parts[net.part_of_queue(number)].bridges.core().queues()[number];
            let area = queue.dwell.area_until(queue.length, now);
            let series = &mut self.queues[place].1;
            series.area_before += area - series.area_so_far;
            series.area_so_far = 0;
        }
        for place in 0..self.ports.len() {
            let busy = net.port(self.ports[place].0).0.busy_until(now);
            self.ports[place].1.busy_unmeasured = busy;
        }
        for part in net.parts.iter_mut() {
            part.cx.receivers.restart();
            part.cx.groups.receivers_mut().iter_mut().for_each(Receiver::restart);
            part.bridges.core_mut().measure_from(now);
            part.stations.measure_from(now);
        }
    }

    pub(in crate::network) fn record(&mut self, net: &mut Components) {
        let now = net.now;
        let recorder = &mut *self;
        match recorder.recording {
            Recording::LastSample => recorder.forget_series(),
            Recording::Series if recorder.sampled_at > Time::ZERO => {
                let keep = |series: &mut FlowSeries| series.before.get_or_insert_default().push(series.last);
                recorder.flows.iter_mut().for_each(keep);
            }
            Recording::Series => {}
        }
        for (index, series) in recorder.flows.iter_mut().enumerate() {
            let flow = FlowId(index as u32);
            let delivered = net.parts[net.receivers.of(flow).0].cx.receivers.books(flow).delivered;
            let (part, sender) = net.senders.of(flow);
            let stations = &mut net.parts[part].stations;
            let notifications = stations.senders()[sender].notifications();
            series.record(delivered, notifications, stations.reported_limit(sender));
            if let Some(sample) = stations.take_source_sample(flow, sender) {
                let SourceSample { flow: _, round_trip, window, in_flight, marks, load } = sample;
                let curves = recorder.sources.entry(flow).or_default();
                // The intervals before the first acknowledgement.
                curves.resize(series.earlier());
                curves.round_trip_series.push(round_trip);
                curves.window_series.push(window);
                curves.in_flight_series.push(in_flight);
                curves.mark_series.push(marks);
                curves.load_series.push(load);
            }
        }
        // Frames to groups stay in one partition.
        let groups = &net.parts[PartNo(0)].cx.groups;
        for (receiver, series) in groups.receivers().iter().zip(&mut recorder.receivers) {
            series.record(receiver.timely);
        }
        let span = now - std::mem::replace(&mut recorder.sampled_at, now);
        for place in 0..self.queues.len() {
            let number = self.queues[place].0;
            let part = net.part_of_queue(number);
            let bridges = &mut net.parts[part].bridges;
            let largest = bridges.core_mut().take_largest(number);
            let queue = &bridges.core().queues()[number];
            let series = &mut self.queues[place].1;
            series.push_mean(queue.dwell.area_until(queue.length, now), span);
            series.length.push(queue.length);
            series.largest.push(largest);
            series.peak = series.peak.max(largest);
            series.notifications.record(queue.notifications);
            // A point that replaces another one counts from zero.
            series.marks.record(queue.congestion_point.marks().unwrap_or(0).max(series.marks.last));
        }
        for place in 0..self.ports.len() {
            let id = self.ports[place].0;
            let ((port, pause_state), ahead) = (net.port(id), ahead_of(net, id));
            let (sent, busy) = (port.sent - ahead, port.busy_until(now));
            let paused = pause_state.paused(port.paused, now);
            let series = &mut self.ports[place].1;
            series.sent.record(sent);
            series.busy.push(busy - series.busy_so_far);
            series.busy_so_far = busy;
            series.paused.push(paused - series.paused_so_far);
            series.paused_so_far = paused;
        }
    }
}

/// Updates deliveries and queues to the current time. Samples come before the events at the same time. Under flow
/// control, where departures may be events, a frame that departs now is therefore still in its queue.
pub(in crate::network) fn catch_up(net: &mut Components) {
    let begun = if net.rules.lossless { just_before(net.now) } else { net.now };
    for part in net.parts.iter_mut() {
        for link in part.cx.links.numbers() {
            if matches!(part.cx.links[link].to, End::Station(_)) {
                part.cx.deliver_due(link);
            }
        }
        let Partition { cx, bridges, .. } = &mut **part;
        bridges.core_mut().settle(cx, begun);
    }
}

/// Bytes that a port has put on its link but not begun to transmit.
fn ahead_of(net: &Components, port: PortId) -> u64 {
    let Owner { part, place } = net.owners[port];
    match place {
        Place::Station(_) => 0,
        Place::Bridge(port) => net.parts[part].bridges.core().committed_ahead(port).1,
    }
}
