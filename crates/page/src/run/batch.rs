//! Samples waiting to be sent to the page.

use serde_json::{Map, Value, json};
use setpoint_record::results::{
    Curve, CurveColumn, Curves, FlowSeries, Form, PortSeries, QueueMeans, QueueSeries, SourceSeries,
    load_ratio,
};
use setpoint_sim::{Sample, thin};
use setpoint_units::quantity::Unit;
use setpoint_units::{Rate, TimeDelta};

use super::shown::Shown;

/// Maximum number of samples. If there are more, each pair is merged into one, so that a page that reads slowly does
/// not exhaust memory.
const MOST: usize = 2_000;

/// Samples since the last message, by column.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    time: Vec<f64>,
    flows: Vec<FlowSeries>,
    /// One entry per shown flow if receivers acknowledge.
    sources: Vec<SourceSeries>,
    queues: Vec<QueueSeries>,
    queue_means: Vec<QueueMeans>,
    ports: Vec<PortSeries>,
}

/// The curves that a page receives: their names, titles and units, the lists in a run's description that contain their objects, and
/// how the number of samples is halved.
pub(super) fn declared(shown: &Shown) -> Vec<Value> {
    fn of<C: Curves>(shown: &Shown, list: &str) -> impl Iterator<Item = Value> {
        let curve = move |column: &CurveColumn| {
            let unit = symbol(column.shown_in());
            json!({ "name": name::<C>(column), "title": column.title, "unit": unit, "of": list, "pairs": column.pairs })
        };
        C::COLUMNS.iter().filter(|column| shown.has(column)).map(curve)
    }
    of::<FlowSeries>(shown, "flows")
        .chain(of::<SourceSeries>(shown, "flows").filter(|_| shown.acknowledges))
        .chain(of::<QueueSeries>(shown, "queues"))
        .chain(of::<QueueMeans>(shown, "queues"))
        .chain(of::<PortSeries>(shown, "ports"))
        .collect()
}

/// The name of a unit in the scripts of the page; counts and ratios have none.
const fn symbol(unit: Unit) -> &'static str {
    match unit {
        Unit::Seconds => "s",
        Unit::BitsPerSecond => "b/s",
        Unit::Bytes => "B",
        Unit::Share => "share",
        _ => "",
    }
}

/// The name of a curve in messages, such as `flow.rate_bps`.
fn name<C: Curves>(column: &CurveColumn) -> String {
    format!("{}.{}", C::KIND, column.name)
}

impl Batch {
    /// An empty batch for the shown flows, queues and ports of a sample.
    pub(super) fn new(shown: &Shown, sample: &Sample) -> Self {
        Self {
            time: Vec::new(),
            flows: vec![FlowSeries::default(); shown.flows],
            sources: vec![SourceSeries::default(); if shown.acknowledges { shown.flows } else { 0 }],
            queues: vec![QueueSeries::default(); shown.queues.len()],
            queue_means: vec![QueueMeans::default(); shown.queues.len()],
            ports: vec![PortSeries::default(); sample.ports.len().min(shown.ports)],
        }
    }

    pub(super) fn push(&mut self, shown: &Shown, sample: &Sample) {
        self.time.push(sample.at.as_secs_f64());
        let span = sample.span.as_picos().max(1);
        for (curves, flow) in self.flows.iter_mut().zip(&sample.flows) {
            curves.rate_bps.push(scaled(flow.delivered, Rate::BYTE_PICOS, span));
            curves.limit_bps.push(flow.limit.map(Rate::bits_per_second).map(|bits| bits as f64));
            curves.notifications.push(flow.notifications);
        }
        let mut seen = sample.sources.iter().peekable();
        for (index, curves) in self.sources.iter_mut().enumerate() {
            let source = seen.next_if(|source| source.flow.index() == index);
            let round_trip = source.and_then(|source| source.round_trip);
            curves.round_trip_s.push(round_trip.map(TimeDelta::as_secs_f64));
            let window = source.and_then(|source| source.window);
            curves.window_bytes.push(window.map(|bytes| bytes.get() as f64));
            curves.in_flight_bytes.push(source.map_or(0, |source| source.in_flight) as f64);
            curves.marked_acknowledgements.push(source.map(|source| source.marks));
            curves.load.push(source.and_then(|source| source.load).map(load_ratio));
        }
        let queues = self.queues.iter_mut().zip(&mut self.queue_means);
        for ((curves, means), &index) in queues.zip(&shown.queues) {
            let queue = &sample.queues[index];
            curves.length_bytes.push(queue.length as f64);
            curves.largest_bytes.push(queue.largest as f64);
            curves.notifications.push(queue.notifications);
            curves.marked_frames.push(Some(queue.marks));
            means.mean_bytes.push(queue.mean as f64);
        }
        // Shares are sent in thousandths, which are short as text.
        let share = |part: TimeDelta| scaled(part.as_picos(), 1_000, span) / 1e3;
        for (curves, port) in self.ports.iter_mut().zip(&sample.ports) {
            curves.utilisation_share.push(share(port.busy));
            curves.paused_share.push(share(port.paused));
        }
        if self.time.len() > MOST {
            self.halve();
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.time.is_empty()
    }

    fn halve(&mut self) {
        thin::last(&mut self.time);
        self.flows.iter_mut().for_each(Curves::halve);
        self.sources.iter_mut().for_each(Curves::halve);
        self.queues.iter_mut().for_each(Curves::halve);
        self.queue_means.iter_mut().for_each(Curves::halve);
        self.ports.iter_mut().for_each(Curves::halve);
    }

    /// Takes all samples, as JSON.
    pub(super) fn take(&mut self, shown: &Shown) -> Value {
        let mut message = Map::new();
        message.insert("time_s".to_owned(), json!(std::mem::take(&mut self.time)));
        take(&mut self.flows, shown, &mut message);
        if !self.sources.is_empty() {
            take(&mut self.sources, shown, &mut message);
        }
        take(&mut self.queues, shown, &mut message);
        take(&mut self.queue_means, shown, &mut message);
        take(&mut self.ports, shown, &mut message);
        Value::Object(message)
    }
}

/// `value * factor / divisor`, rounded down. Usually, the product fits into 64 bits, for which a division is much faster.
fn scaled(value: u64, factor: u64, divisor: u64) -> f64 {
    if value <= u64::MAX / factor {
        (value * factor / divisor) as f64
    } else {
        (u128::from(value) * u128::from(factor) / u128::from(divisor)) as f64
    }
}

/// Moves the samples of some objects into a message.
fn take<C: Curves>(objects: &mut [C], shown: &Shown, message: &mut Map<String, Value>) {
    for (place, column) in C::COLUMNS.iter().enumerate().filter(|(_, column)| shown.has(column)) {
        let values: Vec<Value> = objects.iter().map(|one| values(one.curves()[place], column.form)).collect();
        message.insert(name::<C>(column), Value::Array(values));
    }
    objects.iter_mut().for_each(Curves::clear);
}

/// The values of a curve; null if missing.
fn values(curve: &dyn Curve, form: Form) -> Value {
    let value = |sample: usize| match (curve.number(sample), form) {
        (Some(count), Form::Count) => json!(count as u64),
        (number, _) => json!(number),
    };
    (0..curve.samples()).map(value).collect()
}
